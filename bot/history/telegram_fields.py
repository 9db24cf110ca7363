"""Values out of a message or a chat as Telegram Desktop wrote it; one of another type counts as absent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from bot.history.telegram_text import join_text

Fields = Mapping[str, object]


def text_at(fields: Fields, key: str) -> str:
    """The text under a key, without space around it."""
    return join_text(fields.get(key)).strip()


def number_at(fields: Fields, key: str) -> int | None:
    """The whole number under a key, which is written with quotes or without."""
    value = fields.get(key)
    if type(value) is int:
        return value
    if isinstance(value, str) and len(value) <= 20:
        try:
            return int(value)
        except ValueError:
            return None
    return None


def fields_at(fields: Fields, key: str) -> Fields:
    """The object under a key."""
    value = fields.get(key)
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def list_at(fields: Fields, key: str) -> Sequence[object]:
    """The list under a key."""
    value = fields.get(key)
    return cast("list[object]", value) if isinstance(value, list) else ()


def how_long(seconds: int) -> str:
    """A duration as one says it: 12 s, 3 min 20 s, 2 h 5 min."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minute} min" if minute else f"{hours} h"
    if minutes:
        return f"{minutes} min {second} s" if second else f"{minutes} min"
    return f"{second} s"
