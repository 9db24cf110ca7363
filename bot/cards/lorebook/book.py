"""A lorebook: entries that say something of a world, each to be told when it matters. Read from a card's mapping.

Fields are those of the V3 specification, and beside them what SillyTavern keeps in an entry's `extensions` (or, in its
world-info files, beside the other fields): chance, sticky times, cool-downs, delays, groups, depth, whole words.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from bot.cards.lorebook.decorators import Decorators, Place, Role, parse_decorators
from bot.cards.lorebook.entry import DEFAULT_ORDER, Entry, Logic
from bot.cards.lorebook.fields import as_count, as_flag, as_keys, as_number, as_object, as_text
from bot.cards.lorebook.index import BookIndex, has_macro
from bot.cards.lorebook.patterns import is_slashed

MOST_ENTRIES = 10_000
MOST_KEYS = 20_000
"""Of all entries together."""
MOST_VARYING_KEYS = 500
"""Of these, those with macros: they are filled, and made ready to be looked for, anew for every turn."""
LONGEST_KEY = 500
LONGEST_CONTENT = 32_000
"""Characters. An entry beyond it is left out: no prompt would have room for it."""

_Value = TypeVar("_Value")

_LOGICS: Sequence[Logic] = ("any", "not_all", "not_any", "all")
_ROLES: Sequence[Role] = ("system", "user", "assistant")
_SYNTAX = re.compile(r"[\\^$.|?*+()\[\]{}]")
"""What makes a pattern of a word."""
_LONGEST_ID = 64
_AT_DEPTH = 4
"""SillyTavern's number for the position among the messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lorebook:
    """A book, ready to be looked things up in."""

    entries: tuple[Entry, ...] = ()
    scan_depth: int | None = None
    token_budget: int | None = None
    recursive: bool = False
    among_messages: bool = False
    """Whether an entry may stand among the messages."""
    counts_replies: bool = False
    """Whether an entry asks how often the character answered."""
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])
    """What could not be used, by kind: `entries` that are none, `long_entries`, `long_keys`, and `more_entries` and
    `more_keys` than there is room for."""
    index: BookIndex = field(default_factory=lambda: BookIndex(()), compare=False, repr=False)
    """Its keys; `index.patterns.refused` are those that never match."""


def read_lorebook(book: object) -> Lorebook:
    """The book in a card's `character_book`; what is no book is an empty one."""
    given = as_object(book)
    left_out: Counter[str] = Counter()
    entries = tuple(_named(_bounded(_entries(given.get("entries"), left_out), left_out)))
    return Lorebook(
        entries=entries,
        scan_depth=as_count(given.get("scan_depth")),
        token_budget=as_count(given.get("token_budget")),
        recursive=as_flag(given.get("recursive_scanning")) is True,
        among_messages=any(entry.depth is not None for entry in entries),
        counts_replies=any(_counts_replies(entry.decorators) for entry in entries),
        left_out=dict(left_out),
        index=BookIndex(entries),
    )


def _counts_replies(told: Decorators) -> bool:
    return told.activate_only_after is not None or told.activate_only_every is not None


def _entries(value: object, left_out: Counter[str]) -> Iterator[Entry]:
    """The entries of a list, or of an object as world-info files have them."""
    if isinstance(value, Mapping):
        value = list(cast("Mapping[str, object]", value).values())
    if not isinstance(value, list | tuple):
        return
    for number, item in enumerate(cast("list[object]", value)):
        if number == MOST_ENTRIES:
            left_out["more_entries"] += len(cast("list[object]", value)) - number
            return
        if not isinstance(item, Mapping):
            left_out["entries"] += 1
        elif len(as_text(cast("Mapping[str, object]", item).get("content"))) > LONGEST_CONTENT:
            left_out["long_entries"] += 1
        else:
            yield _entry(cast("Mapping[str, Any]", item))


def _bounded(entries: Iterator[Entry], left_out: Counter[str]) -> Iterator[Entry]:
    """The entries up to as many keys as there is room for, without keys that are too long."""
    left, left_varying = MOST_KEYS, MOST_VARYING_KEYS
    for entry in entries:
        keys = [*entry.keys, *entry.secondary, *entry.decorators.exclude_keys]
        keys += [key for group in entry.decorators.additional_keys for key in group]
        if any(len(key) > LONGEST_KEY for key in keys):
            left_out["long_keys"] += 1
            continue
        keys += entry.patterns
        varying = sum(map(has_macro, keys))
        if len(keys) > left or varying > left_varying:
            left_out["more_keys"] += 1
        else:
            left -= len(keys)
            left_varying -= varying
            yield entry


def _named(entries: Iterator[Entry]) -> Iterator[Entry]:
    """The entries, each with a key of its own: of two of one key, the second is told apart by a number."""
    taken: Counter[str] = Counter()
    for entry in entries:
        taken[entry.key] += 1
        nth = taken[entry.key]
        yield entry if nth == 1 else replace(entry, key=f"{entry.key}~{nth}")


