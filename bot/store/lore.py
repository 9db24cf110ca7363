"""What chats remember of their personas' lorebooks. The store keeps it; what it means is the book's."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence

from bot.model import ChatId
from bot.store.database import Queries
from bot.store.text import storable, storable_json


class LoreStates:
    """The family of `lorebook_state`."""

    def __init__(self, database: Queries) -> None:
        self._database = database

    async def of(self, chat_id: ChatId, persona: str) -> Mapping[str, object]:
        """What a chat remembers of a persona's book, by entry; empty when that is nothing."""
        row = await self._database.fetch_one("lorebook_state", chat_id, storable(persona))
        return {} if row is None else json.loads(row["state"])

    async def remember(self, chat_id: ChatId, persona: str, changes: Mapping[str, Sequence[int]]) -> None:
        """Keep what is new since it was read, by entry; two turns of one chat lose nothing of each other's."""
        if changes:
            await self._database.fetch("remember_lorebook", chat_id, storable(persona), storable_json(changes))

    async def forget_others(self, chat_id: ChatId, persona: str, entries: Collection[str]) -> None:
        """Forget all entries but these: those of the book as it is now."""
        await self._database.fetch("forget_lorebook", chat_id, storable(persona), [storable(key) for key in entries])
