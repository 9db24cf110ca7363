"""Where each key of a book leads: found once in a message, it names the entries that are worth a closer look."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from bot.cards.lorebook.entry import Entry
from bot.cards.lorebook.keys import KeyIndex
from bot.cards.lorebook.patterns import PatternSet

PatternKey = tuple[str, bool]
"""A pattern, and whether its case counts when it has no flags of its own."""

_MACRO = re.compile(r"\{\{|<(?:user|bot|char)>", re.IGNORECASE)


def has_macro(key: str) -> bool:
    """Whether a key says something else for each character or person."""
    return _MACRO.search(key) is not None


class BookIndex:
    """The keys of a book's entries, made ready to be looked for."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._by_key: dict[str, list[int]] = {}
        self._by_pattern: dict[PatternKey, list[int]] = {}
        self.always: list[int] = []
        """Entries that need no key, or whose keys are known only in a scene."""
        self.keys_with_macros: set[str] = set()
        self.patterns_with_macros: set[PatternKey] = set()
        looked_for: set[str] = set()
        for n, entry in enumerate(entries):
            plain, patterns = set(plain_keys(entry)), {(key, entry.case_sensitive) for key in entry.patterns}
            varying, varying_patterns = {k for k in plain if has_macro(k)}, {k for k in patterns if has_macro(k[0])}
            self.keys_with_macros |= varying
            self.patterns_with_macros |= varying_patterns
            if varying or varying_patterns or _needs_no_key(entry):
                self.always.append(n)
            for key in {key.casefold() for key in entry.keys}:
                self._by_key.setdefault(key, []).append(n)
            for pattern in patterns:
                self._by_pattern.setdefault(pattern, []).append(n)
            looked_for |= plain - varying
        self.keys = KeyIndex(looked_for)
        self.patterns = PatternSet(self._by_pattern.keys() - self.patterns_with_macros)

    def entries_of(self, keys: Iterable[str], patterns: Iterable[PatternKey]) -> Iterator[int]:
        """The entries, by their number, that have any of these for a key of their own; some of them twice."""
        for key in keys:
            yield from self._by_key.get(key, ())
        for pattern in patterns:
            yield from self._by_pattern.get(pattern, ())


def plain_keys(entry: Entry) -> Iterator[str]:
    """All keys of an entry that are no patterns, whatever they are there for."""
    yield from entry.keys
    if not entry.by_pattern:
        yield from entry.secondary
        yield from entry.decorators.exclude_keys
        for group in entry.decorators.additional_keys:
            yield from group


def _needs_no_key(entry: Entry) -> bool:
    told = entry.decorators
    return (entry.constant and not entry.by_pattern) or told.activate or told.keep_activate_after_match
