"""What the keys of one evaluation are looked for in: the newest messages, and what entries brought up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.cards.lorebook.entry import Entry
from bot.cards.lorebook.index import BookIndex, PatternKey
from bot.cards.lorebook.keys import KeyIndex, is_there
from bot.cards.lorebook.patterns import PatternSet, quoted
from bot.cards.macros import MacroValues, expand

MOST_SCANNED = 16_000
"""Characters of messages, counted from the newest, in which keys are looked for; and as many of entries."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some texts, and the keys that are in them: plain ones without case, and patterns."""

    texts: tuple[str, ...]
    keys: frozenset[str]
    patterns: frozenset[PatternKey]


def _together(stretches: Sequence[Stretch]) -> Stretch:
    return Stretch(
        tuple(text for stretch in stretches for text in stretch.texts),
        frozenset[str]().union(*(stretch.keys for stretch in stretches)),
        frozenset[PatternKey]().union(*(stretch.patterns for stretch in stretches)),
    )


class Scan:
    """The texts of one evaluation. No key matches across two messages."""

    def __init__(self, messages: Sequence[str], *, index: BookIndex, values: MacroValues) -> None:
        """`messages` are without comments, oldest first."""
        self._index = index
        self._filled = {key: expand(key, values) for key in index.keys_with_macros}
        self._filled_patterns = {key: _filled(key, values) for key in index.patterns_with_macros}
        self._varying = _indexed(tuple(self._filled.values()), tuple(self._filled_patterns.values()))
        self._messages = [self._looked_through(message) for message in _newest(messages)]
        self._windows: dict[int, Stretch] = {}
        self._brought_up: list[Stretch] = []
        self._left = MOST_SCANNED

    def messages(self) -> Stretch:
        """All messages together."""
        return self._window(len(self._messages))

    def bring_up(self, texts: Iterable[str]) -> Stretch | None:
        """Look in these, too, from now on; what they hold, or None if there is nothing new."""
        taken: list[Stretch] = []
        for text in texts:
            if text and len(text) <= self._left:
                self._left -= len(text)
                taken.append(self._looked_through(text))
        if not taken:
            return None
        self._brought_up.append(_together(taken))
        return self._brought_up[-1]

    def primary(self, entry: Entry, depth: int) -> bool:
        """Whether one of an entry's own keys is there, by what may trigger it."""
        stretches = self._stretches(entry, depth)
        return any(self._has(entry, key, stretches) for key in entry.keys) or any(
            (key, entry.case_sensitive) in stretch.patterns for key in entry.patterns for stretch in stretches
        )

    def there(self, entry: Entry, keys: Sequence[str], depth: int) -> list[bool]:
        """Of each key whether it is there, by what may trigger the entry."""
        stretches = self._stretches(entry, depth)
        return [self._has(entry, key, stretches) for key in keys]

    def _has(self, entry: Entry, key: str, stretches: Sequence[Stretch]) -> bool:
        key = self._filled.get(key, key)
        folded = key.casefold()
        holding = [stretch for stretch in stretches if folded in stretch.keys]
        if not (entry.case_sensitive or entry.whole_words):
            return bool(holding)
        return any(
            is_there(key, stretch.texts, case_sensitive=entry.case_sensitive, whole=entry.whole_words)
            for stretch in holding
        )

    def _stretches(self, entry: Entry, depth: int) -> list[Stretch]:
        window = [self._window(depth)]
        return window + self._brought_up if entry.triggered_by_entries else window

    def _window(self, depth: int) -> Stretch:
        """The last `depth` messages."""
        depth = min(depth, len(self._messages))
        if depth not in self._windows:
            self._windows[depth] = _together(self._messages[len(self._messages) - depth :])
        return self._windows[depth]

    def _looked_through(self, text: str) -> Stretch:
        keys, patterns = self._index.keys.found(text), self._index.patterns.found(text)
        if self._filled or self._filled_patterns:
            varying_keys, varying_patterns = self._varying[0].found(text), self._varying[1].found(text)
            keys |= varying_keys
            patterns |= {key for key, filled in self._filled_patterns.items() if filled in varying_patterns}
        return Stretch((text,), keys, patterns)


def _newest(messages: Sequence[str]) -> list[str]:
    """The messages, oldest first, as far back as the limit reaches; the one at the limit in part."""
    shown: list[str] = []
    left = MOST_SCANNED
    for message in reversed(messages):
        if left <= 0:
            break
        shown.append(message[-left:])
        left -= len(message)
    return shown[::-1]


def _filled(key: PatternKey, values: MacroValues) -> PatternKey:
    """A pattern with its macros filled; a name in it stands for itself, whatever characters it has."""
    return expand(key[0], replace(values, char=quoted(values.char), user=quoted(values.user))), key[1]


@lru_cache(64)
def _indexed(keys: tuple[str, ...], patterns: tuple[PatternKey, ...]) -> tuple[KeyIndex, PatternSet]:
    """Keys that are known only in a scene; the next turn asks for the same."""
    return KeyIndex(keys), PatternSet(patterns)
