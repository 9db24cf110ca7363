"""What comes to mind: past messages of the same lane that have to do with what is said now.

The `combined` profile: 1.2 · similarity + 0.2 · time relevance, above the embedding model's threshold, the best
few for each query with what was said around them. The store does it in one round trip; what cannot be searched
with degrades to less, and says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.model import Lane, MessageId, Recall, Recalled, Search, Vector
from bot.ports import Store
from bot.tracing import step


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
    usable = tuple(vector for vector in vectors if vector is not None)
    if not usable:
        return Recalled(missing="nothing to search with")
    search = Search(lane=lane, vectors=usable, recall=recall, now=now, exclude=tuple(exclude))
    hits = await store.search(search)
    best = sorted(hits, key=lambda hit: (-hit.score, -hit.message.sent_at.timestamp(), -hit.message.message_id))
    seen: set[MessageId] = set()
    once = [hit for hit in best if not (hit.message.message_id in seen or seen.add(hit.message.message_id))]
    return Recalled(hits=tuple(once), how="scan", missing=None if once else "nothing similar", searched=search)
