"""Messages: recorded once each, read back by lane and by chat."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime

from bot.model import ChatId, Lane, LoreOf, Message, MessageId, NewMessage, View
from bot.store.database import Queries
from bot.store.lore import lore_past
from bot.store.rows import as_message
from bot.store.text import storable, storable_id, storable_or_none
from bot.store.words import joined_days, joined_terms

_PAGE = 1000


class Messages:
    """The family of `messages` and `lanes`."""

    def __init__(self, database: Queries) -> None:
        self._database = database

    async def record(
        self, chat_id: ChatId, source: str, messages: Sequence[NewMessage], *, read_at: datetime | None = None
    ) -> list[MessageId]:
        """Keep what is new of these, in one statement; the numbers of those that were.

        With `read_at` they count as read (an import); without, a turn will read them.
        """
        if not messages:
            return []
        rows = await self._database.fetch(
            "record_messages",
            chat_id,
            storable(source),
            read_at,
            [storable_id(message.external_id) for message in messages],
            [storable(message.topic) for message in messages],
            [storable_or_none(message.sender_id) for message in messages],
            [storable(message.sender) for message in messages],
            [message.sent_at for message in messages],
            [message.edited_at for message in messages],
            [storable(message.text) for message in messages],
            [storable_id(message.reply_to_external) for message in messages],
            [storable_or_none(message.forwarded_from) for message in messages],
            [joined_terms(message.text) for message in messages],
            [joined_days(message.text, message.sent_at) for message in messages],
        )
        return [MessageId(row["message_id"]) for row in rows]

    async def count(self) -> int:
        """How many messages are kept."""
        row = await self._database.fetch_one("count_messages")
        return 0 if row is None else row[0]

    async def view(
        self, lane: Lane, *, limit: int, now: datetime, persona: str | None = None, lore_of: LoreOf | None = None
    ) -> View:
        """The lane's last messages and its unread ones, with its state, and what a lorebook asks for.

        `persona`: whose notes, rest and greeting these are; None: whoever's.
        """
        rows = await self._database.fetch(
            "view_lane",
            lane.chat_id,
            lane.topic,
            limit,
            now,
            None if lore_of is None else storable(lore_of.persona),
            lore_of is not None and lore_of.counts_replies,
            storable_or_none(persona),
        )
        kept = [row for row in rows if row["message_id"] is not None]
        unread = [row for row in kept if row["read_at"] is None]
        recent = [row for row in kept if row["read_at"] is not None]
        return View(
            recent=tuple(as_message(row) for row in recent),
            unread=tuple(as_message(row) for row in unread),
            notes=tuple(rows[0]["notes"] or ()),
            rests_until=rows[0]["rests_until"],
            waited=rows[0]["waits_until"] is not None,
            greeting=rows[0]["greeting"],
            lore=None if lore_of is None else lore_past(rows[0]),
        )

    async def before(self, lane: Lane, *, message_id: MessageId, limit: int) -> list[Message]:
        """The messages of a lane just before one, oldest first."""
        rows = await self._database.fetch("messages_before", lane.chat_id, lane.topic, message_id, limit)
        return [as_message(row) for row in rows]

    async def read(self, chat_id: ChatId) -> AsyncIterator[Message]:
        """All messages of a chat in order of time, a page at a time."""
        after = (datetime.min.replace(tzinfo=UTC), 0)
        while rows := await self._database.fetch("read_messages", chat_id, *after, _PAGE):
            for row in rows:
                yield as_message(row)
            after = (rows[-1]["sent_at"], rows[-1]["message_id"])
