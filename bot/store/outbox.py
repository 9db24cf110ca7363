"""What is on its way out: every bubble sent at most once, those of a topic in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from bot.attention import STALE
from bot.model import ChatId, MessageId
from bot.store.chats import addresses_of
from bot.store.database import Database
from bot.store.words import stored_days, stored_terms

OLDEST: Final = STALE.total_seconds()
"""Seconds that a bubble may be on its way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bubble:
    """One thing to say, as the outbox keeps it."""

    chat_id: ChatId
    turn_id: UUID
    n: int
    """Which of its turn, from 1."""
    source: str
    """Where it goes."""
    topic: str
    persona: str
    text: str
    reply_to: str | None
    """The external id of the message it answers, if that is of the same place."""
    attempts: int
    """Times it was surely not sent so far."""
    traceparent: str | None = None
    """W3C trace context of its turn."""
    picture: str | None = None
    """The card whose picture goes with it, by the SHA-256 of its file."""

    @property
    def key(self) -> tuple[ChatId, UUID, int]:
        """What names it."""
        return (self.chat_id, self.turn_id, self.n)


class Outbox:
    """The family of `outbox`; what is sent also becomes a row of `messages`. A bot is told of its own bubbles only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def next(self, owner: UUID, *, bot_id: int, lease: float, full: Sequence[str] = ()) -> Bubble | None:
        """The next bubble that may go, held while it is typed; it is not being sent yet. None to a `full` place."""
        row = await self._database.fetch_one("next_bubble", owner, lease, addresses_of(bot_id), [*full])
        return None if row is None else Bubble(**row)

    async def due_in(self, *, bot_id: int, full: Sequence[str] = ()) -> float | None:
        """Seconds until a bubble may go; None when none waits, those to a `full` place aside."""
        row = await self._database.fetch_one("next_bubble_in", addresses_of(bot_id), [*full])
        return None if row is None else row["seconds"]

    async def begin(self, bubble: Bubble, owner: UUID, *, lease: float) -> bool:
        """Before the request: from here on it may have been sent. False when it is not ours any more, or too late."""
        return await self._database.fetch_one("begin_sending", *bubble.key, owner, lease, OLDEST) is not None

    async def sent(self, bubble: Bubble, *, sent_id: str, sent_at: datetime) -> MessageId | None:
        """After the request: it is sent, and is a message of the chat."""
        row = await self._database.fetch_one(
            "sent", *bubble.key, sent_id, sent_at, stored_terms(bubble.text), stored_days(bubble.text, sent_at)
        )
        return None if row is None else MessageId(row["message_id"])

    async def later(self, bubble: Bubble, *, seconds: float, problem: str) -> None:
        """It was surely not sent: again later."""
        await self._database.fetch("send_later", *bubble.key, seconds, problem)

    async def quiet(self, source: str, *, seconds: float) -> None:
        """Nothing may be sent there for so long, whatever it is and whoever would."""
        await self._database.fetch("quiet_place", source, seconds)

    async def give_up(self, bubble: Bubble, *, state: Literal["unknown", "failed"], problem: str) -> None:
        """`unknown`: it may have been sent, and is not sent again. `failed`: it never will be."""
        await self._database.fetch("give_up", *bubble.key, state, problem)

    async def close_place(self, source: str, *, problem: str) -> None:
        """Nothing more can be said there."""
        await self._database.fetch("close_place", source, problem)

    async def give_up_lost(self, *, bot_id: int) -> int:
        """What a process that is gone was sending becomes `unknown`; how many that were.

        What waits for longer than `OLDEST` fails.
        """
        await self._database.fetch("give_up_stale", addresses_of(bot_id), OLDEST)
        return len(await self._database.fetch("give_up_lost", addresses_of(bot_id)))
