"""Which persona a chat has, and the files of the cards that chats were given."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.model import ChatId
from bot.store.database import Queries
from bot.store.text import storable


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPersona:
    """Who the bot is in a chat."""

    card: str | None
    """The SHA-256 of the card's file; None: that of CHARACTER_CARD."""
    persona: str
    """Its name."""
    greeting: int | None
    """With which of its greetings it began."""
    since: datetime
    set_by: str | None


class ChatPersonas:
    """The family of `chat_personas` and `cards`; see bot.store.commands for how they change."""

    def __init__(self, database: Queries) -> None:
        self._database = database

    async def of(self, chat_id: ChatId) -> ChatPersona | None:
        """What is on record of a chat; None when it was never given a persona."""
        row = await self._database.fetch_one("chat_persona", chat_id)
        return None if row is None else ChatPersona(**row)

    async def name_at(self, source: str) -> str | None:
        """What the persona is called that the chat at an address was given; None: it has CHARACTER_CARD's."""
        row = await self._database.fetch_one("persona_at", storable(source))
        return None if row is None else row["persona"]

    async def given(self) -> int:
        """How many chats have a card of their own."""
        row = await self._database.fetch_one("count_given")
        return 0 if row is None else row[0]

    async def file(self, sha256: str) -> bytes | None:
        """A card's file, if it is kept."""
        row = await self._database.fetch_one("find_card", sha256)
        return None if row is None else row["file"]
