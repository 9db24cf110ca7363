"""Output that goes round in circles: one round of it is kept, what follows the circle too."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import eq
from typing import Final

_UNITS: Final = re.compile(r"[^.!?…。！？؟۔।\n]*+[.!?…。！？؟۔।\n]++\s*+|[^.!?…。！？؟۔।\n]++")
_DIGITS: Final = re.compile(r"\d+")

_MOST_UNITS_A_ROUND: Final = 12
_MOST_CHARACTERS_A_ROUND: Final = 40
_LEAST_KEPT: Final = 12
"""Characters kept of a short circle, so that a long laugh is still a laugh."""
_MOST_CIRCLES: Final = 4
"""Of characters; a text that goes in circles more often ends there."""


def without_loops(text: str) -> str:
    """A text in which nothing is said over and over.

    A circle is: sentences or lines that come four times on end (six when short: "No! No! No!" is speech), the
    same with other numbers twenty times on end, or any characters that repeat for sixty and four rounds.
    """
    units = _UNITS.findall(text)
    folded = [" ".join(unit.split()).casefold() for unit in units]
    units, folded = _unrolled(units, folded, rounds=4)
    units, _ = _unrolled(units, [_DIGITS.sub("0", unit) for unit in folded], rounds=20)
    return _characters_unrolled("".join(units))


def _unrolled(units: list[str], folded: list[str], *, rounds: int) -> tuple[list[str], list[str]]:
    """Without the second and later rounds of every circle of whole units."""
    for period in range(1, _MOST_UNITS_A_ROUND + 1):
        kept, start = [True] * len(units), 0
        for first, last in _runs(folded, period, least=period * (rounds - 1)):
            if last + period == len(folded) - 1 and folded[last].startswith(folded[-1]):
                last += 1  # it broke off within a round
            length = sum(map(len, units[first : last + period]))
            if length >= _MOST_CHARACTERS_A_ROUND or last - first >= period * (rounds + 1):
                kept[max(first, start) + period : last + period] = [False] * (last - max(first, start))
                start = last + period
        if not all(kept):
            units = [unit for unit, keep in zip(units, kept, strict=True) if keep]
            folded = [unit for unit, keep in zip(folded, kept, strict=True) if keep]
    return units, folded


def _runs(values: Sequence[object], period: int, *, least: int) -> list[tuple[int, int]]:
    """Where values equal those one period on, for at least `least` places on end: (first, after the last)."""
    same = bytes(map(eq, values, values[period:]))
    found: list[tuple[int, int]] = []
    at = same.find(b"\1" * least)
    while at >= 0:
        end = same.find(b"\0", at)
        end = len(same) if end < 0 else end
        found.append((at, end))
        at = same.find(b"\1" * least, end)
    return found


def _characters_unrolled(text: str) -> str:
    done: list[str] = []
    for _ in range(_MOST_CIRCLES):
        circle = _first_circle(text)
        if circle is None:
            return "".join(done) + text
        first, last, period = circle
        kept = first + period * max(1, -(-_LEAST_KEPT // period))
        done.append(text[:kept])
        text = text[last + period :]
    return "".join(done)


def _first_circle(text: str) -> tuple[int, int, int] | None:
    found = [
        (first, last, period)
        for period in range(1, _MOST_CHARACTERS_A_ROUND + 1)
        for first, last in _runs(text, period, least=max(60, 3 * period))[:1]
    ]
    return min(found, key=lambda circle: (circle[0], circle[2]), default=None)
