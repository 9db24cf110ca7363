"""The macros of a card, such as `{{char}}`: filled in one pass, from the innermost out. Pure.

What stands for a macro is data from then on: it is never read for macros, commas or names of macros again, so that a
person who is called `{{char}}` is shown by just that name. Chance is a hash of a seed, the text and the macro's place
in it: the same turn, rendered twice, reads the same.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import NamedTuple

SOMEONE = "someone here"
"""Stands for `{{user}}` where no particular person is spoken to."""
MOST_ADDED = 200_000
"""Characters that a text may grow by. A card that repeats itself a thousandfold gets no more than that."""
MOST_MACROS = 5_000
"""Macros that are filled of one text; all behind them stays as it is. Every turn fills them, beside all other chats."""
MOST_NESTED = 16
MOST_DICE = 100
MOST_SIDES = 10**9
_DRAWN = 12
"""Bytes of chance for one number: far more than it takes, so that no side comes up more often."""

_TOKEN = re.compile(r"\{\{(?!\{)|\}\}|<(?:user|bot|char)>", re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?://|comment\s*:)", re.IGNORECASE)
_DICE = re.compile(r"\s*(?:(\d{1,9})?d)?(\d{1,10})\s*", re.IGNORECASE | re.ASCII)
_COMMA = re.compile(r"(?<!\\),")


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroValues:
    """What the macros of a text stand for."""

    char: str
    user: str = SOMEONE
    original: str | None = None
    """Our own text that this one replaces; None where none is replaced, and `{{original}}` means nothing."""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    """These three as they are shown: what macros they have are filled already."""
    now: datetime | None = None
    """Local time; None: nothing is told of time."""
    stable_seed: str = ""
    """Of what `{{pick:…}}` chooses: the chat and whom it talks to."""
    turn_seed: str = ""
    """Of what `{{random:…}}` and `{{roll:…}}` give: the turn."""


def expand(text: str, values: MacroValues) -> str:
    """The text with its macros filled; what is no macro of ours stays as it is."""
    return _expand(text, values, hidden=False)


def expand_for_scan(text: str, values: MacroValues) -> str:
    """As `expand`, but with what `{{hidden_key:…}}` hides: what other entries of a lorebook are triggered by."""
    return _expand(text, values, hidden=True)


def hides_keys(text: str) -> bool:
    """Whether `expand_for_scan` may give another text than `expand`."""
    return "hidden_key" in text.lower()


def without_comments(text: str) -> str:
    """The text without `{{// …}}` and `{{comment: …}}`, and all else as it is."""
    if "{{" not in text:
        return text
    kept: list[str] = []
    start, opened = 0, 0
    for token in _TOKEN.finditer(text):
        if token[0] == "{{":
            if opened:
                opened += 1
            elif _COMMENT.match(text, token.end()):
                kept.append(text[start : token.start()])
                start, opened = token.start(), 1
        elif token[0] == "}}" and opened:
            opened -= 1
            if not opened:
                start = token.end()
    return "".join([*kept, text[start:]])


class _Kind(Enum):
    WRITTEN = "by the card's author: commas and colons in it count"
    VALUE = "data, whatever it looks like"
    TRIM = "takes the line breaks around it away"


class _Part(NamedTuple):
    text: str
    kind: _Kind


class _Open(NamedTuple):
    """A `{{` that waits for its `}}`, and what stands behind it so far."""

    at: int
    parts: list[_Part]


def _expand(text: str, values: MacroValues, *, hidden: bool) -> str:
    if "{{" not in text and "<" not in text:
        return text
    filler = _Filler(text, values, hidden)
    stack = [_Open(-1, [])]
    start = 0
    for token in islice(_TOKEN.finditer(text), 2 * MOST_MACROS):  # most are opened and closed
        stack[-1].parts.append(_Part(text[start : token.start()], _Kind.WRITTEN))
        start = token.end()
        match token[0].lower():
            case "{{":
                stack.append(_Open(token.start(), []))
                if len(stack) > MOST_NESTED + 1:
                    stack[0].parts.extend(_literally(stack.pop(1)))
            case "}}" if len(stack) > 1:
                opened = stack.pop()
                stack[-1].parts.extend(filler.fill(opened))
            case "}}":
                stack[-1].parts.append(_Part("}}", _Kind.WRITTEN))
            case name:
                stack[-1].parts.append(filler.value(values.user if name == "<user>" else values.char))
    stack[-1].parts.append(_Part(text[start:], _Kind.WRITTEN))
    for opened in stack[1:]:
        stack[0].parts.extend(_literally(opened))
    return _joined(stack[0].parts)


def _literally(opened: _Open) -> list[_Part]:
    return [_Part("{{", _Kind.WRITTEN), *opened.parts]


def _joined(parts: Sequence[_Part]) -> str:
    """All parts in a row; of line breaks that the author wrote, those beside a trim go."""
    told: list[_Part] = []
    trimming = False
    for part in parts:
        if part.kind is _Kind.TRIM:
            trimming = True
            while told and told[-1].kind is _Kind.WRITTEN:
                if kept := told.pop().text.rstrip("\r\n"):
                    told.append(_Part(kept, _Kind.WRITTEN))
                    break
            continue
        cut = trimming and part.kind is _Kind.WRITTEN
        if text := part.text.lstrip("\r\n") if cut else part.text:
            told.append(_Part(text, part.kind))
            trimming = False
    return "".join(part.text for part in told)


class _Filler:
    """Fills the macros of one text."""

    def __init__(self, text: str, values: MacroValues, hidden: bool) -> None:
        self._text, self._values, self._hidden = text, values, hidden
        self._left = MOST_ADDED

    @cached_property
    def _digest(self) -> bytes:
        return hashlib.sha256(self._text.encode("utf-8", "surrogatepass")).digest()

    def value(self, text: str) -> _Part:
        """The text as data, while there is room for it."""
        if len(text) > self._left:
            return _Part("", _Kind.VALUE)
        self._left -= len(text)
        return _Part(text, _Kind.VALUE)

    def fill(self, opened: _Open) -> list[_Part]:
        """What a macro stands for; if it is none of ours, the macro itself, as data."""
        parts = [part for part in opened.parts if part.text]
        written = parts[0].text if parts and parts[0].kind is _Kind.WRITTEN else ""
        if written.lstrip().startswith("//"):
            return []
        name, colon, rest = written.partition(":")
        name = name.strip().lower()
        if colon:
            arguments = [_Part(rest, _Kind.WRITTEN), *parts[1:]]
            filled = self._with_arguments(name, arguments, opened.at)
        else:
            filled = self._alone(name) if len(parts) == 1 else None
        if filled is None:
            return [_Part(text, _Kind.VALUE) for text in ("{{", *(part.text for part in opened.parts), "}}")]
        return [filled]

    def _alone(self, name: str) -> _Part | None:
        values, now = self._values, self._values.now
        match name:
            case "char" | "bot":
                return self.value(values.char)
            case "user":
                return self.value(values.user)
            case "original" if values.original is not None:
                return self.value(values.original)
            case "description":
                return self.value(values.description)
            case "personality":
                return self.value(values.personality)
            case "scenario":
                return self.value(values.scenario)
            case "newline":
                return self.value("\n")
            case "noop":
                return _Part("", _Kind.VALUE)
            case "trim":
                return _Part("", _Kind.TRIM)
            case _:
                return self.value(_TIMES[name](now)) if now is not None and name in _TIMES else None

    def _with_arguments(self, name: str, arguments: Sequence[_Part], at: int) -> _Part | None:
        values = self._values
        match name:
            case "random":
                return self.value(self._chosen(_options(arguments), values.turn_seed, at))
            case "pick":
                return self.value(self._chosen(_options(arguments), values.stable_seed, at))
            case "roll":
                return self.value(self._rolled(_joined(arguments), at))
            case "reverse":
                return self.value(_joined(arguments)[::-1])
            case "hidden_key":
                return self.value(_joined(arguments) if self._hidden else "")
            case "comment":
                return _Part("", _Kind.VALUE)
            case _:
                return None

    def _numbers(self, seed: str, at: int, count: int, below: int) -> Iterator[int]:
        """So many numbers of one hash: many dice cost little more than one."""
        told = f"{at}\0{seed}".encode("utf-8", "surrogatepass")
        drawn = hashlib.shake_128(self._digest + told).digest(count * _DRAWN)
        return (int.from_bytes(drawn[n * _DRAWN : (n + 1) * _DRAWN]) % below for n in range(count))

    def _chosen(self, options: Sequence[str], seed: str, at: int) -> str:
        return options[next(self._numbers(seed, at, 1, len(options)))]

    def _rolled(self, dice: str, at: int) -> str:
        told = _DICE.fullmatch(dice)
        if told is None:
            return ""
        count, sides = int(told[1] or 1), int(told[2])
        if not (1 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES):
            return ""
        return str(count + sum(self._numbers(self._values.turn_seed, at, count, sides)))


def _options(arguments: Sequence[_Part]) -> list[str]:
    """What there is to choose from: parted by `::` if the first is led by one, else by commas that no `\\` escapes."""
    doubled = arguments[0].text.startswith(":")
    options = [""]
    for n, part in enumerate(arguments):
        text = part.text[1:] if doubled and n == 0 else part.text
        pieces = [text]
        if part.kind is _Kind.WRITTEN:
            pieces = text.split("::") if doubled else [piece.replace("\\,", ",") for piece in _COMMA.split(text)]
        options[-1] += pieces[0]
        options += pieces[1:]
    return [option.strip() for option in options]


_TIMES: dict[str, Callable[[datetime], str]] = {
    "time": lambda now: f"{now:%H:%M}",
    "date": lambda now: f"{now.day} {_MONTHS[now.month - 1]} {now.year}",
    "weekday": lambda now: _DAYS[now.weekday()],
    "isotime": lambda now: f"{now:%H:%M}",
    "isodate": lambda now: f"{now:%Y-%m-%d}",
}
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
