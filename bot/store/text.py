"""What PostgreSQL can keep of a text, decided in one place for every text that goes in."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import cast

_SURROGATE = re.compile("[\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def storable(text: str) -> str:
    """The text without NUL, split surrogate pairs joined, and U+FFFD for each lone surrogate."""
    if text.isascii():
        return text.replace("\0", "")
    return _SURROGATE.sub("\ufffd", _PAIR.sub(_join, text.replace("\0", "")))


def storable_id(text: str | None) -> str | None:
    """As `storable`, but with U+FFFD for NUL: two ids that differ stay two."""
    return None if text is None else storable(text.replace("\0", "\ufffd"))


def storable_or_none(text: str | None) -> str | None:
    """As `storable`; None stays None."""
    return None if text is None else storable(text)


def storable_json(value: object) -> str:
    """A value as JSON that jsonb takes: every text in it storable, what JSON has no word for as text."""
    return json.dumps(_storable(value), ensure_ascii=False, allow_nan=False)


def _storable(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {storable(str(key)): _storable(item) for key, item in items}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in cast("list[object]", value)]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return storable(str(value))
