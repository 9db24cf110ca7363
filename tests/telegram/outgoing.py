"""What tests of the sender share: an outbox, a small Telegram, and the real sender between them."""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from aiogram import Bot
from pydantic import SecretStr

from bot.model import ChatId, MessageId
from bot.store import PostgresStore
from bot.store.inbox import Inbox
from bot.store.outbox import Outbox
from bot.telegram.client import TelegramClient
from bot.telegram.sending import Sender
from tests.fakes.bot_api import BotApi
from tests.fakes.bot_api_values import Bot as Account
from tests.fakes.bot_api_values import Chat

PATIENCE = 30.0
"""Seconds that a test waits for what must come."""
_turns = itertools.count(1)


@dataclass
class Outgoing:
    """One bot's way out."""

    api: BotApi
    mia: Account
    bot: Bot
    store: PostgresStore

    def source(self, chat: Chat) -> str:
        return f"telegram:{self.mia.id}:{chat.id}"

    async def queue(
        self,
        chat: Chat,
        *texts: str,
        topic: str = "",
        reply_to: MessageId | None = None,
        source: str | None = None,
        traceparent: str | None = None,
    ) -> ChatId:
        """Put what one turn says into the outbox."""
        source = source or self.source(chat)
        pool, turn = self.store.database.pool, UUID(int=next(_turns))
        chat_id = await self.store.chats.open(source, title=chat.title)
        await pool.execute(
            "INSERT INTO turns (chat_id, turn_id, topic, trace_id, persona, started_at, outcome, inputs)"
            " VALUES ($1, $2, $3, '', 'Mia', now(), 'answered', '{}')",
            *(chat_id, turn, topic),
        )
        await pool.executemany(
            "INSERT INTO outbox (chat_id, turn_id, n, source, topic, persona, text, reply_to, traceparent)"
            " VALUES ($1, $2, $3, $4, $5, 'Mia', $6, $7, $8)",
            [(chat_id, turn, n, source, topic, text, reply_to, traceparent) for n, text in enumerate(texts, 1)],
        )
        return chat_id

    def sender(self, *, wake: asyncio.Event | None = None, **wanted: Any) -> Sender:
        """The real one, without human pauses and limits unless wanted."""
        settings: dict[str, Any] = {"pace": 0.0, "per_chat": math.inf, "in_all": math.inf, "owner": uuid4()} | wanted
        outbox, inbox = Outbox(self.store.database), Inbox(self.store.database)
        bot = settings.pop("bot", self.bot)
        return Sender(bot, outbox, inbox, wake=wake or asyncio.Event(), **settings)

    @asynccontextmanager
    async def sending(self, **wanted: Any) -> AsyncGenerator[asyncio.Event]:
        """A sender at work; the event stops it. When the block ends, it has stopped."""
        stop = asyncio.Event()
        running = asyncio.create_task(self.sender(**wanted).run(stop))
        try:
            yield stop
            stop.set()
            async with asyncio.timeout(PATIENCE):
                await running
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def rows(self) -> list[Any]:
        """The outbox, in order, with the seconds until each is due."""
        return await self.store.database.pool.fetch(
            "SELECT *, extract(epoch FROM due_at - now())::float8 AS due_in FROM outbox ORDER BY queued_at, turn_id, n"
        )

    async def states(self) -> list[str]:
        """What became of each."""
        return [row["state"] for row in await self.rows()]

    async def become(self, states: Sequence[str], *, attempts: int = 0) -> None:
        """Wait until the rows are in these states, and the first was tried so often."""
        async with asyncio.timeout(PATIENCE):
            while True:
                rows = await self.rows()
                if [row["state"] for row in rows] == [*states] and rows[0]["attempts"] >= attempts:
                    return

    async def time_passes(self) -> None:
        """All that is to wait has waited, all leases have run out."""
        await self.store.database.pool.execute(
            "UPDATE outbox SET due_at = least(due_at, now()), lease_until = now() - interval '1 s'"
        )
        await self.store.database.pool.execute("UPDATE quiet_places SET until = least(until, now())")

    def texts(self, chat: Chat) -> list[str]:
        """What one reads there of bots."""
        return [message.text for message in self.api.by_bots(chat)]


@asynccontextmanager
async def bot_at(base_url: str, token: str) -> AsyncGenerator[Bot]:
    """A bot as the program has it."""
    async with TelegramClient(SecretStr(token), base_url) as client:
        yield client.bot


@asynccontextmanager
async def outgoing(store: PostgresStore) -> AsyncGenerator[Outgoing]:
    """A small Telegram with a bot, and a store."""
    async with BotApi() as api:
        mia = api.bot("Mia")
        async with bot_at(api.base_url, mia.token) as bot:
            yield Outgoing(api, mia, bot, store)
