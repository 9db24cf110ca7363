"""Single messages packed into a budget of tokens."""

from __future__ import annotations

from collections.abc import Sequence

from bot.model import Hit, Message, token_count


def packed_line(message: Message) -> str:
    """A message as it counts against the budget: `[date] Sender: text`."""
    return f"[{message.sent_at:%Y-%m-%d}] {message.sender}: {message.text}"


def pack(hits: Sequence[Hit], *, budget: int) -> tuple[Hit, ...]:
    """The best hits that fit, in their order; one too long for what is left is passed over."""
    kept: list[Hit] = []
    left = budget
    for hit in hits:
        cost = token_count(packed_line(hit.message))
        if cost <= left:
            kept.append(hit)
            left -= cost
    return tuple(kept)
