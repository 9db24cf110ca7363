"""One telling of a topic: who has which role in it, what its slots hold, and which messages told what."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date, timedelta

from bot.fitting.script import Topic, expand
from bot.fitting.speech import Speech
from bot.fitting.words import POOLS, Word
from bot.fitting.world import DAY_POOLS, Person


class Untold(Exception):
    """A question needs a slot that no message has told."""


@dataclass(slots=True)
class Words:
    """Words drawn for one chat, each seldom twice, so that people have different things."""

    rng: random.Random
    _left: dict[str, list[Word]] = field(default_factory=dict[str, list[Word]])

    def draw(self, pool: str) -> Word:
        """A word of a pool; all are used before one comes again."""
        left = self._left.get(pool)
        if not left:
            left = list(POOLS[pool])
            self.rng.shuffle(left)
            self._left[pool] = left
        return left.pop()


@dataclass(slots=True)
class Thread:
    """A topic in somebody's life."""

    topic: Topic
    speech: Speech
    cast: dict[str, Person]
    words: dict[str, Word]
    offsets: dict[str, int]
    days: dict[str, date] = field(default_factory=dict[str, date])
    vague: set[str] = field(default_factory=set[str])
    """The slots whose day was told only loosely."""
    told: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The messages of each label."""
    slots_told: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """The labelled messages that told each slot."""

    @property
    def holder(self) -> Person:
        """Whose life it is."""
        return self.cast["A"]

    def say(self, text: str, rng: random.Random, today: date, *, whole: bool = True) -> tuple[str, set[str]]:
        """A line (or, not `whole`, a part of one) as said on a day, and the slots that it tells."""
        used: set[str] = set()

        def value(slot: str) -> str:
            name = slot.rstrip("~@")
            used.add(name)
            if name in self.cast:
                return self.cast[name].short
            if name in self.speech.pronouns:
                return self._pronoun(name)
            if name in self.offsets:
                day = self.days.setdefault(name, today - timedelta(days=self.offsets[name]))
                said = self.speech.said_day(day, today, rng)
                if said in self.speech.vague:
                    self.vague.add(name)
                return said
            word = self.words[name]
            return (word.looser if slot.endswith("~") else word.said)[self.speech.column]

        said = expand(text, rng, value)
        return self.speech.tidy(said) if whole else said, used

    def ask(self, text: str, rng: random.Random, *, speech: Speech | None = None, other: Thread | None = None) -> str:
        """A question about it; raise `Untold` where it names what was never told."""
        speech = speech or self.speech

        def value(slot: str) -> str:
            name = slot.rstrip("~@")
            if name == "B" and other:
                return other.holder.asked(rng)
            if name in self.cast:
                return self.cast[name].asked(rng)
            if name in speech.pronouns:
                return self._pronoun(name, speech)
            if not self.slots_told.get(name):
                raise Untold(name)
            if name in self.offsets:
                return speech.asked_day(self.days[name], rng)
            word = self.words[name]
            loose = slot.endswith("~") or rng.random() < 0.15
            return (word.looser if loose else word.said)[speech.column]

        return speech.tidy(expand(text, rng, value))

    def _pronoun(self, name: str, speech: Speech | None = None) -> str:
        return (speech or self.speech).pronouns[name][self.holder.woman]

    def evidence(self, labels: tuple[str, ...]) -> list[str]:
        """The messages of labels; empty when one of them was left out."""
        found = [self.told.get(label, []) for label in labels]
        return [number for numbers in found for number in numbers] if all(found) else []

    def dated(self) -> list[tuple[date, bool, list[str]]]:
        """Each day that lay in the past when told, whether it was told exactly, and the messages that told it."""
        return [
            (self.days[slot], slot not in self.vague, self.slots_told[slot])
            for slot in self.offsets
            if self.offsets[slot] >= 0 and self.slots_told.get(slot)
        ]


def new_thread(topic: Topic, speech: Speech, cast: dict[str, Person], *, words: Words, rng: random.Random) -> Thread:
    """A topic with fresh values."""
    pools = topic.slots.items()
    return Thread(
        topic=topic,
        speech=speech,
        cast=cast,
        words={slot: words.draw(pool) for slot, pool in pools if pool not in DAY_POOLS},
        offsets={slot: rng.choice(DAY_POOLS[pool]) for slot, pool in pools if pool in DAY_POOLS},
    )
