"""Notes that somebody leaves with an assistant: each a fact of its own, with many that differ in one thing only."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from bot.fitting.chat import Chat, TemplateConversation
from bot.fitting.notes_script import Trait
from bot.fitting.notes_values import Value, comparable, draw_value, say_value
from bot.fitting.script import expand
from bot.fitting.speech import Speech
from bot.fitting.words import POOLS, Word
from bot.fitting.world import Manner, Person, first_evening, people

_STANDING = frozenset({"name", "age", "job", "company", "hobby"})
"""What is told of nearly everybody."""


@dataclass(slots=True)
class _Subject:
    """Somebody or something the notes are about."""

    entity: str
    word: Word
    named: str = ""
    """A name that notes and questions may use, once it was told."""


@dataclass(slots=True)
class _Fact:
    """One attribute of a subject, and the message that told it."""

    subject: _Subject
    trait: Trait
    value: Value
    later: bool = False
    told: list[str] = field(default_factory=list[str])
    by_name: bool = False


@dataclass(slots=True)
class _Notebook:
    """Notes and questions of one person."""

    chat: Chat
    speech: Speech
    rng: random.Random

    def whose(self, subject: _Subject, *, by_name: bool = False) -> str:
        """The subject as a text calls it."""
        if by_name and subject.named:
            return subject.named
        loose = self.rng.random() < 0.15
        said = (subject.word.looser if loose else subject.word.said)[self.speech.column]
        if subject.entity == "event":
            return f"the {said}" if self.speech.code == "en" else said
        return self.speech.mine.replace("{who}", said)

    def text(self, template: str, fact: _Fact, *, other: str = "", whose: str = "", asking: bool = False) -> str:
        """A template with a fact's words in it."""
        who = fact.subject.word.said[self.speech.column]
        loose = asking and self.rng.random() < 0.4
        slots = {
            "whose": whose or self.whose(fact.subject),
            "who": who,
            "other": other,
            "v": say_value(fact.value, self.speech.column, loose=loose),
        }
        return self.speech.tidy(expand(template, self.rng, slots.__getitem__))

    def ask(self, fact: _Fact) -> None:
        """All that can be asked of one fact alone."""
        by_name = bool(fact.subject.named) and self.rng.random() < 0.3
        name = self.names.get(id(fact.subject)) if by_name != fact.by_name else None
        text = self.rng.choice(fact.trait.ways("ask"))
        question = self.text(text, fact, whose=self.whose(fact.subject, by_name=by_name), asking=True)
        if name and name is not fact:
            self.chat.ask(question, "two-hop", [*fact.told, *name.told])
        else:
            self.chat.ask(question, "attribute", fact.told)

    names: dict[int, _Fact] = field(default_factory=dict[int, _Fact])
    """The fact that told a subject's name, by the subject."""


def notes(name: str, speech: Speech, *, language: str, rng: random.Random) -> TemplateConversation:
    """A chat of notes, with an assistant who may say that it heard them."""
    chat = Chat(name=name, kind="notes", language=language, rng=rng)
    book = _Notebook(chat, speech, rng)
    owner = people(rng, 1, language=speech.code)[0]
    facts = _facts(speech, owner, rng)
    for fact in facts:
        if fact.trait.name == "name":
            fact.subject.named = say_value(fact.value, speech.column)
            book.names[id(fact.subject)] = fact
    _tell(book, facts, owner)
    _ask(book, facts)
    return chat.finished(questions=rng.randint(60, 150))


def _facts(speech: Speech, owner: Person, rng: random.Random) -> list[_Fact]:
    """Who and what there is, and which attributes of them are told."""
    persons = rng.sample([*POOLS["kin"], *POOLS["contact"]], rng.randint(10, 22))
    subjects = [
        *(_Subject("person", word) for word in persons),
        *(_Subject("event", word) for word in rng.sample(POOLS["event"], rng.randint(3, 8))),
        *(_Subject("item", word) for word in rng.sample(POOLS["gadget"], rng.randint(3, 8))),
    ]
    facts: list[_Fact] = []
    names = iter(
        person.short
        for person in people(rng, len(persons) + 1, language=speech.code, plain=True)
        if person.short != owner.short
    )
    for subject in subjects:
        for trait in speech.traits.values():
            if trait.entity != subject.entity:
                continue
            if rng.random() < (0.85 if trait.name in _STANDING or subject.entity != "person" else 0.55):
                value = next(names) if trait.pool == "#name" else draw_value(trait.pool, rng)
                facts.append(_Fact(subject, trait, value))
    changing = [fact for fact in facts if fact.trait.ways("now")]
    facts += [
        _Fact(fact.subject, fact.trait, draw_value(fact.trait.pool, rng), later=True)
        for fact in rng.sample(changing, min(len(changing), rng.randint(2, 10)))
    ]
    return facts


