"""What PostgreSQL can keep of a text, decided in one place for every text that goes in."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def storable(text: str) -> str:
    """The text without NUL, split surrogate pairs joined, and U+FFFD for each lone surrogate."""
    if text.isascii():
        return text.replace("\0", "")
    return _SURROGATE.sub("\ufffd", _PAIR.sub(_join, text.replace("\0", "")))


def storable_or_none(text: str | None) -> str | None:
    """As `storable`; None stays None."""
    return None if text is None else storable(text)
