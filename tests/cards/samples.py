"""Cards of our own in every container, and what a test asks of one."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

from bot.cards import Card, Persona, load

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
MIA: dict[str, Any] = {"name": "Mia", "description": "A gardener.", "first_mes": "Hello!"}
V2: dict[str, Any] = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**MIA, "system_prompt": "Be brief."}}
V3: dict[str, Any] = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": {
        **MIA,
        "nickname": "Mimi",
        "alternate_greetings": ["Good evening!", "Welcome back!"],
        "group_only_greetings": ["Hello, all of you!"],
        "tags": ["garden"],
        "creation_date": 1718000000,
        "extensions": {"garden": {"roses": [1, 2, {"red": None}]}},
        "character_book": {
            "extensions": {},
            "entries": [
                {"keys": ["rose"], "content": "It is red.", "extensions": {}, "enabled": True, "insertion_order": 1}
            ],
        },
        "assets": [
            {"type": "icon", "uri": "embeded://assets/main.png", "name": "main", "ext": "png"},
            {"type": "emotion", "uri": "__asset:0", "name": "joy", "ext": "png"},
        ],
    },
}
YAML = """\
name: Mia
greeting: |-
  Hello!
  Come in.
context: &who |
  A gardener.
notes: [*who, *who]
"""
TEXT = "Name: Mia\nDescription: A gardener.\nFirst message:\nHello!\nExample messages:\n<START>\n{{char}}: hi\n"


def as_json(card: object) -> bytes:
    return json.dumps(card).encode()


def chunk(kind: bytes, value: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(value)) + kind + value + struct.pack(">I", zlib.crc32(kind + value))


def png(*chunks: bytes, end: bytes = chunk(b"IEND", b"")) -> bytes:
    """A picture of one grey dot with these chunks behind its header."""
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + chunk(b"IDAT", zlib.compress(b"\0\x80")) + end


def text_chunk(keyword: str, value: bytes) -> bytes:
    return chunk(b"tEXt", keyword.encode() + b"\0" + value)


def card_chunk(card: object, *, keyword: str = "ccv3") -> bytes:
    return text_chunk(keyword, base64.b64encode(as_json(card)))


def charx(members: Mapping[str, bytes], *, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def exif(comment: bytes, *, order: str = "<") -> bytes:
    """EXIF data with a comment in its EXIF folder."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    first = struct.pack(order + "IHHHIII", 8, 1, 0x8769, 4, 1, 26, 0)
    return mark + first + struct.pack(order + "HHHIII", 1, 0x9286, 7, len(comment), 44, 0) + comment


def jpeg(body: bytes) -> bytes:
    """A JPEG with this EXIF data; the picture itself is left out."""
    segment = b"Exif\0\0" + body
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + b"\xff\xda\0\2\xff\xd9"


def webp(body: bytes) -> bytes:
    chunks = b"WEBP" + b"EXIF" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def every_container() -> list[bytes]:
    """A card in each container."""
    json_ = as_json(V3)
    inflated = b"ccv3\0\0" + zlib.compress(base64.b64encode(json_))
    international = b"ccv3\0\1\0en\0\0" + zlib.compress(base64.b64encode(json_))
    joy = text_chunk("chara-ext-asset_:0", base64.b64encode(png()))
    archive = charx({"card.json": json_, "assets/main.png": png()})
    return [
        json_,
        as_json(V2),
        as_json(MIA),
        png(card_chunk(V3), card_chunk(V2, keyword="chara"), joy),
        png(chunk(b"zTXt", inflated)),
        png(chunk(b"iTXt", international)),
        archive,
        charx({"card.json": json_}, packing=zipfile.ZIP_STORED),
        b"MZ a program" + archive,
        jpeg(exif(b"ASCII\0\0\0" + json_)) + archive,
        jpeg(exif(b"UNICODE\0" + json_.decode().encode("utf-16-le"))),
        webp(exif(b"ASCII\0\0\0" + ",".join(map(str, json_)).encode(), order=">")),
        YAML.encode(),
        TEXT.encode(),
        base64.b64encode(json_),
    ]


def moody(*emotions: str) -> Persona:
    """Mia, with a picture for each of these."""
    uri = f"data:image/png;base64,{base64.b64encode(png()).decode()}"
    told = [{"type": "emotion", "name": name, "uri": uri, "ext": "png"} for name in emotions]
    return load(as_json({"spec": "chara_card_v3", "spec_version": "3.0", "data": {**MIA, "assets": told}})).persona()


def undated(card: Card) -> tuple[Card, dict[str, Any]]:
    """All that a card says, but for when it was changed last."""
    document = card.document
    document["data"].pop("modification_date", None)
    return replace(card, v3=b""), document


def at(document: object, pointer: str) -> Any:
    """The value at a JSON pointer."""
    value = cast("Any", document)
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        value = cast("Any", value[int(key)] if isinstance(value, list) else value[key])
    return value