def _tell(book: _Notebook, facts: Sequence[_Fact], owner: Person) -> None:
    """Send the facts in a mixed order, what replaces another after it, with idle notes between."""
    rng, speech = book.rng, book.speech
    first = [fact for fact in facts if not fact.later]
    rng.shuffle(first)
    if rng.random() < 0.3:
        first.sort(key=lambda fact: facts.index(fact) // 4)
    order = first + [fact for fact in facts if fact.later]
    for fact in [fact for fact in facts if fact.later]:
        order.remove(fact)
        original = next(n for n, old in enumerate(order) if old.subject is fact.subject and old.trait is fact.trait)
        order.insert(rng.randint(original + 1, len(order)), fact)
    assistant = _assistant(rng)
    named, idle_value = rng.choice((0.1, 0.3, 0.6)), rng.choice((0.2, 0.6))
    wordy = rng.choice((0.0, 0.2, 0.5))
    answers, idle = rng.choice((0.0, 0.0, 0.0, 0.9)), rng.choice((0.1, 0.3, 0.5))
    at = first_evening(rng)
    for fact in order[: 170 if answers else 250]:
        at += timedelta(minutes=rng.choice((1, 2, 3, 10, 30, 45, 90, 600)), seconds=rng.randint(0, 50))
        fact.by_name = bool(book.names.get(id(fact.subject)) and _told_name(book, fact) and rng.random() < named)
        text = rng.choice(fact.trait.ways("now" if fact.later else "say"))
        whose = book.whose(fact.subject, by_name=fact.by_name)
        said = book.text(text, fact, whose=whose)
        if rng.random() < wordy:
            said = speech.tidy(f"{said} {rng.choice(speech.note_trailing)}")
        number = book.chat.send(owner, said, at)
        book.chat.come_back(number, _told_before(fact, facts))
        fact.told.append(number)
        if rng.random() < answers:
            book.chat.send(assistant, rng.choice(speech.note_answers), at + timedelta(seconds=2))
        if rng.random() < idle:
            at += timedelta(minutes=rng.randint(1, 40))
            somebody = rng.choice([fact for fact in first if fact.trait.entity == "person"])
            of_values = isinstance(somebody.value, Word) and rng.random() < idle_value
            asides = speech.note_asides_of_values if of_values else speech.note_asides
            aside = book.text(rng.choice(asides), somebody)
            if rng.random() < wordy:
                aside = speech.tidy(f"{aside} {rng.choice(speech.note_trailing)}")
            book.chat.send(owner, aside, at)


def _told_before(fact: _Fact, facts: Sequence[_Fact]) -> list[str]:
    """The messages about the same attribute of the same subject, which it replaces; or else about that subject."""
    own = [other for other in facts if other.subject is fact.subject]
    same = [number for other in own if other.trait is fact.trait for number in other.told]
    return same or [number for other in own for number in other.told]


def _told_name(book: _Notebook, fact: _Fact) -> bool:
    name = book.names[id(fact.subject)]
    return name is not fact and bool(name.told)


def _assistant(rng: random.Random) -> Person:
    name = rng.choice(("Assistant", "Companion", "小助手"))
    return Person(name=name, woman=True, short=name, nick=name, manner=Manner())


def _ask(book: _Notebook, facts: Sequence[_Fact]) -> None:
    told = [fact for fact in facts if fact.told]
    changed = {(id(fact.subject), fact.trait.name) for fact in told if fact.later}
    steady = [fact for fact in told if (id(fact.subject), fact.trait.name) not in changed]
    for fact in steady:
        book.ask(fact)
    for fact in told:
        if fact.later:
            text = book.rng.choice(fact.trait.ways("ask"))
            book.chat.ask(book.text(text, fact, asking=True), "change", fact.told)
    _ask_reversed(book, steady)
    _ask_two_hops(book, steady)
    _ask_compared(book, steady)


def _ask_reversed(book: _Notebook, facts: Sequence[_Fact]) -> None:
    """Whose attribute it is: one person's, or that of all who share it."""
    sharing: dict[tuple[str, Value], list[_Fact]] = defaultdict(list)
    for fact in facts:
        sharing[fact.trait.name, fact.value].append(fact)
    for same in sharing.values():
        evidence = [number for fact in same for number in fact.told]
        ways = same[0].trait.ways("which" if len(same) == 1 else "all")
        if ways and len(evidence) <= 8 and book.rng.random() < 0.5:
            kind = "reversed" if len(same) == 1 else "aggregate"
            book.chat.ask(book.text(book.rng.choice(ways), same[0], asking=True), kind, evidence)


def _ask_two_hops(book: _Notebook, facts: Sequence[_Fact]) -> None:
    """A person named by one attribute, asked for another."""
    rng = book.rng
    count: dict[tuple[str, Value], int] = defaultdict(int)
    by_subject: dict[int, list[_Fact]] = defaultdict(list)
    for fact in facts:
        count[fact.trait.name, fact.value] += 1
        by_subject[id(fact.subject)].append(fact)
    for own in by_subject.values():
        known = [fact for fact in own if fact.trait.ways("that") and count[fact.trait.name, fact.value] == 1]
        for fact in own:
            texts = [text for text in fact.trait.ways("ask") if "{whose}'s" not in text]
            others = [other for other in known if other is not fact]
            if not texts or not others or rng.random() < 0.4:
                continue
            other = rng.choice(others)
            clause = book.text(rng.choice(other.trait.ways("that")), other, asking=True)
            someone = rng.choice(book.speech.someone_who[:2] if fact.trait.entity == "person" else _event(book))
            someone = someone.replace("{D}", clause[:1].lower() + clause[1:])
            question = book.text(rng.choice(texts), fact, whose=someone, asking=True)
            book.chat.ask(question, "two-hop", [*fact.told, *other.told])


def _event(book: _Notebook) -> tuple[str, ...]:
    return ("the event that {D}",) if book.speech.code == "en" else ("{D}的那个活动",)


def _ask_compared(book: _Notebook, facts: Sequence[_Fact]) -> None:
    """Which of two has more of something."""
    by_trait: dict[str, list[_Fact]] = defaultdict(list)
    for fact in facts:
        if fact.trait.ways("more") and comparable(fact.value):
            by_trait[f"{fact.trait.entity}.{fact.trait.name}"].append(fact)
    for same in by_trait.values():
        for _ in range(min(len(same) // 2, 4)):
            one, two = book.rng.sample(same, 2)
            if one.value == two.value:
                continue
            ways = one.trait.ways("more") + one.trait.ways("less")
            question = book.text(book.rng.choice(ways), one, other=book.whose(two.subject), asking=True)
            book.chat.ask(question, "comparison", [*one.told, *two.told])