class _Fields:
    """An entry's fields, by any of the names that books have for them."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self._entry, self._extensions = entry, as_object(entry.get("extensions"))

    def get(self, *names: str) -> object:
        """A field of the entry itself."""
        return next((self._entry[name] for name in names if self._entry.get(name) is not None), None)

    def option(self, *names: str) -> object:
        """A field of its extensions, else of the entry itself."""
        found = (self._extensions[name] for name in names if self._extensions.get(name) is not None)
        return next(found, self.get(*names))


def _entry(given: Mapping[str, Any]) -> Entry:
    fields = _Fields(given)
    decorators, content = parse_decorators(as_text(fields.get("content")))
    given_keys = as_keys(fields.get("keys", "key"))
    enabled, disabled = as_flag(fields.get("enabled")), as_flag(fields.get("disable"))
    priority = as_number(fields.get("priority"))
    order = as_number(fields.get("insertion_order", "order"))
    chance = as_number(fields.option("probability")) if as_flag(fields.option("useProbability")) is not False else None
    secondary = as_keys(fields.get("secondary_keys", "keysecondary"))
    keys, patterns, by_pattern = _told_apart(given_keys, decorators, use_regex=as_flag(fields.get("use_regex")) is True)
    id_ = fields.get("id", "uid")
    depth, from_oldest = _depth(fields, decorators)
    recursion_delay = fields.option("delay_until_recursion", "delayUntilRecursion")
    return Entry(
        key=_key(id_, given_keys, content),
        id=id_ if isinstance(id_, int | str) else None,
        name=as_text(fields.get("name", "comment")),
        content=content,
        keys=keys,
        secondary=secondary if as_flag(fields.get("selective")) else (),
        logic=_of(_LOGICS, fields.option("selectiveLogic"), "any"),
        enabled=enabled is not False and disabled is not True,
        constant=as_flag(fields.get("constant")) is True,
        patterns=patterns,
        by_pattern=by_pattern,
        case_sensitive=as_flag(fields.option("case_sensitive", "caseSensitive")) is True,
        whole_words=as_flag(fields.option("match_whole_words", "matchWholeWords")) is True,
        order=DEFAULT_ORDER if order is None else order,
        priority=0.0 if priority is None else priority,
        place=decorators.position or _place(given.get("position")),
        depth=depth,
        from_oldest=from_oldest,
        role=decorators.role or _of(_ROLES, fields.option("role"), "system"),
        scan_depth=as_count(fields.option("scan_depth", "scanDepth"))
        if decorators.scan_depth is None
        else decorators.scan_depth,
        probability=_first(decorators.probability, chance, 100.0),
        sticky=as_count(fields.option("sticky")) or 0,
        cooldown=as_count(fields.option("cooldown")) or 0,
        delay=as_count(fields.option("delay")) or 0,
        triggered_by_entries=as_flag(fields.option("exclude_recursion", "excludeRecursion")) is not True,
        triggered_by_messages=not (as_flag(recursion_delay) is True or (as_count(recursion_delay) or 0) > 0),
        triggers_entries=as_flag(fields.option("prevent_recursion", "preventRecursion")) is not True,
        group=as_text(fields.option("group")).strip(),
        group_weight=max(_first(as_number(fields.option("group_weight", "groupWeight")), 100.0), 0.0),
        decorators=decorators,
    )


def _told_apart(
    keys: tuple[str, ...], decorators: Decorators, *, use_regex: bool
) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """An entry's plain keys, its patterns, and whether those alone count.

    SillyTavern stamps `use_regex` on every entry that it exports, so it means what it says only where a key is written
    as a pattern. Elsewhere a key is a word, and if it looks like more than one, a pattern besides.
    """
    if not use_regex:
        return keys, (), False
    if any(is_slashed(key) for key in keys):
        more = (key for group in decorators.additional_keys for key in group)
        return (), (*keys, *more), True
    return keys, tuple(key for key in keys if _SYNTAX.search(key) and not has_macro(key)), False


def _key(id_: object, keys: Sequence[str], content: str) -> str:
    """A key in plain characters, which any store takes as it is."""
    own = str(id_) if isinstance(id_, int | str) else ""
    if own.isascii() and own.isprintable() and 0 < len(own) <= _LONGEST_ID:
        return own
    told = "\0".join([own, *keys, content]).encode("utf-8", "replace")
    return f"#{hashlib.sha256(told).hexdigest()[:16]}"


def _place(position: object) -> Place:
    return "before_char" if position in ("before_char", 0) else "after_char"


def _depth(fields: _Fields, decorators: Decorators) -> tuple[int | None, bool]:
    """How deep among the messages, and whether that is counted from the oldest; None for a place in the character."""
    if decorators.position is not None:
        return None, False
    if decorators.depth is not None:
        return decorators.depth, False
    if decorators.reverse_depth is not None:
        return decorators.reverse_depth, True
    if as_number(fields.option("position")) == _AT_DEPTH:
        return _first(as_count(fields.option("depth")), _AT_DEPTH), False
    return None, False


def _first(*values: _Value | None) -> _Value:
    """The first that is there; the last always is."""
    return next(value for value in values if value is not None)


def _of(words: Sequence[_Value], number: object, default: _Value) -> _Value:
    """The word for a number, or the word itself."""
    if number in words:
        return cast("_Value", number)
    index = as_count(number)
    return words[index] if index is not None and index < len(words) else default
