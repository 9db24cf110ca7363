"""What can be asked of the threads of a chat, once all is told."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from bot.fitting.chat import Chat
from bot.fitting.script import Ask, slots_of
from bot.fitting.speech import Speech
from bot.fitting.thread import Thread, Untold

_IDENTIFIED = frozenset({"single", "who", "where", "why", "how", "when", "list"})
"""Kinds in which the person may be named by what they did instead."""
_COMMON = frozenset({"few", "some", "price", "weekday", "reason", "goal", "kin", "trait", "spot", "injury"})
"""Pools whose words do not say which message is meant."""


def ask_all(chat: Chat, threads: Sequence[Thread], speeches: Sequence[Speech], *, rng: random.Random) -> None:
    """Add every question that the threads allow; with two languages, some in the other one."""
    for thread in threads:
        for speech, ask in _asks(thread, speeches, rng):
            if ask.scope == "own":
                _ask_own(chat, thread, ask, speech, rng)
        ask_words(chat, thread, rng, share=0.3)
    by_topic: dict[str, list[Thread]] = defaultdict(list)
    for thread in threads:
        by_topic[thread.topic.name].append(thread)
    for same in by_topic.values():
        _ask_series(chat, same, rng)
        _ask_both(chat, same, rng)
    by_person: dict[str, list[Thread]] = defaultdict(list)
    for thread in threads:
        by_person[thread.holder.name].append(thread)
    for own in by_person.values():
        _ask_two_hops(chat, own, threads, rng)
        _ask_tags(chat, own, rng)
        _ask_dated(chat, own, rng)


def _asks(thread: Thread, speeches: Sequence[Speech], rng: random.Random) -> list[tuple[Speech, Ask]]:
    asks = [(thread.speech, ask) for ask in thread.topic.asks]
    for speech in speeches:
        other = speech.topics.get(thread.topic.name)
        if speech is not thread.speech and other and other.slots == thread.topic.slots and rng.random() < 0.4:
            asks += [(speech, ask) for ask in other.asks]
    return asks


def _ask_own(chat: Chat, thread: Thread, ask: Ask, speech: Speech, rng: random.Random) -> None:
    evidence = thread.evidence(ask.labels)
    text = rng.choice(ask.texts)
    first = next((line.label for line in thread.topic.parts[0] if line.label), "")
    try:
        question = thread.ask(text, rng, speech=speech)
        if speech is thread.speech and first not in ask.labels and rng.random() < 0.2:
            question = _anchored(thread, question, rng)
    except Untold:
        return
    chat.ask(question, ask.kind, evidence)


def _anchored(thread: Thread, question: str, rng: random.Random) -> str:
    """A question that begins with its topic."""
    speech = thread.speech
    title = thread.ask(rng.choice(thread.topic.titles), rng)
    title = speech.theirs(title[:1].lower() + title[1:], thread.holder.short)
    anchor = rng.choice(speech.anchors).replace("#", title)
    return speech.tidy(anchor + question[:1].lower() + question[1:])


def ask_words(chat: Chat, thread: Thread, rng: random.Random, *, share: float, at: datetime | None = None) -> None:
    """Questions about a word of somebody's, where nobody but them told of it."""
    for slot, word in thread.words.items():
        told = thread.slots_told.get(slot, [])
        pool = thread.topic.slots[slot]
        if not told or pool in _COMMON or rng.random() > share:
            continue
        speakers = {chat.sender(number) for number in told}
        speaker = rng.choice([person for person in thread.cast.values() if person.name in speakers])
        text = rng.choice(thread.speech.word_asks)
        text = text.replace("{A}", speaker.asked(rng)).replace("{W}", word.said[thread.speech.column])
        evidence = [number for number in told if chat.sender(number) == speaker.name]
        chat.ask(thread.speech.tidy(text), "what", evidence, at=at)


def _ask_series(chat: Chat, same: Sequence[Thread], rng: random.Random) -> None:
    by_holder: dict[str, list[Thread]] = defaultdict(list)
    for thread in same:
        by_holder[thread.holder.name].append(thread)
    for own in by_holder.values():
        for ask in own[0].topic.asks:
            evidence = [thread.evidence(ask.labels) for thread in own]
            if ask.scope == "series" and len(own) > 1 and all(evidence):
                question = own[0].ask(rng.choice(ask.texts), rng)
                chat.ask(question, ask.kind, [number for numbers in evidence for number in numbers])


