"""One entry of a lorebook, whatever way its book had of writing it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from bot.cards.lorebook.decorators import Decorators, Place, Role

Logic = Literal["any", "all", "not_any", "not_all"]
"""Which of the secondary keys must be there."""
DEFAULT_ORDER = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry, its decorators read and taken off its content."""

    key: str
    """What it is remembered by: its id; without one that is its own alone, a hash of its keys and content."""
    id: int | str | None
    name: str
    content: str
    keys: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    """Only where the entry is selective."""
    logic: Logic = "any"
    enabled: bool = True
    constant: bool = False
    patterns: tuple[str, ...] = ()
    """The keys that are regular expressions."""
    by_pattern: bool = False
    """It is found by its patterns only: nothing else counts, not that it is constant nor its secondary keys."""
    case_sensitive: bool = False
    whole_words: bool = False
    order: float = DEFAULT_ORDER
    priority: float = 0.0
    place: Place = "after_char"
    depth: int | None = None
    """Stands among the messages, so many from the newest."""
    from_oldest: bool = False
    """`depth` is counted from the oldest message instead."""
    role: Role = "system"
    scan_depth: int | None = None
    probability: float = 100.0
    sticky: int = 0
    """Messages for which it stays once it was active."""
    cooldown: int = 0
    """Messages after that for which it cannot become active again."""
    delay: int = 0
    """Messages that a chat must have before."""
    triggered_by_entries: bool = True
    triggered_by_messages: bool = True
    triggers_entries: bool = True
    group: str = ""
    """Of the entries of a group one is active at a time."""
    group_weight: float = 100.0
    decorators: Decorators = field(default_factory=Decorators)
