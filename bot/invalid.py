"""What pydantic found wrong with a text from outside, in words for people.

Of what was in it nothing is told but where: it may hold what people wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_QUOTING: Final[Mapping[str, str]] = {
    "uuid_parsing": "should be a UUID",
    "union_tag_invalid": "is of no kind that is known",
    "value_error": "makes no sense",
    "assertion_error": "makes no sense",
}
"""Errors whose own words may repeat what was given, or are whatever a library says."""


def what_is_wrong(error: ValidationError, *, whole: str = "JSON") -> str:
    """The first thing that is wrong: where, and what should be there. `whole` is what all of it is called."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return f"{_path(first['loc']) or whole}: {_in_words(first)}"


def _path(loc: Sequence[str | int]) -> str:
    return ".".join(map(str, loc))


def _in_words(wrong: ErrorDetails) -> str:
    if wrong["type"] == "missing":
        return "missing"
    told = _QUOTING.get(wrong["type"]) or wrong["msg"].removeprefix("Input ")
    return told[:1].lower() + told[1:]
