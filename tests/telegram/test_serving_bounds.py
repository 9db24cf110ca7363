"""What hangs holds up nobody else: neither other chats, nor the end."""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import datetime, timedelta

import pytest

from bot.store import PostgresStore
from tests.fakes.ports import ScriptedChat, say
from tests.telegram.intake_rig import now
from tests.telegram.serving_rig import HeldChat, serving

CROWD = 20
DRAIN, GRACE = 0.2, 0.2
SOON = 5.0
"""Seconds: far less than what hangs would take."""


async def test_twenty_chats_whose_model_hangs_hold_up_no_other(store: PostgresStore, dsn: str) -> None:
    chat = HeldChat("stuck")
    async with serving(store, dsn, chat=chat, drain=DRAIN) as r:
        crowd = [r.api.person(f"Ann{n}") for n in range(CROWD)]
        for person in crowd:
            await person.says(r.bot, "I am stuck")
        bob = r.api.person("Bob")
        async with asyncio.timeout(30):
            while len(chat.asked) < CROWD:
                await r.rows("SELECT")
        await bob.says(r.bot, "hello")
        [said] = await r.api.sent(r.api.private(bob, r.bot), 1)
        assert said.text == "noted"
        assert not [person for person in crowd if r.api.by_bots(r.api.private(person, r.bot))]
        chat.go_on.set()
        for person in crowd:
            await r.api.sent(r.api.private(person, r.bot), 1)


async def test_the_end_waits_for_neither_a_model_nor_a_telegram_that_hangs(store: PostgresStore, dsn: str) -> None:
    chat = HeldChat("stuck")
    async with serving(store, dsn, chat=chat, drain=DRAIN, grace=GRACE) as r:
        ann, bob = r.api.person("Ann"), r.api.person("Bob")
        sending = r.api.hang("sendMessage")
        await ann.says(r.bot, "hello")
        await sending.reached()
        await bob.says(r.bot, "I am stuck")
        await chat.waits.wait()
        r.api.hang("getUpdates")
        told_to_stop = time.monotonic()
    assert time.monotonic() - told_to_stop < SOON
    [bubble] = await store.database.pool.fetch("SELECT state, problem FROM outbox")
    assert tuple(bubble) == ("unknown", "stopped while it was being sent")
    [lane] = await store.database.pool.fetch(
        "SELECT claim, due_at <= now() AS is_due FROM lanes WHERE due_at IS NOT NULL"
    )
    assert tuple(lane) == (None, True), "another process goes on with Bob's turn at once"


def _warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if "clock" in record.getMessage()]


async def test_a_clock_that_makes_everything_old_is_told_of(
    store: PostgresStore, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    def ahead() -> datetime:
        return now() + timedelta(minutes=20)

    with caplog.at_level(logging.WARNING, "bot"):
        async with serving(store, dsn, chat=ScriptedChat(say("noted")), clock=ahead) as r:
            ann = r.api.person("Ann")
            for n in range(3):
                await ann.says(r.bot, f"hello {n}")
            await r.api.confirmed(r.bot)
            assert await r.wakes() == 0
    [warning] = _warnings(caplog)
    assert warning.startswith("this computer's clock is 20 minutes ahead of Telegram's, so messages may count as old")


async def test_a_clock_that_is_right_is_not_spoken_of(
    store: PostgresStore, dsn: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "bot"):
        async with serving(store, dsn, chat=ScriptedChat(say("noted"))) as r:
            ann = r.api.person("Ann")
            await ann.says(r.bot, "hello")
            await r.api.sent(r.api.private(ann, r.bot), 1)
    assert _warnings(caplog) == []
