"""Turns: what each was made from and how it ended, written in one statement."""

from __future__ import annotations

from bot.model import MessageId, TurnRecord
from bot.store.database import Database
from bot.store.text import storable, storable_json
from bot.store.words import joined_terms


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
        )
        return [MessageId(row["message_id"]) for row in rows]
