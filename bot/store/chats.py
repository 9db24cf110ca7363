"""Chats and their addresses."""

from __future__ import annotations

from dataclasses import dataclass

import asyncpg

from bot.errors import QueryFailed, UnknownChat
from bot.model import Chat, ChatId
from bot.store.database import Queries
from bot.store.text import storable

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

    def __init__(self, database: Queries) -> None:
        self._database = database

    async def open(self, source: str, *, title: str, export: Export | None = None) -> ChatId:
        """The chat at an address; when that is new, the one with what was exported of it, or one made for it."""
        exported = (export.source, export.shares_message_ids) if export else (None, False)
        about = (storable(source), storable(title), *exported)
        try:
            row = await self._database.fetch_one("open_chat", *about)
        except QueryFailed as error:
            if error.sqlstate != UNIQUE_VIOLATION:
                raise
            # Another process made it between our look and our insert.
            row = await self._database.fetch_one("open_chat", *about)
        assert row is not None  # noqa: S101  (the query gives one row by its shape)
        return ChatId(row["chat_id"])

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
