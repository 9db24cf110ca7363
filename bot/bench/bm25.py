"""BM25 over all messages of a chat, as one would write it in an afternoon: what recall is measured beside. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

from bot.memory.words import frequencies, terms

K1, B = 1.2, 0.75
"""The usual constants, not those that recall ranks with."""


class Bm25:
    """All messages of a chat, in order of time."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._counts = [frequencies(text) for text in texts]
        self._lengths = [counts.total() for counts in self._counts]
        self._length_before = [0, *accumulate(self._lengths)]

    def ranking(self, asked: str, *, before: int, most: int) -> list[int]:
        """Places of the best among the first `before` messages, best first, the later of equals first.

        How rare a word is, and how long messages are, is told from those messages; what shares no word is not there.
        """
        mean = self._length_before[before] / before if before and self._length_before[before] else 1.0
        scores: dict[int, float] = {}
        for term in dict.fromkeys(terms(asked)):
            there = [place for place in range(before) if term in self._counts[place]]
            rarity = math.log1p((before - len(there) + 0.5) / (len(there) + 0.5))
            for place in there:
                count, length = self._counts[place][term], self._lengths[place] / mean
                score = rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * length))
                scores[place] = scores.get(place, 0.0) + score
        return sorted(scores, key=lambda place: (-scores[place], -place))[:most]
