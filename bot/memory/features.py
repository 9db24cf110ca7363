"""What speaks for a message, given what is asked: words, meaning, neighbours, session, sender and dates, as numbers.

All of it is nearly free once the pool is there. Shares are of the best in the pool, so that chats and embedding
models of every kind read alike; what comes from neighbours counts as far as neighbours have to do with each other in
this chat (`coherence`). Pure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bot.memory.asking import asks_how_many, named, without_names
from bot.memory.bm25 import K1, B
from bot.memory.dates import Days, asks_when, day_in, said_days
from bot.memory.traits import traits
from bot.model import Pool, token_count

Column: TypeAlias = npt.NDArray[np.float64]
"""One number a message of the pool."""

BEFORE, BEHIND = 0.5, 0.25
"""How much of its neighbours' similarity counts with that of a message."""
LONG_ENOUGH = np.log1p(19)
"""From 19 tokens on a longer message says no more for its length."""
SAME_DAY, SOON, COARSELY = 0.6, 0.3, 0.3
"""What it is worth to be sent on a day that is asked about, or within a week after, or to speak of the month of a day,
or of the year of a month. To speak of it as finely as is asked is worth 1, and to speak of the year of a day nothing.
"""
ROOM, LEAST_ROOM = 0.75, 0.05
"""Between the similarity that a chat as a whole has to what is asked and 1: where less is left, similarities are
stretched to so much. The bundled model leaves .71 to 1, multilingual-e5-small .13 to .26. Least: there all is noise.
"""

FEATURES: Mapping[str, str] = MappingProxyType(
    {
        "words": "BM25 of what is asked, of the best",
        "words_without_names": "the same without the names of those who talk here",
        "covered": "share of what is asked, by rarity, that is in it or the messages beside it",
        "meaning": "its nearness, with some of its neighbours', of the best",
        "nearness": "similarity over that of the chat as a whole, stretched where the model finds all texts alike",
        "other_sender": "somebody is named in the question, and somebody else wrote it",
        "session": "the best first guess of its session",
        "two_before": "the first guess of the message two before it",
        "two_behind": "the first guess of the message two behind it",
        "answers": "it comes after a question, which is a good guess itself",
        "length": "logarithm of its length in tokens, up to 19",
        "asks": "it is a question itself",
        "number": "a number is asked for, and it has one",
        "of_self": "its sender speaks of themselves, and nobody else is asked about",
        "time_asked": "a time is asked for, and it tells one",
        "time": "it tells a time, which is not asked for",
        "date": "a date is asked about, and it speaks of that, or was sent then or soon after",
    }
)
"""What the columns of `Evidence.of` are; `matched`, BM25 itself, is there as well."""


SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "nearness": "the greatest nearness of a message",
        "matched": "the greatest BM25, by the logarithm of the chat's size",
        "known": "share of what is asked, by rarity, that the chat has ever said",
        "named": "somebody who talks here is named",
    }
)
"""What tells whether a chat has anything to say to a query."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Asked:
    names: frozenset[str]
    """Senders who are named in the question."""
    about: Column | None
    """1 for what they wrote, 0 for the rest; None where nobody is named, or everybody."""
    content: Sequence[str]
    """The terms without those names."""
    columns: Sequence[int]
    """Where these are among the pool's terms."""
    all_columns: Sequence[int]
    """The same with the names."""


def stretch(usual: float) -> float:
    """By how much similarities are stretched where the chat as a whole is so similar."""
    return ROOM / min(ROOM, max(LEAST_ROOM, 1 - usual))


