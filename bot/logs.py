"""Log lines on stderr that never hold what people wrote, nor a token, nor a key.

What our own loggers say is trusted. Of foreign ones only warnings are let through, with their texts masked;
an error is told by its class, its facts (SQLSTATE, errno, a constraint's name) and where it came from, since
its message may quote a row or a request. Each line holds the ids of the current span.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from traceback import walk_tb
from types import TracebackType
from typing import Final, Literal, TextIO, cast
from uuid import UUID

from bot.disclosure import clean, error_line, grouped, masked, scrub
from bot.tracing import current_ids

_OURS: Final = frozenset({"bot", "companion", "__main__"})
_PLAIN_WORDS: Final = re.compile(r"[A-Za-z0-9_ .,;-]{0,120}")
"""How far a foreign line without arguments is believed: it may have been filled in before it came here."""
_CONTROL: Final = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
_FRAMES: Final = 30
"""Of a deeper stack the innermost are told."""
_CHAIN: Final = 8
"""Of a longer chain of causes, or deeper groups, no more is told."""


_log = logging.getLogger(__name__)


def set_up_logging(
    level: str = "WARNING",
    format: Literal["human", "json"] = "human",  # noqa: A002 - as the setting is called
    *,
    secrets: Iterable[str] = (),
) -> None:
    """Log to stderr from now on, also what nobody handled. `level` is for our own loggers."""
    handler = _Handler(sys.stderr)
    handler.setFormatter((_Json if format == "json" else _Human)(tuple(secrets)))
    root = logging.getLogger()
    for other in root.handlers[:]:
        if type(other) in {_Handler, logging.StreamHandler}:  # a library's basicConfig would show texts
            root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    for ours in _OURS:
        logging.getLogger(ours).setLevel(level)
    logging.getLogger("asyncpg").setLevel(logging.ERROR)  # what its pool warns of, the queries that fail tell better
    sys.excepthook = _unhandled
    threading.excepthook = _unhandled_in_thread


class _Handler(logging.StreamHandler[TextIO]):
    """Writes to stderr; lets through nothing foreign below a warning, whatever its logger is set to."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.WARNING or _is_ours(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - its name in logging
        """Say only that a line is missing: logging's own way shows its values."""
        with suppress(Exception):
            self.stream.write(f"a log line of {record.name} could not be written\n")


class _Formatter(logging.Formatter):
    """What both formats share."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        super().__init__()
        self._secrets = secrets

    def message(self, record: logging.LogRecord) -> str:
        """The line itself, without line breaks."""
        text = _own_words(record) if _is_ours(record) else _foreign_words(record)
        return clean(scrub(text, self._secrets)).translate(_CONTROL)

    def error(self, record: logging.LogRecord) -> str:
        """What was raised, if the record is about that."""
        error = record.exc_info[1] if record.exc_info else None
        return "" if error is None else "\n".join(_story(error, self._secrets, _CHAIN))


class _Human(_Formatter):
    def format(self, record: logging.LogRecord) -> str:
        trace_id, _ = current_ids()
        when = datetime.fromtimestamp(record.created).astimezone().isoformat(sep=" ", timespec="milliseconds")
        line = f"{when} {record.levelname} {record.name}: {self.message(record)}"
        line += f" [trace {trace_id}]" if trace_id else ""
        error = self.error(record)
        return f"{line}\n{error}" if error else line


class _Json(_Formatter):
    def format(self, record: logging.LogRecord) -> str:
        trace_id, span_id = current_ids()
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": self.message(record),
            "trace_id": trace_id,
            "span_id": span_id,
        }
        error = self.error(record)
        return json.dumps({**told, "exception": error} if error else told)


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] in _OURS


def _own_words(record: logging.LogRecord) -> str:
    """Our line as it is; only errors among its values are told in the safe way."""
    return _filled_in(record, lambda value: error_line(value) if isinstance(value, BaseException) else value)


def _foreign_words(record: logging.LogRecord) -> str:
    """A library's template, with numbers as they are and everything else masked."""
    message = cast(object, record.msg)  # typed as text, but logging takes anything
    if record.args or not isinstance(message, str):
        return _filled_in(record, _masked)
    words = _PLAIN_WORDS.match(message)
    return words.group().rstrip() if words else ""


def _filled_in(record: logging.LogRecord, shown: Callable[[object], object]) -> str:
    message = cast(object, record.msg)
    if not isinstance(message, str):
        return str(shown(message))
    values = record.args
    try:
        if isinstance(values, Mapping):
            return message % {name: shown(value) for name, value in values.items()}
        return message % tuple(shown(value) for value in values) if values else message
    except Exception:  # noqa: BLE001 - a line whose values do not fit still says something
        return message


def _masked(value: object) -> object:
    match value:
        case None | bool() | int() | float() | UUID():
            return value
        case BaseException():
            return error_line(value)
        case str() | bytes():
            return masked(value)
        case _:
            return f"<{type(value).__qualname__}>"


def _story(error: BaseException, secrets: tuple[str, ...], left: int) -> Iterator[str]:
    """An error, where it came from, and what it came of: first things first, and no foreign message."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and left:
        yield from _story(cause, secrets, left - 1)
        yield "which led to:" if error.__cause__ else "and while that was handled:"
    yield clean(error_line(error, secrets)).translate(_CONTROL)
    frames = [
        f"  at {frame.f_code.co_filename}:{line} in {frame.f_code.co_qualname}"
        for frame, line in walk_tb(error.__traceback__)
    ]
    if len(frames) > _FRAMES:
        yield f"  ({len(frames) - _FRAMES} calls before these)"
    yield from (clean(frame) for frame in frames[-_FRAMES:])
    for inner in grouped(error) if left else ():
        yield from (f"  | {line}" for line in _story(inner, secrets, left - 1))


def _unhandled(kind: type[BaseException], error: BaseException, trail: TracebackType | None) -> None:
    """What Python does with an error that reaches the top: ours is told, without its texts."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trail)
        return
    _log.critical("ended by an error that nobody handled", exc_info=(kind, error, trail))


def _unhandled_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
        _log.critical(
            "a thread ended by an error that nobody handled",
            exc_info=(args.exc_type, args.exc_value, args.exc_traceback),
        )
