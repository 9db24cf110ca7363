"""Whose turn it is: lanes that are due, held by one process at a time."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from bot.model import ChatId, Ended, Held, Lane, Received, TurnRecord
from bot.store.chats import addresses_of
from bot.store.database import Database
from bot.store.lore import lore_columns
from bot.store.text import storable, storable_json, storable_or_none

UNREAD = 30
"""Unread messages that a claim tells of; a turn reads no more."""


class Lanes:
    """The family of `lanes`, as far as turns in Telegram go."""

    def __init__(self, database: Database, *, bot_id: int | None = None) -> None:
        """Only lanes whose answers are this bot's to give are claimed; without one, any."""
        self._database = database
        self._addresses = None if bot_id is None else addresses_of(bot_id)

    async def claim(self, owner: UUID, *, lease: float) -> Held | None:
        """The lane that has been due longest and is nobody's, held for `lease` seconds."""
        claim = uuid4()
        row = await self._database.fetch_one("claim_lane", owner, lease, claim, UNREAD, self._addresses)
        if row is None:
            return None
        return Held(
            lane=Lane(ChatId(row["chat_id"]), row["topic"]),
            claim=claim,
            unread=tuple(Received(*received) for received in row["unread"] or ()),
            source=row["source"],
            generation=row["generation"],
            failures=row["failures"],
            restarts=row["restarts"],
            overdue=row["overdue"],
            card=row["card"],
        )

    async def due_in(self) -> float | None:
        """Seconds until a lane is due; None when none will be."""
        row = await self._database.fetch_one("next_lane", self._addresses)
        return None if row is None else row["seconds"]

    async def keep(self, claims: Sequence[UUID], *, lease: float) -> dict[UUID, int]:
        """Hold these for longer; the generation of each that still holds, which grows when it must begin anew."""
        rows = await self._database.fetch("keep_lanes", list(claims), lease)
        return {row["claim"]: row["generation"] for row in rows}

    async def release(self, held: Held, *, again_in: float | None, ended: Ended) -> None:
        """Let go of a lane; it is due again in so many seconds, unless somebody woke it meanwhile."""
        lane = held.lane
        await self._database.fetch(
            "release_lane", lane.chat_id, lane.topic, held.claim, again_in, ended, held.generation
        )

    async def finish(self, held: Held, record: TurnRecord, *, traceparent: str | None) -> bool:
        """Keep what a turn did and put what it says into the outbox, all or nothing, and let go of the lane.

        False, and nothing is kept, when the claim does not hold any more or was told to begin anew.
        """
        row = await self._database.fetch_one(
            "finish_lane_turn",
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
            [storable(said.text) for said in record.said],
            [said.reply_to for said in record.said],
            held.claim,
            held.generation,
            record.waits_until or record.rests_until,
            traceparent,
            held.insists,
            storable_json(record.account),
            *lore_columns(record.lore),
            [storable_or_none(said.emotion) for said in record.said],
            record.card,
        )
        return row is not None
