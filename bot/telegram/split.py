"""A text as Telegram takes it: cleaned, and in parts where it is too long. Pure.

Telegram counts in UTF-16 units. What is cut off at an end of a paragraph reads best, then at that of a line, a
sentence, a word; never inside a character as people see it, unless that alone is too long.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

LIMIT: Final = 4096
"""UTF-16 units in one message."""
CAPTION: Final = 1024
"""The same below a picture."""

_UNSENDABLE: Final = re.compile("[\0\ud800-\udfff]")
_PAIR: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LINE_ENDS: Final = "\n\u2028\u2029"
_CLOSING: Final = ")]}\"'»”’）」』】》"
_SENTENCE_END: Final = re.compile(rf"(?:[.!?…]|(?P<wide>[。！？｡]))[{re.escape(_CLOSING)}]*\Z")
_JOINER: Final = "\u200d"
_LONGEST_CLUSTER: Final = 64
"""How far an end of a character, as people see it, is looked for."""


def sendable(text: str) -> str:
    """The text without NUL and without halves of surrogate pairs; whole pairs are joined."""
    if text.isascii() and "\0" not in text:
        return text
    return _UNSENDABLE.sub("", _PAIR.sub(_join, text))


def units(text: str) -> int:
    """How long Telegram takes a text to be."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def split_for_telegram(text: str, *, limit: int = LIMIT) -> list[str]:
    """The text, cleaned, in parts of at most `limit` UTF-16 units; none when there is nothing to see.

    Nothing is lost but the white space at the cuts. A text that fits stays as it is.
    """
    if limit < 2:
        raise ValueError(f"a character can be 2 units long, so a limit of {limit} fits none")
    text, parts, start = sendable(text), list[str](), 0
    while start < len(text):
        end = _end(text, start, limit)
        if end < len(text):
            end = _cut(text, start, end)
        part = text[start:end] if (start, end) == (0, len(text)) else text[start:end].rstrip()
        if part.strip():
            parts.append(part)
        start = end
        while start < len(text) and text[start].isspace():
            start += 1
    return parts


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _end(text: str, start: int, limit: int) -> int:
    """How far one gets from `start` within the limit."""
    end, left = start, limit
    while end < len(text):
        left -= 2 if text[end] > "\uffff" else 1
        if left < 0:
            break
        end += 1
    return end


def _cut(text: str, start: int, end: int) -> int:
    """The best place to cut, at most `end`: the last one of the best kind in the second half, or a plain cut."""
    half = start + (end - start) // 2
    for fits in (_after_paragraph, _after_line, _after_sentence, _before_space):
        for at in range(end, half, -1):
            if fits(text, at) and not _inside_character(text, start, at):
                return at
    nearby = range(end, max(start, end - _LONGEST_CLUSTER), -1)
    return next((at for at in nearby if not _inside_character(text, start, at)), end)


def _after_line(text: str, at: int) -> bool:
    return text[at - 1] in _LINE_ENDS


def _after_paragraph(text: str, at: int) -> bool:
    return _after_line(text, at) and at >= 2 and text[at - 2] in _LINE_ENDS


def _after_sentence(text: str, at: int) -> bool:
    """After its last quotation mark or bracket, too. After a wide stop no space is needed."""
    end = _SENTENCE_END.search(text, max(0, at - 8), at)
    if end is None:
        return False
    return text[at].isspace() or (end["wide"] is not None and text[at] not in f"{_CLOSING}。！？｡")


def _before_space(text: str, at: int) -> bool:
    return text[at].isspace() or text[at - 1].isspace()


def _inside_character(text: str, start: int, at: int) -> bool:
    """Whether a cut there would take apart what people see as one character. At `start` one begins."""
    before, after = text[at - 1], text[at]
    if before == "\r" and after == "\n":
        return True
    if _JOINER in (before, after) or _adds_to_the_one_before(after):
        return True
    return _is_flag_half(after) and _flag_halves(text, start, at) % 2 == 1


def _adds_to_the_one_before(character: str) -> bool:
    """A mark, a variation, a skin tone, a tag, a vowel or final of a Korean syllable."""
    return (
        unicodedata.category(character) in {"Mn", "Mc", "Me"}
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or "\u1160" <= character <= "\u11ff"
    )


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_halves(text: str, start: int, at: int) -> int:
    """How many stand right before `at`, from `start` on."""
    first = at
    while first > start and _is_flag_half(text[first - 1]):
        first -= 1
    return at - first
