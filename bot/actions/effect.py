"""What an action may use, and what it leads to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot import telemetry_names as names
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

    def on_record(self) -> dict[str, object]:
        """As JSON: what is not empty; of what was found the numbers."""
        told: dict[str, object] = {
            "outcome": self.outcome.value if self.outcome else None,
            "said": [said.on_record() for said in self.said],
            "looked_for": self.looked_for,
            "found": [message.message_id for message in self.found],
            "keeps_unread": self.keeps_unread,
            "clears_notes": self.clears_notes,
            "rests_until": self.rests_until.isoformat() if self.rests_until else None,
            "due_at": self.due_at.isoformat() if self.due_at else None,
        }
        return {name: value for name, value in told.items() if value}

    def span_attributes(self) -> Mapping[str, object]:
        return {names.COMPANION_EFFECT_FOUND_IDS: [message.message_id for message in self.found]} if self.found else {}

    def span_content(self) -> Mapping[str, str]:
        return {names.COMPANION_EFFECT: json.dumps(self.on_record(), ensure_ascii=False)}
