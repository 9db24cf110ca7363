"""Cards in JPEG and WebP: the comment in their EXIF data, as older programs wrote it."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from bot.cards import json_text, payload
from bot.cards.card import Refused, Remarks

JPEG = b"\xff\xd8\xff"
_HEADER = b"Exif\0\0"
_EXIF_FOLDER = 0x8769
_COMMENT = 0x9286
_MOST_FIELDS = 1000
_MOST_SEGMENTS = 10_000
"""Of a file, that are looked at; the comment is among the first of a JPEG, and a WebP has a few."""
_BYTE_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}
_CODE = 8
"""Bytes before a comment that name its encoding."""


def is_webp(data: bytes) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def read(data: bytes, remarks: Remarks) -> object:
    """The value in the comment."""
    exif = _in_webp(data) if is_webp(data) else _in_jpeg(data)
    for text in _texts(exif or b""):
        if (unwrapped := _unwrapped(text)) is not None:
            return json_text.parse(unwrapped, remarks)
    raise Refused("not_a_card", "is a picture without a card; look for the original, as many sites strip it")


def _unwrapped(text: str) -> str | None:
    """The JSON in a comment; None when it is about something else."""
    packed = payload.from_byte_list(text)
    try:
        found = payload.json_in(packed if packed is not None else text.encode("utf-8", "replace"))
    except Refused as refused:
        if packed is not None or refused.kind == "encrypted":
            raise
        return None
    return found if found.startswith("{") else None


def _in_jpeg(data: bytes) -> bytes | None:
    """The EXIF data of a JPEG: an APP1 segment before the picture itself."""
    at = 2
    for _ in range(_MOST_SEGMENTS):
        if data[at : at + 1] != b"\xff" or at + 4 > len(data):
            break
        marker, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        body = data[at + 4 : at + 2 + size]
        if marker == 0xE1 and body.startswith(_HEADER):
            if len(body) < size - 2:
                raise Refused("truncated", "is cut off; fetch the picture again")
            return body.removeprefix(_HEADER)
        if marker in (0xD9, 0xDA) or size < 2:  # the end, and where the picture begins
            return None
        at += 2 + size
    return None


def _in_webp(data: bytes) -> bytes | None:
    at = 12
    for _ in range(_MOST_SEGMENTS):
        if at + 8 > len(data):
            break
        kind, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if kind == b"EXIF":
            if at + 8 + size > len(data):
                raise Refused("truncated", "is cut off; fetch the picture again")
            return data[at + 8 : at + 8 + size].removeprefix(_HEADER)
        at += 8 + size + size % 2
    return None


def _texts(exif: bytes) -> Iterator[str]:
    """What the comment may say, in each encoding that it may be in."""
    order = _BYTE_ORDERS.get(exif[:4])
    comment = _comment(exif, order) if order is not None else None
    if comment is None:
        return
    code, value = comment[:_CODE].rstrip(b"\0 "), comment[_CODE:]
    encodings = ["utf-16-le", "utf-16-be"] if code == b"UNICODE" else ["utf-8"]
    if order == ">":
        encodings.reverse()
    for encoding in encodings:
        yield value.decode(encoding, "replace").strip("\0 \t\r\n\ufeff")


def _comment(exif: bytes, order: str) -> bytes | None:
    """The raw comment: in the EXIF folder, or, as some write it, in the first one."""
    (first,) = _unpacked(order + "4xI", exif, 0) or (0,)
    folders = [first]
    for at in folders:  # grows by the EXIF folder, once
        (count,) = _unpacked(order + "H", exif, at) or (0,)
        for n in range(min(count, _MOST_FIELDS)):
            tag, _, size, value = _unpacked(order + "HHII", exif, at + 2 + 12 * n) or (0, 0, 0, 0)
            if tag == _COMMENT:
                return exif[value : value + size]
            if tag == _EXIF_FOLDER and len(folders) == 1:
                folders.append(value)
    return None


def _unpacked(layout: str, data: bytes, at: int) -> tuple[int, ...] | None:
    size = struct.calcsize(layout)
    return struct.unpack(layout, data[at : at + size]) if at + size <= len(data) else None
