"""Fits a prompt into its budget: pieces go in by their worth until it is full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.model import token_count


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One line of a section, and how much it is worth to the turn."""

    section: str
    text: str
    worth: float
    """Higher goes in first."""
    group: int = 0
    """Pieces of different groups are set apart by an empty line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What fits, in the order it was offered, and what was left out."""

    kept: tuple[Piece, ...]
    tokens: dict[str, int]
    """By section."""
    dropped: dict[str, int]
    """How many pieces of each section."""

    def of(self, section: str) -> list[str]:
        """The lines kept of a section, an empty one between its groups."""
        pieces = [piece for piece in self.kept if piece.section == section]
        lines: list[str] = []
        for before, piece in zip([None, *pieces], pieces, strict=False):
            if before is not None and before.group != piece.group:
                lines.append("")
            lines.append(piece.text)
        return lines


def fit(pieces: Sequence[Piece], *, budget: int) -> Fitted:
    """As many pieces as the budget of tokens takes, the worthiest first; the worthiest one goes in at any rate."""
    order = sorted(range(len(pieces)), key=lambda n: (-pieces[n].worth, n))
    kept: set[int] = set()
    left = budget
    tokens: Counter[str] = Counter()
    for n in order:
        cost = token_count(pieces[n].text) + 1  # and its line break
        if cost <= left or not kept:
            kept.add(n)
            left -= cost
            tokens[pieces[n].section] += cost
    dropped = Counter(piece.section for n, piece in enumerate(pieces) if n not in kept)
    return Fitted(
        kept=tuple(piece for n, piece in enumerate(pieces) if n in kept),
        tokens=dict(tokens),
        dropped=dict(dropped),
    )
