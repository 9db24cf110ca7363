"""One message a line: `{"id", "sent_at", "sender", "text", "reply_to"?, "topic"?}`; other keys are ignored.

The file is one chat. A line that cannot be understood ends the reading with its number: to guess at what
somebody said would be worse than to ask.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import cast

from bot.errors import HistoryFileError
from bot.history.source import ByteSource
from bot.history.values import DELETED_ACCOUNT, LARGEST_MESSAGE, ChatStart, HistoryItem, Skipped
from bot.model import NewMessage

Record = dict[str, object]
_FAR = 10**12
"""Seconds; past what a datetime holds."""
_NO_TIME = "“sent_at” is no time; write 2024-05-01T12:30:00Z, or seconds since 1970 as a number"


class _BadLine(Exception):
    """What is wrong with a line, without what it says."""


def read_json_lines(source: ByteSource) -> Iterator[HistoryItem]:
    """The one chat of the file and its messages, in the file's order."""
    number = 0
    begun = False
    while line := source.read_line(LARGEST_MESSAGE + 1):
        number += 1
        if line.isspace():
            continue
        try:
            record = _record(line)
            message = _message(record)
        except _BadLine as wrong:
            where = f"line {number} of {source.path}"
            raise HistoryFileError(f"{where}: {wrong}; mend it and import again") from None
        if not begun:
            begun = True
            yield _chat(source.path.stem, record)
        yield message if message.text.strip() else Skipped("empty")


def _chat(stem: str, first: Record) -> ChatStart:
    """The same chat for a file that has grown since; another for another file of the same name."""
    canonical = json.dumps(first, sort_keys=True, separators=(",", ":"), default=str)
    name = stem.encode("utf-8", "replace").decode()
    digest = hashlib.sha256(canonical.encode()).hexdigest()[:8]
    return ChatStart(title=name, source=f"import:{name}:{digest}", kind="lines")


def _record(line: bytes) -> Record:
    if len(line) > LARGEST_MESSAGE:
        raise _BadLine(f"it is longer than {LARGEST_MESSAGE // 2**20} MiB")
    try:
        value: object = json.loads(line.decode(), parse_float=_decimal, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise _BadLine(f"its byte {error.start + 1} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise _BadLine(f"it is not JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise _BadLine("it is nested too deeply") from None
    except ValueError:  # Python reads no integers of thousands of digits
        raise _BadLine("a number in it is too long") from None
    if not isinstance(value, dict):
        raise _BadLine("an object in braces is expected")
    return cast("Record", value)


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except ArithmeticError:
        raise _BadLine("a number in it is too large") from None


def _refuse_constant(name: str) -> object:
    raise _BadLine(f"{name} is not JSON")


def _message(record: Record) -> NewMessage:
    external_id = _text_or_number(record, "id")
    if not external_id:
        raise _BadLine("“id” is missing")
    text = record.get("text")
    if not isinstance(text, str):
        raise _BadLine("“text” is missing" if text is None else "“text” is not text")
    sender = record.get("sender")
    if sender is not None and not isinstance(sender, str):
        raise _BadLine("“sender” is not text")
    name = sender if sender and not sender.isspace() else None
    return NewMessage(
        external_id=external_id,
        sender_id=name,
        sender=name or DELETED_ACCOUNT,
        sent_at=_time(record.get("sent_at")),
        text=text,
        topic=_text_or_number(record, "topic") or "",
        reply_to_external=_text_or_number(record, "reply_to") or None,
    )


def _text_or_number(record: Record, key: str) -> str | None:
    value = record.get(key)
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise _BadLine(f"“{key}” is neither text nor a number")
    return str(value)


def _time(value: object) -> datetime:
    """UTC, to the second. A time without a zone is UTC."""
    if value is None:
        raise _BadLine("“sent_at” is missing")
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
            moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
            return moment.replace(microsecond=0)
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool) and -_FAR < value < _FAR:
            return datetime.fromtimestamp(int(value), UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise _BadLine(_NO_TIME)
