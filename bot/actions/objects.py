"""JSON in a model's text: where it stands, whether it is whole, and what it says.

Strings are told apart from structure before anything is parsed, so a brace inside a text ends nothing, and
an object that breaks off is known to. Only then json_repair is asked, and only about pieces it can do
quickly: on hostile input its time grows with the square of the size.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final, cast

import json_repair

_START: Final = re.compile(r"""\{(?=\s*+(?:["'“]|[A-Za-z_]\w{0,40}\s*+:))|\[(?=\s*+\{)""")
"""What begins an object or a list of objects; `{curly}`, `{{user}}` and `[sighs]` are prose."""
_START_OF_ALL: Final = re.compile(r"""\[\s*+(?:["'“]|\]|\Z)|\{\s*+(?:\}|\w*+\Z)""")
"""What counts only at the start of the text: a list of strings, an empty list or object, one hardly begun."""
_STRUCTURE: Final = re.compile(r"""\\.|["'“”{}\[\]]""", re.DOTALL)
_AFTER_STRING: Final = re.compile(
    r"""\s*+(?:[:：}\]]|\Z|[,，]\s*+(?:["'“\[\]{}\d-]|(?:true|false|null|True|False|None)\b|\w{1,40}\s*+:|\Z))
      | \s*\n\s*+["'“] | \s++["'“]\w{1,40}["'”]\s*+[:：]""",  # the comma was forgotten
    re.VERBOSE,
)
_WIDE: Final = str.maketrans("：，", ":,")
_ESCAPED: Final = re.compile(r'\\(.)|\\|"', re.DOTALL)
_ESCAPES: Final = frozenset('"\\/bfnrtu')
_CLOSES: Final = {'"': '"', "'": "'", "“": "”"}
_SCALAR_ENDS: Final = frozenset(",:{}[]\"'”")

MOST_PIECES: Final = 50
_HARD: Final = re.compile(r"""[\\"'“”{}\[\]():,]""")
_OPENING: Final = re.compile(r"[{\[(]")
_MOST_OPENINGS: Final = 60
_REPAIR_EFFORT: Final = 4_000_000
"""Size × characters json_repair stops at, for all pieces of one text: at the worst found, 0.15 s."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One object or list as it stands in a text."""

    value: object
    whole: bool
    """False: it broke off. `value` then holds what was complete; a string that broke off is left out."""


def strict(text: str) -> object:
    """The text as one JSON value, or None when it is none (or null)."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def pieces(text: str, *, cut: bool) -> list[Piece]:
    """Every object or list in a text, in order; what cannot be read has the value None.

    `cut` says that the text is known to have been cut off: then a piece left open is not whole, even if it
    only lacks brackets. Otherwise missing brackets are forgiven, an open string never is.
    """
    if isinstance(value := strict(text), dict | list):
        return [Piece(cast("object", value), whole=True)]
    found: list[Piece] = []
    effort, position = _REPAIR_EFFORT, 0
    while len(found) < MOST_PIECES:
        start = (None if found else _START_OF_ALL.match(text)) or _START.search(text, position)
        if start is None:
            break
        extent = _extent(text, start.start())
        position = extent.end
        part = _well_quoted(text, extent)
        if cut and not extent.closed and not extent.in_string:
            part = _without_last_scalar(part)
        value = strict(part)
        if value is None:
            effort -= len(part) * (1 + len(_HARD.findall(part)))
            value = _repaired(part) if effort > 0 and len(_OPENING.findall(part)) <= _MOST_OPENINGS else None
        found.append(Piece(value, whole=extent.closed or not (cut or extent.in_string)))
    return found


@dataclass(frozen=True, slots=True)
class _Extent:
    """Where a value begins and ends in a text, and the strings in it."""

    start: int
    end: int
    closed: bool
    strings: tuple[tuple[int, int], ...]
    """Where each begins and ends, its marks included."""
    open_at: int = -1
    """Where a string begins that never ends."""

    @property
    def in_string(self) -> bool:
        return self.open_at >= 0


def _extent(text: str, start: int) -> _Extent:
    """How far the value that starts here goes.

    For JSON this is exact. Beyond JSON, a quotation mark opens a string only where a key or value may stand
    and closes one only before `:`, a bracket, the end, or a comma that something like a value or key follows,
    so that apostrophes and quotation marks nobody escaped stay within.
    """
    depth, quote, opened = 0, "", -1
    strings: list[tuple[int, int]] = []
    for token in _STRUCTURE.finditer(text, start):
        mark, at = token[0], token.start()
        if quote:
            if mark == _CLOSES[quote] and _AFTER_STRING.match(text, at + 1):
                strings.append((opened, at + 1))
                quote, opened = "", -1
        elif mark in _CLOSES:
            if _may_stand_here(text, at, strings[-1][1] if strings else -1):
                quote, opened = mark, at
        elif mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
            if depth == 0:
                return _Extent(start, token.end(), True, tuple(strings))
    return _Extent(start, len(text), False, tuple(strings), opened)


def _well_quoted(text: str, extent: _Extent) -> str:
    """The value with its strings in JSON's quotation marks; a string that never ends is left out."""
    parts: list[str] = []
    at = extent.start
    for first, last in extent.strings:
        inside = _ESCAPED.sub(_escape, text[first + 1 : last - 1])
        parts += [text[at:first].translate(_WIDE), '"', inside, '"']
        at = last
    parts.append(text[at : extent.open_at if extent.in_string else extent.end])
    return "".join(parts)


def _escape(found: re.Match[str]) -> str:
    """A backslash with what follows, or a bare quotation mark, as JSON wants it."""
    if found[0] in {'"', "\\"}:
        return "\\" + found[0]
    return found[0] if found[1] in _ESCAPES else found[1] if found[1] == "'" else "\\\\" + found[1]


def _may_stand_here(text: str, at: int, after: int) -> bool:
    """Whether a string may begin at this place; `after` is where the last one ended."""
    while at > 0 and text[at - 1].isspace():
        at -= 1
    return at in {0, after} or text[at - 1] in "{[,:：，"


def _without_last_scalar(text: str) -> str:
    """A text that was cut, without the number or word it ends in: it may have gone on."""
    end = len(text)
    while end and text[end - 1] not in _SCALAR_ENDS:
        end -= 1
    return text[:end]


def _repaired(text: str) -> object:
    """What json_repair makes of it; None when that is another kind of thing, as a list of an object's keys."""
    try:
        value: object = json_repair.loads(text, skip_json_loads=True)
    except Exception:  # noqa: BLE001 - it raises whatever broken text leads it to, AssertionError too
        return None
    return value if isinstance(value, dict if text.startswith("{") else list) else None
