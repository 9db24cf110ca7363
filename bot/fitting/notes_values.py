"""Values of attributes in notes: words of the lexicon, numbers, days and hours."""

from __future__ import annotations

import random

from bot.fitting.words import POOLS, Word

Value = Word | str | tuple[str, ...]
"""A word, a text that is the same in every language, or numbers after the name of their kind."""

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def draw_value(pool: str, rng: random.Random) -> Value:
    """Some value of a pool; pools of numbers begin with #."""
    draws = {
        "#age": lambda: (str(rng.randint(18, 82)),),
        "#height": lambda: (str(rng.randint(150, 196)),),
        "#birthday": lambda: (str(rng.randint(1, 12)), str(rng.randint(1, 28))),
        "#people": lambda: (str(rng.choice((20, 35, 50, 80, 120, 200, 300, 450, 800))),),
        "#price": lambda: (str(rng.randint(2, 180) * 10),),
        "#length": lambda: (str(rng.randint(2, 9)), rng.choice(("hours", "days"))),
        "#when": lambda: (str(rng.randint(1, 12)), str(rng.randint(1, 28)), str(rng.randint(8, 20))),
    }
    if pool == "#phone":
        return "1" + "".join(str(rng.randint(0, 9)) for _ in range(10))
    if pool == "#mail":
        return f"{rng.choice(_BOXES)}{rng.randint(10, 99)}@{rng.choice(('example.com', 'example.org', 'mail.example'))}"
    if pool in draws:
        return (pool, *draws[pool]())
    return rng.choice(POOLS[pool])


_BOXES = ("sunny", "bluefish", "teapot", "walker", "northstar", "pixel", "marble", "cloudy", "fern", "quartz")


def comparable(value: Value) -> bool:
    """Whether a value may stand in "who has more"."""
    return isinstance(value, (tuple, Word))


def say_value(value: Value, column: int, *, loose: bool = False) -> str:
    """A value in the language of a column of the lexicon."""
    if isinstance(value, str):
        return value
    if isinstance(value, Word):
        return (value.looser if loose else value.said)[column]
    kind, *numbers = value
    return (_english if column == 0 else _chinese)(kind, numbers)


def _english(kind: str, numbers: list[str]) -> str:
    match kind:
        case "#birthday":
            return f"{_MONTHS[int(numbers[0]) - 1]} {numbers[1]}"
        case "#when":
            return f"{_MONTHS[int(numbers[0]) - 1]} {numbers[1]} at {numbers[2]}:00"
        case "#height":
            return f"{numbers[0]} cm"
        case "#price":
            return f"{numbers[0]} dollars"
        case _:
            return " ".join(numbers)


def _chinese(kind: str, numbers: list[str]) -> str:
    match kind:
        case "#birthday":
            return f"{numbers[0]}月{numbers[1]}日"
        case "#when":
            return f"{numbers[0]}月{numbers[1]}日{numbers[2]}点"
        case "#height":
            return f"{numbers[0]}厘米"
        case "#price":
            return f"{numbers[0]}元"
        case "#length":
            return numbers[0] + {"hours": "个小时", "days": "天"}[numbers[1]]
        case _:
            return "".join(numbers)
