"""The mode `retrieve`: recall again, as of the turn's own time.

What was kept later is hidden, and what had no vector yet has none. How common words are is taken from the record, so
that only today's code differs; where the record does not tell, today's numbers are used, and differences that they can
explain are not counted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from bot.errors import ModelError, TraceUnreadable, UnknownTurn
from bot.memory.rank import packed
from bot.memory.recall import as_queries, asked_in, best_of
from bot.memory.seeds import choose_words
from bot.model import ChatId, Hit, Lane, MessageId, Pool, Query, Recall, Search, Statistics, Vector
from bot.ports import PatientEmbedder
from bot.record import hit_rows
from bot.replay.case import Case
from bot.replay.report import Report, Stage, compared, left_out
from bot.store import PostgresStore

MOST_HIDDEN = 10_000
"""Messages that came later and are hidden; an import of more is named."""
FAILED = "recall failed"
"""Begins what a turn says of a recall that failed."""
_CLOSE = 1e-4
"""By which share two scores may differ that are the same: they are kept rounded, and models are not exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What recall needs of the world."""

    store: PostgresStore
    embedder: PatientEmbedder
    recall: Recall


async def retrieve(case: Case, memory: Memory) -> Report:
    """Recall again, and compare what was found, how it was ranked, and what of it fitted.

    Raises `TraceUnreadable` when what was recorded of recall has not the shape that bot/record.py gives it.
    """
    try:
        return await _retrieve(case, memory)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise TraceUnreadable(
            f"what it says of recall has another shape ({type(error).__name__}: {error})",
            where=f"trace {case.trace_id}",
        ) from error


async def _retrieve(case: Case, memory: Memory) -> Report:
    if case.recall is None or case.time is None or case.chat_id is None:
        raise UnknownTurn(
            "what recall did in this turn is not on record: nothing was searched for in it, or its row is not in the "
            "database"
        )
    recorded = cast("Mapping[str, Any]", case.recall)
    causes: list[str] = []
    profile = cast('Literal["combined", "ranked"]', recorded.get("profile") or memory.recall.profile)
    model = memory.recall.model
    threshold = recorded.get("threshold")  # it is told anew as a chat grows
    recall = replace(
        memory.recall,
        profile=profile,
        model=model if threshold is None else replace(model, threshold=threshold),
    )
    if case.embedding_model not in (None, recall.model.name):
        causes.append(f"the embedding model was {case.embedding_model}, and is {recall.model.name}")
    pool, search_causes = await _pool(case, recorded, memory, recall)
    causes += search_causes
    missing = str(recorded.get("missing") or "")
    if pool is not None and missing.startswith(FAILED) and "statistics" not in recorded:
        stages = [left_out("retrieve", f"{missing}, then")]  # it was the search itself
        return Report(case=case, mode="retrieve", stages=tuple(stages), causes=tuple(causes))
    order = best_of(pool) if pool else []
    chosen = _as_a_model_ordered(order, cast("Mapping[str, list[int]]", recorded.get("reranked") or {}))
    hits = packed(chosen, recall) if profile == "ranked" else chosen
    before = hit_rows(cast("Mapping[str, list[object]]", recorded.get("hits") or {}))
    stages = _stages(before, recorded, pool, order, hits, scores_count=not search_causes)
    return Report(case=case, mode="retrieve", stages=tuple(stages), causes=tuple(causes))


async def _pool(
    case: Case, recorded: Mapping[str, Any], memory: Memory, recall: Recall
) -> tuple[Pool | None, list[str]]:
    """What the store finds today for what was asked then, as far as it was there; and what else is not as it was.

    None when there is nothing to search with, as `search_memory` has it.
    """
    assert case.chat_id is not None  # noqa: S101 - as seen to by `retrieve`
    assert case.time is not None  # noqa: S101
    store, chat = memory.store, ChatId(case.chat_id)
    unread = await store.turns.messages(chat, [MessageId(number) for number in case.unread])
    texts = {message.message_id: message.text for message in unread}
    asked = [text for _, text in asked_in([texts[MessageId(n)] for n in case.unread if n in texts], recall=recall)]
    queries = as_queries(asked, await _embedded(asked, recorded, memory.embedder))
    by_words = recall.profile == "ranked" and any(query.terms for query in queries)
    if not by_words and all(query.vector is None for query in queries):
        return None, []
    in_view = [MessageId(number) for number in (*case.recent, *case.unread)]
    newest = max(in_view, default=MessageId(0))
    later = await store.turns.came_later(chat, than=newest, by=case.time, limit=MOST_HIDDEN)
    search = Search(
        lane=Lane(chat, case.topic),
        queries=queries,
        recall=recall,
        now=case.time,
        zone=case.timezone,
        exclude=(*in_view, *later),
        persona=case.persona or None,
    )
    today = await store.recall.statistics(search)
    statistics, causes = _as_they_were(today, recorded.get("statistics"), search.queries)
    if len(later) == MOST_HIDDEN:
        causes.append(f"more than {MOST_HIDDEN:,} messages came in later, and are not all hidden")
    pool = await store.recall.pool(search, statistics, choose_words(search, statistics))
    return as_it_was(pool, hidden=frozenset(later), embedded=statistics.embedded), causes


async def _embedded(
    texts: Sequence[str], recorded: Mapping[str, Any], embedder: PatientEmbedder
) -> Sequence[Vector | None]:
    """The questions as vectors, unless they could not be had then."""
    if str(recorded.get("missing") or "").startswith(FAILED) or not any(text.strip() for text in texts):
        return [None] * len(texts)
    try:
        given = iter(await embedder.embed([text for text in texts if text.strip()], purpose="query"))
    except ModelError as error:
        raise UnknownTurn(f"recall cannot be done again without the embedding model: {error}") from error
    return [next(given) if text.strip() else None for text in texts]


def _as_they_were(
    today: Statistics, recorded: Mapping[str, Any] | None, queries: Sequence[Query]
) -> tuple[Statistics, list[str]]:
    """The statistics as recorded, and what of them cannot be had back."""
    if not recorded:
        return today, ["how common words are is not on record: it is reckoned with today's numbers"]
    causes: list[str] = []
    counts, terms = cast("list[int]", recorded.get("counts") or []), sorted(today.counts)
    if len(counts) != len(terms):
        causes.append("the questions have other words today, so how common they are is reckoned with today's numbers")
    usual = cast("list[float | None]", recorded.get("usual") or [])
    if [value is None for value in usual] != [query.vector is None for query in queries]:
        causes.append("how near the chat as a whole is to the questions is reckoned with today's vectors")
    else:
        today = replace(today, centroid=_centroid(queries, usual))
    return (
        replace(
            today,
            indexed=recorded.get("indexed", today.indexed),
            mean_length=recorded.get("mean_length", today.mean_length),
            counts=dict(zip(terms, counts, strict=True)) if len(counts) == len(terms) else today.counts,
            embedded=recorded.get("embedded", today.embedded),
            vectors=recorded.get("vectors", today.vectors),
            coherence=recorded.get("coherence", today.coherence),
        ),
        causes,
    )


def _centroid(queries: Sequence[Query], usual: Sequence[float | None]) -> Vector | None:
    """A centroid that is as near to each question as that of then was; all that ranking takes of it is that."""
    known = [(query.vector, near) for query, near in zip(queries, usual, strict=True) if query.vector is not None]
    if not known:
        return None
    directions = np.array([vector / max(float(np.linalg.norm(vector)), 1e-12) for vector, _ in known], dtype=np.float64)
    found = np.linalg.lstsq(directions, np.array([near for _, near in known], dtype=np.float64), rcond=None)[0]
    return found.astype(np.float32)


def as_it_was(pool: Pool, *, hidden: frozenset[MessageId], embedded: int) -> Pool:
    """A pool without what came later, and without the vectors of what was not embedded yet."""
    numbers = [found.message.message_id for found in pool.found]
    keep = np.array([number not in hidden for number in numbers], dtype=np.bool_)
    places = np.flatnonzero(keep)
    moved = np.full(len(numbers), -1, dtype=np.int64)
    moved[places] = np.arange(len(places))
    similarities = pool.similarities.copy()
    similarities[:, np.array([number > embedded for number in numbers], dtype=np.bool_)] = np.nan

    def followed(to: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Beside what is hidden stands whatever stands beside that."""
        beside: list[int] = []
        for place in places:
            at = int(to[place])
            while at >= 0 and not keep[at]:
                at = int(to[at])
            beside.append(int(moved[at]) if at >= 0 else -1)
        return np.array(beside, dtype=np.int64)

    return replace(
        pool,
        found=tuple(pool.found[place] for place in places),
        counts=pool.counts[places],
        similarities=similarities[:, places],
        by_words=pool.by_words[:, places],
        by_vector=pool.by_vector[:, places] & ~np.isnan(similarities[:, places]),
        hits=tuple(
            tuple(int(moved[place]) for place in of_query if keep[place] and not math.isnan(similarities[query, place]))
            for query, of_query in enumerate(pool.hits)
        ),
        previous=followed(pool.previous),
        following=followed(pool.following),
    )


