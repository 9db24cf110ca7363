"""Commands on their way: taken with their message, held while they are carried out, ended with what they change."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from bot.model import ChatId
from bot.store.database import Database
from bot.store.text import storable, storable_or_none

MOST_SPARE = 256 * 2**20
"""Bytes of cards that no chat uses any more, whoever gave how many of them: without this, anybody fills the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command as it is held."""

    bot_id: int
    update_id: int
    claim: UUID
    chat_id: ChatId
    source: str
    topic: str
    external_id: str
    """Of the message that it is."""
    asked: Mapping[str, Any]
    attempts: int
    """How often it was begun, this time too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Who the bot is from now on."""

    persona: str
    card: str | None
    """The SHA-256 of its file; None: that of CHARACTER_CARD."""
    file: bytes | None = None
    """The card's file, if it may not be kept yet."""
    greeting: int | None
    by: str | None
    """Who wanted it, as the chat's source numbers people."""
    is_another: bool
    """Another card than before: whatever the one before was about is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the bot says to a command."""

    texts: Sequence[str]
    """One a bubble."""
    persona: str
    """As whom."""
    turn_id: UUID
    trace_id: str
    now: datetime
    traceparent: str | None
    replies: bool
    """Whether the first is a reply to the command."""
    picture: str | None = None
    """The card whose picture goes with the first."""


class Commands:
    """The family of `commands`; ending one also touches `cards`, `chat_personas`, `lanes`, `turns` and `outbox`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def next(self, bot_id: int, *, lease: float) -> Command | None:
        """The command that is due first, held for `lease` seconds; None when none is."""
        claim = uuid4()
        row = await self._database.fetch_one("claim_command", bot_id, claim, lease)
        if row is None:
            return None
        told: dict[str, Any] = {**row, "asked": json.loads(row["asked"])}
        return Command(**told, claim=claim)

    async def due_in(self, bot_id: int) -> float | None:
        """Seconds until a command is due; None when there is none."""
        row = await self._database.fetch_one("next_command", bot_id)
        return None if row is None else row["seconds"]

    async def later(self, command: Command, *, seconds: float, counts: bool = True) -> None:
        """It was not carried out: again later. `counts`: as an attempt."""
        await self._database.fetch(
            "command_later", command.bot_id, command.update_id, command.claim, seconds, 0 if counts else 1
        )

    async def has_spoken(self, chat_id: ChatId) -> bool:
        """Whether the bot has said something in a chat, or is about to greet there."""
        row = await self._database.fetch_one("has_spoken", chat_id)
        return row is not None and row["spoken"]

    async def end(self, command: Command, *, answer: Answer | None, given: Given | None = None) -> bool:
        """Keep what a command changes, and what is said to it, all or nothing; False when it is not held any more."""
        async with self._database.transaction() as queries:
            ended = await queries.fetch_one("end_command", command.bot_id, command.update_id, command.claim)
            if ended is None:
                return False
            if given is not None:
                if given.file is not None and given.card is not None:
                    await queries.fetch("keep_card", given.card, given.file)
                await queries.fetch(
                    "set_persona",
                    command.chat_id,
                    given.card,
                    storable(given.persona),
                    given.greeting,
                    storable_or_none(given.by),
                )
                if given.file is not None:
                    await queries.fetch("forget_spare_cards", MOST_SPARE)
                if given.is_another:
                    await queries.fetch("change_lanes", command.chat_id)
            if answer is not None and answer.texts:
                await queries.fetch(
                    "say_apart",
                    command.chat_id,
                    answer.turn_id,
                    command.topic,
                    answer.trace_id,
                    storable(answer.persona),
                    answer.now,
                    command.asked["command"],
                    command.source,
                    [storable(text) for text in answer.texts],
                    command.external_id if answer.replies else None,
                    answer.traceparent,
                    answer.picture,
                )
            return True
