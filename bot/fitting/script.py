"""The notation in which template chats are written, and its reader.

A topic says who speaks which lines and what can be asked about them afterwards:

    == pottery thing:craft kin:kin d:past !class #hobby=class  name, slots with pools, sad labels, tags
    A class: I <tried|took> a pottery class {d}.              A's line, labelled; <one|of these>, {slot}
     / My first pottery class was {d}.                        another way to say the line before
    B?: Nice!                                                 a line that may be left out
    --                                                        what follows happens in a later session
    T: the pottery class                                      what to call the topic when it comes up again
    W class: took a pottery class                             a clause that tells A from others
    N: I could never do pottery.                              idle talk in the topic's words
    Q single class: What did {A} take?                        a question: its kind and the labels that answer it
    QS list class: Which classes has {A} taken?               the same over all of A's threads on this topic
    QB comparison class: Who took a class, {A} or {B}?        over A's and another's thread on this topic

`{slot}` is the word as said, `{slot~}` its looser synonym, `{slot@}` a day as a calendar date.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.errors import BotError

_CHOICE = re.compile(r"<([^<>]*)>")
_SLOT = re.compile(r"\{([^{}]+)\}")


class ScriptError(BotError):
    """A template does not follow the notation."""

    def __init__(self, line: str, why: str) -> None:
        super().__init__(f"template line {line!r}: {why}; mend it in bot/fitting")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one role says, in several ways."""

    role: str
    label: str
    optional: bool
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question about labelled lines, in several ways."""

    scope: str
    """`own` (one thread), `series` (all of A's threads on the topic) or `both` (A's and B's)."""
    kind: str
    labels: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A thing to talk about, with what can be asked of it."""

    name: str
    slots: dict[str, str]
    moods: frozenset[str]
    tags: dict[str, str]
    parts: tuple[tuple[Line, ...], ...]
    asks: tuple[Ask, ...]
    titles: tuple[str, ...]
    clauses: tuple[tuple[str, tuple[str, ...]], ...]
    asides: tuple[str, ...]

    @property
    def series(self) -> bool:
        """Whether one person may have several threads on it."""
        return any(ask.scope == "series" for ask in self.asks)

    @property
    def roles(self) -> list[str]:
        """Everyone who speaks in it or is named, A first."""
        return sorted({line.role for part in self.parts for line in part} | {"A", "B"})


@dataclass(slots=True)
class _Pending:
    """A topic while its lines are being read."""

    name: str
    slots: dict[str, str] = field(default_factory=dict[str, str])
    moods: set[str] = field(default_factory=set[str])
    tags: dict[str, str] = field(default_factory=dict[str, str])
    parts: list[list[tuple[str, list[str]]]] = field(default_factory=lambda: [[]])
    rest: list[tuple[str, list[str]]] = field(default_factory=list[tuple[str, list[str]]])

    def finished(self) -> Topic:
        heads = [(head.split(), tuple(texts)) for head, texts in self.rest]
        return Topic(
            name=self.name,
            slots=self.slots,
            moods=frozenset(self.moods),
            tags=self.tags,
            parts=tuple(tuple(_line(head, texts) for head, texts in part) for part in self.parts if part),
            asks=tuple(_ask(head, texts) for head, texts in heads if head[0].startswith("Q")),
            titles=tuple(text for head, texts in heads if head[0] == "T" for text in texts),
            clauses=tuple((head[1], texts) for head, texts in heads if head[0] == "W"),
            asides=tuple(text for head, texts in heads if head[0] == "N" for text in texts),
        )


def read_topics(script: str) -> dict[str, Topic]:
    """Every topic of a script by its name, in the order written."""
    topics: list[_Pending] = []
    for line in filter(None, map(str.strip, script.splitlines())):
        if line.startswith("=="):
            topics.append(_header(line))
        elif not topics:
            raise ScriptError(line, "no topic is open")
        elif line == "--":
            topics[-1].parts.append([])
        else:
            _add(topics[-1], line)
    return {topic.name: topic.finished() for topic in topics}


def _header(line: str) -> _Pending:
    name, *rest = line.removeprefix("==").split()
    topic = _Pending(name)
    for word in rest:
        if word.startswith("!"):
            topic.moods.update(word[1:].split(","))
        elif word.startswith("#"):
            tag, _, label = word[1:].partition("=")
            topic.tags[tag] = label
        else:
            slot, _, pool = word.partition(":")
            topic.slots[slot] = pool
    return topic


def _add(topic: _Pending, line: str) -> None:
    spoken = topic.parts[-1]
    if line.startswith("/"):
        last = topic.rest or spoken
        if not last:
            raise ScriptError(line, "nothing comes before it")
        last[-1][1].append(line.removeprefix("/").strip())
        return
    head, colon, text = line.partition(": ")
    if not colon:
        raise ScriptError(line, "it has no ': '")
    if head.split()[0] in {"T", "W", "N", "Q", "QS", "QB"}:
        topic.rest.append((head, [text.strip()]))
    else:
        spoken.append((head, [text.strip()]))


def _line(head: str, texts: list[str]) -> Line:
    role, _, label = head.partition(" ")
    return Line(role=role.rstrip("?"), label=label, optional=role.endswith("?"), texts=tuple(texts))


def _ask(head: list[str], texts: tuple[str, ...]) -> Ask:
    if len(head) != 3:
        raise ScriptError(" ".join(head), "a question needs a kind and labels")
    scope = {"Q": "own", "QS": "series", "QB": "both"}[head[0]]
    return Ask(scope=scope, kind=head[1], labels=tuple(head[2].split(",")), texts=texts)


def slots_of(text: str) -> set[str]:
    """The slots a text may use, as written in it."""
    return set(_SLOT.findall(text))


def expand(text: str, rng: random.Random, value: Callable[[str], str]) -> str:
    """One text of those a template stands for; `value` says what stands in a slot."""
    while True:
        chosen = _CHOICE.sub(lambda found: rng.choice(found.group(1).split("|")), text, count=1)
        if chosen == text:
            return _SLOT.sub(lambda found: value(found.group(1)), text)
        text = chosen