def _stages(
    before: Sequence[Mapping[str, Any]],
    recorded: Mapping[str, Any],
    pool: Pool | None,
    order: Sequence[Hit],
    hits: Sequence[Hit],
    *,
    scores_count: bool,
) -> list[Stage]:
    known = {found.message.message_id for found in pool.found} if pool else set[MessageId]()
    wanted = [int(hit["id"]) for hit in before]
    scores = {hit.message.message_id: hit for hit in order}
    ranking = cast("list[int] | None", recorded.get("ranking")) or wanted
    ranks = [hit.message.message_id for hit in order]
    whole = "ranking" in recorded or recorded.get("profile") == "combined"
    then = [_told(hit["id"], hit.get("score", 0.0)) for hit in before]
    now = [_told(number, scores[MessageId(number)].score) for number in wanted if number in scores]
    same_order = ranking == (ranks if whole else [number for number in ranks if number in set(ranking)])
    close = all(
        number in scores and _is_close(scores[MessageId(number)].score, hit.get("score", 0.0))
        for number, hit in zip(wanted, before, strict=True)
    )
    return [
        compared("retrieve", wanted, [number for number in wanted if number in known]),
        Stage(
            stage="rank",
            step=None,
            same=same_order and (close or not scores_count),
            before={"order": ranking, "scores": then},
            after={"order": ranks, "scores": now},
            note="" if close else "scores differ",
        ),
        compared("pack", wanted, [int(hit.message.message_id) for hit in hits]),
    ]


def _as_a_model_ordered(order: Sequence[Hit], reranked: Mapping[str, list[int]]) -> Sequence[Hit]:
    """The hits as a model put them then, if it would be shown the same; it is not asked again."""
    before, after = reranked.get("before") or [], reranked.get("after") or []
    shown = {int(hit.message.message_id): hit for hit in order[: len(before)]}
    if list(shown) != before or sorted(after) != sorted(before):
        return order
    return [*(shown[number] for number in after), *order[len(before) :]]


def _is_close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_CLOSE, abs_tol=_CLOSE)


def _told(number: int, score: float) -> dict[str, object]:
    return {"id": number, "score": float(f"{score:.5g}")}
