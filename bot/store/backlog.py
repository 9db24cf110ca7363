"""How much waits to be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.model import EmbeddingModel
from bot.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """What waits, by kind, and for how many seconds the first has."""

    waiting: Mapping[str, int]
    age: Mapping[str, float]


async def backlog(database: Database, model: EmbeddingModel) -> Backlog:
    """Turns that are due, messages unread, updates put aside, bubbles to be sent, messages without a vector."""
    [row] = await database.fetch("backlog", model.model_id)
    return Backlog(
        waiting={kind: row[kind] for kind in ("turns", "unread", "quarantined", "outbox", "embedding")},
        age={kind: row[f"{kind}_age"] for kind in ("turns", "outbox")},
    )
