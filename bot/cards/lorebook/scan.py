"""The texts in which the keys of a book are looked for, and how a key is found there.

Each key is looked for at most once in a text, however many entries and rounds ask for it; a set of all threes of
characters of the text tells most keys that are not there at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.cards.lorebook.book import Entry, has_macro
from bot.cards.lorebook.patterns import PatternSet, quoted
from bot.cards.macros import MacroValues, expand

MOST_SCANNED = 16_000
"""Characters of messages, counted from the newest, in which keys are looked for; and as many of entries."""
MOST_PLACES = 100
"""In a text at which it is seen whether a key is a word by itself."""
_BETWEEN = "\n\0\n"
"""Stands between messages: no key matches across it."""
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


class Text:
    """A text to look for plain keys in."""

    def __init__(self, text: str) -> None:
        self._as_is = text
        self._folded = text.casefold()
        self._grams = set(map("".join, zip(self._folded, self._folded[1:], self._folded[2:], strict=False)))
        self._known: dict[tuple[str, bool, bool], bool] = {}

    def has(self, key: str, folded: str, *, case_sensitive: bool, whole: bool) -> bool:
        """Whether a key is in it; `folded` is the key without case."""
        if len(folded) > 2 and folded[:3] not in self._grams:
            return False
        asked = (key if case_sensitive else folded, case_sensitive, whole)
        known = self._known.get(asked)
        if known is None:
            text = self._as_is if case_sensitive else self._folded
            known = asked[0] in text and (not whole or _stands_alone(asked[0], text))
            self._known[asked] = known
        return known


def _stands_alone(key: str, text: str) -> bool:
    """Whether a key is in the text as a word; where words are not set apart, being there is enough."""
    at = -1
    for _ in range(MOST_PLACES):
        at = text.find(key, at + 1)
        if at < 0:
            return False
        end = at + len(key)
        before = text[at - 1] if at else ""
        if not _one_word(before, key[0]) and not _one_word(key[-1], text[end : end + 1]):
            return True
    return False


def _one_word(left: str, right: str) -> bool:
    """Whether two characters beside each other belong to one word."""
    parts = [side.isalnum() or side == "_" for side in (left, right)]
    return all(parts) and not _CJK.match(left) and not _CJK.match(right)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What one stretch of text holds: plain keys are asked for, patterns are known."""

    text: Text
    patterns: frozenset[tuple[str, bool]]


class Scan:
    """All that the keys of one evaluation are looked for in: the newest messages, and what entries brought up."""

    def __init__(
        self, messages: Sequence[str], *, patterns: PatternSet, dynamic: Sequence[tuple[str, bool]], values: MacroValues
    ) -> None:
        """`messages` are without comments, oldest first. `dynamic` are the patterns with macros in them."""
        self._values = values
        self._patterns = patterns
        self._dynamic = {key: _filled(key, values) for key in dynamic}
        self._filled_patterns = _compiled(tuple(self._dynamic.values()))
        self._messages = _newest(messages)
        self._matched = [self._of(message) for message in self._messages]
        self._windows: dict[int, _Found] = {}
        self._brought_up: list[_Found] = []
        self._left = MOST_SCANNED

    def bring_up(self, texts: Iterable[str]) -> bool:
        """Look in these, too, from now on; whether that is anything new."""
        taken: list[str] = []
        for text in texts:
            if text and len(text) <= self._left:
                self._left -= len(text)
                taken.append(text)
        if taken:
            matched = frozenset[tuple[str, bool]]().union(*(self._of(text) for text in taken))
            self._brought_up.append(_Found(Text(_BETWEEN.join(taken)), matched))
        return bool(taken)

    def primary(self, entry: Entry, depth: int) -> bool:
        """Whether one of an entry's own keys is there, by what may trigger it."""
        stretches = self._stretches(entry, depth)
        return self._has_any(entry, entry.keys, stretches) or self._matches_any(entry, stretches)

    def keys(self, entry: Entry, keys: Sequence[str], depth: int) -> list[bool]:
        """Of each key whether it is there, by what may trigger the entry."""
        stretches = self._stretches(entry, depth)
        return [self._has_any(entry, (key,), stretches) for key in keys]

    def _stretches(self, entry: Entry, depth: int) -> list[_Found]:
        stretches = [self._window(depth)] if depth > 0 else []
        return stretches + self._brought_up if entry.triggered_by_entries else stretches

    def _window(self, depth: int) -> _Found:
        """The last `depth` messages."""
        depth = min(depth, len(self._messages))
        found = self._windows.get(depth)
        if found is None:
            shown = self._messages[len(self._messages) - depth :]
            matched = frozenset[tuple[str, bool]]().union(*self._matched[len(self._messages) - depth :])
            found = self._windows[depth] = _Found(Text(_BETWEEN.join(shown)), matched)
        return found

    def _of(self, text: str) -> frozenset[tuple[str, bool]]:
        found = self._patterns.found(text)
        if not self._dynamic:
            return found
        filled = self._filled_patterns.found(text)
        return found | {key for key, as_filled in self._dynamic.items() if as_filled in filled}

    def _has_any(self, entry: Entry, keys: Sequence[str], stretches: Sequence[_Found]) -> bool:
        for key in keys:
            told, folded = _plain(expand(key, self._values)) if has_macro(key) else _plain(key)
            if told and any(
                stretch.text.has(told, folded, case_sensitive=entry.case_sensitive, whole=entry.whole_words)
                for stretch in stretches
            ):
                return True
        return False

    def _matches_any(self, entry: Entry, stretches: Sequence[_Found]) -> bool:
        return any((key, entry.case_sensitive) in stretch.patterns for key in entry.patterns for stretch in stretches)


@lru_cache(65_536)
def _plain(key: str) -> tuple[str, str]:
    """A key without the space around it, and the same without case."""
    return key.strip(), key.strip().casefold()


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


def _filled(key: tuple[str, bool], values: MacroValues) -> tuple[str, bool]:
    """A pattern with its macros filled; a name in it stands for itself, whatever characters it has."""
    return expand(key[0], replace(values, char=quoted(values.char), user=quoted(values.user))), key[1]


@lru_cache(64)
def _compiled(keys: tuple[tuple[str, bool], ...]) -> PatternSet:
    return PatternSet(keys)
