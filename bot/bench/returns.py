"""Statements of a conversation that come back to something said earlier, told by a rule. Pure.

The rule knows nothing of recall: no score, no stem, no vector. Two messages belong together when they share two rare
words, names of those who talk apart, and a silence lies between them. What is evidence for a statement is, in this
order, the nearest of

- `words`: an earlier statement that shares them with it;
- `answered`: the answer to an earlier question that shares them with it;
- `answering`: an earlier statement that shares them with the question to which it is the answer.

A rule of shared words favours BM25, which looks for just these: of `words` it cannot miss many, and who is worse there
need not be worse at remembering. In the other two statement and evidence need share nothing, which is the harder half.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal

from bot.memory.window import SILENCE

Kind = Literal["words", "answered", "answering"]

SHARED = 2
"""Rare words that two messages share at least."""
RARE, RARE_SHARE = 4, 0.005
"""Messages of a conversation in which a rare word is at most: so many, or this share of all if that is more."""
SHORTEST = 4
"""Letters of a word that counts; of a script without spaces two characters do."""

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_RUN = re.compile(f"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[^\\W_])+")
_PAIRED = re.compile(f"[{_UNSPACED}]")
_ASKS = re.compile("[?？]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message of a conversation."""

    sent_at: datetime
    sender: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """A statement that comes back to something; both by their places in the conversation."""

    statement: int
    evidence: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def returns(lines: Sequence[Line], *, in_view: int) -> list[Return]:
    """Each statement that comes back to something, in order of time, with what it comes back to.

    `lines` are in order of time. What is among the last `in_view` messages, the statement included, is no evidence:
    it need not be recalled.
    """
    told = _Conversation(lines, in_view)
    return [found for place in range(len(lines)) if (found := told.return_of(place))]


class _Conversation:
    def __init__(self, lines: Sequence[Line], in_view: int) -> None:
        self._lines, self._in_view = lines, in_view
        self._asks = [_ASKS.search(line.text) is not None for line in lines]
        names = {word.text for line in lines for word in _words(line.sender)}
        words = [[word for word in _words(line.text) if word.text not in names] for line in lines]
        common = Counter(text for each in words for text in {word.text for word in each})
        most = max(RARE, RARE_SHARE * len(lines))
        self._rare = [[word for word in each if common[word.text] <= most] for each in words]

    @cached_property
    def _sessions(self) -> list[int]:
        numbers: list[int] = []
        for place, line in enumerate(self._lines):
            new = place > 0 and line.sent_at - self._lines[place - 1].sent_at > SILENCE
            numbers.append((numbers[-1] if numbers else 0) + new)
        return numbers

    @cached_property
    def _said_in(self) -> Mapping[str, Sequence[int]]:
        """Where each rare word is said, in order."""
        places: dict[str, list[int]] = {}
        for place, words in enumerate(self._rare):
            for text in {word.text for word in words}:
                places.setdefault(text, []).append(place)
        return places

    def return_of(self, place: int) -> Return | None:
        """What a message comes back to; None when it asks something, or comes back to nothing."""
        if self._asks[place]:
            return None
        for kind, evidence in self._links(place):
            return Return(statement=place, evidence=evidence, kind=kind)
        return None

    def _links(self, place: int) -> Iterator[tuple[Kind, int]]:
        sharing = self._sharing(place)
        for there in self._evidence(place, sharing):
            yield "words", there
        for there in self._evidence(place, [there + 1 for there in sharing if self._is_answered(there)]):
            yield "answered", there
        if place and self._is_answered(place - 1):
            for there in self._evidence(place, self._sharing(place - 1)):
                yield "answering", there

    def _evidence(self, place: int, sharing: Sequence[int]) -> Iterator[int]:
        """Those that are statements, out of view, and more than the same once more ("Good night!")."""
        for there in sharing:
            out_of_view = there <= place - self._in_view
            if out_of_view and not self._asks[there] and self._lines[there].text != self._lines[place].text:
                yield there

    def _is_answered(self, place: int) -> bool:
        """Whether it asks, and somebody else speaks next."""
        after = place + 1
        return (
            self._asks[place]
            and after < len(self._lines)
            and self._sessions[after] == self._sessions[place]
            and self._lines[after].sender != self._lines[place].sender
        )

    def _sharing(self, place: int) -> list[int]:
        """Messages of earlier sessions that share enough rare words with one, the nearest first."""
        shared: dict[int, list[_Word]] = {}
        for word in self._rare[place]:
            for there in self._said_in[word.text]:
                if self._sessions[there] < self._sessions[place]:
                    shared.setdefault(there, []).append(word)
        return sorted((there for there, words in shared.items() if _count(words) >= SHARED), reverse=True)


def _count(words: Sequence[_Word]) -> int:
    """Different words that do not overlap: 海洋馆 is not two, though 海洋 and 洋馆 are pairs."""
    counted: set[str] = set()
    end = 0
    for word in words:
        if word.start >= end and word.text not in counted:
            counted.add(word.text)
            end = word.end
    return len(counted)


def _words(text: str) -> Iterator[_Word]:
    """The words of a text as written, in lower case, in their order; of scripts without spaces all pairs."""
    folded = unicodedata.normalize("NFKC", text).lower()
    for run in _RUN.finditer(folded):
        if _PAIRED.match(run[0]):
            yield from (_Word(run.start() + at, run[0][at : at + 2]) for at in range(len(run[0]) - 1))
        elif len(run[0]) >= SHORTEST:
            yield _Word(run.start(), run[0])
