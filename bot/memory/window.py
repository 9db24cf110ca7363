"""Hits with their windows as stretches of talk, each message once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from bot.model import Hit, Message, MessageId

SILENCE = timedelta(minutes=30)
"""What ends a session; the statements that keep messages have it, too."""


def merge(hits: Sequence[Hit]) -> list[tuple[Message, ...]]:
    """Stretches in order of time; windows that overlap or meet become one, and no message appears twice."""
    stretches: list[dict[MessageId, Message]] = []
    for hit in hits:
        stretch = {message.message_id: message for message in (*hit.window, hit.message)}
        for other in [known for known in stretches if known.keys() & stretch.keys()]:
            stretch |= other
            stretches.remove(other)
        stretches.append(stretch)
    told = [
        tuple(sorted(stretch.values(), key=lambda message: (message.sent_at, message.message_id)))
        for stretch in stretches
    ]
    return sorted(told, key=lambda stretch: (stretch[0].sent_at, stretch[0].message_id))
