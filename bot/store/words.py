"""Words in the database: which terms a message is indexed by, what is not indexed yet, and where sessions begin."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby

from bot.memory.day_terms import day_terms
from bot.memory.words import terms
from bot.model import ChatId
from bot.store.database import Database
from bot.store.text import storable

BATCH = 500
"""Messages that are indexed in one statement."""
PART = 10_000
"""Messages whose sessions are told anew in one transaction: while it lasts, nobody can write in that chat."""


def stored_terms(text: str) -> list[str]:
    """The terms of a text as it is kept, in their order and as often as they occur."""
    return terms(storable(text))


def joined_terms(text: str) -> str:
    """The same as one text, since an array cannot hold arrays of several lengths. No term has a space in it."""
    return " ".join(stored_terms(text))


def stored_days(text: str, sent_at: datetime) -> list[str]:
    """The terms of the days that a text as it is kept speaks of; its length does not count them."""
    return day_terms(storable(text), sent_at)


def joined_days(text: str, sent_at: datetime) -> str:
    """The same as one text."""
    return " ".join(stored_days(text, sent_at))


class WordIndex:
    """The family of `postings` and `term_counts`; also sees to it that every message is in its session."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def index_some(self) -> int:
        """Index a batch of what was kept before there was an index; how many messages. Any number may do so at once."""
        rows = await self._database.fetch("to_index", BATCH)
        for chat_id, group in groupby(rows, key=lambda row: row["chat_id"]):
            messages = list(group)
            await self._database.fetch(
                "index_messages",
                chat_id,
                [row["message_id"] for row in messages],
                [joined_terms(row["text"]) for row in messages],
                [joined_days(row["text"], row["sent_at"]) for row in messages],
            )
        return len(rows)

    async def unsorted(self) -> list[ChatId]:
        """The chats in which sessions are to be told anew: messages came in between others there."""
        return [ChatId(row["chat_id"]) for row in await self._database.fetch("unsorted_chats")]

    async def sort_some(self, chat_id: ChatId) -> bool:
        """Tell a part of a chat's sessions anew; False when all are right."""
        async with self._database.transaction() as queries:
            # The lock comes first, so that the statement behind it sees all that was written before.
            row = await queries.fetch_one("lock_sessions", chat_id)
            if row is None:
                return False
            await queries.fetch("sort_sessions", chat_id, row["sessions_from"], PART)
            return True
