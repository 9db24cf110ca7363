"""What a character card is once it is read: immutable, in the shape of V3, with what was odd about its file."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from bot.cards.character import Persona, read_character

LARGEST_FILE = 16 * 2**20
"""Bytes of a card's file."""
LARGEST_CARD = 8 * 2**20
"""Bytes of a card's JSON or text, whatever it was packed in."""
LARGEST_ASSET = 8 * 2**20
_DATE = 64
"""Bytes left free for a date of modification, so that what is exported can be read again."""
LONGEST_NAME = 80
"""Characters of a name that is shown."""

Version = Literal["v1", "v2", "v3"]
Container = Literal["json", "png", "charx", "jpeg", "webp", "yaml", "text"]
ErrorKind = Literal[
    "not_a_card",
    "unsupported_format",
    "unsupported_spec",
    "empty",
    "truncated",
    "corrupt",
    "bad_base64",
    "bad_encoding",
    "bad_json",
    "bad_yaml",
    "bad_shape",
    "missing_name",
    "missing_card_json",
    "bad_archive",
    "encrypted",
    "too_large",
    "too_deep",
]
WarningKind = Literal[
    "newer_spec_version",
    "older_spec_version",
    "bad_spec_version",
    "unknown_spec",
    "coerced",  # of another type than the specification's, and read as that
    "set_aside",  # of no use here, and kept in extensions
    "dropped_entry",
    "named_by_other",  # the name was empty
    "replaced_characters",  # that no database keeps
    "fell_back_to_chara",
    "duplicate_chunk",
    "crc_mismatch",
    "truncated",
    "asset_missing",
    "asset_too_large",
    "unsafe_asset_path",
]
MOST_WARNINGS = 100
TEXTS = (
    *("description", "personality", "scenario", "first_mes", "mes_example", "creator_notes"),
    *("system_prompt", "post_history_instructions", "creator", "character_version"),
)
"""The fields that are a text, beside the name; "" where a card has none."""
GREETINGS = ("alternate_greetings", "group_only_greetings")

_JOINERS = "\u200c\u200d"
"""Invisible, but part of Persian words and of emoji."""


class Refused(Exception):
    """A file that gives no card. The message goes on from the file's name: `is empty; choose another`."""

    def __init__(self, kind: ErrorKind, message: str) -> None:
        super().__init__(message)
        self.kind: ErrorKind = kind


@dataclass(frozen=True, slots=True)
class CardWarning:
    """Something odd that did not stop the card from being read."""

    kind: WarningKind
    where: str
    """A JSON pointer into the card, or the part of the file."""


