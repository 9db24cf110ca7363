"""Single messages packed into a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Hit, Message, token_count

TASTE = 60
"""Tokens for what may well be beside the point: the best one to three messages."""


def packed_line(message: Message) -> str:
    """A message as it counts against the budget: `[date] Sender: text`."""
    return f"[{message.sent_at:%Y-%m-%d}] {message.sender}: {message.text}"


def pack(hits: Sequence[Hit], *, budget: int) -> tuple[Hit, ...]:
    """The best hits that fit, in their order; one too long for what is left is passed over.

    What may well be beside the point has `TASTE` of the budget at most.
    """
    kept: list[Hit] = []
    left, taste = budget, TASTE
    for hit in hits:
        cost = token_count(packed_line(hit.message))
        if cost <= (min(left, taste) if hit.doubted else left):
            kept.append(hit)
            left -= cost
            taste -= cost if hit.doubted else 0
    return tuple(kept)
