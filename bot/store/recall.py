"""The pool of messages that may come to mind, in two round trips: how common words are, and then all the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType

import asyncpg
import numpy as np
import numpy.typing as npt

from bot.memory.asking import speaker_of_term
from bot.memory.bm25 import K1, B
from bot.memory.seeds import budget, of_days
from bot.model import Found, How, Pool, Profile, Search, Statistics, Words
from bot.store.database import Database
from bot.store.rows import as_message
from bot.store.text import storable_or_none
from bot.store.vectors import check_length, table_of, wrap

SECONDS_A_DAY = 86_400
FEWEST_NEAREST = 200
"""What an index is asked for at least, as near_by_index has it."""
INDEX_COST = 45.0
"""What it costs to go by one vector in the index, in vectors that are looked at in a scan: 38 to 79 were measured."""
WIDTH: Mapping[Profile, int] = MappingProxyType({"ranked": 400, "combined": 600})
WIDEST = 1000
"""Vectors that the index keeps in mind while it searches, more where most are another chat's; the most it can. What
`combined` finds is what comes to mind; of what `ranked` finds, most is found by words as well."""


class PooledRecall:
    """What a turn asks of words, vectors and messages together."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def statistics(self, search: Search) -> Statistics:
        """What the chat is like as a whole, and how common each term of the queries is in it.

        Raises `DimensionMismatch` for vectors that are not of the model's length.
        """
        model = search.recall.model
        check_length(model, [query.vector for query in search.queries])
        terms = sorted({term for query in search.queries for term in query.terms}) if search.reach.by_words else []
        row = await self._database.fetch_one(
            "recall_statistics", search.lane.chat_id, terms, model.model_id, vectors=table_of(model.model_id)
        )
        if row is None:  # no such chat: nothing will be found
            return Statistics(indexed=0, mean_length=1.0, counts={}, embedded=0, vectors=0)
        return Statistics(
            indexed=row["indexed_messages"],
            mean_length=max(1.0, row["indexed_terms"] / max(1, row["indexed_messages"])),
            counts=dict(zip(terms, row["counts"], strict=True)),
            embedded=row["embedded"],
            vectors=max(row["vectors"], row["embedded"]),
            coherence=row["coherence"] or 0.0,
            centroid=None if row["centroid"] is None else np.array(row["centroid"], dtype=np.float32),
        )

    async def pool(self, search: Search, statistics: Statistics, words: Words) -> Pool:
        """All that may come to mind."""
        recall, reach = search.recall, search.reach
        vectors = [query.vector for query in search.queries]
        seeding = {seed.term for seed in words.seeds}
        most = budget(len(search.queries))
        # What is in more messages than are looked at for it has to be counted like what finds none.
        counted = [
            place
            for place, term in enumerate(words.terms)
            if place not in seeding or statistics.counts.get(term, 0) > most
        ]
        finding = [place for place, season in enumerate(words.seasons, 1) if season.finds]
        index = self._database.extension.index(recall.model.dimension)
        how: How = "index" if index is not None and is_worth_an_index(search, statistics) else "scan"
        rows = await self._database.fetch(
            "recall_pool",
            search.lane.chat_id,
            storable_or_none(search.lane.topic),
            search.now,
            list(search.exclude),
            wrap(vectors),
            recall.model.threshold,
            recall.weights.similarity,
            recall.weights.time,
            recall.weights.horizon_days * SECONDS_A_DAY,
            reach.hits,
            reach.by_vector,
            reach.by_words,
            reach.neighbours,
            list(words.terms),
            [seed.query + 1 for seed in words.seeds],
            [seed.term + 1 for seed in words.seeds],
            [seed.weight for seed in words.seeds],
            statistics.mean_length,
            K1,
            B,
            most,
            [place + 1 for place in counted],
            reach.seeds,
            [seed.share for seed in words.seeds],
            [
                [
                    *(guess.words, guess.plain, guess.covered, guess.meaning),
                    *(guess.similarity, guess.length, guess.sender, guess.usual),
                ]
                for guess in words.guesses
            ],
            [called.query + 1 for called in words.called],
            [season.query + 1 for season in words.seasons],
            [season.first for season in words.seasons],
            [season.until for season in words.seasons],
            [season.worth for season in words.seasons],
            storable_or_none(search.persona),
            [day.query + 1 for day in words.days],
            [day.term for day in words.days],
            [day.worth for day in words.days],
            of_days(len(words.days)),
            finding,
            of_days(len(finding)),
            [called.speaker for called in words.called],
            [called.share for called in words.called],
            [speaker_of_term(term) for term in words.terms],
            *(
                index.asked(min(WIDEST, round(max(WIDTH[recall.profile], reach.by_vector) * _others(statistics))))
                if index and how == "index"
                else ()
            ),
            vectors=table_of(recall.model.model_id),
            near=f"near_by_{how}",
            distance=index.distance if index else "",
        )
        return _as_pool(rows, search=search, statistics=statistics, terms=words.terms, how=how)