def _ask_both(chat: Chat, same: Sequence[Thread], rng: random.Random) -> None:
    for ask in same[0].topic.asks:
        if ask.scope != "both" or same[0].topic.series:
            continue
        for first, second in itertools.pairwise(same):
            evidence = first.evidence(ask.labels), second.evidence(ask.labels)
            if first.holder is second.holder or not all(evidence):
                continue
            try:
                question = first.ask(rng.choice(ask.texts), rng, other=second)
            except Untold:
                continue
            chat.ask(question, ask.kind, [*evidence[0], *evidence[1]])


def _ask_two_hops(chat: Chat, own: Sequence[Thread], threads: Sequence[Thread], rng: random.Random) -> None:
    """Questions that name a person by one thread and ask about another."""
    known = [thread for thread in own if thread.topic.clauses and not thread.topic.series]
    for thread in own:
        asks = [ask for ask in thread.topic.asks if ask.scope == "own" and ask.kind in _IDENTIFIED]
        others = [other for other in known if other is not thread and other.speech is thread.speech]
        if not asks or not others or rng.random() < 0.5:
            continue
        ask, other = rng.choice(asks), rng.choice(others)
        texts = [text for text in ask.texts if "{A}" in text and "{A}'s" not in text and "B" not in slots_of(text)]
        label, clauses = rng.choice(other.topic.clauses)
        evidence = other.evidence((label,)), thread.evidence(ask.labels)
        clause = rng.choice(clauses)
        if not texts or not all(evidence) or _fits_another(other, clause, threads):
            continue
        try:
            clause = other.ask(clause, rng)
            clause = clause[:1].lower() + clause[1:]
            someone = rng.choice(thread.speech.someone_who).replace("{D}", clause)
            question = thread.ask(rng.choice(texts).replace("{A}", someone), rng)
        except Untold:
            continue
        chat.ask(question, "two-hop", [*evidence[0], *evidence[1]])


def _fits_another(thread: Thread, clause: str, threads: Sequence[Thread]) -> bool:
    """Whether somebody else could be meant by a clause as well."""
    slots = {slot.rstrip("~@") for slot in slots_of(clause)} & thread.words.keys()
    return any(
        other.topic.name == thread.topic.name
        and other.holder is not thread.holder
        and all(other.words[slot].looser == thread.words[slot].looser for slot in slots)
        for other in threads
    )


def _ask_tags(chat: Chat, own: Sequence[Thread], rng: random.Random) -> None:
    tagged: dict[str, list[str]] = defaultdict(list)
    for thread in own:
        for tag, label in thread.topic.tags.items():
            tagged[tag] += thread.told.get(label, [])
    for tag, evidence in tagged.items():
        texts: Mapping[str, tuple[str, ...]] = own[0].speech.tag_asks
        if tag in texts and 2 <= len(set(evidence)) <= 8:
            chat.ask(own[0].ask(rng.choice(texts[tag]), rng), "aggregate", evidence)


def _ask_dated(chat: Chat, own: Sequence[Thread], rng: random.Random) -> None:
    by_day: dict[date, list[str]] = defaultdict(list)
    by_month: dict[date, list[str]] = defaultdict(list)
    loose: set[date] = set()
    for thread in own:
        for day, exact, numbers in thread.dated():
            by_day[day] += numbers
            by_month[day.replace(day=1)] += numbers
            if not exact:
                loose.add(day)
    speech = own[0].speech
    for day, evidence in by_day.items():
        if day in loose or rng.random() < 0.5:
            continue
        at: datetime | None = None
        said = _exact_day(speech, day, rng)
        last = max(chat.times[int(number) - 1] for number in evidence)
        if rng.random() < 0.3 and (last.date() - day).days < 20:
            at = last + timedelta(hours=rng.randint(5, 40))
            said = speech.said_day(day, at.date(), rng)
        _ask_about(chat, own[0], said, evidence, at, rng)
    for month, evidence in by_month.items():
        if len(set(evidence)) <= 4 and rng.random() < 0.6:
            _ask_about(chat, own[0], speech.asked_month(month, rng), evidence, None, rng)


def _ask_about(
    chat: Chat, thread: Thread, said: str, evidence: Sequence[str], at: datetime | None, rng: random.Random
) -> None:
    """What somebody did at that time."""
    text = rng.choice(thread.speech.dated_asks).replace("{day}", said)
    chat.ask(thread.ask(text, rng), "dated", evidence, at=at or chat.moment("list", evidence))


def _exact_day(speech: Speech, day: date, rng: random.Random) -> str:
    """The day itself, not only its month."""
    while True:
        said = speech.asked_day(day, rng)
        if any(character.isdigit() for character in said.replace(str(day.year), "").replace(f"{day.month}月", "")):
            return said
