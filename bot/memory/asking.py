"""What a message asks, if anything: the parts that are searched for each by itself, what kind of answer is looked for.

Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from zlib import crc32

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

_MARK = re.compile(r"[?？؟](?:\W|$)")
"""A question mark that ends something: none within an address."""
_WIDE = re.compile("[\u3400-\u9fff]")
_HAN_NO_QUESTION = re.compile(
    "没有?(?:什么|啥|谁|怎么)|(?<![干做是])(?:什么|啥)的|(?:什么|啥|谁|哪[里儿]|怎么)[都也]|[说干]啥来着|[好十多]几|要啥有啥|[不差]多(?:大|少)"
    "|(?:无论|不管|不论)[^，。,]*"
)
"""Words of questions where they ask nothing: "nothing much", "whoever", "a dozen and some"."""
_HAN_ASKS = re.compile(
    "谁|什么|啥|哪[里儿个些位年天家种本部次边所座只一]|怎么|怎样|如何|为何|何时|多少|多(?:大|久|长|高|远|重)|第几|[周期]几|几(?:点|岁|号|月|时|个|位|次|只|本)"
    r"|有没有|([\u3400-\u9fff])[不没]\1|吗\W*$|吗[，。,]"
)
_BE_OR_DO = (
    r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)(?:n['’]?t)?"
)
_SOMEBODY = r"(?:i|you|he|she|we|they|there|any(?:one|body|thing)|some(?:one|body)|every(?:one|body))"
_LEADS_UP = r"(?:(?:so|and|but|or|then|now|well|ok|okay|hey|hi|hm+|um+|oh|also|btw|by the way|please|sorry)[,.:]? +)*"
_ASKS = re.compile(
    rf"\s*{_LEADS_UP}(?:"
    rf"(?:what|where|when|why|how|who|whom)(?:['’](?:s|re|d|ll)| {_BE_OR_DO})\b"
    rf"|(?:what|which|how) (?!(?:i|you|he|she|we|they|it|an?)\b)(?:[\w-]+ ){{1,4}}{_BE_OR_DO}\b"
    r"|whose\b|who (?!cares\b|knows\W*$)\w+|what (?:about|else|happened|time|kind|sort)\b|which (?:one|of)\b"
    r"|how (?:many|much|old|long|often|far|tall|big|come|about)\b|where (?:to|from)\b"
    r"|(?:about|at|by|for|from|in|of|on|to|with) (?:which|whom|whose)\b"
    rf"|{_BE_OR_DO} {_SOMEBODY}\b|(?:is|are|was|were|do|does|did|can|could|would) (?-i:[A-Z])"
    r"|(?:is|was|does|has|can|could|will|would|should) (?:it|this|that)\b|does (?!not\b)\w+ \w+"
    r"|(?:tell|remind) me (?:again )?(?:who|whom|whose|what|when|where|why|which|how|of\b|about (?!it\b))"
    r"|(?:i|we) (?:wonder|forgot|forget) (?:who|whose|what|when|where|why|which|how|if|whether)\b"
    r"|any (?:idea|news|clue|chance)\b"
    r")",
    re.IGNORECASE,
)
"""How a question begins in English, where no mark ends it."""


def asks(text: str) -> bool:
    """Whether a text asks something: it has a question mark, or reads as a question of English or Chinese.

    Where in doubt it does. What asks nothing is told, and is searched for otherwise.
    """
    if _MARK.search(text) or _ASKS.match(text):
        return True
    # Pairs of characters like 能不能 are told by their likeness, so other scripts need not be looked at.
    return _WIDE.search(text) is not None and _HAN_ASKS.search(_HAN_NO_QUESTION.sub("", text)) is not None


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


@lru_cache(maxsize=4096)
def speaker(name: str) -> int | None:
    """A number for what somebody is called, by which the database knows them; None for who has no name.

    It is that of the first word of a name, or where no spaces are written of its last two characters.
    """
    words = terms(name.partition(" ")[0]) or terms(name)
    return speaker_of_term(max(reversed(words), key=len)) if words else None


def speaker_of_term(term: str) -> int:
    """The number of those who are called like this; it fits an `int` of PostgreSQL."""
    return crc32(term.encode("utf-8", "surrogatepass")) - 2**31


def without_names(asked: Iterable[str], names: Collection[str]) -> list[str]:
    """Terms without those of names; all of them when nothing else is left."""
    gone = {term for name in names for term in name_terms(name)}
    asked = list(dict.fromkeys(asked))
    return [term for term in asked if term not in gone] or asked


def _stands_alone(question: str) -> bool:
    words: Mapping[str, None] = dict.fromkeys(content_words(question))
    # A run of an unspaced script counts as a word for each two characters.
    return sum(1 if word.isascii() else max(1, len(word) // 2) for word in words) >= _ENOUGH
