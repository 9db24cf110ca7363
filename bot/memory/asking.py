"""What a message asks: the parts that are searched for each by itself, and what kind of answer is looked for. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from bot.memory.words import content_words, terms

MOST_PARTS = 4
"""Parts of one message that are searched for; people rarely ask more at once."""
_ENOUGH = 3
"""Words that a question needs to be understood without what stands around it ("and what should I get her?")."""

_SENTENCE = re.compile(r"(?:[^。！？?!；;\n.]|\.(?!\s|$))+[。！？?!；;\n.]*")
_QUESTION = re.compile(r"[?？]\W*$")
_ALSO = re.compile(r"(?:^|(?<=[,，。;；\s]))(?:另外|还有|此外|and also|also)[,，:：]?\s*", re.IGNORECASE)
_NAMELY = re.compile(r"^.*[:：](?=\s*\S{6})")
"""What leads up to the question: "what I wanted to ask: …"."""
_HOW_MANY = re.compile(r"\bhow (?:many|much|old|long|often|far|tall|big)\b|几|多少|多大|多久|多长|多高", re.IGNORECASE)
_SHORTEST_PREFIX = 3


def parts(text: str) -> tuple[str, ...]:
    """What to search for: each question that can stand by itself, else the text as it is."""
    questions = [
        part
        for sentence in _SENTENCE.findall(text)
        if _QUESTION.search(sentence)
        for piece in _ALSO.split(sentence)
        if _stands_alone(part := _NAMELY.sub("", piece).strip(" ,，"))
    ]
    return tuple(questions[:MOST_PARTS]) or (text,)


def asks_how_many(text: str) -> bool:
    """Whether a question asks for a number."""
    return _HOW_MANY.search(text) is not None


def named(text: str, names: Iterable[str]) -> frozenset[str]:
    """Those of the names that a text has in it: one of their words, or else the beginning of one ("Mel")."""
    names = list(names)
    said = set(terms(text))
    found = frozenset(name for name in names if said & name_terms(name))
    if found:
        return found
    starts = tuple(word for word in content_words(text) if len(word) >= _SHORTEST_PREFIX)
    return frozenset(name for name in names if name.lower().startswith(starts)) if starts else frozenset()


@lru_cache(maxsize=4096)
def name_terms(name: str) -> frozenset[str]:
    """The terms by which a person is named: the words of the name, stemmed with the others and alone."""
    return frozenset((*terms(name), *terms(name.partition(" ")[0])))


def without_names(asked: Iterable[str], names: Collection[str]) -> list[str]:
    """Terms without those of names; all of them when nothing else is left."""
    gone = {term for name in names for term in name_terms(name)}
    asked = list(dict.fromkeys(asked))
    return [term for term in asked if term not in gone] or asked


def _stands_alone(question: str) -> bool:
    words: Mapping[str, None] = dict.fromkeys(content_words(question))
    # A run of an unspaced script counts as a word for each two characters.
    return sum(1 if word.isascii() else max(1, len(word) // 2) for word in words) >= _ENOUGH
