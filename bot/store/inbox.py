"""What came from Telegram: each update taken once, with the message it holds, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal
from uuid import UUID

from bot.attention import Wake
from bot.model import ChatId, NewMessage
from bot.store.database import Database, Queries
from bot.store.text import storable, storable_id, storable_json, storable_or_none
from bot.store.vectors import table_of
from bot.store.words import stored_terms
from bot.tracing import current_traceparent

WEEK = 7 * 86_400
"""Seconds that the row of an update is kept."""


class Inbox:
    """The family of `inbox` and `pollers`; taking a message also touches `messages` and `lanes`."""

    def __init__(self, database: Database, *, hurried: bool = False) -> None:
        """`hurried`: messages need not be on disk before `lease_poller` has been called, as is done for a batch."""
        self._database = database
        self._hurried = hurried

    async def take_message(
        self, bot_id: int, update_id: int, *, chat_id: ChatId, source: str, message: NewMessage, wake: Wake | None
    ) -> bool:
        """Keep an update's message and, with `wake`, say that a turn is wanted; False when it is not new."""
        row = await self._database.fetch_one(
            "take_message",
            bot_id,
            update_id,
            chat_id,
            storable(source),
            storable_id(message.external_id),
            storable(message.topic),
            storable_or_none(message.sender_id),
            storable(message.sender),
            message.sent_at,
            message.edited_at,
            storable(message.text),
            storable_id(message.reply_to_external),
            storable_or_none(message.forwarded_from),
            wake.quiet if wake else None,
            wake.longest if wake else None,
            self._hurried,
            current_traceparent(),
            stored_terms(message.text),
        )
        return row is not None and row["message_id"] is not None

    async def take_edit(
        self,
        bot_id: int,
        update_id: int,
        *,
        chat_id: ChatId,
        source: str,
        external_id: str,
        text: str,
        edited_at: datetime,
    ) -> bool:
        """Follow an edit: text and words are replaced, vectors are dropped and made again, an unsent turn begins anew.

        False when the update was taken before, or nothing changed.
        """
        async with self._database.transaction() as queries:
            if not await _take(queries, bot_id, update_id):
                return False
            new = stored_terms(text)
            row = await queries.fetch_one(
                "edit_message", chat_id, storable(source), storable_id(external_id), storable(text), edited_at, len(new)
            )
            if row is None:
                return False
            old = None if row["indexed_text"] is None else stored_terms(row["indexed_text"])
            await queries.fetch("index_again", chat_id, row["message_id"], old, new)
            for model in await queries.fetch("list_models"):
                await queries.fetch("drop_vector", chat_id, row["message_id"], vectors=table_of(model["model_id"]))
            await queries.fetch("embed_again", chat_id, row["message_id"])
            if row["unread"]:
                await queries.fetch("restart_lane", chat_id, row["topic"])
            return True

    async def take(
        self,
        bot_id: int,
        update_id: int,
        *,
        state: Literal["done", "ignored", "quarantined"],
        raw: Mapping[str, object] | None = None,
        problem: str | None = None,
    ) -> bool:
        """Take an update that holds no message for us; False when it was taken before."""
        text = None if raw is None else storable_json(raw)
        return await _take(self._database, bot_id, update_id, state=state, raw=text, problem=problem)

    async def move(self, bot_id: int, update_id: int | None, *, old: str, new: str) -> ChatId | None:
        """A group became a supergroup: its chat gains the new address. None when we do not know the old one.

        Without an update, a refused request told of it.
        """
        async with self._database.transaction() as queries:
            if update_id is not None:
                await _take(queries, bot_id, update_id)
            row = await queries.fetch_one("move_address", old, new)
            return None if row is None else ChatId(row["chat_id"])

    async def lease_poller(self, bot_id: int, owner: UUID, *, seconds: float) -> bool:
        """Whether this process is the one that polls for a bot, for so many seconds from now.

        If it is, all that was committed before is on disk.
        """
        return await self._database.fetch_one("lease_poller", bot_id, owner, seconds) is not None

    async def leave_poller(self, bot_id: int, owner: UUID) -> None:
        """Poll no longer; another may."""
        await self._database.fetch("leave_poller", bot_id, owner)

    async def polled(self) -> frozenset[int]:
        """The bots for which a process polls now."""
        return frozenset(row["bot_id"] for row in await self._database.fetch("polled_bots"))

    async def forget_old(self) -> None:
        """Let go of updates older than a week."""
        await self._database.fetch("forget_updates", WEEK)


async def _take(
    queries: Queries,
    bot_id: int,
    update_id: int,
    *,
    state: str = "done",
    raw: str | None = None,
    problem: str | None = None,
) -> bool:
    return await queries.fetch_one("take_update", bot_id, update_id, state, raw, problem) is not None
