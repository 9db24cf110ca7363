"""The card's JSON as containers wrap it: as it is, in base64, or as a list of decimal bytes. And bytes as text."""

from __future__ import annotations

import binascii
import codecs
import re
import zlib

from bot.cards.card import LARGEST_CARD, Refused

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"\0{", "utf-16-be"),  # no mark, but no other encoding of JSON begins so
    (b"{\0", "utf-16-le"),
)
_ENCRYPTED = "rcc||"
_STANDARD = bytes.maketrans(b"-_", b"+/")
_SPACE = b" \t\r\n\v\f"
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
_BYTE_LIST = frozenset("0123456789, \t\r\n")
_LONGEST_BYTE_LIST = 2 * 2**20
"""Characters: a number takes fifty bytes of memory while it is read."""


def decode(data: bytes) -> str:
    """Bytes as text: UTF-8, or UTF-16 that says so."""
    encoding = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        if b"\0" in data and encoding == "utf-8":
            raise Refused("unsupported_format", "is of a format that holds no card; export it as JSON") from None
        raise Refused("bad_encoding", "is not text in UTF-8; save it as UTF-8") from None


def json_in(value: bytes) -> str:
    """The JSON text in a value that is JSON, or JSON in base64 however it is spelled."""
    text = value.strip()
    if not text.removeprefix(codecs.BOM_UTF8).startswith((b"{", _ENCRYPTED.encode())):
        text = from_base64(text)
    return refuse_encrypted(decode(text).strip())


def from_base64(value: bytes) -> bytes:
    """The bytes that base64 stands for; line breaks, no padding and the URL-safe alphabet are taken too."""
    digits = value.translate(_STANDARD, _SPACE).rstrip(b"=")
    if not digits or len(digits) % 4 == 1 or _NOT_BASE64.search(digits):
        raise Refused("bad_base64", "holds a card whose base64 is damaged; export it again")
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))


def refuse_encrypted(text: str) -> str:
    """The text, unless it is one that only the program that wrote it can read."""
    if text.startswith(_ENCRYPTED):
        raise Refused("encrypted", "is encrypted; export it without protection")
    return text


def from_byte_list(text: str) -> bytes | None:
    """The bytes of `123,34,…`; None for any other text."""
    if not text[:1].isdecimal() or not _BYTE_LIST.issuperset(text):
        return None
    if len(text) > _LONGEST_BYTE_LIST:
        raise Refused("too_large", f"holds a list of over {_LONGEST_BYTE_LIST // 2**20} MiB; no card is that large")
    try:
        return bytes(int(number) for number in text.rstrip(", \t\r\n").split(","))
    except ValueError:
        return None


def inflate(data: bytes) -> bytes:
    """What zlib packed, up to the size of a card."""
    inflater = zlib.decompressobj()
    try:
        inflated = inflater.decompress(data, LARGEST_CARD + 1)
    except zlib.error:
        raise Refused("corrupt", "holds a card that is packed wrongly; export it again") from None
    if len(inflated) > LARGEST_CARD:
        raise Refused("too_large", f"unpacks to over {LARGEST_CARD // 2**20} MiB of text; no card is that large")
    if not inflater.eof:
        raise Refused("corrupt", "holds a card whose end is missing; export it again")
    return inflated
