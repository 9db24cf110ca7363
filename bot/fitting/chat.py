"""A template chat while it grows, and the shape in which it is handed out (contract.md, "Recall sets")."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypedDict

from bot.fitting.world import Person

_LASTING = frozenset({"change", "list", "count", "aggregate", "comparison"})
"""Kinds whose answer a later message may still alter, so that they are asked at the end."""

OUT_OF_VIEW = 40
"""Messages after which something need be recalled."""


class TemplateMessage(TypedDict):
    """One message."""

    id: str
    sent_at: str
    sender: str
    text: str


class TemplateQuestion(TypedDict):
    """One question, and the messages that answer it."""

    question: str
    asked_at: str
    kind: str
    evidence: list[str]


class TemplateReturn(TypedDict):
    """A message that comes back to earlier ones."""

    id: str
    evidence: list[str]


class TemplateStatement(TypedDict):
    """What somebody might say later, and the messages that it comes back to."""

    text: str
    said_at: str
    evidence: list[str]


class TemplateConversation(TypedDict):
    """One chat, and all that comes back to something in it: questions, its own messages, and what might be said."""

    id: str
    kind: str
    language: str
    messages: list[TemplateMessage]
    questions: list[TemplateQuestion]
    returns: list[TemplateReturn]
    statements: list[TemplateStatement]


class TemplateSet(TypedDict):
    """A recall set."""

    name: str
    language: str
    licence: str
    conversations: list[TemplateConversation]


@dataclass(slots=True)
class Chat:
    """Messages in the order sent, and what is asked of them."""

    name: str
    kind: str
    language: str
    rng: random.Random
    messages: list[TemplateMessage] = field(default_factory=list[TemplateMessage])
    times: list[datetime] = field(default_factory=list[datetime])
    questions: list[TemplateQuestion] = field(default_factory=list[TemplateQuestion])
    returns: list[TemplateReturn] = field(default_factory=list[TemplateReturn])
    statements: list[TemplateStatement] = field(default_factory=list[TemplateStatement])
    _asked: set[str] = field(default_factory=set[str])

    def send(self, sender: Person, text: str, at: datetime) -> str:
        """Add a message, later than all before, and return its id."""
        if self.times and at <= self.times[-1]:
            at = self.times[-1] + timedelta(seconds=self.rng.randint(5, 40))
        number = str(len(self.messages) + 1)
        self.messages.append({"id": number, "sent_at": _written(at), "sender": sender.name, "text": text})
        self.times.append(at)
        return number

    def sender(self, number: str) -> str:
        """Who sent a message."""
        return self.messages[int(number) - 1]["sender"]

    def ask(self, question: str, kind: str, evidence: Iterable[str], *, at: datetime | None = None) -> None:
        """Add a question once, asked at a time, or at some time after its evidence."""
        known = sorted(set(evidence), key=int)
        if not known or question in self._asked:
            return
        self._asked.add(question)
        asked_at = at or self.moment(kind, known)
        self.questions.append({"question": question, "asked_at": _written(asked_at), "kind": kind, "evidence": known})

    def moment(self, kind: str, evidence: Sequence[str]) -> datetime:
        """A time to ask: mostly after the chat's end, sometimes days after the last of the evidence."""
        last = max(self.times[int(number) - 1] for number in evidence)
        if kind not in _LASTING and self.rng.random() < 0.25:
            early = last + timedelta(hours=self.rng.randint(3, 24 * 21))
            if early < self.times[-1]:
                return early
        return self.times[-1] + timedelta(hours=self.rng.randint(2, 24 * 6))

    def come_back(self, number: str, evidence: Iterable[str]) -> None:
        """Note that a message speaks again of earlier ones."""
        earlier = sorted((known for known in set(evidence) if int(known) < int(number)), key=int)
        if earlier:
            self.returns.append({"id": number, "evidence": earlier})

    def might_say(self, text: str, evidence: Iterable[str], *, rng: random.Random) -> None:
        """Add what comes back to earlier messages, said when they are long out of view."""
        known = sorted(set(evidence), key=int)
        first = int(known[-1]) + OUT_OF_VIEW
        if first < len(self.messages):
            said_at = self.times[rng.randrange(first, len(self.messages))]
            self.statements.append({"text": text, "said_at": _written(said_at), "evidence": known})

    def finished(self, *, questions: int) -> TemplateConversation:
        """The conversation with at most so many questions, taken evenly from all kinds."""
        by_kind: dict[str, list[TemplateQuestion]] = defaultdict(list)
        for question in self.questions:
            by_kind[question["kind"]].append(question)
        kept: list[TemplateQuestion] = []
        for kind in sorted(by_kind):
            self.rng.shuffle(by_kind[kind])
        while len(kept) < questions and any(by_kind.values()):
            for kind in sorted(by_kind):
                share = 3 if kind == "single" else 1
                kept += by_kind[kind][:share]
                del by_kind[kind][:share]
        kept = sorted(kept[:questions], key=lambda question: question["asked_at"])
        return {
            "id": self.name,
            "kind": self.kind,
            "language": self.language,
            "messages": self.messages,
            "questions": kept,
            "returns": self.returns,
            "statements": self.statements,
        }


def _written(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")
