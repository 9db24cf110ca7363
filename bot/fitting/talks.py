"""Friends and groups who talk over months: threads spread over sessions, among small talk."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.fitting.asking import ask_all
from bot.fitting.chat import Chat, TemplateConversation
from bot.fitting.remembering import remember_all
from bot.fitting.script import Topic
from bot.fitting.speech import Speech
from bot.fitting.telling import NO_ECHO, Decks, Spoken, Stage, send_all
from bot.fitting.thread import Thread, Words, new_thread
from bot.fitting.world import Person, people, session_starts

_LINES_A_SESSION = 19


@dataclass(slots=True)
class _Plan:
    """Which part of which thread belongs to which session."""

    rng: random.Random
    room: list[int]
    sessions: dict[int, list[tuple[Thread, int]]] = field(default_factory=lambda: defaultdict(list))

    def place(self, thread: Thread, *, beside: int | None = None) -> int | None:
        """Give each part a session with room, in order; return the first, or None where there is none."""
        parts = len(thread.topic.parts)
        free = [number for number, room in enumerate(self.room) if room > 0]
        if len(free) < parts:
            return None
        chosen = sorted(self.rng.sample(free, parts))
        if beside is not None and parts == 1:
            chosen = [beside]
        for part, number in enumerate(chosen):
            self.room[number] -= 1
            self.sessions[number].append((thread, part))
        return chosen[0]


def talk(
    name: str, speeches: Sequence[Speech], *, members: int, language: str, rng: random.Random
) -> TemplateConversation:
    """A chat of two friends or of a group."""
    kind = "friends" if members == 2 else "group"
    chat = Chat(name=name, kind=kind, language=language, rng=rng)
    persons = people(rng, members, language=language)
    target = rng.randint(230, 570)
    starts = session_starts(rng, target // _LINES_A_SESSION)
    plan = _Plan(rng, [rng.choice((1, 2, 2, 3, 3)) for _ in starts])
    spoken_in = [rng.choice(speeches) for _ in starts]
    threads = _threads(plan, speeches, persons, rng)
    rich, plain, decks = rng.choice((0.0, 0.3, 0.6, 1.0)), rng.choice((0.3, 0.6, 0.8)), Decks(rng)
    over: list[Thread] = []
    for number, start in enumerate(starts):
        calls = 0.05 if members == 2 else 0.3
        stage = Stage(spoken_in[number], persons, start.date(), rng, calls=calls, rich=rich, plain=plain, decks=decks)
        here = plan.sessions[number]
        spoken = _session(stage, here, over, threads, mixed=members > 2)
        send_all(chat, spoken, start, pace=(20, 300))
        over += [thread for thread, part in here if part + 1 == len(thread.topic.parts)]
    ask_all(chat, threads, speeches, rng=rng)
    remember_all(chat, threads, persons)
    return chat.finished(questions=rng.randint(50, 120))


def _threads(plan: _Plan, speeches: Sequence[Speech], persons: Sequence[Person], rng: random.Random) -> list[Thread]:
    """Threads until the sessions are full: often two people have the same topic, some have it several times."""
    words = Words(rng)
    threads: list[Thread] = []
    order = [(speech, topic) for speech in speeches for topic in speech.topics.values()]
    rng.shuffle(order)
    seen: set[str] = set()
    for speech, topic in order:
        if topic.name in seen:
            continue
        seen.add(topic.name)
        holders = rng.sample(list(persons), 2 if rng.random() < 0.55 else 1)
        first: int | None = None
        for holder in holders:
            for _ in range(rng.choice((1, 2, 3, 3, 4)) if topic.series else 1):
                thread = new_thread(topic, speech, _cast(topic, holder, persons, rng), words=words, rng=rng)
                beside = first if holder is not holders[0] and rng.random() < 0.25 else None
                placed = plan.place(thread, beside=beside)
                if placed is None:
                    return threads
                first = placed if first is None else first
                threads.append(thread)
    return threads


def _cast(topic: Topic, holder: Person, persons: Sequence[Person], rng: random.Random) -> dict[str, Person]:
    others = [person for person in persons if person is not holder]
    rng.shuffle(others)
    roles = [role for role in topic.roles if role != "A"]
    cast: Mapping[str, Person] = {role: others[number % len(others)] for number, role in enumerate(roles)}
    return {"A": holder, **cast}


def _session(
    stage: Stage, here: Sequence[tuple[Thread, int]], over: Sequence[Thread], threads: Sequence[Thread], *, mixed: bool
) -> list[Spoken]:
    rng = stage.rng
    spoken = stage.greeting() if rng.random() < 0.7 else []
    parts: list[list[Spoken]] = []
    for thread, number in here:
        akin = [one for one in threads if one is not thread and one.topic.name == thread.topic.name]
        parts.append(replace(stage, speech=thread.speech).part(thread, number, akin=akin))
        if rng.random() < 0.5 - stage.rich * 0.3:
            parts.append(stage.idle())
    words = [
        word for thread in threads for slot, word in thread.words.items() if thread.topic.slots[slot] not in NO_ECHO
    ]
    if words:
        parts += [stage.musing(words) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
    asides = [thread for thread in threads if thread.topic.asides]
    if asides and rng.random() < 0.6:
        thread = rng.choice(asides)
        parts.append(replace(stage, speech=thread.speech).aside(thread))
    if over and rng.random() < 0.5:
        thread = rng.choice([*over[-12:], rng.choice(over)])
        if thread.topic.titles:
            parts.append(replace(stage, speech=thread.speech).again(thread))
    parts += [stage.idle() for _ in range(rng.randint(0, 2 if stage.rich > 0.5 else 3))]
    if rng.random() < 0.3:
        rng.shuffle(parts)
    spoken += _woven(parts, rng) if mixed and rng.random() < 0.6 else [one for part in parts for one in part]
    return [*spoken, *(stage.farewell() if rng.random() < 0.5 else [])]


def _woven(parts: Sequence[list[Spoken]], rng: random.Random) -> list[Spoken]:
    """Two topics at a time, each in its own order."""
    woven: list[Spoken] = []
    waiting = [list(part) for part in parts if part]
    while waiting:
        part = waiting[min(rng.choice((0, 0, 0, 1)), len(waiting) - 1)]
        woven.append(part.pop(0))
        waiting = [part for part in waiting if part]
    return woven
