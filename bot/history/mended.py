"""Telegram Desktop's JSON, made JSON.

It writes control characters as `\\x01`, which is C (telegramdesktop/tdesktop, issue 27571), and programs that
have rewritten an export may leave halves of surrogate pairs. Parsers refuse both.
"""

from __future__ import annotations

import re
from decimal import InvalidOperation

import ijson

from bot.errors import HistoryFileError
from bot.history.source import ByteSource
from bot.history.values import LARGEST_MESSAGE

PARSER_ERRORS = (ijson.JSONError, ValueError, InvalidOperation)
"""What a parser raises for bad JSON: its own errors, and Python's for texts and numbers it cannot hold."""
_ESCAPE = re.compile(
    rb"\\(?:x([0-9A-Fa-f]{2})"  # what C calls a character
    rb"|(u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2})"  # a whole pair
    rb"|u[Dd][89A-Fa-f][0-9A-Fa-f]{2}()"  # half of one
    rb"|(.))",  # any other, an escaped backslash above all
    re.DOTALL,
)
_LONGEST_ESCAPE = len(rb"\ud83d\ude00")
_MORE = 64


def _escape(match: re.Match[bytes]) -> bytes:
    control, _, half, _ = match.groups()
    if control is not None:
        return b"\\u00" + control
    return rb"\ufffd" if half is not None else match[0]


class Mended:
    """A source that reads as JSON."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self.message_begins: int | None = None
        """About where in the file the message begins that is being read. Whoever reads tells."""

    def read(self, size: int) -> bytes:
        """The next bytes, none at the end; an escape is never divided."""
        data = self._read(size)
        while b"\\" in data[1 - _LONGEST_ESCAPE :] and (more := self._read(_MORE)):
            data += more
        return _ESCAPE.sub(_escape, data) if b"\\x" in data or b"\\u" in data else data

    def _read(self, size: int) -> bytes:
        source, begins = self._source, self.message_begins
        if begins is not None and source.bytes_read - begins > LARGEST_MESSAGE:
            raise HistoryFileError(
                f"{source.path} has a message of over {LARGEST_MESSAGE // 2**20} MiB near byte {begins}; "
                "export the chat again, or leave that message out"
            )
        return source.read(size)
