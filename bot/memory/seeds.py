"""What a search looks for: rare words and days find messages, all words are counted in what is found. Pure.

A word that is in every tenth message finds nothing, and in a large chat it costs much to look at all it is in. Of what
words and vectors find, only the best by a first guess is ranked: a sum of what the database knows of a message, with
the ranker's own weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from itertools import islice

from bot.memory.asking import speaker_of_term
from bot.memory.dates import Days, day_in, said_days
from bot.memory.day_terms import asked_day_terms
from bot.memory.features import COARSELY, SAME_DAY, SOON, stretch
from bot.memory.rank import shipped
from bot.model import Called, FirstGuess, OfDay, Query, Search, Season, Seed, Statistics, Words

COMMON = 0.02
"""The part of a chat's messages from which on a word is too common to find them by."""
ALWAYS_RARE = 50
"""Messages that a word may be in and is rare, however small the chat."""
BUDGET, LEAST_BUDGET, MOST_BUDGET = 20_000, 5_000, 100_000
"""Messages that the rare words of all queries may be in together; those of each in any case, unless there are so many
queries that this is more than the last.
"""
MOST_DAYS, MOST_DAYS_IN_ALL = 4, 16
"""Times of one query that are looked at, and of all; of many queries the first time of each comes before any second."""
OF_DAYS, LEAST_OF_DAYS = 4_000, 40
"""Messages that are looked at for the days they speak of, by all terms together, and by each in any case; and as many
for having been sent then."""
MOST_TERMS = 32
"""Terms of one query that are looked at, the rarest: a long text has enough of them."""


def budget(queries: int) -> int:
    """Messages that the rare words of each of so many queries may be in together."""
    queries = max(1, queries)
    return max(BUDGET // queries, min(LEAST_BUDGET, MOST_BUDGET // queries))


def of_days(terms: int) -> int:
    """Messages that are looked at for each of so many terms of days, or times."""
    return max(LEAST_OF_DAYS, OF_DAYS // max(1, terms))


def choose_words(search: Search, statistics: Statistics) -> Words:
    """The terms to count, and those to find messages by; none of what the chat has never said."""
    if not search.reach.by_words:
        return Words()
    counted: dict[str, int] = {}
    seeds: list[Seed] = []
    for number, query in enumerate(search.queries):
        known = {term: count for term in query.terms if (count := statistics.counts.get(term, 0)) > 0}
        whole = _whole(query, statistics)
        rarest = sorted(known, key=lambda term: (known[term], term))[:MOST_TERMS]
        for term in rarest:
            counted.setdefault(term, len(counted))
        counts = {term: known[term] for term in rarest}
        for term in _rare(counts, indexed=statistics.indexed, budget=budget(len(search.queries))):
            idf = statistics.idf(term)
            seeds.append(Seed(query=number, term=counted[term], weight=idf, share=idf / whole))
    return Words(
        terms=tuple(counted),
        seeds=tuple(seeds),
        guesses=tuple(_first_guess(query, statistics) for query in search.queries),
        called=tuple(_called(search, statistics)),
        seasons=tuple(_seasons(search)),
        days=tuple(_of_days(search)),
    )


def _first_guess(query: Query, statistics: Statistics) -> FirstGuess:
    """What the ranker's weights say of what the database knows."""
    weights = shipped().of(query.text).weights
    usual = 0.0 if query.vector is None else statistics.usual(query.vector)
    return FirstGuess(
        words=weights.get("words", 0.0),
        plain=weights.get("words_without_names", 0.0),
        covered=weights.get("covered", 0.0),
        meaning=weights.get("meaning", 0.0),
        similarity=weights.get("nearness", 0.0) * stretch(usual),
        length=weights.get("length", 0.0),
        sender=-weights.get("other_sender", 0.0),
        usual=usual,
    )


def _called(search: Search, statistics: Statistics) -> Iterator[Called]:
    for number, query in enumerate(search.queries):
        whole = _whole(query, statistics)
        for term in dict.fromkeys(query.terms):
            yield Called(query=number, speaker=speaker_of_term(term), share=statistics.idf(term) / whole)


def _whole(query: Query, statistics: Statistics) -> float:
    """How much a query says, by the rarity of its terms."""
    return sum(statistics.idf(term) for term in set(query.terms)) or 1.0


def _seasons(search: Search) -> Iterator[Season]:
    """The days that are asked about, and those soon after."""
    for number, days, worth in _asked(search):
        ends = days.first, days.last + timedelta(days=1)
        first, until = (datetime.combine(day, time(), search.zone) for day in ends)
        yield Season(query=number, first=first, until=until, worth=worth * SAME_DAY, finds=True)
        yield Season(query=number, first=until, until=until + timedelta(days=7), worth=worth * SOON)


def _of_days(search: Search) -> Iterator[OfDay]:
    for number, days, worth in _asked(search):
        for term, is_coarse in {**asked_day_terms(_beside(days, search)), **asked_day_terms(days)}.items():
            yield OfDay(query=number, term=term, worth=worth * (COARSELY if is_coarse else 1))


def _beside(days: Days, search: Search) -> Days:
    """The day of UTC that those days are in part, since terms are written by it; nothing more for a month or a year."""
    offset = search.zone.utcoffset(search.now.replace(tzinfo=None))
    if not offset or days.grain:
        return days
    day = days.first - timedelta(days=1) if offset > timedelta() else days.last + timedelta(days=1)
    return Days(day, day)


def _asked(search: Search) -> Iterator[tuple[int, Days, float]]:
    """The spans of days that queries ask about, and what it is worth to speak of one."""
    asked = [said_days(query.text, day_in(search.zone, search.now))[:MOST_DAYS] for query in search.queries]
    in_turn = ((number, days[place]) for place in range(MOST_DAYS) for number, days in enumerate(asked) if days[place:])
    for number, days in islice(in_turn, MOST_DAYS_IN_ALL):
        worth = shipped().of(search.queries[number].text).weights.get("date", 0.0)
        if worth and days.first.year > 1 and days.last.year < date.max.year:
            yield number, days, worth  # nearer to the ends of the calendar there is nothing before or behind


def _rare(counts: Mapping[str, int], *, indexed: int, budget: int) -> list[str]:
    """The rarest of terms that are given rarest first: as many as the budget allows, of common ones only the first."""
    most = max(COMMON * indexed, ALWAYS_RARE)
    rare: list[str] = []
    left = budget
    for term, count in counts.items():
        if rare and (count > most or count > left):
            break
        rare.append(term)
        left -= count
    return rare
