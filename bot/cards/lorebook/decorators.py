"""Decorators: lines `@@name value` at the head of an entry's content, which say when and where it is used.

A line `@@@name value` behind one is what counts if that one is unknown here or makes no sense. Those that reckon in
tokens of a text without messages, or ask for a person's picture, are unknown here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

Role = Literal["system", "user", "assistant"]
Place = Literal["before_char", "after_char", "before_desc", "after_desc", "personality", "scenario"]
"""Where in the character's own text an entry stands."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_DECORATOR = re.compile(r"@@(@*)([A-Za-z_][A-Za-z0-9_]*)(?:[ \t](.*))?")
_BLANK_LINES = re.compile(r"\A(?:[ \t]*(?:\r\n|\r|\n))+")
_WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decorators:
    """What an entry's decorators say."""

    activate: bool = False
    dont_activate: bool = False
    keep_activate_after_match: bool = False
    dont_activate_after_match: bool = False
    ignore_on_max_context: bool = False
    activate_only_after: int | None = None
    activate_only_every: int | None = None
    depth: int | None = None
    """Messages from the newest."""
    reverse_depth: int | None = None
    """Messages from the oldest."""
    scan_depth: int | None = None
    is_greeting: int | None = None
    role: Role | None = None
    position: Place | None = None
    additional_keys: tuple[tuple[str, ...], ...] = ()
    """Of each group one has to be there."""
    exclude_keys: tuple[str, ...] = ()
    disable_ui_prompt: str | None = None
    probability: float | None = None
    """Of 100; RisuAI's own."""


def parse_decorators(content: str) -> tuple[Decorators, str]:
    """What the head of a content says, and the content without it and the blank lines around it."""
    told: dict[str, object] = {}
    additional: list[tuple[str, ...]] = []
    understood: bool | None = None
    at = body = 0
    while at < len(content):
        line = _LINE.match(content, at)
        assert line is not None  # noqa: S101  (it matches anywhere)
        at = line.end()
        if not line[0].strip():
            continue
        decorator = _DECORATOR.fullmatch(line[0].strip())
        if decorator is None:
            break
        body = at
        falls_back = bool(decorator[1])
        if falls_back and understood is not False:
            continue
        understood = _take(decorator[2].lower(), (decorator[3] or "").strip(), told, additional)
    if not body:
        return Decorators(), content
    told["additional_keys"] = tuple(additional)
    return Decorators(**cast("dict[str, Any]", told)), _BLANK_LINES.sub("", content[body:])


def _take(name: str, value: str, told: dict[str, object], additional: list[tuple[str, ...]]) -> bool:
    """Note what a decorator says; whether it is understood. Of two of one name the first counts."""
    if name == "additional_keys":
        keys = _keys(value)
        if keys:
            additional.append(keys)
        return bool(keys)
    read = _READERS.get(name)
    said = read(value) if read else None
    if said is None:
        return False
    told.setdefault(name, said)
    return True


def _flag(_: str) -> bool:
    return True


def _number(value: str) -> int | None:
    return int(value) if _WHOLE.fullmatch(value) else None


def _at_least(least: int) -> Callable[[str], int | None]:
    def read(value: str) -> int | None:
        number = _number(value)
        return None if number is None or number < least else number

    return read


def _one_of(*words: str) -> Callable[[str], str | None]:
    return lambda value: value if value in words else None


def _keys(value: str) -> tuple[str, ...]:
    return tuple(key for part in value.split(",") if (key := part.strip()))


def _share(value: str) -> float | None:
    number = _number(value)
    return None if number is None else float(min(max(number, 0), 100))


_READERS: dict[str, Callable[[str], object | None]] = {
    "activate": _flag,
    "dont_activate": _flag,
    "keep_activate_after_match": _flag,
    "dont_activate_after_match": _flag,
    "ignore_on_max_context": _flag,
    "activate_only_after": _number,
    "activate_only_every": _at_least(1),
    "depth": _number,
    "reverse_depth": _number,
    "scan_depth": _at_least(0),
    "is_greeting": _at_least(0),
    "role": _one_of("assistant", "system", "user"),
    "position": _one_of("before_desc", "after_desc", "personality", "scenario"),
    "exclude_keys": lambda value: _keys(value) or None,
    "disable_ui_prompt": _one_of("system_prompt", "post_history_instructions"),
    "probability": _share,
}
