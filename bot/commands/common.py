"""What several commands share: reports on stderr, the chats they name, recalled messages as JSON."""

from __future__ import annotations

import json
import math
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterable
from datetime import UTC, datetime

from bot.model import Hit
from bot.settings import LONGEST_VECTOR, SHORTEST_VECTOR

_JOINERS = "\u200c\u200d"
"""Invisible, but part of Persian words and of emoji."""

CLEAR_LINE = "\r\033[K"
"""Begins a line anew, in a terminal."""


def report(line: str) -> None:
    """Say on stderr what is being done."""
    print(line, file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """One JSON object on one line of stdout."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False), flush=True)


def shown(text: str) -> str:
    """A text on one line, with nothing in it that a terminal would obey."""
    return "".join(each if each.isprintable() or each in _JOINERS else " " for each in text)


def recalled_json(hits: Iterable[Hit]) -> list[dict[str, object]]:
    """Hits as `recall --json` and `chat --json` show them."""
    return [
        {
            "kind": "message",
            "id": hit.message.message_id,
            "external_id": hit.message.external_id,
            "sent_at": hit.message.sent_at.isoformat(),
            "sender": hit.message.sender,
            "text": hit.message.text,
            "score": hit.score,
            "parts": hit.parts,
            "window": [message.message_id for message in hit.window],
        }
        for hit in hits
    ]


def moment(text: str) -> datetime:
    """A time given on the command line: ISO 8601; without a zone, UTC."""
    try:
        given = datetime.fromisoformat(text)
        return given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ArgumentTypeError(f"{text!r} is not a time; write it like 2026-03-05T14:00:00+01:00") from None


def words(text: str) -> str:
    """A text with something in it."""
    if not text.strip():
        raise ArgumentTypeError("there is nothing in it")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ArgumentTypeError("it is no UTF-8")
    return text


def positive(text: str) -> int:
    """A whole number from 1 on."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= 2**31 - 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return number


def several(text: str) -> list[int]:
    """Whole numbers from 1 on, with commas between them."""
    return [positive(part) for part in text.split(",")]


def length(text: str) -> int:
    """How many numbers a vector has."""
    number = positive(text)
    if not SHORTEST_VECTOR <= number <= LONGEST_VECTOR:
        raise ArgumentTypeError(f"{number:,} is not within {SHORTEST_VECTOR} to {LONGEST_VECTOR:,}")
    return number


def share(text: str) -> float:
    """A number between 0 and 1."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < 1:
        raise ArgumentTypeError(f"{text!r} is not a number between 0 and 1")
    return number


def chat_number(text: str) -> int:
    """The number of a chat, as `import` printed it."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number < 2**63:
        raise ArgumentTypeError(f"{text!r} is not the number of a chat; `companion import` prints it")
    return number
