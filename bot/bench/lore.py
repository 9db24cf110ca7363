"""How long a lorebook is looked through: a book of many entries, some with regex keys, over a window of messages."""

from __future__ import annotations

import random
import time

from bot.bench.metrics import percentile
from bot.cards.lorebook import LoreScene, LoreState, SceneLine, evaluate, read_lorebook
from bot.cards.macros import MacroValues

ENTRIES = 1_000
PATTERNS = 200
"""Of the entries, found by a regular expression."""
MESSAGES = 30
TURNS = 100
WORDS_A_MESSAGE = 35
BUDGET = 2_000
"""Tokens."""
_SPOKEN = 2_000
_UNSPOKEN = 4_000
"""Words of the book that nobody says, beside those that people do say."""
_SPOKEN_SHARE = 0.01
"""Of the book's keys that are words people say."""


def bench_lore(*, entries: int = ENTRIES, patterns: int = PATTERNS, turns: int = TURNS) -> dict[str, object]:
    """Milliseconds to read a book, to look through it the first time, and in each of the turns after that.

    A turn says one new message, and so the window moves by one.
    """
    chooser = random.Random(7)  # noqa: S311 - a benchmark wants the same text each time
    spoken, unspoken = _lexicon(_SPOKEN, chooser), _lexicon(_UNSPOKEN, chooser)
    started = time.perf_counter()
    book = read_lorebook(_book(spoken, unspoken, entries, patterns, chooser))
    reading = time.perf_counter() - started
    lines = [_line(spoken, n, chooser) for n in range(MESSAGES + turns)]
    state, took, cpu, active = LoreState(), list[float](), list[float](), list[int]()
    for turn in range(turns):
        values = MacroValues(char="Miri", user="Robin", turn_seed=str(turn))
        scene = LoreScene(lines=lines[turn : turn + MESSAGES], values=values, count=turn + MESSAGES)
        started, started_cpu = time.perf_counter(), time.thread_time()
        lore = evaluate(book, scene, state, budget=BUDGET)
        took.append((time.perf_counter() - started) * 1000)
        cpu.append((time.thread_time() - started_cpu) * 1000)
        state = lore.state
        active.append(len(lore.told) + len(lore.dropped))
    return {
        "entries": len(book.entries),
        "patterns": patterns - len(book.index.patterns.refused),
        "messages": MESSAGES,
        "characters": round(sum(len(line.text) for line in lines) / len(lines) * MESSAGES),
        "read_ms": round(reading * 1000, 3),
        "first_ms": round(took[0], 3),
        "first_cpu_ms": round(cpu[0], 3),
        "ms_p50": round(percentile(took, 0.5), 3),
        "ms_p95": round(percentile(took, 0.95), 3),
        "cpu_ms_p50": round(percentile(cpu, 0.5), 3),
        "cpu_ms_p95": round(percentile(cpu, 0.95), 3),
        "active": round(sum(active) / len(active), 1),
    }


def _lexicon(words: int, chooser: random.Random) -> list[str]:
    """Words as a language might have them."""
    syllables = [
        first + vowel for first in "bcdfghjklmnprstvwz" for vowel in ("a", "e", "i", "o", "u", "an", "er", "il")
    ]
    return ["".join(chooser.choices(syllables, k=chooser.randint(1, 4))) for _ in range(words)]


def _book(
    spoken: list[str], unspoken: list[str], entries: int, patterns: int, chooser: random.Random
) -> dict[str, object]:
    """A book as a card holds it: three keys an entry, or a pattern; few of them about what people speak of."""

    def word() -> str:
        return chooser.choice(spoken if chooser.random() < _SPOKEN_SHARE else unspoken) + chooser.choice(["ne", "rou"])

    def entry(n: int) -> dict[str, object]:
        pattern = rf"/\b{word()}s?\b|{word()} of (?:the|a) {word()}/i"
        return {
            "id": n,
            "keys": [pattern] if n < patterns else [word(), f"{word()} {word()}", word().title()],
            "use_regex": n < patterns,
            "selective": n % 7 == 0,
            "secondary_keys": [chooser.choice(spoken)] if n % 7 == 0 else [],
            "content": f"{{{{char}}}} knows of {' '.join(chooser.choices(unspoken, k=40))}.",
            "insertion_order": n % 50,
        }

    return {"scan_depth": MESSAGES, "recursive_scanning": True, "entries": [entry(n) for n in range(entries)]}


def _line(spoken: list[str], n: int, chooser: random.Random) -> SceneLine:
    said = " ".join(chooser.choices(spoken, k=WORDS_A_MESSAGE))
    return SceneLine(role="assistant" if n % 3 == 0 else "user", text=said.capitalize())
