"""The trace of a message on its way through the whole bot: received, read in a turn that links to it, answered."""

from __future__ import annotations

from collections.abc import Sequence

from bot.store import PostgresStore
from tests.fakes.otlp_receiver import OtlpReceiver, Seen, tracing_to
from tests.fakes.ports import ScriptedChat, say
from tests.telegram.intake_rig import Rig
from tests.telegram.serving_rig import serving


def named(roots: Sequence[Seen], name: str) -> list[Seen]:
    return [root for root in roots if root.name == name]


def links(turn: Seen) -> list[tuple[str, str, object]]:
    """Where they lead, and which message they say is there."""
    return [(trace_id, span_id, told["telegram.message.id"]) for trace_id, span_id, told in turn.links]


def received(spans: Sequence[Seen]) -> list[tuple[str, str, object]]:
    """The same of where messages were received."""
    return [(span.trace_id, span.span_id, span.attributes["telegram.message.id"]) for span in spans]


async def _traceparents(r: Rig) -> list[str]:
    return [row["traceparent"] for row in await r.rows("SELECT traceparent FROM messages WHERE traceparent <> ''")]


async def test_a_turn_links_to_where_each_message_that_it_reads_was_received(store: PostgresStore, dsn: str) -> None:
    async with OtlpReceiver() as receiver:
        async with tracing_to(receiver), serving(store, dsn, chat=ScriptedChat(say("noted"))) as r:
            ann, bob = r.api.person("Ann"), r.api.person("Bob")
            tea = r.api.supergroup("Tea", ann, bob, r.bot)
            await ann.says(tea, "nobody is asked")
            await bob.says(r.api.supergroup("Elsewhere", bob, r.bot), "not read here")
            await r.api.confirmed(r.bot)
            await bob.says(tea, "Mia, are you?")
            await r.api.sent(tea, 1)
            await bob.says(tea, "Mia, and now?")
            await r.api.sent(tea, 2)
            [elsewhere] = await _traceparents(r)
        roots = receiver.roots()
    first, other, second, third = named(roots, "receive telegram")
    assert first.kind == "consumer"
    assert first.attributes["telegram.update.id"] < other.attributes["telegram.update.id"]
    assert first.attributes["telegram.chat.id"] == tea.id
    turn, later = named(roots, "process telegram")
    assert links(turn) == received([first, second])
    assert links(later) == received([third])
    assert turn.attributes["telegram.chat.id"] == tea.id
    assert turn.attributes["telegram.message.id"] == second.attributes["telegram.message.id"]
    assert elsewhere.split("-")[1:3] == [other.trace_id, other.span_id], "what has been read forgets where it came in"


async def test_keeping_a_turn_is_a_span_and_what_it_says_is_sent_beside_it(store: PostgresStore, dsn: str) -> None:
    async with OtlpReceiver() as receiver:
        async with tracing_to(receiver), serving(store, dsn, chat=ScriptedChat(say("noted"))) as r:
            ann = r.api.person("Ann")
            await ann.says(r.bot, "hello")
            await r.api.sent(r.api.private(ann, r.bot), 1)
        roots = receiver.roots()
    [turn] = named(roots, "process telegram")
    [agent] = turn.children
    *_, finish, send = agent.children
    assert (finish.name, finish.kind) == ("INSERT turns", "client")
    assert finish.attributes == {
        "db.system.name": "postgresql",
        "db.operation.name": "INSERT",
        "db.collection.name": "turns",
        "db.query.summary": "INSERT turns",
        "db.response.returned_rows": 1,
        "companion.turn.id": agent.attributes["companion.turn.id"],
        "companion.turn.outcome": "answered",
    }
    assert send.name == "send telegram"
    assert send.attributes["companion.bubble"] == 1
    assert send.attributes["telegram.chat.id"] == ann.id
