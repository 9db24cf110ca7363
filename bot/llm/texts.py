"""What a model can take of a text. Pure."""

from __future__ import annotations

import json
import unicodedata
from typing import cast

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zs", "Zl", "Zp", "Mn"})
"""Unicode categories of characters that show nothing by themselves."""
_WORDS = frozenset("LN")
"""Major categories of what words are made of: letters and digits of any script."""


def sendable(text: str) -> str:
    """The text as JSON in UTF-8 can carry it: halves of a character joined, U+FFFD for a lone one."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def parsed(body: str) -> object:
    """JSON as a value whose texts are all `sendable`; raise ValueError for what is no JSON.

    Servers escape half a character that a model was cut in, which stricter parsers take for no JSON at all.
    """
    try:
        return _sendable(json.loads(body))
    except RecursionError:
        raise ValueError("nested too deep") from None


def _sendable(value: object) -> object:
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, list):
        return [_sendable(item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        return {sendable(key): _sendable(item) for key, item in cast("dict[str, object]", value).items()}
    return value


def has_something_to_see(text: str) -> bool:
    """Whether anything would be seen of it: not for spaces, control characters, zero-width joiners."""
    return any(unicodedata.category(character) not in _UNSEEN for character in text)


def has_words(text: str) -> bool:
    """Whether it holds a letter or a digit: not for punctuation and emoji alone."""
    return any(unicodedata.category(character)[0] in _WORDS for character in text)


def is_identifier(word: object) -> bool:
    """Whether it is a short code such as `context_length_exceeded`: no sentence, nobody's words."""
    return (
        isinstance(word, str)
        and 0 < len(word) <= 64
        and word.isascii()
        and word[0].isalpha()
        and all(character.isalnum() or character in "_.-" for character in word)
    )