class Evidence:
    """The features of all messages of a pool, for each of its queries. What no query needs is not worked out."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._coherence, self._zone = pool.statistics.coherence, pool.search.zone
        self._sessions = np.array([found.session for found in pool.found], dtype=np.int64)
        self._senders = [found.message.sender for found in pool.found]
        self._texts = [found.message.text for found in pool.found]
        self._idf = np.array([pool.statistics.idf(term) for term in pool.terms])

    def signs(self, query: int, columns: Mapping[str, Column]) -> dict[str, float]:
        """Whether the chat has anything to say to a query at all, in numbers: `SIGNS`."""
        asked, statistics = self._asked[query], self._pool.statistics
        rarity = {term: statistics.idf(term) for term in asked.content}
        known = sum(idf for term, idf in rarity.items() if statistics.counts.get(term, 0))
        return {
            "nearness": float(columns["nearness"].max(initial=0.0)),
            "matched": float(columns["matched"].max(initial=0.0)) / math.log(2 + statistics.indexed),
            "known": known / max(sum(rarity.values()), 1e-9),
            "named": float(bool(asked.names)),
        }

    @cached_property
    def _asked(self) -> tuple[_Asked, ...]:
        place = {term: column for column, term in enumerate(self._pool.terms)}
        senders = set(self._senders)
        asked: list[_Asked] = []
        for query in self._pool.search.queries:
            names = named(query.text, senders)
            content = without_names(query.terms, names)
            about = np.array([sender in names for sender in self._senders], dtype=np.float64)
            asked.append(
                _Asked(
                    names=names,
                    about=about if names and not about.all() else None,
                    content=content,
                    columns=[place[term] for term in content if term in place],
                    all_columns=[place[term] for term in dict.fromkeys(query.terms) if term in place],
                )
            )
        return tuple(asked)

    def of(self, query: int) -> dict[str, Column]:
        """The columns, by name, for one query."""
        text, asked = self._pool.search.queries[query].text, self._asked[query]
        asks, numbers, of_self, times = self._traits
        matched = self._bm25(asked.columns)
        words, plain = _share(self._bm25(asked.all_columns)), _share(matched)
        nearness = self._nearness(query)
        near = nearness + self._coherence * (BEFORE * self._beside(nearness, -1) + BEHIND * self._beside(nearness, 1))
        meaning = np.clip(_share(near), 0, 1)
        guess = (words + plain + 2 * meaning) / 4 + (0 if asked.about is None else 0.1 * asked.about)
        when = asks_when(text)
        return {
            "matched": matched,
            "words": words,
            "words_without_names": plain,
            "covered": self._covered(asked.columns, asked.content),
            "meaning": meaning,
            "nearness": nearness,
            "other_sender": self._zeros if asked.about is None else 1 - asked.about,
            "session": self._coherence * self._best_of_session(guess),
            "two_before": self._coherence * self._beside(guess, -2),
            "two_behind": self._coherence * self._beside(guess, 2),
            "answers": self._beside(asks * guess, -1),
            "length": self._length,
            "asks": asks,
            "number": numbers if asks_how_many(text) else self._zeros,
            "of_self": of_self * (1 if asked.about is None else asked.about),
            "time_asked": times if when else self._zeros,
            "time": self._zeros if when else times,
            "date": self._dates(said_days(text, day_in(self._zone, self._pool.search.now))),
        }

    @cached_property
    def _zeros(self) -> Column:
        return np.zeros(len(self._texts))

    @cached_property
    def _length(self) -> Column:
        tokens = [token_count(text) for text in self._texts]
        return np.minimum(np.log1p(tokens), LONG_ENOUGH)

    @cached_property
    def _traits(self) -> npt.NDArray[np.float64]:
        """(4, n): asks, gives a number, speaks of its writer, tells a time."""
        return np.array([traits(text) for text in self._texts], dtype=np.float64).reshape(-1, 4).T

    @cached_property
    def _lengths(self) -> Column:
        """In terms, of the chat's mean."""
        return np.array([found.length or 0 for found in self._pool.found]) / self._pool.statistics.mean_length

    @cached_property
    def _said_days(self) -> Sequence[tuple[date, Sequence[Days]]]:
        """When each was sent, and the days that it speaks of."""
        days = [day_in(self._zone, found.message.sent_at) for found in self._pool.found]
        return [(day, said_days(text, day)) for day, text in zip(days, self._texts, strict=True)]

    @cached_property
    def _steps(self) -> dict[int, npt.NDArray[np.int64]]:
        """For each distance the place of the message that far away in the same session; −1 where none is known."""
        pool = self._pool
        steps: dict[int, npt.NDArray[np.int64]] = {}
        for sign, to in ((-1, pool.previous), (1, pool.following)):
            one = self._in_session(to)
            steps[sign] = one
            steps[2 * sign] = self._in_session(np.where(one >= 0, to[one], -1)) if len(one) else one
        return steps

    def _in_session(self, to: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        return np.where((to >= 0) & (self._sessions[to] == self._sessions), to, -1) if len(to) else to

    def _beside(self, column: Column, distance: int) -> Column:
        """The column's value of the message so far away in the same session; 0 where none is known."""
        to = self._steps[distance]
        return np.where(to >= 0, column[to], 0.0) if len(to) else column

    def _bm25(self, columns: Sequence[int]) -> Column:
        if not columns:
            return self._zeros
        pool = self._pool
        counts = pool.counts[:, columns].astype(np.float64)
        of_length = K1 * (1 - B + B * self._lengths)
        return (counts / (counts + of_length[:, None])) @ (self._idf[columns] * (K1 + 1))

    def _covered(self, columns: Sequence[int], content: Sequence[str]) -> Column:
        """Words that the chat has never said count as well: what is asked about them is not covered."""
        whole = sum(self._pool.statistics.idf(term) for term in content)
        if not columns or not whole:
            return self._zeros
        there = (self._pool.counts[:, columns] > 0).astype(np.float64)
        beside = [
            np.where((to >= 0)[:, None], there[to], 0.0) for to in (self._steps[-1], self._steps[1])
        ]  # fmt: skip
        return np.maximum(there, np.maximum(*beside)) @ self._idf[columns] / whole

    def _nearness(self, query: int) -> Column:
        """Similarity over that of the chat as a whole: what is near to everything says little.

        Some models find all texts alike: their similarities lie close together, little below 1. Stretched, they read
        as those of others do, so that the weights fitted with one model hold for another.
        """
        pool, vector = self._pool, self._pool.search.queries[query].vector
        if vector is None:
            return self._zeros
        usual = pool.statistics.usual(vector)
        return np.nan_to_num(stretch(usual) * (pool.similarities[query] - usual), nan=0.0)

    def _best_of_session(self, guess: Column) -> Column:
        if not len(guess):
            return guess
        _, at = np.unique(self._sessions, return_inverse=True)
        best = np.zeros(int(at.max()) + 1)
        np.maximum.at(best, at, guess)
        return best[at]

    def _dates(self, asked: Sequence[Days]) -> Column:
        if not asked:
            return self._zeros
        return np.array([_date(sent, said, asked) for sent, said in self._said_days])


def _date(sent: date, said: Sequence[Days], asked: Sequence[Days]) -> float:
    return max((max(_sent(sent, days), *(_spoken(one, days) for one in said), 0.0) for days in asked), default=0.0)


def _sent(sent: date, asked: Days) -> float:
    if asked.first <= sent <= asked.last:
        return SAME_DAY
    return SOON if 0 <= (sent - asked.last).days <= 7 else 0.0


def _spoken(said: Days, asked: Days) -> float:
    """The same for what is spoken of: who says "this year" does not speak of yesterday."""
    if not said.meets(asked):
        return 0.0
    return (1.0, COARSELY, 0.0)[max(0, said.grain - asked.grain)]


def _share(column: Column) -> Column:
    """Of the greatest, if there is any above 0."""
    most = float(column.max(initial=0.0))
    return column / most if most > 0 else np.zeros_like(column)
