"""The shapes that a card's root object comes in: V1, V2, V3, and those of other programs. Each becomes an envelope.

An envelope is the root without what it said about the card itself: keys of other programs, stale copies, and the
like, which are kept where they stand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, cast

from bot.cards.card import Refused, Version
from bot.cards.coerce import Coercion

SPEC = "chara_card_v3"
SPEC_VERSION = "3.0"
_SPECS: dict[str, tuple[Version, float]] = {"chara_card_v2": ("v2", 2.0), SPEC: ("v3", 3.0)}
_NOT_CARDS = ("lorebook_v3",)
_VERSION = re.compile(r"\s*\d{1,9}(\.\d{1,9})?\s*", re.ASCII)

FIELDS = frozenset(
    (
        *("name", "description", "personality", "scenario", "first_mes", "mes_example", "creator_notes"),
        *("system_prompt", "post_history_instructions", "alternate_greetings", "tags", "creator"),
        *("character_version", "extensions", "character_book", "nickname", "creator_notes_multilingual"),
        *("source", "group_only_greetings", "assets", "creation_date", "modification_date"),
    )
)
OTHER_NAMES = {
    "char_name": "name",
    "char_persona": "description",
    "context": "description",
    "persona": "description",
    "world_scenario": "scenario",
    "char_greeting": "first_mes",
    "greeting": "first_mes",
    "example_dialogue": "mes_example",
    "sampleChat": "mes_example",
    "creatorcomment": "creator_notes",
    "systemPrompt": "system_prompt",
    "postHistoryInstructions": "post_history_instructions",
    "alternateGreetings": "alternate_greetings",
    "characterVersion": "character_version",
}
"""How Pygmalion, text-generation-webui, Agnai and older SillyTavern name the fields of a V1 root."""
_IN_EXTENSIONS = ("talkativeness", "fav")
"""What older SillyTavern wrote beside the fields of V1, and writes into the extensions of V2."""
_TELLING = ("description", "personality", "scenario", "first_mes", "mes_example", "system_prompt")
"""Fields of which a card has at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A root object, told apart."""

    version: Version
    spec_version: str
    """As it is written on export."""
    data: dict[str, Any]
    """The fields of the card."""
    envelope: dict[str, Any]
    """What else the root held."""


def shape_of(value: object, coercion: Coercion) -> Shape:
    """The shape of a root value; its parts are taken, not copied."""
    if not isinstance(value, dict):
        raise Refused("bad_shape", "holds no JSON object; a card is one")
    root = cast("dict[str, Any]", value)
    spec = root.get("spec")
    if spec in _NOT_CARDS or _is_world_info(root):
        raise Refused("not_a_card", "is a lorebook without a character; give the card it belongs to")
    data = root.get("data")
    if spec is None:
        nested = isinstance(data, dict) and not _tells(root) and _tells(cast("dict[str, Any]", data))
        return _specified(root, "v2", SPEC_VERSION) if nested else _v1(root, coercion)
    version, written = _version(root, coercion)
    if isinstance(data, dict):
        return _specified(root, version, written)
    if _tells(root):
        coercion.remarks.add("coerced", "/data")
        return _v1(root, coercion)
    if isinstance(spec, str) and spec in _SPECS:
        raise Refused("bad_shape", "has no `data` object, which a V2 or V3 card keeps its fields in")
    raise Refused("unsupported_spec", "is written for a specification unknown here; export the card as V3 or V2")


def _specified(root: dict[str, Any], version: Version, spec_version: str) -> Shape:
    return Shape(version=version, spec_version=spec_version, data=root.pop("data"), envelope=_envelope(root))


def _envelope(root: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in root.items() if key not in ("spec", "spec_version", "data")}


def _v1(root: dict[str, Any], coercion: Coercion) -> Shape:
    """The fields at the top, by whatever name."""
    if not _tells(root):
        raise Refused("not_a_card", "has none of a card's fields")
    if "data" in root:
        coercion.set_aside(root["data"], "/data")
    data = {key: root.pop(key) for key in [*root] if key in FIELDS}
    if attributes := _attributes(root.get("persona")):
        about = data.pop("description", None)  # which Agnai shows to people only
        if about is not None and data.setdefault("creator_notes", about) != about:
            coercion.set_aside(about, "/description")
        data["description"] = attributes
    for other, name in OTHER_NAMES.items():
        if other in root and data.get(name) is None and not isinstance(root[other], dict):
            found = root.pop(other)
            data[name] = found.strip() if isinstance(found, str) else found  # as those programs do
    beside = {key: root.pop(key) for key in _IN_EXTENSIONS if key in root}
    if beside:
        data["extensions"] = {**beside, **coercion.mapping(data.get("extensions", {}), "/data/extensions")}
    return Shape(version="v1", spec_version=SPEC_VERSION, data=data, envelope=_envelope(root))


def _attributes(persona: object) -> str:
    """Agnai's persona, which is text or a table of traits, as text; the table itself stays where it is."""
    if not isinstance(persona, dict):
        return ""
    attributes = cast("dict[str, Any]", persona).get("attributes")
    lines: list[str] = []
    for trait, values in cast("dict[str, Any]", attributes).items() if isinstance(attributes, dict) else ():
        told = ", ".join(str(value) for value in cast("list[object]", values)) if isinstance(values, list) else ""
        lines.append(told if trait == "text" else f"{trait}: {told}")
    return "\n".join(lines)


def _tells(fields: dict[str, Any]) -> bool:
    """Whether there is anything of a character in these fields."""
    return any(fields.get(key) for key in _TELLING) or any(
        fields.get(other) for other, name in OTHER_NAMES.items() if name in _TELLING
    )


def _is_world_info(root: dict[str, Any]) -> bool:
    return isinstance(root.get("entries"), dict | list) and "data" not in root and not root.get("first_mes")


def _version(root: dict[str, Any], coercion: Coercion) -> tuple[Version, str]:
    """The version that a card is read as, and the `spec_version` that it is written with."""
    spec, given = root["spec"], root.get("spec_version")
    if not isinstance(spec, str) or spec not in _SPECS:
        coercion.set_aside(spec, "/spec", kind="unknown_spec")
        return "v3", SPEC_VERSION
    version, known = _SPECS[spec]
    text = str(given) if isinstance(given, str | float | int) else ""
    if not _VERSION.fullmatch(text):
        coercion.remarks.add("bad_spec_version", "/spec_version")
        return version, SPEC_VERSION
    number = float(text)
    if number > known:
        coercion.remarks.add("newer_spec_version", "/spec_version")
    elif number < known:
        coercion.remarks.add("older_spec_version", "/spec_version")
    return version, text.strip() if version == "v3" and number > known else SPEC_VERSION
