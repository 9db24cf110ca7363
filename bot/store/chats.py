"""Chats and their addresses."""

from __future__ import annotations

from dataclasses import dataclass

import asyncpg

from bot.errors import QueryFailed, UnknownChat
from bot.model import Chat, ChatId
from bot.store.database import Database, Queries
from bot.store.text import storable

PART = 10_000
"""Messages that become a live chat's own in one statement."""
UNIQUE_VIOLATION = "23505"
"""PostgreSQL's code for a key that is taken."""


@dataclass(frozen=True, slots=True)
class Export:
    """What may have been imported of a chat before a bot read it."""

    source: str
    shares_message_ids: bool
    """Its messages have the ids that they have for the bot."""


def addresses_of(bot_id: int) -> str:
    """With what all addresses begin that one bot reads, and no other does."""
    return f"telegram:{bot_id}:"


def _as_chat(row: asyncpg.Record) -> Chat:
    return Chat(chat_id=ChatId(row["chat_id"]), title=row["title"], timezone=row["timezone"], messages=row["messages"])


class Chats:
    """The family of `chats` and `chat_addresses`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, source: str, *, title: str, export: Export | None = None) -> ChatId:
        """The chat at an address; when that is new, the one with what was exported of it, or one made for it."""
        try:
            return await self._open(source, title=title, export=export)
        except QueryFailed as error:
            if error.sqlstate != UNIQUE_VIOLATION:
                raise
        return await self._open(source, title=title, export=export)  # another process made it meanwhile

    async def _open(self, source: str, *, title: str, export: Export | None) -> ChatId:
        if export is None:
            return await _open_chat(self._database, source, title=title, export=None)
        async with self._database.transaction() as queries:
            # The lock comes first, so that the statement behind it sees whether another bot has adopted the chat.
            await queries.fetch("lock_export", storable(export.source))
            chat_id = await _open_chat(queries, source, title=title, export=export)
        if export.shares_message_ids:
            await self._adopt(chat_id, storable(export.source), storable(source))
        return chat_id

    async def _adopt(self, chat_id: ChatId, exported: str, live: str) -> None:
        """Make what was imported the live chat's own, a part at a time: who dies over it is followed by the next."""
        while len(await self._database.fetch("adopt_messages", chat_id, exported, live, PART)) == PART:
            pass

    async def get(self, chat_id: int) -> Chat:
        """The chat of that number; raise `UnknownChat` if there is none."""
        row = await self._database.fetch_one("find_chat", chat_id)
        if row is None:
            raise UnknownChat(chat_id)
        return _as_chat(row)

    async def at(self, source: str) -> ChatId | None:
        """The chat at an address, if there is one."""
        row = await self._database.fetch_one("chat_at", storable(source))
        return None if row is None else ChatId(row["chat_id"])

    async def live_address(self, telegram_chat_id: int) -> tuple[str, ChatId] | None:
        """The live address of a Telegram chat, whichever bot reads it, and the chat there."""
        row = await self._database.fetch_one("live_address", f"telegram:%:{telegram_chat_id}")
        return None if row is None else (row["source"], ChatId(row["chat_id"]))

    async def add_address(self, source: str, chat_id: ChatId) -> None:
        """One more address for a chat. An address that is taken stays where it is."""
        await self._database.fetch("add_address", storable(source), chat_id)

    async def all(self) -> list[Chat]:
        """Every chat by number."""
        return [_as_chat(row) for row in await self._database.fetch("list_chats")]


async def _open_chat(queries: Queries, source: str, *, title: str, export: Export | None) -> ChatId:
    exported = storable(export.source) if export else None
    row = await queries.fetch_one("open_chat", storable(source), storable(title), exported)
    assert row is not None  # noqa: S101  (the query gives one row by its shape)
    return ChatId(row["chat_id"])
