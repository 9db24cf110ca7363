"""The pictures of a character's moods, by the name that the character calls them by: those that can be sent.

The names stand in prompts, behind all that a card may say. So they hold nothing that means something there, are short,
and few. No picture is unpacked to find them: its first bytes are looked at.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import islice

from bot.cards import assets
from bot.cards.card import Asset, Container

MOST = 30
LONGEST_NAME = 32
_MOST_LOOKED_AT = 1000
_NAMELESS = "neutral"
_KEPT = frozenset({"L", "M", "N", "So"})
"""Categories of letters, marks and digits of all scripts, and emoji."""
_BREAK = "⏎"
"""A symbol, but what stands for a line break in prompts."""


def emotions_in(given: Iterable[Asset], container: Container, file: bytes) -> tuple[tuple[str, Asset], ...]:
    """The first `MOST` pictures of type `emotion` by name, each name once however it is written."""
    named: dict[str, tuple[str, Asset]] = {}
    looked_at = islice((asset for asset in given if asset.type == "emotion"), _MOST_LOOKED_AT)
    for asset in assets.pictures(looked_at, container, file):
        if name := emotion_name(asset.name):
            named.setdefault(name.casefold(), (name, asset))
    return tuple(named[key] for key in sorted(named)[:MOST])


def emotion_name(name: str) -> str:
    """A name on one line, without marks, of at most `LONGEST_NAME` characters; "" when nothing is left of it."""
    if not name.strip():
        return _NAMELESS
    seen = (each if _is_kept(each) else " " for each in name[:200])
    return " ".join("".join(seen).split())[:LONGEST_NAME].strip()


def _is_kept(character: str) -> bool:
    category = unicodedata.category(character)
    return character in "_-" or (bool(_KEPT & {category, category[0]}) and character != _BREAK)
