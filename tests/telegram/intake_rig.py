"""A real intake between a fake Telegram and a real database, and what a test sees of both."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, cast

import asyncpg
import pytest
from pydantic import SecretStr

from bot.attention import Wake, heed
from bot.model import Message
from bot.store import PostgresStore
from bot.store.inbox import Inbox
from bot.telegram.client import TelegramClient
from bot.telegram.intake import Intake
from bot.telegram.keeping import Inbox as InboxPort
from bot.telegram.polling import Waits
from bot.telegram.values import Came, Me
from tests.conftest import SHARED
from tests.fakes.bot_api import BotApi
from tests.fakes.bot_api_values import Bot

CASES = SHARED / "telegram" / "cases.json"
CASE_TIME = datetime.fromtimestamp(1_780_000_010, UTC)
"""A moment after the messages of most cases were sent."""
SOON = Waits(poll=5, lease=5.0, renew=0.1, look_again=0.05, first_pause=0.02, longest_pause=0.1)
"""For tests: nobody there is disturbed by impatience."""
ME = Me(bot_id=7_000_000_001, username="companion_test_bot", name="Mia")


def now() -> datetime:
    return datetime.now(UTC)


@lru_cache
def _cases() -> Mapping[str, Any]:
    return {case["id"]: case for case in json.loads(CASES.read_text())}


def case(name: str) -> Mapping[str, Any]:
    """One of the shared cases; skips when they are not there."""
    if not CASES.exists():
        pytest.skip(f"{CASES} is absent")
    return cast("Mapping[str, Any]", _cases()[name])


def private(number: int, person: int, text: str, *, date: int | None = None) -> dict[str, Any]:
    """An update with a private message."""
    name = f"Person {person}"
    return {
        "update_id": number,
        "message": {
            "message_id": number % 1_000_000,
            "date": int(time.time()) if date is None else date,
            "chat": {"id": person, "type": "private", "first_name": name},
            "from": {"id": person, "is_bot": False, "first_name": name},
            "text": text,
        },
    }


def updates_of(name: str) -> list[dict[str, Any]]:
    """The updates of a case."""
    return case(name)["input"]["updates"]


@asynccontextmanager
async def fake_telegram() -> AsyncGenerator[tuple[BotApi, Bot]]:
    """A Telegram with the bot of the shared cases."""
    async with BotApi() as api:
        yield api, api.bot("Mia", username=ME.username)


@dataclass(frozen=True, kw_only=True)
class Rig:
    """What a test holds."""

    api: BotApi
    bot: Bot
    store: PostgresStore
    intake: Intake

    async def delivers(self, *updates: Any) -> None:
        """Put updates before the bot, and wait until it has confirmed them."""
        for update in updates:
            self.api.inject(self.bot, update)
        await self.api.confirmed(self.bot)

    async def messages(self, chat_id: int) -> list[Message]:
        """All of a chat, as it was kept, in order of time."""
        return [message async for message in self.store.messages.read(cast("Any", chat_id))]

    async def chat_at(self, telegram_chat_id: int) -> int | None:
        """The chat at an address."""
        return await self.store.chats.at(f"telegram:{self.bot.id}:{telegram_chat_id}")

    async def said_in(self, telegram_chat_id: int) -> list[str]:
        """The texts kept of a chat."""
        chat_id = await self.chat_at(telegram_chat_id)
        return [] if chat_id is None else [message.text for message in await self.messages(chat_id)]

    async def rows(self, query: str, *args: object) -> list[asyncpg.Record]:
        return await self.store.database.pool.fetch(query, *args)

    async def inbox(self) -> dict[int, str]:
        """State by update."""
        return {row["update_id"]: row["state"] for row in await self.rows("SELECT update_id, state FROM inbox")}

    async def wakes(self) -> int:
        """How often a turn was wanted, in all lanes."""
        return (await self.rows("SELECT coalesce(sum(generation), 0)::int AS wakes FROM lanes"))[0]["wakes"]


def an_intake(
    client: TelegramClient,
    store: PostgresStore,
    *,
    clock: Callable[[], datetime] = now,
    waits: Waits = SOON,
    inbox: Inbox | None = None,
    attention: Callable[[Came], Wake | None] = lambda came: heed(came.addressing, pace=0),
) -> Intake:
    return Intake(
        client=client,
        inbox=cast("InboxPort", inbox or Inbox(store.database)),
        chats=store.chats,
        me=ME,
        aliases=called,
        attention=attention,
        clock=clock,
        waits=waits,
    )


@asynccontextmanager
async def client_of(api: BotApi, bot: Bot) -> AsyncGenerator[TelegramClient]:
    async with TelegramClient(SecretStr(bot.token), api.base_url) as client:
        yield client


@asynccontextmanager
async def polling(intake: Intake) -> AsyncGenerator[asyncio.Event]:
    """The intake at work while the block runs; the event that stops it."""
    stop = asyncio.Event()
    task = asyncio.create_task(intake.run(stop))
    try:
        yield stop
    finally:
        stop.set()
        async with asyncio.timeout(10):
            await task


@asynccontextmanager
async def rig(
    store: PostgresStore,
    *,
    clock: Callable[[], datetime] = now,
    waits: Waits = SOON,
    inbox: Inbox | None = None,
) -> AsyncGenerator[Rig]:
    """An intake that polls."""
    async with (
        fake_telegram() as (api, bot),
        client_of(api, bot) as client,
        polling(intake := an_intake(client, store, clock=clock, waits=waits, inbox=inbox)),
    ):
        yield Rig(api=api, bot=bot, store=store, intake=intake)


async def called(_: str) -> list[str]:
    return ["Mia", "米娅"]


def at_case_time() -> datetime:
    return CASE_TIME
