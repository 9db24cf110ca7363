"""The pictures of a character's moods, by the name that the character calls them by: those that can be sent.

The names stand in prompts, behind all that a card may say. So they hold nothing that means something there, are short,
and few. No picture is unpacked to find them: its first bytes are looked at.
"""

from __future__ import annotations

import re
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
_UNWANTED = frozenset("⏎\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols by their category: what stands for a line break in prompts, and what one sees nothing of."""
NO_PICTURE = frozenset({"none", "null"})
"""What a model says that wants none; no picture is called so."""
_ENDING = re.compile(r"\.(?:png|jpe?g|webp)\W*$", re.IGNORECASE)


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
    seen = (each if _is_kept(each) else " " for each in unicodedata.normalize("NFC", name[:200]))
    shown = " ".join("".join(seen).split())[:LONGEST_NAME].strip()
    return "" if shown.casefold() in NO_PICTURE or all(map(_is_mark, shown)) else shown


def name_key(name: str) -> str:
    """The same for a name however it is written: in any case, width or quotes, with a file's ending or without."""
    bare = _ENDING.sub("", unicodedata.normalize("NFKC", name[:200]).strip())
    return emotion_name(bare).replace(" ", "").casefold()


def _is_kept(character: str) -> bool:
    category = unicodedata.category(character)
    return character in "_-" or (bool(_KEPT & {category, category[0]}) and character not in _UNWANTED)


def _is_mark(character: str) -> bool:
    """Whether one sees nothing of it without a character before."""
    return unicodedata.category(character)[0] == "M"
