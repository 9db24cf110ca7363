"""What of a value, a text or an error may leave the process, in a trace or in a log.

Pure: nothing here knows of OpenTelemetry or of loggers, and nothing here ever raises. A value that is no
plain one (an object, a message) is told by its type only, so that nobody's words get out by way of a `repr`.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import traceback
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from pathlib import PurePath
from typing import Final, Literal, TypeAlias, TypeGuard, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from bot.errors import BotError
from bot.telemetry_names import (
    BYTES,
    COMPANION_RETRY_AFTER,
    DB_RESPONSE_STATUS_CODE,
    ERROR_TYPE,
    EXCEPTION_MESSAGE,
    EXCEPTION_STACKTRACE,
    EXCEPTION_TYPE,
    HTTP_RESPONSE_STATUS_CODE,
    SHA256,
)

Content = Literal["full", "redacted", "off"]
"""TRACE_CONTENT: texts as they are; masked; not at all. Hash and length are told in every mode."""
Plain: TypeAlias = str | bool | int | float
AttributeValue: TypeAlias = str | bool | int | float | list[str] | list[bool] | list[int] | list[float]

_DEPTH = 6
"""How deep a value is looked into; what lies deeper is told by its type."""
_SHORTEST_SECRET = 8
"""A shorter one would blot out ordinary words, and is none."""
_CREDENTIALS = re.compile(r"(?<=://)[^/?#@\s]+@|(?<!\d)\d{6,}:[\w-]{30,}|(?<=[Bb]earer )\S+")
"""Name and password in an address; a Telegram bot's token; an Authorization header."""
_FACTS = ("sqlstate", "table_name", "column_name", "constraint_name", "errno", "status_code", "status", "retry_after")
"""What foreign errors tell beside their message, which may quote people: names and numbers only."""
_FACT_ATTRIBUTES: Final = {
    "sqlstate": DB_RESPONSE_STATUS_CODE,
    "status_code": HTTP_RESPONSE_STATUS_CODE,
    "status": HTTP_RESPONSE_STATUS_CODE,
    "retry_after": COMPANION_RETRY_AFTER,
}
_NAME = re.compile(r"[A-Za-z0-9_.$-]{1,63}")


def clean(text: str) -> str:
    """The text as UTF-8 can carry it: a lone surrogate becomes U+FFFD."""
    if type(text) is str and text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return str.__str__(text)


def without_secrets(text: str, secrets: Sequence[str]) -> str:
    """The text with our own keys and tokens blotted out."""
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, "[secret]")
    return text


def scrub(text: str, secrets: Sequence[str] = ()) -> str:
    """Words about an error or in a log: without our secrets, and without what looks like credentials."""
    return _CREDENTIALS.sub("[secret]", without_secrets(text, secrets))


def masked(text: str | bytes) -> str:
    """What stands for a text that may not be shown."""
    return f"[{len(text)} {'characters' if isinstance(text, str) else 'bytes'}]"


def content(name: str, text: str, mode: Content, secrets: Sequence[str] = ()) -> dict[str, AttributeValue]:
    """The attributes of a text that people or models wrote. The hash is of the text with its secrets."""
    text = clean(text)
    data = text.encode()
    told: dict[str, AttributeValue] = {
        name + SHA256: hashlib.sha256(data).hexdigest(),
        name + BYTES: len(data),
    }
    if mode == "full":
        told[name] = without_secrets(text, secrets)
    elif mode == "redacted":
        told[name] = masked(text)
    return told


def attributes(values: Mapping[str, object]) -> dict[str, AttributeValue]:
    """The values as OTLP takes them; what is None is left out."""
    return {
        clean(name): told for name, value in values.items() if name and (told := attribute_value(value)) is not None
    }


def attribute_value(value: object) -> AttributeValue | None:
    """One value as OTLP takes it: a plain one, or a list of one plain type. None for None."""
    if (simple := _simple(value)) is not None:  # nearly all are; a turn has 700 of them
        return simple
    try:
        if value is None:
            return None
        if isinstance(value, np.ndarray):
            return attribute_value(cast(object, value.tolist()))
        if _is_list(value):
            return _of_one_type([_plain(item) for item in value if item is not None])
        return _plain(value)
    except Exception:  # noqa: BLE001 - whatever a stranger's methods raise, a trace is not worth an answer
        return _type_only(cast(object, value))


def _simple(value: object) -> AttributeValue | None:
    """A value that OTLP takes as it is; None for one that has to be looked at more closely."""
    kind = type(value)
    if kind is str:
        return clean(cast("str", value))
    if kind is bool or kind is float:
        return cast("bool | float", value)
    if kind is int:
        number = cast("int", value)
        return number if -(2**63) <= number < 2**63 else None
    if kind is list or kind is tuple:
        return _simple_list(cast("Sequence[object]", value))
    return None


def _simple_list(values: Sequence[object]) -> AttributeValue | None:
    """The same for a list of one type."""
    kinds = set(map(type, values))
    if kinds <= {bool} or kinds == {float}:
        return cast("list[bool] | list[float]", [*values])
    if kinds == {int}:
        numbers = cast("list[int]", [*values])
        return numbers if min(numbers) >= -(2**63) and max(numbers) < 2**63 else None
    return [*map(clean, cast("Sequence[str]", values))] if kinds == {str} else None


