"""Statements to learn from, and what they come back to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from bot.bench.returns import Line, returns
from bot.memory.asking import asks
from bot.turn import RECENT

_SENTENCE = re.compile(r"[^.!?。！？…～]+[.!?。！？…～]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One statement of a conversation."""

    text: str
    said_at: datetime
    evidence: frozenset[int]
    """Places of the messages out of view that it comes back to."""


def statements(conversation: Mapping[str, Any]) -> list[Told]:
    """What comes back to something: as a template chat knows, else as the rule of the benchmark tells."""
    if "returns" not in conversation:
        return list(_by_rule(conversation["messages"]))
    places, messages = _places(conversation), conversation["messages"]
    said = [(messages[places[each["id"]]], each["evidence"]) for each in conversation["returns"]]
    found = [_told(message["text"], message["sent_at"], evidence, places, messages) for message, evidence in said]
    found += [
        _told(each["text"], each["said_at"], each["evidence"], places, messages) for each in conversation["statements"]
    ]
    filler = _filler(message["text"] for message in messages)
    bare = [replace(each, text="".join(_sentences(each.text, without=filler))) for each in found if each.evidence]
    return [each for each in bare if each.text and not asks(each.text)]


def _filler(texts: Iterable[str]) -> frozenset[str]:
    """Sentences that come again word for word, as they do in templates and hardly anywhere else."""
    said = Counter(sentence.strip() for text in texts for sentence in set(_sentences(text)))
    return frozenset(sentence for sentence, times in said.items() if times > 1)


def _sentences(text: str, *, without: Collection[str] = ()) -> list[str]:
    return [sentence for sentence in _SENTENCE.findall(text) if sentence.strip() not in without]


def _places(conversation: Mapping[str, Any]) -> dict[str, int]:
    return {message["id"]: place for place, message in enumerate(conversation["messages"])}


def _told(
    text: str, said_at: str, evidence: Sequence[str], places: Mapping[str, int], messages: Sequence[Mapping[str, Any]]
) -> Told:
    unseen = sum(message["sent_at"] <= said_at for message in messages) - RECENT
    there = frozenset(place for number in evidence if (place := places[number]) < unseen)
    return Told(text=text, said_at=_moment(said_at), evidence=there)


def _by_rule(messages: Sequence[Mapping[str, Any]]) -> Iterator[Told]:
    lines = [Line(sent_at=_moment(m["sent_at"]), sender=m["sender"], text=m["text"]) for m in messages]
    for found in returns(lines, in_view=RECENT):
        said = lines[found.statement]
        if not asks(said.text):
            yield Told(text=said.text, said_at=said.sent_at, evidence=frozenset([found.evidence]))


def _moment(written: str) -> datetime:
    return datetime.fromisoformat(written).astimezone(UTC)
