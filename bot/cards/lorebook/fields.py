"""Values as books really hold them, read into what they are meant to be: numbers as text, keys in one string."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast


def as_object(value: object) -> Mapping[str, Any]:
    """A JSON object; anything else is an empty one."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def as_text(value: object) -> str:
    """A text; a number is one, too."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def as_keys(value: object) -> tuple[str, ...]:
    """Keys, as a list or parted by commas, without empty ones."""
    given = value.split(",") if isinstance(value, str) else value
    if not isinstance(given, list | tuple):
        return ()
    return tuple(key for item in cast("list[object]", given) if (key := as_text(item).strip()))


def as_number(value: object) -> float | None:
    """A finite number, perhaps written as text."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def as_count(value: object) -> int | None:
    """A whole number from 0 on that a counter can hold."""
    number = as_number(value)
    return None if number is None or number < 0 else int(min(number, 2**31 - 1))


def as_flag(value: object) -> bool | None:
    """Yes or no, perhaps written as text or as 1 and 0; None for anything else."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(
            value.strip().lower()
        )
    return bool(value) if value in (0, 1) else None


_WORDS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
