"""Whether a text calls someone by name. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Scripts that do not set words apart, or hang particles onto names: Han, kana, Hangul, Thai, Lao, Khmer, Burmese."""


def names_me(text: str, aliases: Iterable[str]) -> bool:
    """Whether one of the names is in the text: as a word of its own, or anywhere where words have no edges.

    Letter case, width and how accents are encoded make no difference.
    """
    folded = _folded(text)
    return any(_occurs(folded, name) for name in map(_folded, aliases) if any(map(str.isalnum, name)))


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _occurs(text: str, name: str) -> bool:
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before = start > 0 and _joins(text[start - 1], name[0])
        after = end < len(text) and _joins(text[end], name[-1])
        if not before and not after:
            return True
        start = text.find(name, start + 1)
    return False


def _joins(neighbour: str, edge: str) -> bool:
    """Whether a neighbouring character makes the name a part of a longer word."""
    return _is_of_a_word(neighbour) and _is_of_a_word(edge)


def _is_of_a_word(character: str) -> bool:
    """Whether it belongs to a word that has edges."""
    if _UNSPACED.match(character):
        return False
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")
