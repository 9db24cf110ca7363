"""JSON of unknown origin, read within bounds of size, depth and number of pieces.

What JSON has no word for, though Python's reader takes it, is kept as the text it was: NaN, Infinity, and numbers
beyond a double's range. So whatever is read here can be written again.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, cast

from bot.cards.card import LARGEST_CARD, Refused, Remarks

MOST_PIECES = 300_000
"""Values that a card may consist of: some hundred bytes of memory each, whatever the length of the text."""
DEEPEST = 100
"""Objects and lists within one another."""
_LONGEST_INTEGER = 300
"""Digits; a double has no more, and Python refuses to read 4,301."""
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def parse(text: str, remarks: Remarks) -> object:
    """The value of a JSON text."""
    if len(text) > LARGEST_CARD:
        raise Refused("too_large", f"holds over {LARGEST_CARD // 2**20} MiB of JSON; no card is that large")
    if sum(map(text.count, ",{[")) > MOST_PIECES:
        raise Refused("too_large", f"is made of over {MOST_PIECES:,} pieces; no card is that large")

    beyond: list[str] = []

    def as_text(number: str) -> str:
        beyond.append(number)
        return number

    def integer(digits: str) -> int | str:
        return int(digits) if len(digits) <= _LONGEST_INTEGER else as_text(digits)

    def real(digits: str) -> float | str:
        value = float(digits)
        return value if math.isfinite(value) else as_text(digits)

    try:
        value = json.loads(text, strict=False, parse_int=integer, parse_float=real, parse_constant=as_text)
    except RecursionError:
        raise too_deep() from None
    except ValueError as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise Refused("bad_json", f"is not whole JSON{where}; export the card again") from None
    if beyond:
        remarks.add("coerced", f"the number {beyond[0][:20]}")
    return tidy(value, remarks)


def too_deep() -> Refused:
    return Refused("too_deep", f"nests over {DEEPEST} levels deep; no card does")


def tidy(value: Any, remarks: Remarks) -> object:
    """The value, whose every text can be stored: U+FFFD for NUL and lone surrogates. Changed where it stands."""
    if isinstance(value, str):
        return _storable(value, remarks)
    level = [value]
    for _ in range(DEEPEST):
        level = [child for node in level for child in _tidied(node, remarks)]
        if not level:
            return value
    raise too_deep()


def _tidied(node: object, remarks: Remarks) -> list[Any]:
    """The children of an object or list that have children themselves; all its texts are made storable."""
    deeper: list[Any] = []
    if isinstance(node, dict):
        fields = cast("dict[str, Any]", node)
        if any(map(_UNSTORABLE.search, fields)):
            items = [(_storable(key, remarks), value) for key, value in fields.items()]
            fields.clear()
            fields.update(items)
        for key, value in fields.items():
            if isinstance(value, str):
                if _UNSTORABLE.search(value):
                    fields[key] = _storable(value, remarks)
            elif isinstance(value, dict | list):
                deeper.append(value)
    elif isinstance(node, list):
        values = cast("list[Any]", node)
        for n, value in enumerate(values):
            if isinstance(value, str):
                values[n] = _storable(value, remarks)
            elif isinstance(value, dict | list):
                deeper.append(value)
    return deeper


def _storable(text: str, remarks: Remarks) -> str:
    stored, count = _UNSTORABLE.subn(_REPLACEMENT, text)
    if count:
        remarks.add("replaced_characters", "the card's texts")
    return stored
