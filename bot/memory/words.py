"""Texts as terms, alike for what is kept and for what is asked.

Words are stemmed in the languages that have a Snowball stemmer, and the commonest words of those languages are left
out; scripts written without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese) become single characters
and pairs. Which language a text is in is told by its script and, among Latin ones, by the common words in it. A
text of none that is known is stemmed as English: names and numbers stay what they are in all of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Protocol, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

LONGEST_TERM = 40
"""Characters of a term that are kept: nobody searches for the end of a longer one."""
LONGEST_TEXT = 4096
"""Characters of a text that become terms: the longest message of Telegram, whole."""

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_TOKEN = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[^\W_])+(?:['’](?:(?![{_UNSPACED}])[^\W_])+)*")
_RUN = re.compile(f"[{_UNSPACED}]")
_POSSESSIVE = re.compile("['’]s$")
_ELIDED = re.compile("^(?:[cdjlmnst]|qu|un|all|dell|nell|dall|sull)['’]")
_ELIDING = ("french", "italian")
"""Languages in which an article melts into the word behind it."""

_LATIN = (
    "english", "spanish", "french", "german", "portuguese", "italian", "dutch", "swedish", "norwegian", "danish",
    "finnish", "hungarian", "turkish",
)  # fmt: skip
"""Languages in Latin script, the likelier ones first: it decides between equals."""
_SCRIPTS: Mapping[str, str] = {
    "CYRILLIC": "russian",
    "GREEK": "greek",
    "ARABIC": "arabic",
    "ARMENIAN": "armenian",
    "DEVANAGARI": "hindi",
    "TAMIL": "tamil",
}
"""Scripts that tell the language, as far as there is a stemmer."""
_ELSE = "english"


def terms(text: str) -> list[str]:
    """The terms of a text, in their order and as often as they occur."""
    return [term for _, term in _terms(text)]


def frequencies(text: str) -> Counter[str]:
    """How often each term occurs in a text."""
    return Counter(terms(text))


def content_words(text: str) -> list[str]:
    """The words of a text as written, lower-cased, without the commonest ones; unspaced scripts as runs."""
    return [word for word, _ in _terms(text)]


def language_of(words: Sequence[str]) -> str:
    """The Snowball language of a text, given as lower-case words."""
    votes: Counter[str] = Counter()
    for word in words:
        votes.update(_languages_of(word))
    if votes:
        return max(votes, key=lambda language: (votes[language], -_LATIN.index(language) if language in _LATIN else 0))
    for word in words:
        script = unicodedata.name(word[0], "").partition(" ")[0]
        if script in _SCRIPTS:
            return _SCRIPTS[script]
    return _ELSE


def _terms(text: str) -> Iterator[tuple[str, str]]:
    """(the word as written, its term) for all of a text but its stop words."""
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).lower())
    words = [_POSSESSIVE.sub("", token) for token in tokens if not _RUN.match(token)]
    language = language_of(words)
    for token in tokens:
        if _RUN.match(token):
            yield from ((token, gram) for gram in _grams(token))
        else:
            word = _ELIDED.sub("", _POSSESSIVE.sub("", token)) if language in _ELIDING else _POSSESSIVE.sub("", token)
            if word not in _stop_words(language):
                yield word, _stem(language, word)[:LONGEST_TERM]


def _grams(run: str) -> Iterator[str]:
    """A run of an unspaced script as single characters and pairs."""
    for at, character in enumerate(run):
        yield character
        if at + 1 < len(run):
            yield run[at : at + 2]


@lru_cache(maxsize=65_536)
def _stem(language: str, word: str) -> str:
    if any(character.isdigit() for character in word):
        return word
    return _stemmer(language).stemWord(word.replace("’", "'").replace("'", ""))


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


@cache
def _stemmer(language: str) -> _Stemmer:
    return cast("_Stemmer", snowballstemmer.stemmer(language))  # pyright: ignore[reportUnknownMemberType]


@lru_cache(maxsize=65_536)
def _languages_of(word: str) -> tuple[str, ...]:
    """The languages in which a word is one of the commonest, or begins with an article melted into it."""
    elided = _ELIDING if _ELIDED.match(word) else ()
    return (*elided, *(language for language in (*_LATIN, "russian") if word in _stop_words(language)))


@cache
def _stop_words(language: str) -> frozenset[str]:
    """The commonest words of a language, after Snowball's lists; in English also what is written with an apostrophe."""
    if language not in (*_LATIN, "russian"):
        return frozenset()
    listed = files("bot.data").joinpath(f"stop_words/{language}.txt").read_text("utf-8").split()
    return frozenset(listed)
