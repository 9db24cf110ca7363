"""Turns: what each was made from and how it ended, written in one statement."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from bot.model import ChatId, Lane, Message, MessageId, TurnRecord
from bot.store.database import Database
from bot.store.lore import lore_columns
from bot.store.rows import as_message
from bot.store.text import storable, storable_json
from bot.store.words import joined_days, joined_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTurn:
    """A turn as it is on record."""

    turn_id: UUID
    lane: Lane
    trace_id: str
    persona: str
    started_at: datetime
    outcome: str
    inputs: Mapping[str, object]
    account: Mapping[str, object] | None
    """None: it is of before this was kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uttered:
    """A message, as `companion why` looks for it."""

    chat_id: ChatId
    message_id: MessageId
    persona: str | None
    turn_id: UUID | None
    text: str


class Turns:
    """The family of `turns`; finishing one also touches `messages` and `lanes`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def finish(self, record: TurnRecord) -> list[MessageId]:
        """Keep what a turn did, all or nothing and once; the numbers of the bot's new messages."""
        rows = await self._database.fetch(
            "finish_turn",
            record.lane.chat_id,
            record.lane.topic,
            record.turn_id,
            record.trace_id,
            storable(record.persona),
            record.started_at,
            record.outcome.value,
            storable_json(record.inputs),
            max(record.read) if record.read else None,
            [storable(note) for note in record.notes],
            record.rests_until,
            record.waits_until,
            record.source,
            record.lane.topic or "",
            [storable(said.text) for said in record.said],
            [said.reply_to for said in record.said],
            record.said_at,
            [joined_terms(said.text) for said in record.said],
            storable_json(record.account),
            *lore_columns(record.lore),
            [joined_days(said.text, record.said_at) for said in record.said],
        )
        return [MessageId(row["message_id"]) for row in rows]

    async def get(self, chat_id: ChatId, turn_id: UUID) -> KeptTurn | None:
        """One turn, by its key."""
        row = await self._database.fetch_one("find_turn", chat_id, turn_id)
        return None if row is None else _as_kept(row)

    async def known_as(self, *, turn_id: UUID | None = None, trace_id: str | None = None) -> list[KeptTurn]:
        """The turns with this number, or of this trace, in whatever chat. Reads them all."""
        return [_as_kept(row) for row in await self._database.fetch("turns_known_as", turn_id, trace_id)]

    async def messages(self, chat_id: ChatId, numbers: Sequence[MessageId]) -> list[Message]:
        """Those of these messages that are there, in order of time."""
        return [as_message(row) for row in await self._database.fetch("messages_by_number", chat_id, list(numbers))]

    async def came_later(self, chat_id: ChatId, *, than: MessageId, by: datetime, limit: int) -> list[MessageId]:
        """What was kept after a message though it is dated by a time."""
        rows = await self._database.fetch("came_later", chat_id, than, by, limit)
        return [MessageId(row["message_id"]) for row in rows]

    async def uttered(self, chat_id: ChatId, message_id: MessageId) -> Uttered | None:
        """A message by our own numbers."""
        row = await self._database.fetch_one("find_said", chat_id, message_id)
        return None if row is None else _as_uttered(row)

    async def uttered_at(self, chat: str, message: str) -> Uttered | None:
        """A message by Telegram's numbers."""
        row = await self._database.fetch_one("find_said_at", chat, message)
        return None if row is None else _as_uttered(row)


def _as_kept(row: asyncpg.Record) -> KeptTurn:
    return KeptTurn(
        turn_id=row["turn_id"],
        lane=Lane(ChatId(row["chat_id"]), row["topic"]),
        trace_id=row["trace_id"],
        persona=row["persona"],
        started_at=row["started_at"],
        outcome=row["outcome"],
        inputs=json.loads(row["inputs"]),
        account=None if row["account"] is None else json.loads(row["account"]),
    )


def _as_uttered(row: asyncpg.Record) -> Uttered:
    return Uttered(
        chat_id=ChatId(row["chat_id"]),
        message_id=MessageId(row["message_id"]),
        persona=row["persona"],
        turn_id=row["turn_id"],
        text=row["text"],
    )
