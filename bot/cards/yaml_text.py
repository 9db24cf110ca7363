"""Cards in YAML, as text-generation-webui writes them.

Every scalar is the text that stands there (`007`, `No`), tags are refused, and aliases are counted as what they
stand for. It goes by the parser's events: nothing is ever constructed.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any, cast

import yaml

from bot.cards.card import LARGEST_CARD, Refused, Remarks
from bot.cards.json_text import DEEPEST, tidy, too_deep

try:
    from yaml import CSafeLoader as Loader
except ImportError:  # PyYAML without libyaml: the same, and slower
    from yaml import SafeLoader as Loader

MOST_EVENTS = 100_000
MOST_EXPANDED = 100_000
"""Characters and values that all aliases together may stand for."""
_KEY = re.compile(r"^([a-z_]+):(?:\s|$)", re.MULTILINE)
_SKIPPED = ("#", "---", "%")
"""What a line may begin with before the first key."""
_HEAD = 4096
"""Characters in which the first key stands."""
_STRUCTURE = re.compile(r"^[ \t]+\S|:[ \t]+[|>&!*\[]", re.MULTILINE)
"""How only YAML is written: with blocks, anchors, or lines set in."""
_TAG_DIRECTIVE = re.compile(r"^%TAG", re.MULTILINE)


def is_likely(text: str, *, fields: frozenset[str]) -> bool:
    """Whether a text begins as YAML does and has one of these keys. Headings of a text are capitalised."""
    lines = (line for line in text[:_HEAD].split("\n") if line.strip() and not line.startswith(_SKIPPED))
    begins = _KEY.match(next(lines, "")) is not None
    return begins and any(found[1] in fields for found in _KEY.finditer(text))


def parse(text: str, remarks: Remarks) -> object:
    """The value of a YAML text; every scalar in it is text. None for what is no YAML, and does not look like it."""
    if len(text) > LARGEST_CARD:
        raise Refused("too_large", f"holds over {LARGEST_CARD // 2**20} MiB of YAML; no card is that large")
    if _TAG_DIRECTIVE.search(text):
        raise _tagged()
    try:
        return tidy(_Builder(text).build(), remarks)
    except yaml.YAMLError as error:
        if not _STRUCTURE.search(text):
            return None
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark is not None else ""
        raise Refused("bad_yaml", f"is not whole YAML{where}; correct it, or save it as JSON") from None


def _tagged() -> Refused:
    return Refused("bad_yaml", "has YAML tags, which no card needs; take them out")


class _Builder:
    """Builds dicts, lists and texts from the events of the first document."""

    def __init__(self, text: str) -> None:
        self._loader = Loader(text)
        self._events = 0
        self._size = 0
        """Characters and values so far, aliases counted as what they stand for."""
        self._expanded = 0
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        """Of each collection or text that is whole: itself, its size and its height."""

    def build(self) -> object:
        try:
            event = self._next()
            while not isinstance(event, yaml.NodeEvent):
                if isinstance(event, yaml.StreamEndEvent):
                    return None
                event = self._next()
            return self._value(event, depth=0)[0]
        finally:
            self._loader.dispose()

    def _next(self) -> yaml.Event:
        self._events += 1
        if self._events > MOST_EVENTS:
            raise Refused("too_large", f"is made of over {MOST_EVENTS:,} pieces of YAML; no card is that large")
        return cast("Any", self._loader).get_event()  # never None before the end of the stream

    def _value(self, event: yaml.Event, *, depth: int) -> tuple[Any, int]:
        """A value and its height, from its first event to its last."""
        if depth > DEEPEST:
            raise too_deep()
        if isinstance(event, yaml.AliasEvent):
            return self._copy(event.anchor or "", depth=depth)
        if getattr(event, "tag", None) is not None:
            raise _tagged()
        before, height = self._size, 0
        self._size += 1
        value: Any
        if isinstance(event, yaml.MappingStartEvent):
            value = {}
            while not isinstance(inner := self._next(), yaml.MappingEndEvent):
                if not isinstance(inner, yaml.ScalarEvent):
                    raise yaml.YAMLError  # as `{{char}}` is, in a text that is no YAML
                key, _ = self._value(inner, depth=depth + 1)
                value[key], below = self._value(self._next(), depth=depth + 1)
                height = max(height, below + 1)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = []
            while not isinstance(inner := self._next(), yaml.SequenceEndEvent):
                item, below = self._value(inner, depth=depth + 1)
                value.append(item)
                height = max(height, below + 1)
        else:
            value = cast("yaml.ScalarEvent", event).value
            self._size += len(value)
        if (anchor := cast("yaml.NodeEvent", event).anchor) is not None:
            self._anchors[anchor] = value, self._size - before, height
        return value, height

    def _copy(self, anchor: str, *, depth: int) -> tuple[Any, int]:
        """What an alias stands for, as a value of its own."""
        if anchor not in self._anchors:
            raise Refused("bad_yaml", "has a YAML alias for itself; correct it")
        value, size, height = self._anchors[anchor]
        self._size += size
        self._expanded += size
        if self._expanded > MOST_EXPANDED:
            raise Refused("too_large", "has YAML aliases that stand for more than any card holds")
        if depth + height > DEEPEST:
            raise too_deep()
        return deepcopy(value), height
