"""What an action may use, and what it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.model import Lane, Message, MessageId, Outcome, Said, View


class Scene(Protocol):
    """The turn, as an action sees it."""

    @property
    def lane(self) -> Lane: ...
    @property
    def view(self) -> View: ...
    @property
    def now(self) -> datetime: ...

    async def look_back(self, *, before: MessageId | None, limit: int) -> Sequence[Message]:
        """What was said just before a message of this lane (None: before what is in view), oldest first."""
        ...

    async def look_for(self, query: str) -> Sequence[Message]:
        """What comes to mind for a text in this lane: hits and their windows, oldest first."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What an action leads to. Without an `outcome` the turn goes on with another step."""

    outcome: Outcome | None = None
    said: tuple[Said, ...] = ()
    looked_for: str = ""
    """What a look-up looked for, in words for the next step's prompt; `found` is what it gave."""
    found: tuple[Message, ...] = ()
    keeps_unread: bool = False
    """The unread messages stay unread: the lane comes back to them."""
    clears_notes: bool = False
    rests_until: datetime | None = None
    due_at: datetime | None = None
    """When the lane wants to be looked at again, if nothing is said before."""
