"""By what messages become seeds, reckoned one by one: what the statement `recall_pool` is held against."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.memory.asking import speaker, speaker_of_term
from bot.memory.bm25 import K1, B
from bot.memory.day_terms import day_terms
from bot.memory.words import terms
from bot.model import FirstGuess, Pool, Seed, Statistics, Vector, Words


@dataclass(frozen=True)
class Row:
    """One message of the brute force."""

    number: int
    sent_at: datetime
    topic: str
    text: str
    vector: Vector | None
    sender: str = "Ann"

    @property
    def place(self) -> tuple[datetime, int]:
        return self.sent_at, self.number


def guessed(
    query: int, rows: Sequence[Row], scope: Sequence[Row], near: Mapping[int, float], words: Words, pool: Pool
) -> tuple[set[int], set[int]]:
    """The seeds of a query that were found by words and by vectors: the best of what is looked at, by a first guess.

    `rows` are those that may be found, `scope` those that words are looked for in.
    """
    reach, by_number = pool.search.reach, {row.number: row for row in rows}
    guess = words.guesses[query] if words.guesses else FirstGuess()
    seeds = [seed for seed in words.seeds if seed.query == query]
    names = names_of(query, scope, words)
    plainly = [seed for seed in seeds if words.terms[seed.term] not in names]
    apart = sum(share for share in names.values())
    scores, plain = (scores_of(rows, some, words, pool.statistics) for some in (seeds, plainly))
    called = {each.speaker for each in words.called if each.query == query}
    of_days = {row.number: dated(row, query, words) for row in rows}

    def told(number: int) -> float:
        """What needs no vector."""
        row = by_number[number]
        tfs = Counter(terms(row.text))
        share = sum(seed.share for seed in plainly if tfs[words.terms[seed.term]]) / (1 - apart)
        known = guess.covered * share + max(of_days[number], default=0.0)
        for weight, of_words in ((guess.words, scores), (guess.plain, plain)):
            known += weight * of_words[number] / max(of_words.values()) if number in of_words else 0.0
        known += guess.sender if speaker(row.sender) in called else 0.0
        return known + guess.length * math.log(1 + min(19, 2.2 * tfs.total()))

    def best(candidates: Iterable[int], value: Callable[[int], float], most: int) -> set[int]:
        return set(sorted(candidates, key=lambda number: (round(value(number), 5), number), reverse=True)[:most])

    by_words = best(scores.keys() | {row.number for row in rows if of_that(row, query, words)}, told, reach.by_words)
    nearest = sorted(near, key=lambda number: (round(near[number], 5), *by_number[number].place), reverse=True)
    by_vector = set(nearest[: reach.by_vector])
    nearness = {number: near.get(number, 0.0) for number in by_words | by_vector}
    most = max(nearness.values(), default=0.0)

    def whole(number: int) -> float:
        meaning = guess.meaning * nearness[number] / most if most > 0 else 0.0
        return told(number) + guess.similarity * nearness[number] + meaning

    chosen = best(nearness, whole, reach.seeds)
    return by_words & chosen, by_vector & chosen


def names_of(query: int, scope: Sequence[Row], words: Words) -> dict[str, float]:
    """The terms of a query by which people are called of whom something was found, and what share of it they are.

    None where it is of nothing else.
    """
    seeding = {words.terms[seed.term] for seed in words.seeds}
    here = {speaker(row.sender) for row in scope if seeding & set(terms(row.text))} - {None}
    shares = {each.speaker: each.share for each in words.called if each.query == query and each.speaker in here}
    if sum(shares.values()) >= 0.999:
        return {}
    by_term = {term: speaker_of_term(term) for term in words.terms}
    unknown = {f"not a term {number}": share for number, share in shares.items() if number not in by_term.values()}
    return {term: shares[number] for term, number in by_term.items() if number in shares} | unknown


def scores_of(rows: Sequence[Row], seeds: Sequence[Seed], words: Words, statistics: Statistics) -> dict[int, float]:
    """BM25 by these seeds of what has any of them."""
    scores = {row.number: bm25(row, seeds, words, statistics) for row in rows}
    return {number: score for number, score in scores.items() if score > 0}


def dated(row: Row, query: int, words: Words) -> list[float]:
    """What it is worth that a message speaks of a day that is asked about, and that it was sent then."""
    said = day_terms(row.text, row.sent_at)
    spoken = [day.worth for day in words.days if day.query == query and day.term in said]
    sent = [each for each in words.seasons if each.query == query and each.first <= row.sent_at < each.until]
    return spoken + [season.worth for season in sent]


def of_that(row: Row, query: int, words: Words) -> bool:
    """Whether a message is found by the days that are asked about."""
    said = day_terms(row.text, row.sent_at)
    return any(day.query == query and day.term in said for day in words.days) or any(
        season.query == query and season.finds and season.first <= row.sent_at < season.until
        for season in words.seasons
    )


def bm25(row: Row, seeds: Sequence[Seed], words: Words, statistics: Statistics) -> float:
    tfs = Counter(terms(row.text))
    norm = K1 * (1 - B + B * tfs.total() / statistics.mean_length)
    return sum(seed.weight * tf * (K1 + 1) / (tf + norm) for seed in seeds if (tf := tfs[words.terms[seed.term]]))
