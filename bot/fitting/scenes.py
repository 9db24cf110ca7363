"""Scripted scenes, as of a comedy on television: short lines, many names, one scene after another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import timedelta

from bot.fitting.asking import ask_words
from bot.fitting.chat import Chat, TemplateConversation
from bot.fitting.remembering import remember_all
from bot.fitting.script import Topic
from bot.fitting.speech import Speech
from bot.fitting.telling import Decks, Spoken, Stage, send_all
from bot.fitting.thread import Thread, Untold, Words, new_thread
from bot.fitting.world import Person, first_evening, people


def scenes(name: str, speech: Speech, *, language: str, rng: random.Random) -> TemplateConversation:
    """A chat that is a script, asked about once it is over."""
    chat = Chat(name=name, kind="scene", language=language, rng=rng)
    persons = people(rng, rng.randint(5, 8), language=language, plain=True)
    words, decks = Words(rng), Decks(rng)
    target = rng.randint(160, 380)
    at = first_evening(rng)
    threads: list[Thread] = []
    order: list[Topic] = []
    while len(chat.messages) < target:
        if not order:
            order = list(speech.scenes.values())
            rng.shuffle(order)
        topic = order.pop()
        cast = rng.sample(persons, len(topic.roles))
        thread = new_thread(topic, speech, dict(zip(topic.roles, cast, strict=True)), words=words, rng=rng)
        guests = rng.sample(persons, rng.randint(0, 2))
        here = [*cast, *(person for person in guests if person not in cast)]
        stage = Stage(speech, here, at.date(), rng, calls=0.04, rich=0, plain=0, decks=decks)
        send_all(chat, _padded(stage, _played(stage, thread), rng), at, pace=(10, 60))
        threads.append(thread)
        at = chat.times[-1] + timedelta(minutes=rng.choice((1, 2, 5, 40, 300)))
    for thread in threads:
        _ask(chat, thread, threads, rng)
    remember_all(chat, threads, persons)
    return chat.finished(questions=rng.randint(60, 100))


def _played(stage: Stage, thread: Thread) -> list[Spoken]:
    """The scene's own lines, as they are written."""
    played: list[Spoken] = []
    for line in (line for part in thread.topic.parts for line in part):
        if line.optional and stage.rng.random() < 0.4:
            continue
        text, slots = thread.say(stage.rng.choice(line.texts), stage.rng, stage.today)
        played.append(Spoken(thread.cast[line.role], text, thread, [line.label] if line.label else [], slots))
    return played


def _padded(stage: Stage, played: Sequence[Spoken], rng: random.Random) -> list[Spoken]:
    """The lines with banter before, between and after them."""
    padded: list[Spoken] = []

    def banter(most: int) -> None:
        for _ in range(rng.randint(0, most)):
            sender: Person = stage.other(*([padded[-1].sender] if padded else []))
            padded.append(stage.small(stage.speech.small.banter, sender, stage.other(sender)))

    banter(3)
    for one in played:
        padded.append(one)
        if rng.random() < 0.25:
            banter(2)
    banter(2)
    return padded


def _ask(chat: Chat, thread: Thread, threads: Sequence[Thread], rng: random.Random) -> None:
    ask_words(chat, thread, rng, share=0.5, at=chat.times[-1] + timedelta(days=2))
    twice = sum(other.topic is thread.topic and other.holder is thread.holder for other in threads) > 1
    for ask in thread.topic.asks:
        evidence = thread.evidence(ask.labels)
        for text in rng.sample(ask.texts, min(2, len(ask.texts))):
            if twice and "{A}" in text:
                continue
            try:
                question = thread.ask(text, rng)
            except Untold:
                continue
            kind = "any-of" if len(set(evidence)) > 1 else ask.kind
            chat.ask(question, kind, evidence, at=chat.times[-1] + timedelta(days=2))