def _plain(value: object) -> Plain:
    """One value that is no list."""
    if isinstance(value, Enum):
        value = cast(object, value.value)
    if isinstance(value, np.generic):
        value = cast(object, value.item())
    match value:
        case bool():
            return value
        case str():
            return clean(value)
        case int():
            whole = int.__add__(value, 0)
            return whole if -(2**63) <= whole < 2**63 else clean(str(whole))
        case float():
            return float.__add__(value, 0.0)
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case UUID() | PurePath() | Decimal() | Fraction() | ZoneInfo() | complex():
            return clean(str(value))
        case bytes() | bytearray():
            return value.hex()
        case Mapping() | Sequence() | Set():
            return clean(json.dumps(_jsonable(cast(object, value), _DEPTH), ensure_ascii=False))
        case _:
            return _type_only(value)


def _is_list(value: object) -> TypeGuard[Sequence[object] | Set[object]]:
    return isinstance(value, Sequence | Set) and not isinstance(value, str | bytes | bytearray | memoryview)


def _of_one_type(values: list[Plain]) -> AttributeValue:
    """A list as OTLP backends expect it: all of one type; strings where types are mixed."""
    kinds = {type(value) for value in values}
    if len(kinds) < 2:
        return cast("list[str] | list[bool] | list[int] | list[float]", values)
    if kinds == {int, float}:
        return [float(value) for value in values]
    return [str(value) for value in values]


def _jsonable(value: object, depth: int) -> object:
    """What is inside a mapping or a nested list, for JSON."""
    if depth == 0:
        return _type_only(value)
    if isinstance(value, np.ndarray):
        value = cast(object, value.tolist())
    if isinstance(value, Mapping):
        entries = cast("Mapping[object, object]", value)
        return {str(_plain(name)): _jsonable(inner, depth - 1) for name, inner in entries.items()}
    if _is_list(value):
        return [_jsonable(inner, depth - 1) for inner in value]
    if value is None:
        return None
    plain = _plain(value)
    return str(plain) if isinstance(plain, float) and not math.isfinite(plain) else plain


def _type_only(value: object) -> str:
    return clean(f"<{type(value).__qualname__}>")


def error_type(error: BaseException) -> str:
    """The class of an error, with its module where that is not Python's own."""
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def error_facts(error: BaseException) -> dict[str, str | float]:
    """What an error tells without quoting anybody: SQLSTATE, a constraint's name, an HTTP status, a wish to wait, …"""
    facts: dict[str, str | float] = {}
    for name in _FACTS:
        try:
            value = cast(object, getattr(error, name, None))
        except Exception:  # noqa: BLE001, S112 - an error that cannot even be asked has no facts
            continue
        if isinstance(value, int | float) or (isinstance(value, str) and _NAME.fullmatch(value)):
            facts[name] = value
    return facts


def grouped(error: BaseException) -> tuple[BaseException, ...]:
    """The errors in an exception group; none in any other error."""
    is_group = isinstance(error, BaseExceptionGroup)
    return cast("BaseExceptionGroup[BaseException]", error).exceptions if is_group else ()


def error_message(error: BaseException) -> str:
    """The error's message when it is one of ours, which quote nobody; "" otherwise."""
    return clean(str(error)) if isinstance(error, BotError) else ""


def error_line(error: BaseException, secrets: Sequence[str] = ()) -> str:
    """An error in one line that any log may hold."""
    line = error_type(error)
    if inner := grouped(error):
        line += f" of {', '.join(error_type(each) for each in inner)}"
    if message := error_message(error):
        return scrub(f"{line}: {message}", secrets)
    facts = ", ".join(f"{name}={value}" for name, value in error_facts(error).items())
    return f"{line} ({facts})" if facts else line


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What a span tells of an error that ended it."""

    attributes: dict[str, AttributeValue]
    event: dict[str, AttributeValue]
    """OpenTelemetry's `exception` event."""
    description: str
    """The span's status, in words."""


def failure(error: BaseException, mode: Content, secrets: Sequence[str] = ()) -> Failure:
    """What may be told of an error; a foreign one's message and stack may quote people: only in full mode."""
    kind, message, stack = error_type(error), error_message(error), ""
    if mode == "full":
        try:
            message, stack = str(error), "".join(traceback.format_exception(error))
        except Exception:  # noqa: BLE001 - an error whose own __str__ fails has no message
            message = ""
    told = {EXCEPTION_TYPE: kind, EXCEPTION_MESSAGE: message, EXCEPTION_STACKTRACE: stack}
    facts = {_FACT_ATTRIBUTES[name]: fact for name, fact in error_facts(error).items() if name in _FACT_ATTRIBUTES}
    return Failure(
        attributes=attributes({ERROR_TYPE: type(error).__qualname__, **facts}),
        event=attributes({name: scrub(text, secrets) for name, text in told.items() if text}),
        description=clean(scrub(message, secrets) or kind),
    )
