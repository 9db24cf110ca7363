"""Two values side by side in a terminal: what differs, and a little of what stands around it. Pure."""

from __future__ import annotations

import json
import textwrap
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher

from bot.commands.common import shown

_AROUND = 2
"""Equal lines shown on either side of what differs."""
_RED, _GREEN, _PLAIN = "\033[31m", "\033[32m", "\033[0m"
_NARROWEST = 20


def side_by_side(before: object, after: object, *, width: int, colour: bool) -> Iterator[str]:
    """Lines of both values in two columns; what is only on the left was so then, what is on the right is so today."""
    column = max(_NARROWEST, (width - 7) // 2)
    left, right = ([*_lines(value, column)] for value in (before, after))
    parts = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    for number, (kind, a, b, c, d) in enumerate(parts, 1):
        if kind == "equal":
            yield from _context(left[a:b], column, first=number == 1, last=number == len(parts))
            continue
        for n in range(max(b - a, d - c)):
            was = left[a + n] if a + n < b else ""
            now = right[c + n] if c + n < d else ""
            on, gone = (_GREEN, _RED) if colour else ("", "")
            off = _PLAIN if colour else ""
            sign = "≠" if was and now else "<" if was else ">"
            yield f"  {gone}{_padded(was, column)}{off} {sign} {on}{now}{off}".rstrip()


def _context(lines: list[str], column: int, *, first: bool, last: bool) -> Iterator[str]:
    head = [] if first else lines[:_AROUND]
    tail = [] if last else lines[max(len(head), len(lines) - _AROUND) :]
    for part in (head, None, tail):
        if part is None:
            if len(head) + len(tail) < len(lines):
                yield "  …"
            continue
        yield from (f"  {_padded(line, column)} = {line}" for line in part)


def _lines(value: object, column: int) -> Iterator[str]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    for line in text.splitlines():
        yield from textwrap.wrap(shown(line), column, drop_whitespace=False) or [""]


def _padded(text: str, column: int) -> str:
    """Filled up with spaces; a Chinese character takes two places."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return text + " " * max(0, column - len(text) - wide)
