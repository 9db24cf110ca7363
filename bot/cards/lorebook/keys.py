"""Plain keys: which of very many are in a text, without looking for each.

A key can only be there where the characters that it begins with are. So the texts' runs of a few characters are
looked up among the beginnings of all keys, and only what is left is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

REMEMBERED = 256
"""Texts of which is known what they hold: all but the newest messages were seen the turn before."""
MOST_PLACES = 100
"""In a text at which it is seen whether a key is a word by itself."""
RUNS = (4, 2)
"""Characters of a run: the longer one that a key has tells more of them apart."""
FEW = 50
"""Keys of a kind that are looked for one by one sooner than by their beginnings."""
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


class KeyIndex:
    """Keys without case, arranged by what they begin with."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._one_by_one: list[str] = []
        self._by_run: dict[int, dict[str, list[str]]] = {}
        by_length: dict[int, list[str]] = {}
        for key in {key.casefold() for key in keys if key}:
            by_length.setdefault(next((run for run in RUNS if len(key) >= run), 1), []).append(key)
        for length, alike in by_length.items():
            if len(alike) < FEW or length not in RUNS:
                self._one_by_one += alike
                continue
            by_run = self._by_run.setdefault(length, {})
            for key in alike:
                by_run.setdefault(key[:length], []).append(key)
        self.found = lru_cache(REMEMBERED)(self._found)
        """The keys that are in a text, without case."""

    def _found(self, text: str) -> frozenset[str]:
        folded = text.casefold()
        found = [key for key in self._one_by_one if key in folded]
        for length, by_run in self._by_run.items():
            starts = range(len(folded) - length + 1)
            runs = {run for start in starts if (run := folded[start : start + length]) in by_run}
            found += [key for run in runs for key in by_run[run] if key in folded]
        return frozenset(found)


def is_there(key: str, texts: Sequence[str], *, case_sensitive: bool, whole: bool) -> bool:
    """Whether a key is in one of the texts in just the way that is asked for."""
    if not case_sensitive:
        key = key.casefold()
        texts = [text.casefold() for text in texts]
    return any(key in text and (not whole or _stands_alone(key, text)) for text in texts)


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
