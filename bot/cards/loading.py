"""From a file's bytes to a card: what kind of file it is, by its first bytes and never by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bot.cards import assets, charx, exif, fields, json_text, payload, plain_text, png, shapes, yaml_text
from bot.cards.card import (
    LARGEST_CARD,
    LARGEST_FILE,
    Card,
    Container,
    Refused,
    Remarks,
    card_of,
    shown_name,
    usable_assets,
)
from bot.cards.emotions import emotions_in
from bot.errors import CardError

Attempt = Callable[[Remarks], object]
"""A way to the value that a card's fields are in."""
_YAML_FIELDS = frozenset({*shapes.FIELDS, *shapes.OTHER_NAMES, "spec", "data"})
_JSON_LIST = re.compile(r"\[\s*[\[{]")


def load(source: bytes | Path | str, *, name: str | None = None) -> Card:
    """The card in a file, or in bytes; raise `CardError`, whose `kind` says what is wrong.

    `name` is what a card without a name is called; for a file it is that of the file.
    """
    if not isinstance(source, bytes):
        path = Path(source)
        source, name = _read(path), name if name is not None else path.stem
    called = shown_name(name or "") or "the card"
    try:
        return _load(source, file_name=name or "")
    except Refused as refused:
        raise CardError(refused.kind, f"{called} {refused}") from None


def _read(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise CardError("not_a_card", f"{path} is no file")
        with path.open("rb") as file:
            return file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no file can be called so"
        raise CardError("not_a_card", f"cannot read the card {path}: {reason}") from None


def _load(data: bytes, *, file_name: str) -> Card:
    if len(data) > LARGEST_FILE:
        raise Refused("too_large", f"has over {LARGEST_FILE // 2**20} MiB; no card is that large")
    found = Remarks()
    container, attempts = _attempts(data, found)
    refused_for = None
    while attempts:
        remarks = found.copy()
        try:
            root = attempts.pop(0)(remarks)  # popped, so that the text goes once it is parsed
            document, version = fields.normalised(root, remarks, file_name=file_name)
        except Refused as refused:
            if refused_for is None:
                refused_for = refused.kind, str(refused)
            if not attempts:
                raise Refused(*refused_for) from None
            continue
        if refused_for is not None:
            remarks.add("fell_back_to_chara", refused_for[0])
        usable = tuple(usable_assets(document["data"]["assets"]))
        assets.check(usable, container, data, remarks)
        return card_of(
            document,
            version=version,
            container=container,
            warnings=remarks.all(),
            emotions=emotions_in(usable, container, data),
            file=data,
        )
    raise AssertionError("a container gives at least one way to its card")


def _attempts(data: bytes, remarks: Remarks) -> tuple[Container, list[Attempt]]:
    """What kind of file it is, and the ways to the card in it, the better one first."""
    if data.startswith(png.SIGNATURE):
        return "png", png.read(data, remarks)
    if data.startswith(charx.MAGIC) or charx.is_behind(data):
        return "charx", [partial(charx.read, data)]
    if data.startswith(exif.JPEG) or exif.is_webp(data):
        return "webp" if exif.is_webp(data) else "jpeg", [partial(exif.read, data)]
    text = payload.refuse_encrypted(payload.decode(data).strip())
    if not text:
        raise Refused("empty", "is empty; choose another file")
    if len(text) > LARGEST_CARD:
        raise Refused("too_large", f"holds over {LARGEST_CARD // 2**20} MiB of text; no card is that large")
    if (json := _json_in(text)) is not None:
        return "json", [partial(json_text.parse, json)]
    if "\0" in text:
        raise Refused("unsupported_format", "is of a format that holds no card; export it as JSON")
    if yaml_text.is_likely(text, fields=_YAML_FIELDS):
        root = yaml_text.parse(text, remarks)
        if root is not None:
            return "yaml", [lambda _: root]
    return "text", [lambda _: plain_text.parse(text)]


def _json_in(text: str) -> str | None:
    """The JSON in a text, which may be base64; None for a text that only begins like JSON, as `{{char}}` does."""
    if (text.startswith("{") and not text.startswith("{{")) or _JSON_LIST.match(text):
        return text
    if text.startswith(("[", '"')):  # a text may begin so too, and is rarely JSON all through
        try:
            json_text.parse(text, Remarks())
        except Refused:
            return None
        return text
    if text.isascii():
        try:
            decoded = payload.refuse_encrypted(payload.decode(payload.from_base64(text.encode())).strip())
        except Refused:
            return None
        return decoded if decoded.startswith("{") else None
    return None
