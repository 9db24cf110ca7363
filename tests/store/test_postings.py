"""Words in the database: whatever happens to messages, postings and counts are those of the texts as they are now."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.memory.day_terms import day_terms
from bot.memory.index import index_pending
from bot.memory.words import terms
from bot.model import ChatId, Lane, NewMessage, Outcome, Said, TurnId, TurnRecord
from bot.store import PostgresStore
from bot.store.database import statement
from bot.store.inbox import Inbox
from bot.store.outbox import Bubble, Outbox
from bot.store.queries import migrations
from bot.store.text import storable

pytestmark = pytest.mark.on_both_servers

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
BOT = 7
WAITING = """
    SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (
        SELECT pid FROM pg_stat_activity WHERE datname = current_database()
    )
"""
"""How many wait for a lock in this database."""
WRITERS = ["take_message", "record_messages", "sent", "finish_turn", "edit_message", "index_again", "index_messages"]


@pytest.fixture
async def chat(store: PostgresStore) -> ChatId:
    return await store.chats.open("telegram:7:1", title="T")


def message(name: object, text: str, *, minute: int = 0, topic: str = "") -> NewMessage:
    sent_at = NOW + timedelta(minutes=minute)
    return NewMessage(external_id=str(name), sender_id="user1", sender="Ann", sent_at=sent_at, text=text, topic=topic)


async def in_order(store: PostgresStore, chat: ChatId) -> None:
    """See that what is indexed in a chat is what its messages say."""
    pool = store.database.pool
    rows = await pool.fetch("SELECT message_id, topic, sent_at, text, terms FROM messages WHERE chat_id = $1", chat)
    wanted = {
        (term, row["message_id"], row["topic"], row["sent_at"], tf, len(terms(row["text"])))
        for row in rows
        for term, tf in Counter(terms(row["text"]) + day_terms(row["text"], row["sent_at"])).items()
    }
    kept = await pool.fetch(
        "SELECT term, message_id, topic, sent_at, tf, length FROM postings WHERE chat_id = $1", chat
    )
    assert len(kept) == len(wanted)
    assert {tuple(row) for row in kept} == wanted
    assert all(row["terms"] == len(terms(row["text"])) for row in rows)
    counts = await pool.fetch("SELECT term, messages FROM term_counts WHERE chat_id = $1 AND messages <> 0", chat)
    assert {row["term"]: row["messages"] for row in counts} == Counter(term for term, *_ in wanted)
    totals = await pool.fetchrow("SELECT indexed_messages, indexed_terms FROM chats WHERE chat_id = $1", chat)
    assert totals is not None
    assert tuple(totals) == (len(rows), sum(len(terms(row["text"])) for row in rows))


async def take(store: PostgresStore, chat: ChatId, update: int, said: NewMessage) -> None:
    await Inbox(store.database).take_message(BOT, update, chat_id=chat, source="telegram:7:1", message=said, wake=None)


async def edit(
    store: PostgresStore, chat: ChatId, update: int, name: object, text: str, *, at: datetime = NOW, minute: int = 0
) -> None:
    edited = replace(message(name, text, minute=minute), edited_at=at)
    await Inbox(store.database).take_edit(BOT, update, chat_id=chat, source="telegram:7:1", message=edited)


async def bubble(store: PostgresStore, chat: ChatId, text: str) -> Bubble:
    """Something that is being sent."""
    turn = uuid4()
    pool = store.database.pool
    await pool.execute(
        "INSERT INTO turns (chat_id, turn_id, trace_id, persona, started_at, outcome, inputs)"
        " VALUES ($1, $2, '', 'Mia', now(), 'spoke', '{}')",
        chat,
        turn,
    )
    await pool.execute(
        "INSERT INTO outbox (chat_id, turn_id, n, source, topic, persona, text, state)"
        " VALUES ($1, $2, 1, 'telegram:7:1', '', 'Mia', $3, 'sending')",
        chat,
        turn,
        text,
    )
    return Bubble(
        chat_id=chat, turn_id=turn, n=1, source="telegram:7:1", topic="", persona="Mia", text=text, reply_to=None,
        attempts=1,
    )  # fmt: skip


texts = st.lists(
    st.sampled_from(
        ["tea", "teas", "Lyon", "the", "喝茶吗", "2026", "\0", "O'Brien", "\ud800", "🙂", "yesterday", "5 May"]
    ),
    max_size=6,
).map(" ".join)
steps = st.lists(
    st.tuples(st.sampled_from(["record", "take", "edit", "sent", "turn", "old", "index"]), st.integers(0, 5), texts),
    min_size=1,
    max_size=12,
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps)
async def test_what_is_indexed_is_what_the_messages_say(
    store: PostgresStore, drawn: list[tuple[str, int, str]]
) -> None:
    chat = await store.chats.open(f"import:{uuid4()}", title="T")
    outbox = Outbox(store.database)
    first = 1 + await store.database.pool.fetchval("SELECT coalesce(max(update_id), 0) FROM inbox")
    for update, (step, n, text) in enumerate(drawn, first):
        match step:
            case "record":
                batch = [message(n + m, f"{text} {m}", topic="ab"[m % 2]) for m in range(3)]
                await store.messages.record(chat, "telegram:7:1", batch)
            case "take":
                await take(store, chat, update, message(n, text))
            case "edit":
                await edit(store, chat, update, n, text)
            case "sent":
                await outbox.sent(await bubble(store, chat, storable(text)), sent_id=f"bot {update}", sent_at=NOW)
            case "turn":
                await store.turns.finish(turn(chat, text, f"and {text}"))
            case "old":
                await make_old(store, chat, n)
            case _:
                await index_pending(store.words)
    await index_pending(store.words)
    await in_order(store, chat)


def turn(chat: ChatId, *said: str) -> TurnRecord:
    return TurnRecord(
        turn_id=TurnId(uuid4()),
        lane=Lane(chat),
        trace_id="0" * 32,
        started_at=NOW,
        outcome=Outcome.ANSWERED,
        persona="Mia",
        source="terminal",
        inputs={},
        said=tuple(Said(text=text) for text in said),
        said_at=NOW,
    )


async def make_old(store: PostgresStore, chat: ChatId, number: int) -> None:
    """Make a message one that was kept before there was an index."""
    await store.database.pool.execute(
        """
        WITH old AS (
            UPDATE messages SET terms = NULL FROM messages before
            WHERE messages.chat_id = $1 AND messages.message_id = $2 AND messages.terms IS NOT NULL
                AND before.chat_id = $1 AND before.message_id = $2
            RETURNING before.terms
        ), gone AS (
            DELETE FROM postings WHERE chat_id = $1 AND message_id = $2 RETURNING term
        ), fewer AS (
            UPDATE term_counts SET messages = messages - 1 WHERE chat_id = $1 AND term IN (SELECT term FROM gone)
        )
        UPDATE chats SET indexed_messages = indexed_messages - 1, indexed_terms = indexed_terms - old.terms
        FROM old WHERE chat_id = $1
        """,
        chat,
        number,
    )


async def test_what_was_indexed_without_its_days_is_indexed_again(store: PostgresStore, chat: ChatId) -> None:
    said = [message(n, text) for n, text in enumerate(["tea yesterday", "tea", "上周五喝茶", "may be", "on 5 May"])]
    await store.messages.record(chat, "telegram:7:1", said)
    pool = store.database.pool
    await pool.execute("DELETE FROM postings WHERE starts_with(term, '@')")
    await pool.execute("DELETE FROM term_counts WHERE starts_with(term, '@')")
    [days] = [text for _, name, text in migrations() if name == "days_among_words"]
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute(days)
    await index_pending(store.words)
    await in_order(store, chat)


async def test_a_message_that_comes_twice_is_counted_once(store: PostgresStore, chat: ChatId) -> None:
    for update in (1, 2, 2):
        await take(store, chat, update, message(1, "green tea"))
    await store.messages.record(chat, "import:x", [message(9, "green tea")])
    await in_order(store, chat)


async def test_writers_side_by_side_lose_no_word(store: PostgresStore, chat: ChatId) -> None:
    async def write(worker: int) -> None:
        for n in range(10):
            number = worker * 100 + n
            await take(store, chat, number, message(number, f"tea for {worker} and {n}", minute=n))
            if n % 3 == 0:
                await edit(store, chat, number + 50, number, "coffee then")

    await asyncio.gather(*(write(worker) for worker in range(5)))
    await in_order(store, chat)


async def test_indexing_beside_edits_and_other_indexers_is_exact(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "telegram:7:1", [message(n, f"tea number {n}") for n in range(60)])
    for number in range(1, 61):
        await make_old(store, chat, number)
    assert await store.database.pool.fetchval("SELECT count(*) FROM postings") == 0
    edits = (edit(store, chat, 1000 + n, n, f"coffee number {n}") for n in range(0, 60, 3))
    await asyncio.gather(*edits, *(index_pending(store.words) for _ in range(3)))
    await in_order(store, chat)


async def test_an_older_edit_that_comes_late_changes_nothing(store: PostgresStore, chat: ChatId) -> None:
    await take(store, chat, 1, message(1, "tea"))
    for update, (text, minutes) in enumerate([("coffee", 2), ("milk", 1)], 2):
        await edit(store, chat, update, 1, text, at=NOW + timedelta(minutes=minutes))
    await in_order(store, chat)
    assert await store.database.pool.fetchval("SELECT text FROM messages") == "coffee"


@pytest.mark.parametrize("first", ["message", "edit"])
async def test_a_message_and_its_edit_that_come_at_once_are_one_message(
    store: PostgresStore, chat: ChatId, first: str
) -> None:
    pool = store.database.pool
    ways = [take(store, chat, 1, message(1, "tea")), edit(store, chat, 2, 1, "green tea")]
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT FROM chats FOR UPDATE")  # each has looked for the other's, and waits
        writing: list[asyncio.Task[None]] = []
        for way in ways if first == "message" else reversed(ways):
            writing.append(asyncio.create_task(way))
            async with asyncio.timeout(10):
                while await pool.fetchval(WAITING) < len(writing):
                    pass
    await asyncio.gather(*writing)
    assert [row["text"] for row in await pool.fetch("SELECT text FROM messages")] == ["green tea"]
    await in_order(store, chat)


async def test_a_bubble_that_was_sent_twice_is_one_message(store: PostgresStore, chat: ChatId) -> None:
    said = await bubble(store, chat, "tea is ready")
    outbox = Outbox(store.database)
    assert await outbox.sent(said, sent_id="5", sent_at=NOW) == 1
    assert await outbox.sent(said, sent_id="5", sent_at=NOW) is None
    await in_order(store, chat)


async def test_a_chat_that_goes_takes_its_words_along(store: PostgresStore, chat: ChatId) -> None:
    await take(store, chat, 1, message(1, "green tea"))
    await store.database.pool.execute("DELETE FROM chats")
    for table in ("postings", "term_counts"):
        assert await store.database.pool.fetchval(f"SELECT count(*) FROM {table}") == 0  # noqa: S608


@pytest.mark.parametrize("name", WRITERS)
async def test_no_writer_reads_a_whole_table_however_young(store: PostgresStore, name: str) -> None:
    async with store.database.pool.acquire() as connection:
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE it AS {statement(name)}")
        types = await connection.fetchval(
            "SELECT array_agg(type::text ORDER BY n) FROM pg_prepared_statements,"
            " unnest(parameter_types) WITH ORDINALITY AS t (type, n) WHERE name = 'it'"
        )
        nothing = ", ".join(f"NULL::{kind}" for kind in types)
        plan = await connection.fetch(f"EXPLAIN EXECUTE it ({nothing})")
    read = [row[0] for row in plan if "Seq Scan" in row[0]]
    assert not [line for line in read if "messages" in line or "postings" in line or "term_counts" in line]
