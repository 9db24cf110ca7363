"""Turning threads into messages: lines with small talk around them, typed the way each person types."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import TypeVar

from bot.fitting.chat import Chat
from bot.fitting.script import Line, expand
from bot.fitting.speech import Speech
from bot.fitting.thread import Thread
from bot.fitting.words import Word
from bot.fitting.world import Person

_Dealt = TypeVar("_Dealt")
NO_ECHO = frozenset({"few", "some", "price", "kin", "weekday", "reason", "goal", "spot", "venue"})
"""Pools whose words nobody gives back."""


@dataclass(slots=True)
class Spoken:
    """A message before it is sent."""

    sender: Person
    text: str
    thread: Thread | None = None
    labels: list[str] = field(default_factory=list[str])
    slots: set[str] = field(default_factory=set[str])
    returns_to: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Decks:
    """Small talk of one chat, dealt so that nothing comes twice before all has come once."""

    rng: random.Random
    _left: dict[int, list[int]] = field(default_factory=dict[int, list[int]])

    def deal(self, texts: Sequence[_Dealt]) -> _Dealt:
        """The next of these texts."""
        left = self._left.get(id(texts))
        if not left:
            left = list(range(len(texts)))
            self.rng.shuffle(left)
            self._left[id(texts)] = left
        return texts[left.pop()]


@dataclass(slots=True)
class Stage:
    """Who is there on a day, and in which language they talk."""

    speech: Speech
    members: Sequence[Person]
    today: date
    rng: random.Random
    calls: float
    """How often a message names whom it addresses."""
    rich: float
    """From 0 (one short thing at a time) to 1 (long messages that answer, tell and ask back)."""
    plain: float
    """How often what is told names its topic, instead of leaving it to what was asked."""
    decks: Decks

    def other(self, *not_these: Person) -> Person:
        """Somebody else of those who are there."""
        left = [person for person in self.members if person not in not_these]
        return self.rng.choice(left or self.members)

    def small(self, texts: Sequence[str], sender: Person, to: Person) -> Spoken:
        """Small talk from one to another."""
        names = {"A": to.short, "B": to.short, "C": self.other(sender, to).short}
        text = expand(self.decks.deal(texts), self.rng, lambda slot: names.get(slot, ""))
        return Spoken(sender, self.speech.tidy(text))

    def part(self, thread: Thread, number: int, *, akin: Sequence[Thread]) -> list[Spoken]:
        """One part of a thread, with reactions between its lines.

        It comes back to the parts before; a first one to what was told of the same topic, as threads `akin` to it.
        """
        spoken: list[Spoken] = []
        earlier = [known for one in ([thread] if number else akin) for told in one.told.values() for known in told]
        for line in thread.topic.parts[number]:
            if line.optional and self.rng.random() < 0.4:
                continue
            goes_on = bool(spoken) and spoken[-1].sender is thread.cast[line.role]
            if goes_on and self.rng.random() < self.rich * 0.7:
                self._join(spoken[-1], self._line(thread, line, ()))
                continue
            if spoken and spoken[-1].labels and self.rng.random() < (0.45 if goes_on else 0.15):
                spoken.append(self._reaction(thread, spoken[-1]))
            spoken.append(self._line(thread, line, spoken))
        for one in spoken:
            if one.labels and earlier:
                one.returns_to = earlier
                break
        if spoken and self.rng.random() < 0.5 and spoken[-1].sender is thread.holder:
            spoken.append(self._reaction(thread, spoken[-1]))
        return spoken

    def _join(self, one: Spoken, more: Spoken) -> None:
        """Say a second thing in the same message."""
        one.text = self.speech.tidy(f"{one.text} {more.text}")
        one.labels += more.labels
        one.slots |= more.slots

    def _line(self, thread: Thread, line: Line, before: Sequence[Spoken]) -> Spoken:
        sender, rng = thread.cast[line.role], self.rng
        text, slots = thread.say(rng.choice(line.texts), rng, self.today)
        if line.label and (before or any(thread.told.values())) and rng.random() < self.plain:
            text, more = self._restated(thread, text)
            slots |= more
        if before and before[-1].sender is not sender and before[-1].labels and rng.random() < 0.15 + self.rich * 0.5:
            lead = self._reaction(thread, before[-1]).text
            text = f"{lead} {text}"
        if line.label and rng.random() < sender.manner.wordy * (0.3 + self.rich * 0.6):
            text = f"{text} {self.decks.deal(self.speech.small.trailing)}"
        if line.label and rng.random() < 0.05 + self.rich * 0.2:
            asks = self.small(self.speech.small.how_about_you, sender, self.other(sender)).text
            text = f"{text} {asks}"
        if before and before[-1].sender is not sender and rng.random() < self.calls:
            text = self._called(text, before[-1].sender)
        return Spoken(sender, self.speech.tidy(text), thread, [line.label] if line.label else [], slots)

    def _restated(self, thread: Thread, text: str) -> tuple[str, set[str]]:
        """What is told with its topic named first, and the slots that names."""
        title, slots = thread.say(self.rng.choice(thread.topic.titles), self.rng, self.today, whole=False)
        about = self.rng.choice(self.speech.small.about)
        if about.rstrip().endswith((",", ":")) and text[:1].isupper() and not text.startswith(("I ", "I'")):
            text = text[:1].lower() + text[1:]
        return self.speech.tidy(about.replace("#", title) + text), slots

    def _called(self, text: str, name: Person) -> str:
        if name.short in text:
            return text
        if text[:1].isupper() and not text.startswith(("I ", "I'")):
            text = text[:1].lower() + text[1:]
        return self.rng.choice(self.speech.called).replace("{name}", name.short).replace("{text}", text)

    def _reaction(self, thread: Thread, to: Spoken) -> Spoken:
        """What somebody says to a message: a feeling, or its own words given back."""
        small, moods = self.speech.small, thread.topic.moods
        pools = thread.topic.slots
        words = [word for slot, word in thread.words.items() if slot in to.slots and pools[slot] not in NO_ECHO]
        feeling = small.sorry if "sad" in moods or moods.intersection(to.labels) else small.glad
        said = self.small(self.rng.choice((feeling, feeling, small.neutral)), self.other(to.sender), to.sender)
        if words and to.labels and feeling is small.glad and self.rng.random() < 0.35:
            word = self.rng.choice(words)
            echo = expand(self.decks.deal(small.echoes), self.rng, lambda _: word.said[self.speech.column])
            said.text = self.speech.tidy(echo if self.rng.random() < 0.5 else f"{echo} {said.text}")
        return said

    def idle(self) -> list[Spoken]:
        """A remark and what it gets back."""
        remark, answer = self.decks.deal(self.speech.small.idle)
        first = self.other()
        second = self.other(first)
        return [
            Spoken(first, self.speech.tidy(expand(remark, self.rng, lambda _: second.short))),
            Spoken(second, self.speech.tidy(expand(answer, self.rng, lambda _: first.short))),
        ]

    def musing(self, words: Sequence[Word]) -> list[Spoken]:
        """A long message that tells nothing, and what somebody says to it."""
        first = self.other()
        word = self.rng.choice(words)
        text = expand(self.decks.deal(self.speech.small.musings), self.rng, lambda _: word.said[self.speech.column])
        said = [Spoken(first, self.speech.tidy(text))]
        if self.rng.random() < 0.5:
            said.append(self.small(self.speech.small.neutral, self.other(first), first))
        return said

    def aside(self, thread: Thread) -> list[Spoken]:
        """Idle talk in the words of a topic."""
        first = self.other()
        text = thread.say(self.rng.choice(thread.topic.asides), self.rng, self.today)[0]
        if self.rng.random() < self.rich * 0.5:
            text = self.speech.tidy(f"{text} {self.decks.deal(self.speech.small.trailing)}")
        said = [Spoken(first, text)]
        if self.rng.random() < 0.6:
            said.append(self.small(self.speech.small.neutral, self.other(first), first))
        return said

    def again(self, thread: Thread) -> list[Spoken]:
        """A topic that comes up again, without news."""
        small, rng = self.speech.small, self.rng
        evidence = [known for numbers in thread.told.values() for known in numbers]
        title = thread.say(rng.choice(thread.topic.titles), rng, self.today, whole=False)[0]
        asks = rng.random() < 0.4
        sender = self.other(thread.holder) if asks else thread.holder
        first = self.small(small.wondering if asks else small.returning, sender, self.other(sender))
        first.text = self.speech.tidy(first.text.replace("#", title))
        if rng.random() < self.rich * 0.5:
            first.text = self.speech.tidy(f"{first.text} {self.decks.deal(small.trailing)}")
        first.returns_to = evidence
        answer = small.shrugs if asks else small.neutral
        answering = thread.holder if asks else self.other(sender)
        return [first, self.small(answer, answering, sender)]

    def greeting(self) -> list[Spoken]:
        """How a session opens."""
        first = self.other()
        second = self.other(first)
        said = [self.small(self.speech.small.greetings, first, second)]
        said.append(self.small(self.speech.small.greeted, second, first))
        return said if self.rng.random() < 0.8 else said[:1]

    def farewell(self) -> list[Spoken]:
        """How a session ends."""
        first = self.other()
        second = self.other(first)
        said = [self.small(self.speech.small.farewells, first, second)]
        return [*said, self.small(self.speech.small.farewells, second, first)][: self.rng.randint(1, 2)]


def send_all(chat: Chat, spoken: Sequence[Spoken], start: datetime, *, pace: tuple[int, int]) -> None:
    """Send messages from a time on, so many seconds apart, and note what each one told."""
    at = start
    rng = chat.rng
    for one in spoken:
        for n, text in enumerate(_bursts(one, rng)):
            number = chat.send(one.sender, _typed(text, one.sender, rng), at)
            at += timedelta(seconds=rng.randint(*pace))
            if one.thread and one.labels:
                for label in one.labels:
                    one.thread.told[label].append(number)
                for slot in sorted(one.slots):
                    one.thread.slots_told[slot].append(number)
            if one.returns_to and not n:
                chat.come_back(number, one.returns_to)


def _bursts(one: Spoken, rng: random.Random) -> list[str]:
    """A message without facts may be sent sentence by sentence."""
    if one.labels or rng.random() >= one.sender.manner.bursts:
        return [one.text]
    sentences = (
        one.text.replace("。", "。\n").replace("! ", "!\n").replace("? ", "?\n").replace(". ", ".\n").split("\n")
    )
    return [sentence for sentence in sentences if sentence]


def _typed(text: str, person: Person, rng: random.Random) -> str:
    manner = person.manner
    if manner.lower:
        text = text.lower()
    if manner.no_stop:
        text = text.rstrip(".。")
    if manner.marks and rng.random() < 0.25:
        mark = rng.choice(manner.marks)
        if mark[0] in ".!":
            return text.rstrip(".。") + mark if text[-1] in ".。" else text
        return f"{text.rstrip('.。')} {mark}"
    return text
