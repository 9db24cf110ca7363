"""What came from Telegram: each update taken once, with the message it holds, all or nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, TypeVar
from uuid import UUID

from bot.attention import FRESH, Wake
from bot.errors import QueryFailed
from bot.model import ChatId, NewMessage
from bot.store.chats import UNIQUE_VIOLATION
from bot.store.database import Database, Queries
from bot.store.text import storable, storable_id, storable_json, storable_or_none
from bot.store.vectors import table_of
from bot.store.words import stored_days, stored_terms
from bot.tracing import current_traceparent

T = TypeVar("T")
WEEK = 7 * 86_400
"""Seconds that the row of an update is kept, and that of a bubble."""
DAY = 86_400
"""Seconds that a card is kept that no chat uses any more."""


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
        values = self._row(bot_id, update_id, chat_id, source, message, wake)
        row = await _again_if_kept_meanwhile(lambda: self._database.fetch_one("take_message", *values))
        return row is not None and row["message_id"] is not None

    async def take_command(
        self,
        bot_id: int,
        update_id: int,
        *,
        chat_id: ChatId,
        source: str,
        message: NewMessage,
        asked: Mapping[str, object],
        opens: bool,
        wake: Wake | None,
    ) -> bool:
        """Keep an update's message, and the command that it is; False when the update was taken before.

        One that `opens` a chat is a message like any other where the bot has spoken already, with its wish for a turn.
        """

        async def take() -> bool:
            async with self._database.transaction() as queries:
                spoken = await queries.fetch_one("has_spoken", chat_id) if opens else None
                is_command = spoken is None or not spoken["spoken"]
                wanted = None if is_command else wake
                taken = await queries.fetch_one(
                    "take_message", *self._row(bot_id, update_id, chat_id, source, message, wanted)
                )
                if taken is not None and is_command:
                    await queries.fetch(
                        "take_command",
                        bot_id,
                        update_id,
                        chat_id,
                        storable(source),
                        storable(message.topic),
                        storable_id(message.external_id),
                        storable_json(asked),
                    )
                return taken is not None

        return await _again_if_kept_meanwhile(take)

    async def take_edit(
        self, bot_id: int, update_id: int, *, chat_id: ChatId, source: str, message: NewMessage
    ) -> bool:
        """Follow an edit: text and words are replaced, vectors are dropped and made again, an unsent turn begins anew.

        When the message itself has not come yet, or was lost, it is kept as edited. False when the update was taken
        before, or nothing changed.
        """
        return await _again_if_kept_meanwhile(
            lambda: self._follow(bot_id, update_id, chat_id=chat_id, source=source, message=message)
        )

    async def _follow(self, bot_id: int, update_id: int, *, chat_id: ChatId, source: str, message: NewMessage) -> bool:
        async with self._database.transaction() as queries:
            taken = await queries.fetch_one(
                "take_message", *self._row(bot_id, update_id, chat_id, source, message, None)
            )
            if taken is None or taken["message_id"] is not None:
                return taken is not None
            new = stored_terms(message.text)
            row = await queries.fetch_one(
                "edit_message",
                chat_id,
                storable(source),
                storable_id(message.external_id),
                storable(message.text),
                message.edited_at,
                len(new),
            )
            if row is None:
                return False
            old = None if row["indexed_text"] is None else stored_terms(row["indexed_text"])
            await queries.fetch(
                "index_again",
                chat_id,
                row["message_id"],
                old,
                new,
                None if old is None else old + stored_days(row["indexed_text"], row["sent_at"]),
                new + stored_days(message.text, row["sent_at"]),
            )
            for model in await queries.fetch("models_there"):
                await queries.fetch("drop_vector", chat_id, row["message_id"], vectors=table_of(model["model_id"]))
            await queries.fetch("embed_again", chat_id, row["message_id"])
            if row["unread"]:
                await queries.fetch("restart_lane", chat_id, row["topic"])
            return True

    def _row(
        self, bot_id: int, update_id: int, chat_id: ChatId, source: str, message: NewMessage, wake: Wake | None
    ) -> tuple[object, ...]:
        """What `take_message` takes, in its order."""
        return (
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
            FRESH.total_seconds(),
            stored_days(message.text, message.sent_at),
        )

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


async def forget_old(database: Database) -> None:
    """Let go of the updates older than a week, of what became of bubbles that long ago, and of cards that none uses."""
    await database.fetch("forget_updates", WEEK)
    await database.fetch("forget_bubbles", WEEK)
    await database.fetch("forget_cards", DAY)


async def _again_if_kept_meanwhile(take: Callable[[], Awaitable[T]]) -> T:
    """Take a message or an edit; once more if both came at once, since the second look sees what the first has kept."""
    try:
        return await take()
    except QueryFailed as error:
        if error.sqlstate != UNIQUE_VIOLATION:
            raise
    return await take()


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
