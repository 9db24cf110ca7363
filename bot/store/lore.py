"""What chats remember of their personas' lorebooks, from and to columns: a turn reads and writes it with all else.

What it means is the book's.
"""

from __future__ import annotations

import json

import asyncpg

from bot.model import LoreChange, LorePast
from bot.store.text import storable, storable_json


def lore_past(row: asyncpg.Record) -> LorePast:
    """What a lorebook reckons with, from the first row of a view that was asked for it."""
    return LorePast(
        state={} if row["lore_state"] is None else json.loads(row["lore_state"]),
        count=row["count"] or 0,
        replies=row["replies"],
    )


def lore_columns(change: LoreChange | None) -> tuple[str | None, list[str]]:
    """What is remembered, as JSON (None: nothing new), and the entries that are forgotten."""
    if change is None:
        return None, []
    return storable_json(change.remembered), [storable(key) for key in change.forgotten]
