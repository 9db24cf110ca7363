"""The way out when the sender dies, stops or loses its database: nothing is sent twice, and nothing stays behind."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from bot.store import PostgresStore
from tests.telegram.outgoing import PATIENCE, Outgoing, outgoing


@pytest.fixture
async def out(store: PostgresStore) -> AsyncIterator[Outgoing]:
    async with outgoing(store) as out:
        yield out


class Logged(logging.Handler):
    """Knows when something was logged."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.something = asyncio.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.something.set()


async def test_who_dies_over_a_request_leaves_it_unknown_and_it_is_not_sent_again(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two")
    hang = out.api.hang("sendMessage")
    dying = asyncio.create_task(out.sender().run(asyncio.Event()))
    await hang.reached()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    assert await out.states() == ["sending", "waiting"]
    hang.release()
    await out.api.sent(tea, 1)
    await out.time_passes()
    async with out.sending():
        await out.become(["unknown", "sent"])
    assert Counter(out.texts(tea)) == {"one": 1, "two": 1}


async def test_who_dies_over_its_typing_leaves_the_bubble_to_another(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    dying = asyncio.create_task(out.sender(pace=100.0).run(asyncio.Event()))
    await out.api.was_asked("sendChatAction", 1)
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    await out.time_passes()
    async with out.sending():
        await out.api.sent(tea, 1)
    assert await out.states() == ["sent"]


async def test_who_lost_its_lease_over_its_typing_stays_silent(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    async with out.sending(pace=100.0):
        await out.api.was_asked("sendChatAction", 1)
        await out.time_passes()
        async with out.sending():
            await out.become(["sent"])
    assert out.texts(tea) == ["one"]
    assert await out.states() == ["sent"]


async def test_told_to_stop_it_puts_back_what_it_was_typing(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two")
    async with out.sending(pace=100.0):
        await out.api.was_asked("sendChatAction", 1)
    first, second = await out.rows()
    assert (first["state"], first["owner"], first["lease_until"]) == ("waiting", None, None)
    assert (second["state"], second["owner"]) == ("waiting", None)
    assert out.texts(tea) == []


async def test_told_to_stop_it_finishes_what_it_is_sending(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two")
    hang = out.api.hang("sendMessage")
    async with out.sending() as stop:
        await hang.reached()
        stop.set()
        hang.release()
    assert await out.states() == ["sent", "waiting"]


async def test_told_to_stop_it_waits_for_no_request_for_ever(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    hang = out.api.hang("sendMessage")
    async with out.sending(grace=0.1):
        await hang.reached()
    assert await out.states() == ["unknown"]
    hang.release()


async def test_the_database_is_told_what_was_sent_even_if_it_was_away(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    pool = out.store.database.pool

    async def take_away(_: object) -> None:
        await pool.execute("ALTER TABLE outbox RENAME TO elsewhere")

    out.api.at(1, take_away, when="after", method="sendMessage")
    logged, log = Logged(), logging.getLogger("bot.telegram.waiting")
    log.addHandler(logged)
    try:
        async with out.sending():
            async with asyncio.timeout(PATIENCE):
                await logged.something.wait()
            await pool.execute("ALTER TABLE elsewhere RENAME TO outbox")
            await out.become(["sent"])
    finally:
        log.removeHandler(logged)
    assert out.texts(tea) == ["one"]


async def test_who_ends_over_the_picture_of_a_bubble_has_sent_nothing_of_it(out: Outgoing) -> None:
    chat = out.api.private(out.api.person("Ann"), out.mia)
    reading, read = asyncio.Event(), asyncio.Event()

    async def picture_of(card: str, emotion: str | None) -> bytes | None:
        reading.set()
        await read.wait()
        return None

    chat_id = await out.queue(chat, "Look!")
    await out.store.database.pool.execute(
        "UPDATE outbox SET picture = 'a', emotion = 'joy' WHERE chat_id = $1", chat_id
    )
    async with out.sending(picture_of=picture_of, grace=0.0) as stop:
        async with asyncio.timeout(PATIENCE):
            await reading.wait()
        assert await out.states() == ["waiting"]
        stop.set()
    assert (await out.states(), out.texts(chat)) == (["waiting"], [])
    await out.time_passes()
    read.set()
    async with out.sending(picture_of=picture_of):
        await out.api.sent(chat, 1)
    assert await out.states() == ["sent"]
