"""What was pending when the bot went away is not answered when it is back long after, and what is old is let go of."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import uuid4

import pytest

from bot.attention import FRESH, Wake
from bot.model import ChatId, NewMessage
from bot.store import PostgresStore
from bot.store.inbox import Inbox, forget_old
from bot.store.lanes import Lanes
from tests.fakes.ports import ScriptedChat, say
from tests.telegram.intake_rig import ME, now, private
from tests.telegram.outgoing import Outgoing, outgoing
from tests.telegram.serving_rig import serving

ANN = 5_000_000_011
HOURS = timedelta(hours=2)


@pytest.fixture
async def out(store: PostgresStore) -> AsyncIterator[Outgoing]:
    async with outgoing(store) as out:
        yield out


async def takes(store: PostgresStore, number: int, text: str) -> ChatId:
    """A message of Ann's that wants an answer."""
    source = f"telegram:{ME.bot_id}:{ANN}"
    chat_id = await store.chats.open(source, title="Ann")
    said = NewMessage(external_id=str(number), sender_id=str(ANN), sender="Ann", sent_at=now(), text=text)
    wake = Wake(quiet=0, longest=12)
    await Inbox(store.database).take_message(ME.bot_id, number, chat_id=chat_id, source=source, message=said, wake=wake)
    return chat_id


async def passes(store: PostgresStore, time: timedelta) -> None:
    """So much time passes, and nobody is there."""
    await store.database.pool.execute(
        "UPDATE lanes SET due_at = due_at - $1::interval, since = since - $1::interval,"
        " rests_until = rests_until - $1::interval",
        time,
    )
    await store.database.pool.execute("UPDATE messages SET sent_at = sent_at - $1::interval", time)


async def test_what_was_due_long_ago_is_read_and_not_answered(store: PostgresStore, dsn: str) -> None:
    await takes(store, 1, "are you there?")
    await passes(store, HOURS)
    chat = ScriptedChat(say("Here I am."))
    async with serving(store, dsn, chat=chat) as r:
        while not await store.database.pool.fetch("SELECT FROM turns"):
            pass  # each look is a round trip
        r.api.inject(r.bot, private(900000002, ANN, "hello?"))
        while not await store.database.pool.fetch("SELECT FROM outbox"):
            pass
    outcomes = await store.database.pool.fetch("SELECT outcome FROM turns ORDER BY started_at")
    assert [row["outcome"] for row in outcomes] == ["too late", "answered"]
    [prompt] = chat.asked
    before, _, new = prompt.user.partition("# New messages")
    assert "are you there?" in before
    assert "hello?" in new
    assert await store.database.pool.fetch("SELECT FROM messages WHERE read_at IS NULL") == []


async def test_who_writes_again_begins_a_burst_of_its_own(store: PostgresStore) -> None:
    await takes(store, 1, "are you there?")
    await passes(store, HOURS)
    await takes(store, 2, "hello?")
    held = await Lanes(store.database).claim(uuid4(), lease=60)
    assert held is not None
    assert held.overdue < FRESH


async def test_what_was_said_to_a_bot_at_rest_is_not_late_when_it_wakes(store: PostgresStore) -> None:
    await takes(store, 1, "sleep well")
    await passes(store, HOURS)
    await store.database.pool.execute("UPDATE lanes SET rests_until = now()")
    held = await Lanes(store.database).claim(uuid4(), lease=60)
    assert held is not None
    assert held.overdue < FRESH


async def test_a_bubble_that_waits_for_hours_fails_and_holds_nothing_up(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "yes, at six today", "bring milk")
    await out.store.database.pool.execute("UPDATE outbox SET queued_at = now() - interval '71 minutes'")
    await out.queue(tea, "good morning")
    async with out.sending():
        await out.become(["failed", "failed", "sent"])
    assert out.texts(tea) == ["good morning"]
    assert [row["problem"] for row in await out.rows()] == ["too late", "too late", None]


async def test_a_bubble_that_telegram_asked_to_wait_for_an_hour_is_sent(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "there you go")
    await out.store.database.pool.execute("UPDATE outbox SET queued_at = now() - interval '61 minutes', attempts = 1")
    async with out.sending():
        await out.become(["sent"])


async def test_what_became_of_bubbles_is_let_go_of_after_a_week(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    states = ["sent", "unknown", "failed", "waiting", "sent"]
    await out.queue(tea, *states)
    await out.store.database.pool.execute("UPDATE outbox SET state = text")
    await out.store.database.pool.execute("UPDATE outbox SET queued_at = now() - interval '8 days' WHERE n < 5")
    await forget_old(out.store.database)
    assert await out.states() == ["waiting", "sent"]
