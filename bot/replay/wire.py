"""Protobuf as it lies on the wire: numbered fields, without a schema.

Google's own reader refuses a text that was cut inside a character, which is what Tempo does to long ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Number and value of each field, in order; numbers of fixed width as they are without a sign.

    Raises `ValueError` when the data is not protobuf, or ends too early.
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, kind = key >> 3, key & 7
        if number == 0:
            raise ValueError("a field has no number")
        if kind == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if kind == _BYTES:
            length, at = _varint(data, at)
        elif kind in (_FIXED64, _FIXED32):
            length = 8 if kind == _FIXED64 else 4
        else:
            raise ValueError(f"a field is of the unknown kind {kind}")
        end = at + length
        if end > len(data):
            raise ValueError("it ends within a field")
        yield number, data[at:end] if kind == _BYTES else int.from_bytes(data[at:end], "little")
        at = end


class Record:
    """The fields of one message, by number."""

    def __init__(self, data: bytes) -> None:
        self._values: dict[int, list[int | bytes]] = {}
        for number, value in fields(data):
            self._values.setdefault(number, []).append(value)

    def numbers(self) -> Sequence[int]:
        """Which fields there are."""
        return list(self._values)

    def messages(self, number: int) -> Iterator[Record]:
        """A repeated field of messages."""
        for value in self._values.get(number, ()):
            yield Record(_as_bytes(value))

    def bytes(self, number: int) -> bytes:
        """A field of bytes; empty when it is not there."""
        return _as_bytes(self._values.get(number, [b""])[-1])

    def text(self, number: int) -> str:
        """A field of text, as far as it is UTF-8: of a character that was cut nothing is left."""
        return self.bytes(number).decode(errors="ignore")

    def number(self, number: int) -> int:
        """A field that is a number; 0 when it is not there."""
        value = self._values.get(number, [0])[-1]
        if isinstance(value, int):
            return value
        raise ValueError(f"field {number} is no number")


def _as_bytes(value: int | bytes) -> bytes:
    if isinstance(value, bytes):
        return value
    raise ValueError("a field holds a number instead of bytes")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ValueError("it ends within a number" if at >= len(data) else "a number is too long")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
