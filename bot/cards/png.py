"""Cards in PNG and APNG: text chunks named `ccv3` or `chara`, and assets beside them.

The chunks are walked here, and no further than IEND; pixels are never looked at.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from bot.cards import json_text, payload
from bot.cards.card import LARGEST_ASSET, Refused, Remarks

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_CHUNKS = 65_536
KEYWORDS = ("ccv3", "chara")
"""Where a card is kept, the better place first."""
_ASSET_KEYWORDS = ("chara-ext-asset_:", "chara-ext-asset_")
_LONGEST_KEYWORD = 200
"""79 by the specification of PNG; names of assets are longer than that in practice."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A whole chunk: where its data stands in the file."""

    kind: bytes
    start: int
    end: int

    def value(self, png: bytes) -> bytes:
        return png[self.start : self.end]

    def raw(self, png: bytes) -> bytes:
        """With its length before and its checksum behind, as it stands in the file."""
        return png[self.start - 8 : self.end + 4]

    def is_sound(self, png: bytes) -> bool:
        return zlib.crc32(png[self.start - 4 : self.end]) == int.from_bytes(png[self.end : self.end + 4], "big")


def walk(png: bytes) -> Iterator[Chunk]:
    """The whole chunks up to and with IEND; without IEND at the end, the file was cut."""
    at = len(SIGNATURE)
    for _ in range(MOST_CHUNKS):
        chunk = Chunk(png[at + 4 : at + 8], at + 8, at + 8 + int.from_bytes(png[at : at + 4], "big"))
        if chunk.end + 4 > len(png):
            return
        yield chunk
        if chunk.kind == b"IEND":
            return
        at = chunk.end + 4
    raise Refused("too_large", f"has over {MOST_CHUNKS:,} chunks; no picture of a card does")


def keyword(chunk: Chunk, png: bytes) -> str | None:
    """What a text chunk is named; None for any other chunk."""
    if chunk.kind not in (b"tEXt", b"zTXt", b"iTXt"):
        return None
    end = png.find(b"\0", chunk.start, min(chunk.end, chunk.start + _LONGEST_KEYWORD))
    return None if end < 0 else png[chunk.start : end].decode("latin-1")


def is_card(chunk: Chunk, png: bytes) -> bool:
    return (keyword(chunk, png) or "").lower() in KEYWORDS


def read(png: bytes, remarks: Remarks) -> list[Callable[[Remarks], object]]:
    """Ways to the card's JSON, the better one first."""
    found: dict[str, Chunk] = {}
    last = None
    for chunk in walk(png):
        last = chunk
        if is_card(chunk, png):
            name = (keyword(chunk, png) or "").lower()
            if name in found:
                remarks.add("duplicate_chunk", name)
            found[name] = chunk  # editors add the newer one behind the older
    whole = last is not None and last.kind == b"IEND"
    if not whole:
        remarks.add("truncated", "the picture")
    if not found:
        if not whole:
            raise Refused("truncated", "is cut off; fetch the picture again")
        raise Refused("not_a_card", "is a picture without a card; look for the original, as many sites strip it")
    for name, chunk in found.items():
        if not chunk.is_sound(png):
            remarks.add("crc_mismatch", name)
    return [partial(_json, found[name], png) for name in KEYWORDS if name in found]


def _json(chunk: Chunk, png: bytes, remarks: Remarks) -> object:
    return json_text.parse(payload.json_in(_text(chunk, png)), remarks)


def _text(chunk: Chunk, png: bytes) -> bytes:
    """The text of a text chunk, behind its keyword, unpacked."""
    value = chunk.value(png).partition(b"\0")[2]
    if chunk.kind == b"tEXt":
        return value
    if chunk.kind == b"zTXt":
        return payload.inflate(value[1:])
    packed, rest = value[:1] == b"\1", value[2:]
    text = rest.partition(b"\0")[2].partition(b"\0")[2]  # behind the language and the translated keyword
    return payload.inflate(text) if packed else text


def asset_names(png: bytes) -> frozenset[str]:
    """The names of the assets that a picture carries."""
    return frozenset(name for chunk in walk(png) if (name := _asset_name(chunk, png)) is not None)


def asset(png: bytes, name: str) -> bytes | None:
    """The bytes of an asset that the picture carries; None when it is not there or is damaged."""
    for chunk in walk(png):
        if _asset_name(chunk, png) == name and chunk.end - chunk.start < LARGEST_ASSET * 3 // 2:
            try:
                return payload.from_base64(chunk.value(png).partition(b"\0")[2])
            except Refused:
                return None
    return None


def asset_beginnings(png: bytes, *, digits: int) -> dict[str, bytes]:
    """How each asset begins that `asset` would give: what so many digits of its base64 hold."""
    found: dict[str, bytes] = {}
    for chunk in walk(png):
        name = _asset_name(chunk, png)
        if name is not None and name not in found and chunk.end - chunk.start < LARGEST_ASSET * 3 // 2:
            start = png.index(b"\0", chunk.start) + 1
            try:
                found[name] = payload.from_base64(png[start : min(start + digits, chunk.end)])
            except Refused:
                found[name] = b""
    return found


def _asset_name(chunk: Chunk, png: bytes) -> str | None:
    if chunk.kind == b"tEXt" and (name := keyword(chunk, png)) is not None:
        for prefix in _ASSET_KEYWORDS:
            if name.startswith(prefix):
                return name.removeprefix(prefix)
    return None


def with_card(png: bytes, texts: dict[str, bytes]) -> bytes:
    """The picture with these texts by keyword, and none of the cards that it held before."""
    kept = [chunk.raw(png) for chunk in walk(png) if not is_card(chunk, png)]
    return SIGNATURE + b"".join([*kept[:1], *(_text_chunk(name, text) for name, text in texts.items()), *kept[1:]])


def is_whole(png: bytes) -> bool:
    """Whether this is a picture from its signature to its end."""
    chunks = list(walk(png)) if png.startswith(SIGNATURE) else []
    return bool(chunks) and chunks[0].kind == b"IHDR" and chunks[-1].kind == b"IEND"


def plain_picture() -> bytes:
    """A grey square, for a card that has no picture of its own."""
    size = (64).to_bytes(4, "big")
    header = size + size + bytes((8, 0, 0, 0, 0))  # eight bits of grey
    rows = zlib.compress((b"\0" + b"\x80" * 64) * 64)
    return SIGNATURE + b"".join(_chunk(*each) for each in ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b"")))


def _text_chunk(name: str, text: bytes) -> bytes:
    return _chunk(b"tEXt", name.encode("latin-1") + b"\0" + text)


def _chunk(kind: bytes, value: bytes) -> bytes:
    return b"".join((len(value).to_bytes(4, "big"), kind, value, zlib.crc32(kind + value).to_bytes(4, "big")))
