"""What a chat remembers of a lorebook: which entries matched, and when. A value, kept as JSON.

Times are counts of the chat's messages. What happened at a count changes nothing at that same count: a turn that is
begun anew, or looked at again, finds the same entries.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from bot.model import LoreChange


@dataclass(frozen=True, slots=True)
class Seen:
    """What is remembered of one entry."""

    first: int
    """When it first matched."""
    since: int
    """When it last became active without being so already: sticky times and cool-downs are counted from there."""


@dataclass(frozen=True, slots=True)
class LoreState:
    """What is remembered of a book's entries, by the key of each."""

    seen: Mapping[str, Seen] = field(default_factory=dict[str, Seen])

    @classmethod
    def from_json(cls, value: object) -> LoreState:
        """The state that `to_json` gave; what is none of it is forgotten."""
        if not isinstance(value, Mapping):
            return cls()
        seen: dict[str, Seen] = {}
        for key, times in cast("Mapping[object, object]", value).items():
            if isinstance(key, str) and isinstance(times, list | tuple):
                match cast("list[object]", times):
                    case [int(first), int(since)]:
                        seen[key] = Seen(first, since)
                    case _:
                        pass
        return cls(seen)

    def to_json(self) -> dict[str, list[int]]:
        """The state as JSON takes it."""
        return {key: [seen.first, seen.since] for key, seen in self.seen.items()}

    def changed_since(self, before: LoreState) -> LoreChange | None:
        """What is to be kept of it where `before` is kept; None when that is the same."""
        fresh = {key: seen for key, seen in self.seen.items() if before.seen.get(key) != seen}
        gone = tuple(sorted(before.seen.keys() - self.seen.keys()))
        return LoreChange(remembered=LoreState(fresh).to_json(), forgotten=gone) if fresh or gone else None
