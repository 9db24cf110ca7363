"""A card's lorebook in the shape of V3: every entry with its types and defaults, whatever wrote it.

World-info files and older programs name the same things otherwise; those names are read too. What entries do is
not decided here.
"""

from __future__ import annotations

from typing import Any, Final, cast

from bot.cards.coerce import Coercion

ORDER: Final = 100
"""The insertion order of an entry that has none."""
_WHERE = "/data/character_book"
_OLDER_NAMES = {"key": "keys", "keysecondary": "secondary_keys", "order": "insertion_order", "uid": "id"}
_POSITIONS = ("before_char", "after_char")


def normalised(value: object, coercion: Coercion) -> dict[str, Any] | None:
    """The book; None when there is none."""
    if isinstance(value, list):
        coercion.remarks.add("coerced", _WHERE)
        value = {"entries": cast("list[object]", value)}
    if not isinstance(value, dict):
        coercion.set_aside(value, _WHERE)
        return None
    book = cast("dict[str, Any]", value)
    for key in ("name", "description"):
        if key in book:
            book[key] = coercion.text(book[key], f"{_WHERE}/{key}")
    for key in ("scan_depth", "token_budget"):
        coercion.optional(book, key, coercion.number, _WHERE)
    coercion.optional(book, "recursive_scanning", coercion.flag, _WHERE)
    book["extensions"] = coercion.mapping(book.get("extensions", {}), f"{_WHERE}/extensions")
    book["entries"] = _entries(book.get("entries", []), coercion)
    return book


def _entries(value: object, coercion: Coercion) -> list[dict[str, Any]]:
    where = f"{_WHERE}/entries"
    if isinstance(value, dict):  # as world-info files keep them
        value = list(cast("dict[str, Any]", value).values())
    if not isinstance(value, list):
        coercion.set_aside(value, where)
        return []
    items = coercion.bounded(cast("list[object]", value), where)
    entries: list[dict[str, Any]] = []
    for n, item in enumerate(items):
        if isinstance(item, dict):
            entries.append(_entry(cast("dict[str, Any]", item), f"{where}/{n}", coercion))
        else:
            coercion.set_aside(item, f"{where}/{n}", kind="dropped_entry")
    return entries


def _entry(entry: dict[str, Any], where: str, coercion: Coercion) -> dict[str, Any]:
    for older, name in _OLDER_NAMES.items():
        if older in entry and name not in entry:
            entry[name] = entry.pop(older)
    if "disable" in entry and "enabled" not in entry:
        entry["enabled"] = not coercion.flag(entry.pop("disable"), f"{where}/disable")
    coercion.optional(entry, "use_regex", coercion.flag, where)
    entry.setdefault("use_regex", False)
    for key in ("keys", "secondary_keys"):
        if key == "keys" or key in entry:
            split = not entry["use_regex"]  # a comma may be part of a pattern
            entry[key] = coercion.texts(entry.get(key, []), f"{where}/{key}", split=split)
    for key in ("name", "comment", "content"):
        if key == "content" or key in entry:
            entry[key] = coercion.text(entry.get(key, ""), f"{where}/{key}")
    for key in ("enabled", "case_sensitive", "constant", "selective"):
        coercion.optional(entry, key, coercion.flag, where)
    for key in ("insertion_order", "priority"):
        coercion.optional(entry, key, coercion.number, where)
    entry.setdefault("enabled", True)
    entry.setdefault("insertion_order", ORDER)
    entry["extensions"] = coercion.mapping(entry.get("extensions", {}), f"{where}/extensions")
    if not isinstance(entry.get("id", 0), int | float | str):
        coercion.set_aside(entry.pop("id"), f"{where}/id")
    _place(entry, where, coercion)
    return entry


def _place(entry: dict[str, Any], where: str, coercion: Coercion) -> None:
    """The position by its name. World-info files number it, and number more places than V3 has: those keep theirs."""
    position = entry.get("position")
    if "position" not in entry or position in _POSITIONS:
        return
    number = coercion.number(position, f"{where}/position") if position is not None else None
    if number is None:
        del entry["position"]
        return
    coercion.remarks.add("coerced", f"{where}/position")
    entry["position"] = _POSITIONS[number != 0]
    entry["extensions"].setdefault("position", number)