def is_worth_an_index(search: Search, statistics: Statistics) -> bool:
    """Whether asking an index for the nearest costs less than to look at all vectors of the chat.

    The index knows no chats: where the chat has one of ten vectors, it goes by ten to find one.
    """
    wanted = max(FEWEST_NEAREST, search.reach.hits, search.reach.by_vector)
    return wanted * _others(statistics) * INDEX_COST < statistics.embedded


def _others(statistics: Statistics) -> float:
    """How many vectors there are in all for one of the chat."""
    return max(1.0, statistics.vectors / max(1, statistics.embedded))


def _as_pool(
    rows: Sequence[asyncpg.Record], *, search: Search, statistics: Statistics, terms: Sequence[str], how: How
) -> Pool:
    """The rows as one value; all that ranking reckons with as arrays."""
    queries = len(search.queries)
    places = {row["message_id"]: place for place, row in enumerate(rows)}
    counts = np.zeros((len(rows), len(terms)), dtype=np.float32)
    where, term = _flat([row["terms"] for row in rows])
    counts[where, term - 1] = _flat([row["tfs"] for row in rows])[1]
    previous = np.array([places.get(row["previous"], -1) for row in rows], dtype=np.int64)
    following = np.full(len(rows), -1, dtype=np.int64)
    known = np.flatnonzero(previous >= 0)
    following[previous[known]] = known
    similarities = np.array([row["similarities"] for row in rows], dtype=np.float64).reshape(len(rows), queries).T
    found = tuple(
        Found(message=as_message(row), session=row["session"], length=row["length"], in_view=row["in_view"])
        for row in rows
    )
    by_hit = _marked([row["hit"] for row in rows], queries)
    weights, now = search.recall.weights, search.now

    def best(query: int) -> tuple[int, ...]:
        # Rows are in order of time: of two that score the same the later is the better.
        def rank(place: int) -> tuple[float, int]:
            return -weights.score(similarities[query, place], now - found[place].message.sent_at), -place

        return tuple(sorted(np.flatnonzero(by_hit[query]).tolist(), key=rank))

    return Pool(
        search=search,
        statistics=statistics,
        found=found,
        terms=tuple(terms),
        counts=counts,
        similarities=similarities,
        by_words=_marked([row["words"] for row in rows], queries),
        by_vector=_marked([row["vector"] for row in rows], queries),
        hits=tuple(best(query) for query in range(queries)),
        previous=previous,
        following=following,
        how=how,
    )


def _marked(numbers: Sequence[Sequence[int] | None], queries: int) -> npt.NDArray[np.bool_]:
    """(queries, rows): which queries, counted from 1, each row names."""
    marks = np.zeros((queries, len(numbers)), dtype=np.bool_)
    where, query = _flat(numbers)
    marks[query - 1, where] = True
    return marks


def _flat(lists: Sequence[Sequence[int] | None]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Lists one behind the other: of each number the place of its list, and itself."""
    sizes = [len(each) if each else 0 for each in lists]
    numbers = np.fromiter(chain.from_iterable(each for each in lists if each), dtype=np.int64, count=sum(sizes))
    return np.repeat(np.arange(len(lists)), sizes), numbers
