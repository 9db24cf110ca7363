"""Values of any type, read as the type that a field has, without losing what they said.

What cannot be read so is kept in the card's extensions, under the pointer where it stood.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, cast

from bot.cards.card import Refused, Remarks, WarningKind

MOST_ITEMS = 20_000
"""Of one list: entries of a book, assets, tags, or keys of an entry."""
_NUMBER = re.compile(r"\s*[-+]?\d{1,15}(\.\d{1,15})?\s*", re.ASCII)
_FLAGS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}


class Coercion:
    """One card's values on their way into their types."""

    def __init__(self, remarks: Remarks) -> None:
        self.remarks = remarks
        self.aside: dict[str, Any] = {}
        """Pointer → what stood there."""

    def set_aside(self, value: object, where: str, *, kind: WarningKind = "set_aside") -> None:
        """Keep a value that has no use where it stands; what is null or empty says nothing."""
        is_empty = value is None or value in ("", [], {})
        self.remarks.add("coerced" if is_empty and kind == "set_aside" else kind, where)
        if not is_empty:
            self.aside[where] = value

    def text(self, value: object, where: str) -> str:
        """Numbers and the like as JSON writes them; a list of texts is their lines; null is nothing."""
        if isinstance(value, str):
            return value
        self.remarks.add("coerced", where)
        if value is None:
            return ""
        if isinstance(value, list):
            lines = cast("list[object]", value)
            if all(isinstance(line, str) for line in lines):
                return "\n".join(cast("list[str]", lines))
        return json.dumps(value, ensure_ascii=False)

    @staticmethod
    def bounded(items: list[Any], where: str) -> list[Any]:
        """A list that is not longer than any card's."""
        if len(items) > MOST_ITEMS:
            raise Refused("too_large", f"has {len(items):,} items at {where}; {MOST_ITEMS:,} are read at most")
        return items

    def texts(self, value: object, where: str, *, split: bool = False, holes: bool = False) -> list[str]:
        """A list of texts. A single text is one, or with `split` several with commas between them.

        With `holes` what is no text leaves an empty one, so that the others keep their positions.
        """
        if isinstance(value, list) and all(
            isinstance(item, str) for item in self.bounded(cast("list[object]", value), where)
        ):
            return cast("list[str]", value)
        self.remarks.add("coerced", where)
        if isinstance(value, str):
            parts = self.bounded(value.split(","), where) if split else [value]
            return [part for part in (part.strip() if split else part for part in parts) if part]
        if value is None:
            return []
        items = cast("list[object]", value) if isinstance(value, list) else [value]
        return list(self._items(items, where, holes=holes))

    def _items(self, items: Iterable[object], where: str, *, holes: bool) -> Iterable[str]:
        for n, item in enumerate(items):
            if isinstance(item, str):
                yield item
            elif isinstance(item, int | float):
                yield json.dumps(item)
            else:
                if item is not None:
                    self.set_aside(item, f"{where}/{n}")
                if holes:
                    yield ""

    def number(self, value: object, where: str) -> float | None:
        """A number, whether written as one or as a text; None for anything else."""
        if isinstance(value, int | float) and not isinstance(value, bool):
            return value
        if isinstance(value, str) and _NUMBER.fullmatch(value):
            self.remarks.add("coerced", where)
            number = float(value)
            return int(number) if number.is_integer() else number
        self.set_aside(value, where)
        return None

    def flag(self, value: object, where: str) -> bool | None:
        if isinstance(value, bool):
            return value
        if isinstance(value, int | str) and (known := _FLAGS.get(str(value).strip().lower())) is not None:
            self.remarks.add("coerced", where)
            return known
        self.set_aside(value, where)
        return None

    def mapping(self, value: object, where: str) -> dict[str, Any]:
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
        self.set_aside(value, where)
        return {}

    def optional(
        self, fields: dict[str, Any], key: str, read: Callable[[object, str], object | None], where: str
    ) -> None:
        """Read a field as its type, where it stands; what is null or of no use is as if it were not there."""
        if key in fields:
            known = read(fields[key], f"{where}/{key}") if fields[key] is not None else None
            if known is None:
                del fields[key]
            else:
                fields[key] = known