class Remarks:
    """The warnings of one reading, each once, and no more than a person would look through."""

    def __init__(self) -> None:
        self._kept: dict[CardWarning, None] = {}

    def copy(self) -> Remarks:
        """The same so far, to go on from."""
        copied = Remarks()
        copied._kept.update(self._kept)
        return copied

    def add(self, kind: WarningKind, where: str) -> None:
        if len(self._kept) < MOST_WARNINGS:
            self._kept[CardWarning(kind, where)] = None

    def all(self) -> tuple[CardWarning, ...]:
        return tuple(self._kept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A picture, sound or other file that belongs to a card; `bot.cards.assets.content` has its bytes."""

    type: str
    uri: str
    name: str
    ext: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A character card, whole. Two are equal when they say the same, whatever files they came in."""

    name: str
    """As the card writes it: of any length, on any number of lines."""
    nickname: str
    description: str
    personality: str
    scenario: str
    first_mes: str
    mes_example: str
    creator_notes: str
    creator_notes_multilingual: tuple[tuple[str, str], ...]
    """Language → notes."""
    system_prompt: str
    post_history_instructions: str
    alternate_greetings: tuple[str, ...]
    group_only_greetings: tuple[str, ...]
    tags: tuple[str, ...]
    creator: str
    character_version: str
    assets: tuple[Asset, ...]
    """Those that can be used; the others are in `document` only."""
    v3: bytes = field(repr=False)
    """All of the card as JSON in the shape of V3: defaults filled in, keys we do not know kept."""
    version: Version = field(compare=False)
    """The specification it was written for."""
    container: Container = field(compare=False)
    warnings: tuple[CardWarning, ...] = field(compare=False)
    emotions: tuple[tuple[str, Asset], ...] = field(compare=False, repr=False)
    """The character's pictures that can be sent, by the names that it calls them by; see bot/cards/emotions.py."""
    file: bytes = field(compare=False, repr=False)
    """The file as it came, which assets are read from when they are asked for."""

    @property
    def document(self) -> dict[str, Any]:
        """`v3`, parsed; a fresh one each time."""
        return json.loads(self.v3)

    @property
    def shown_name(self) -> str:
        """The name to call the character by: on one line, bounded, never empty."""
        return shown_name(self.nickname) or shown_name(self.name)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.file).hexdigest()

    def notes_in(self, language: str) -> str | None:
        """The creator's notes in a language (ISO 639-1); `creator_notes` are the English ones if no others are."""
        return {"en": self.creator_notes, **dict(self.creator_notes_multilingual)}.get(language)

    def persona(self) -> Persona:
        """Who the bot is by this card. All of it is read for that, so keep what this gives."""
        return Persona(
            name=self.shown_name,
            character=read_character(self.document["data"]),
            emotions=tuple(name for name, _ in self.emotions),
            sha256=self.sha256,
        )


def shown_name(name: str) -> str:
    """A name on one line and bounded, without what a screen would obey; "" when nothing is left."""
    seen = (each if each in _JOINERS or unicodedata.category(each)[0] != "C" else " " for each in name[:2000])
    return " ".join("".join(seen).split())[:LONGEST_NAME].strip(_JOINERS + " ")


def card_of(
    document: Mapping[str, Any],
    *,
    version: Version,
    container: Container,
    warnings: Iterable[CardWarning],
    emotions: tuple[tuple[str, Asset], ...],
    file: bytes,
) -> Card:
    """The card that a document in the shape of V3, defaults filled in, stands for."""
    v3 = dump(document)
    data: dict[str, Any] = document["data"]
    dated = len(dump({"modification_date": data["modification_date"]})) if "modification_date" in data else 0
    if len(v3) - dated > LARGEST_CARD - _DATE:
        raise Refused("too_large", f"holds a card of over {LARGEST_CARD // 2**20} MiB; no card is that large")
    same: dict[str, Any] = {name: data[name] for name in ("name", *TEXTS)}
    lists: dict[str, Any] = {name: tuple(data[name]) for name in (*GREETINGS, "tags")}
    return Card(
        **same,
        **lists,
        nickname=data.get("nickname", ""),
        creator_notes_multilingual=tuple(data.get("creator_notes_multilingual", {}).items()),
        assets=tuple(usable_assets(data["assets"])),
        v3=v3,
        version=version,
        container=container,
        warnings=tuple(warnings),
        emotions=emotions,
        file=file,
    )


def dump(document: Mapping[str, Any]) -> bytes:
    """A document as JSON that any reader takes: no NaN, nothing but UTF-8.

    Encoded piece by piece, as a long text with a single emoji takes four times its size while it is a `str`.
    """
    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    dumped = bytearray()
    for piece in encoder.iterencode(document):
        dumped += piece.encode()
    return bytes(dumped)


def usable_assets(assets: Iterable[Any]) -> Iterable[Asset]:
    """The assets that say what they are and where."""
    for asset in assets:
        if isinstance(asset, dict):
            found = cast("dict[str, Any]", asset)
            type_, uri, name, ext = (found.get(key, "") for key in ("type", "uri", "name", "ext"))
            if all(isinstance(value, str) for value in (type_, uri, name, ext)) and type_ and uri:
                yield Asset(type=type_, uri=uri, name=name, ext=ext)
