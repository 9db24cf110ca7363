"""A card's fields in the shape of V3: every one with its type and default, and every unknown key kept."""

from __future__ import annotations

from typing import Any

from bot.cards import book, shapes
from bot.cards.card import GREETINGS, TEXTS, Refused, Remarks, Version, shown_name
from bot.cards.coerce import Coercion

DATES = ("creation_date", "modification_date")
DEFAULT_ASSETS = ({"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"},)
"""What an undefined list of assets stands for."""
AS_FOUND = "as_found"
OURS = "companion"
"""Our own key among the extensions; below it, `as_found` keeps what had no use where it stood."""


def normalised(root: object, remarks: Remarks, *, file_name: str) -> tuple[dict[str, Any], Version]:
    """The document in the shape of V3 that a card's root stands for, and the version it was. Takes the root over."""
    coercion = Coercion(remarks)
    shape = shapes.shape_of(root, coercion)
    data = shape.data
    for key in ("name", *TEXTS):
        data[key] = coercion.text(data[key], f"/data/{key}") if key in data else ""
    for key in GREETINGS:
        data[key] = coercion.texts(data.get(key, []), f"/data/{key}", holes=True)
    data["tags"] = coercion.texts(data.get("tags", []), "/data/tags", split=True)
    data["extensions"] = coercion.mapping(data.get("extensions", {}), "/data/extensions")
    _optional_fields(data, coercion)
    data["name"] = _name(data, remarks, file_name=file_name)
    _keep(coercion, data["extensions"])
    document = {"spec": shapes.SPEC, "spec_version": shape.spec_version, "data": data, **shape.envelope}
    return document, shape.version


def _optional_fields(data: dict[str, Any], coercion: Coercion) -> None:
    for key in ("nickname", "source", "creator_notes_multilingual", "character_book", "assets", *DATES):
        if key in data and data[key] is None:
            coercion.remarks.add("coerced", f"/data/{key}")
            del data[key]
    if "nickname" in data:
        data["nickname"] = coercion.text(data["nickname"], "/data/nickname")
    if "source" in data:
        data["source"] = coercion.texts(data["source"], "/data/source")
    if "creator_notes_multilingual" in data:
        where = "/data/creator_notes_multilingual"
        notes = coercion.mapping(data["creator_notes_multilingual"], where)
        data["creator_notes_multilingual"] = {
            language: coercion.text(note, f"{where}/{language}") for language, note in notes.items()
        }
    coercion.optional(data, "character_book", lambda found, _: book.normalised(found, coercion), "/data")
    if not isinstance(data.get("assets", []), list):
        coercion.set_aside(data.pop("assets"), "/data/assets")
    coercion.bounded(data.setdefault("assets", [dict(asset) for asset in DEFAULT_ASSETS]), "/data/assets")
    for key in DATES:
        coercion.optional(data, key, coercion.number, "/data")


def _name(data: dict[str, Any], remarks: Remarks, *, file_name: str) -> str:
    """The card's name; else its nickname, else what its file is called."""
    if shown_name(data["name"]):
        return data["name"]
    remarks.add("named_by_other", "/data/name")
    told = any(data[key] for key in (*TEXTS, *GREETINGS))
    named = shown_name(data.get("nickname", "")) or (shown_name(file_name.replace("_", " ")) if told else "")
    if not named:
        raise Refused("missing_name", "has no name; give the card one")
    return named


def _keep(coercion: Coercion, extensions: dict[str, Any]) -> None:
    """Keep what was set aside, beside what was so before."""
    if coercion.aside:
        where = f"/data/extensions/{OURS}"
        ours = coercion.mapping(extensions.get(OURS, {}), where)
        before = coercion.mapping(ours.get(AS_FOUND, {}), f"{where}/{AS_FOUND}")
        extensions[OURS] = {**ours, AS_FOUND: {**before, **coercion.aside}}
