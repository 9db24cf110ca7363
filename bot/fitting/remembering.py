"""What might be said later that comes back to the threads of a chat, without asking anything.

The messages of a chat come back to one another as well (`Chat.come_back`), in the words of their topic. Here
somebody is reminded of a thing that was told, and says so among what has nothing to do with it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from bot.fitting.chat import Chat
from bot.fitting.script import expand, slots_of
from bot.fitting.telling import NO_ECHO, Decks
from bot.fitting.thread import Thread
from bot.fitting.world import Person

_SHARE = 0.6
"""How many of the threads are come back to."""


def remember_all(chat: Chat, threads: Sequence[Thread], persons: Sequence[Person]) -> None:
    """Add what people might say of the threads; drawn by a generator of its own, so that the chat stays as it is."""
    rng = random.Random(f"{chat.name}:{len(chat.messages)}")  # noqa: S311 - it must repeat
    decks = Decks(rng)
    for thread in threads:
        if rng.random() < _SHARE:
            _remember(chat, thread, persons, decks, rng)


def _remember(chat: Chat, thread: Thread, persons: Sequence[Person], decks: Decks, rng: random.Random) -> None:
    pools, small = thread.topic.slots, thread.speech.small
    known = [slot for slot in thread.words if thread.slots_told.get(slot) and pools[slot] not in NO_ECHO]
    text = decks.deal(small.reminded)
    wanted = sorted(slots_of(text) & {"W", "X"})
    if len(known) < len(wanted):
        return
    slots = dict(zip(wanted, rng.sample(known, len(wanted)), strict=True))

    def value(slot: str) -> str:
        if slot == "A":
            return thread.holder.short
        word = thread.words[slots[slot]]
        return (word.looser if rng.random() < 0.2 else word.said)[thread.speech.column]

    said = expand(text, rng, value)
    to = rng.choice(persons)
    names = {"A": to.short, "B": to.short, "C": rng.choice(persons).short}
    for more in (small.glad, small.neutral):
        if rng.random() < 0.25:
            said = f"{expand(decks.deal(more), rng, lambda slot: names.get(slot, ''))} {said}"
    told = Counter(number for slot in slots.values() for number in set(thread.slots_told[slot]))
    whole = [number for number, times in told.items() if times == len(slots)]
    chat.might_say(thread.speech.tidy(said), whole or told, rng=rng)
