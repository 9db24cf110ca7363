"""Character cards: a file in, a `Persona` out. Pure but for reading the one file; no network.

Read here: JSON in the shapes V1, V2 and V3, and plain text, of which the whole is the description. Error kinds:
`not_a_card unsupported_format empty bad_encoding bad_json bad_shape missing_name too_large`.
"""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from bot.errors import CardError
from bot.model import Persona

LARGEST = 16 * 1024 * 1024
"""Bytes of a card file."""


def load(path: Path) -> Persona:
    """The persona of a card file; raise `CardError` saying what is wrong with it and what to do."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise CardError("not_a_card", f"cannot read the card {path}: {error.strerror}; see CHARACTER_CARD") from None
    if len(data) > LARGEST:
        raise CardError("too_large", f"{path} has over {LARGEST // 2**20} MiB; no card is that large")
    return parse(data, name=path.stem)


def default() -> Persona:
    """The persona that ships with the product."""
    return parse((files("bot.data") / "default_card.json").read_bytes(), name="default")


def parse(data: bytes, *, name: str) -> Persona:
    """The persona in a card's bytes; `name` is the file's, for a text that names nobody."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" or data[:4] == b"PK\x03\x04" or data[:3] == b"\xff\xd8\xff":
        raise CardError("unsupported_format", f"{name} is an image or archive; export the card as JSON")
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig").strip()
    except UnicodeDecodeError:
        raise CardError("bad_encoding", f"{name} is not text in UTF-8; save it as UTF-8") from None
    if not text:
        raise CardError("empty", f"{name} is empty")
    sha256 = hashlib.sha256(data).hexdigest()
    if text.startswith("{") and not text.startswith("{{"):
        return _from_json(text, name=name, sha256=sha256)
    return Persona(name=name.replace("_", " ").strip(), description=text, sha256=sha256)


def _from_json(text: str, *, name: str, sha256: str) -> Persona:
    try:
        root: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise CardError("bad_json", f"{name} is not whole JSON{where}; export the card again") from None
    if not isinstance(root, dict):
        raise CardError("bad_shape", f"{name} holds no JSON object; a card is one")
    card = cast("dict[str, Any]", root)
    data = card.get("data") if card.get("spec") in ("chara_card_v2", "chara_card_v3") else card
    if not isinstance(data, dict):
        raise CardError("bad_shape", f"{name} has no `data` object, which a V2 or V3 card keeps its fields in")
    fields = cast("dict[str, Any]", data)

    def field(key: str) -> str:
        value = fields.get(key)
        return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""

    if "spec" not in card and not any(field(key) for key in ("description", "personality", "first_mes", "scenario")):
        raise CardError("not_a_card", f"{name} is JSON, but has none of a card's fields")
    shown = field("nickname").strip() or field("name").strip()
    if not shown:
        raise CardError("missing_name", f"{name} has no name; give the card one")
    return Persona(
        name=" ".join(shown.split())[:80],
        description=field("description"),
        personality=field("personality"),
        scenario=field("scenario"),
        greeting=field("first_mes"),
        examples=field("mes_example"),
        system_prompt=field("system_prompt"),
        post_history=field("post_history_instructions"),
        sha256=sha256,
    )
