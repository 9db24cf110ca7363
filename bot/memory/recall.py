"""What comes to mind: past messages of the same lane that have to do with what is said now.

The `combined` profile: 1.2 · similarity + 0.2 · time relevance, above the embedding model's threshold, the best
few for each query with what was said around them. The store does it in one round trip; what cannot be searched
with degrades to less, and says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.model import EmbeddingModel, Lane, MessageId, Recalled, Vector, Weights
from bot.ports import Store
from bot.tracing import step

HITS = 3
"""Hits for each query."""
WINDOW = 5
"""Messages shown on either side of a hit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """How recall is done: which vectors, which weights, how much."""

    model: EmbeddingModel
    weights: Weights = Weights()
    hits: int = HITS
    window: int = WINDOW


@step("search_memory")
async def search_memory(
    vectors: Sequence[Vector | None],
    *,
    lane: Lane,
    recall: Recall,
    store: Store,
    now: datetime,
    exclude: Sequence[MessageId] = (),
) -> Recalled:
    """The best hits for each vector, best first and each once. A vector that is None is passed over."""
    usable = [vector for vector in vectors if vector is not None]
    searched = {
        "model": recall.model.name,
        "threshold": recall.model.threshold,
        "weight.similarity": recall.weights.similarity,
        "weight.time": recall.weights.time,
        "k": recall.hits,
        "window": recall.window,
        "excluded.ids": list(exclude),
    }
    if not usable:
        return Recalled(missing="nothing to search with", searched=searched)
    hits = await store.search(
        lane,
        usable,
        model=recall.model,
        weights=recall.weights,
        now=now,
        limit=recall.hits,
        window=recall.window,
        exclude=exclude,
    )
    best = sorted(hits, key=lambda hit: (-hit.score, -hit.message.sent_at.timestamp(), -hit.message.message_id))
    seen: set[MessageId] = set()
    once = [hit for hit in best if not (hit.message.message_id in seen or seen.add(hit.message.message_id))]
    return Recalled(
        hits=tuple(once),
        how="scan",
        missing=None if once else "nothing similar",
        searched=searched,
    )
