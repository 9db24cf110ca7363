"""What comes to mind: past messages of the same lane that have to do with what is said now.

The store finds a pool of messages in two round trips, however many are unread; what of it comes to mind is chosen
here, as the profile says. `combined`: 1.2 · similarity + 0.2 · time relevance, above the embedding model's threshold,
the best few for each query with what was said around them. `ranked`: single messages by everything cheap that helps,
as many as a budget of tokens holds, and none for what the chat has nothing to say to. What cannot be searched with
degrades to less, and says why. Where a model is asked for another order, it is between choosing and packing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo

from bot.memory.asking import parts
from bot.memory.rank import in_order, packed, shipped
from bot.memory.rerank import rerank
from bot.memory.seeds import choose_words
from bot.memory.words import terms
from bot.model import Hit, Lane, MessageId, Pool, Query, Recall, Recalled, Search, Vector
from bot.ports import Reranker, Store
from bot.tracing import step


def asked_in(texts: Sequence[str], *, recall: Recall) -> list[tuple[int, str]]:
    """What texts are searched for: (which text, what of it). `combined` takes each as a whole."""
    if recall.profile == "combined":
        return list(enumerate(texts))
    return [(number, part) for number, text in enumerate(texts) for part in parts(text)]


def as_queries(texts: Sequence[str], vectors: Sequence[Vector | None]) -> tuple[Query, ...]:
    """Texts to search with, each with its vector."""
    return tuple(
        Query(text=text, vector=vector, terms=tuple(terms(text))) for text, vector in zip(texts, vectors, strict=True)
    )


@step("search_memory")
async def search_memory(
    queries: Sequence[Query],
    *,
    lane: Lane,
    recall: Recall,
    store: Store,
    now: datetime,
    zone: tzinfo = UTC,
    exclude: Sequence[MessageId] = (),
    persona: str | None = None,
    reranker: Reranker | None = None,
) -> Recalled:
    """What comes to mind for the queries, best first and each once; to a persona, nothing that another said as the bot.

    A query that has no vector is searched for by its words under `ranked`, and brings nothing under `combined`.
    """
    by_words = recall.profile == "ranked" and any(query.terms for query in queries)
    if not by_words and all(query.vector is None for query in queries):
        return Recalled(profile=recall.profile, missing="nothing to search with")
    search = Search(
        lane=lane,
        queries=tuple(queries),
        recall=recall,
        now=now,
        zone=zone,
        exclude=tuple(exclude),
        persona=persona,
    )
    statistics = await store.statistics(search)
    pool = await store.pool(search, statistics, choose_words(search, statistics))
    order = best_of(pool)
    hits, reranked = order, None
    if reranker is not None:
        texts = [query.text for query in queries]
        hits, reranked = await rerank(order, texts, reranker=reranker, budget=recall.order_budget)
    if recall.profile == "ranked":
        hits = packed(hits, recall)
    return Recalled(
        hits=tuple(hits),
        profile=recall.profile,
        how=pool.how,
        missing=None if hits else "nothing similar",
        ranking=tuple(hit.message.message_id for hit in order) if recall.profile == "ranked" else (),
        searched=search,
        statistics=statistics,
        reranked=reranked,
    )


def best_of(pool: Pool) -> list[Hit]:
    """What of a pool would come to mind by the search's profile, best first and each once, all of it."""
    return in_order(pool, ranker=shipped()) if pool.search.recall.profile == "ranked" else _once(combined(pool))


def _once(hits: Iterable[Hit]) -> list[Hit]:
    """Each message's best hit, best first; of two that score the same the later."""
    best = sorted(hits, key=lambda hit: (-hit.score, -hit.message.sent_at.timestamp(), -hit.message.message_id))
    seen: set[MessageId] = set()
    return [hit for hit in best if not (hit.message.message_id in seen or seen.add(hit.message.message_id))]


def combined(pool: Pool) -> Iterator[Hit]:
    """The hits of the combined score: queries in order, best first within each."""
    search = pool.search
    weights = search.recall.weights
    for query, places in enumerate(pool.hits):
        for place in places:
            message = pool.found[place].message
            similarity, age = float(pool.similarities[query, place]), search.now - message.sent_at
            yield Hit(
                message=message,
                similarity=similarity,
                time_relevance=weights.time_relevance(age),
                score=weights.score(similarity, age),
                query=query,
                window=pool.window(place, search.recall.window),
            )
