"""Hits in a model's order instead of ours: for operators who would rather pay for one more answer a turn.

The best of what came to mind are shown, of each text its beginning, as far as a budget of tokens goes. What the model
does not name keeps our order behind; when it fails, all does, and the answer says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.errors import ModelError
from bot.memory.pack import packed_line
from bot.model import Hit, Message, Reranked, token_count
from bot.ports import Reranker

SHOWN = 200
"""Characters of a text that a model sees."""
MOST = 30
"""Candidates that a model orders: of many more it loses count."""
MOST_ASKED = 6
"""Texts that are answered: of a longer burst the last."""
FEWEST = 2
"""Candidates of which there can be an order."""
_INSTRUCTIONS = 220
"""Tokens that the rest of the prompt takes."""
_NUMBER = 2
"""Tokens that a line's number takes."""


async def rerank(
    hits: Sequence[Hit], asked: Sequence[str], *, reranker: Reranker, budget: int
) -> tuple[list[Hit], Reranked | None]:
    """The hits in a model's order, and how that went; None when there was nothing to ask.

    One call at most. `budget`: tokens of the whole prompt.
    """
    beginnings = [text[:SHOWN] for text in asked[-MOST_ASKED:]]
    tokens = _INSTRUCTIONS + sum(token_count(text) + _NUMBER for text in beginnings)
    candidates: list[Message] = []
    for hit in hits[:MOST]:
        candidate = replace(hit.message, text=hit.message.text[:SHOWN])
        cost = token_count(packed_line(candidate)) + _NUMBER
        if tokens + cost > budget:
            break
        candidates.append(candidate)
        tokens += cost
    if len(candidates) < FEWEST:
        return list(hits), None
    kept: str | None = None
    try:
        order = await reranker.order(beginnings, candidates)
    except ModelError as error:
        order, kept = (), type(error).__name__
    ordered = [hits[place] for place in in_full(order, len(candidates))]
    return [*ordered, *hits[len(candidates) :]], Reranked(
        model=reranker.name,
        before=tuple(candidate.message_id for candidate in candidates),
        after=tuple(hit.message.message_id for hit in ordered),
        tokens=tokens,
        kept=kept,
    )


def in_full(order: Sequence[int], count: int) -> list[int]:
    """All places below `count`, each once: those of the order first, then the rest as they were."""
    named = dict.fromkeys(place for place in order if 0 <= place < count)
    return [*named, *(place for place in range(count) if place not in named)]
