"""Which words a search looks for: rare ones find messages, all of them are counted in what is found. Pure.

A word that is in every tenth message finds nothing, and in a large chat it costs much to look at all it is in.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.model import Search, Seed, Statistics, Words

K1, B = 0.9, 0.4
"""BM25's constants; for messages, whose lengths say less than those of documents, smaller than the usual ones."""
COMMON = 0.02
"""The part of a chat's messages from which on a word is too common to find them by."""
ALWAYS_RARE = 50
"""Messages that a word may be in and is rare, however small the chat."""
BUDGET = 10_000
"""Messages that the rare words of one query may be in together."""
MOST_TERMS = 32
"""Terms of one query that are looked at, the rarest: a long text has enough of them."""


def choose_words(search: Search, statistics: Statistics) -> Words:
    """The terms to count, and those to find messages by; none of what the chat has never said."""
    if not search.reach.word_seeds:
        return Words()
    counted: dict[str, int] = {}
    seeds: list[Seed] = []
    for number, query in enumerate(search.queries):
        known = {term: count for term in query.terms if (count := statistics.counts.get(term, 0)) > 0}
        rarest = sorted(known, key=lambda term: (known[term], term))[:MOST_TERMS]
        for term in rarest:
            counted.setdefault(term, len(counted))
        seeds += [
            Seed(query=number, term=counted[term], weight=statistics.idf(term))
            for term in _rare({term: known[term] for term in rarest}, indexed=statistics.indexed)
        ]
    return Words(terms=tuple(counted), seeds=tuple(seeds))


def _rare(counts: Mapping[str, int], *, indexed: int) -> list[str]:
    """The rarest of terms that are given rarest first: as many as the budget allows, of common ones only the first."""
    most = max(COMMON * indexed, ALWAYS_RARE)
    rare: list[str] = []
    left = BUDGET
    for term, count in counts.items():
        if rare and (count > most or count > left):
            break
        rare.append(term)
        left -= count
    return rare
