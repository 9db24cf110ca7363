"""Text as it can be sent: which characters pass, how long it is, and where it may be cut.

Every function takes time in proportion to the text, whatever is in it. Letters are left as they are: no
normal form, no case, no width is changed.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import takewhile
from typing import Final

TELEGRAM_LIMIT: Final = 4096
"""The longest text of one message, in UTF-16 units."""

_UNSENDABLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f"  # controls, NUL among them
    "\u202a-\u202e\u2066-\u2069\u206a-\u206f"  # bidi embeddings, overrides, isolates; deprecated controls
    "\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_LINE_BREAK: Final = re.compile("\r\n|[\r\x85\u2028\u2029]")
_MANY_BREAKS: Final = re.compile(r"\n(?:[ \t]*+\n){2,}")
_NO_SHAPE: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs by their category that nothing can be seen of."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Mn"})

_SENTENCE_END: Final = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]{0,4}(?=\s|$)|[。！？؟۔।][」』”’）]{0,4}|\n|[\U0001f300-\U0001faff\u2600-\u27bf]\ufe0f?(?=\s|$)"
)
_JOINED: Final = frozenset("\u200d\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
"""What belongs to the character before it (besides combining marks)."""


def clean(text: str) -> str:
    """Without what cannot be sent or turns the text round; line breaks made alike, edges trimmed.

    ZWJ, variation selectors, tag characters and the plain direction marks stay: emoji and right-to-left
    scripts need them.
    """
    # Halves of a pair that arrived as two escapes are joined; a lone one is dropped.
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    text = _UNSENDABLE.sub("", _LINE_BREAK.sub("\n", text))
    return _MANY_BREAKS.sub("\n\n", text).strip()


def is_blank(text: str) -> bool:
    """Whether nothing of it would be seen; Telegram refuses such a text."""
    return all(mark.isspace() or mark in _NO_SHAPE or unicodedata.category(mark) in _UNSEEN for mark in text)


def units(text: str) -> int:
    """Its length as Telegram counts: UTF-16 units."""
    return len(text) + sum(character > "\uffff" for character in text)


def split(text: str, limit: int = TELEGRAM_LIMIT) -> list[str]:
    """Pieces of at most `limit` units, parted at a paragraph, line, sentence or word where there is one."""
    pieces: list[str] = []
    while units(text) > limit:
        at = _parting(text, _fitting(text, limit))
        pieces.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [piece for piece in (*pieces, text) if piece]


def whole_sentences(text: str) -> str:
    """The text up to its last sentence or line that is complete; "" when there is none."""
    end = 0
    for found in _SENTENCE_END.finditer(text):
        end = found.end()
    return text[:end].rstrip()


def _fitting(text: str, limit: int) -> int:
    """How many characters from the start fit, and at least one."""
    end = min(len(text), limit)
    while (over := units(text[:end]) - limit) > 0:
        end -= max(1, over // 2)
    return max(end, 1)


def _parting(text: str, most: int) -> int:
    """Where to part a text so that the first part has at most `most` characters, and is not short either."""
    least = most // 2
    for mark in ("\n\n", "\n"):
        if (at := text.rfind(mark, least, most + len(mark))) > 0:
            return at
    ends = takewhile(lambda end: end <= most, (found.end() for found in _SENTENCE_END.finditer(text, least)))
    if end := max(ends, default=0):
        return end
    if (at := text.rfind(" ", least, most + 1)) > 0:
        return at
    at = most
    while at > max(least, 1) and _belong_together(text[at - 1], text[at]):
        at -= 1
    return at


def _belong_together(one: str, next_: str) -> bool:
    """Whether two characters are seen as one."""
    return one == "\u200d" or next_ in _JOINED or unicodedata.combining(next_) > 0
