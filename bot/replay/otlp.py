"""Spans out of what Tempo answers: its v1 and v2 shapes and OTLP's own, in JSON and in protobuf."""

from __future__ import annotations

import base64
import binascii
import json
import re
import struct
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from bot.errors import TraceUnreadable
from bot.invalid import what_is_wrong
from bot.replay.wire import Record

Value: TypeAlias = "str | bool | int | float | bytes | list[Value] | dict[str, Value] | None"
Attributes: TypeAlias = Mapping[str, Value]
_STATUS_ERROR = 2
_PARTIAL = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span as it was kept. Ids in hex."""

    trace_id: str
    span_id: str
    parent_id: str
    """"" for a root."""
    name: str
    began: int
    """Nanoseconds since 1970."""
    failed: bool
    attributes: Attributes
    events: tuple[tuple[str, Attributes], ...]
    resource: Attributes


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The spans of a trace, in the order in which they began."""

    spans: tuple[Span, ...]
    partial: bool = False
    """Tempo says itself that it does not have all of it."""


def read_trace(data: bytes, *, where: str) -> Trace:
    """The trace in an answer or a file; empty when there are no spans in it. Raises `TraceUnreadable`."""
    try:
        text = data.decode() if data.lstrip()[:1] in (b"{", b"[") else None
    except UnicodeDecodeError:
        text = data.decode(errors="replace")
    if text is not None:
        return _from_json(text, where=where)
    if data.lstrip()[:1] == b"<":
        raise TraceUnreadable("it is a web page", where=where)
    try:
        spans, partial = _from_protobuf(data)
    except (ValueError, struct.error, RecursionError) as error:
        raise TraceUnreadable(f"neither JSON nor protobuf ({error})", where=where) from None
    return Trace(spans=_in_order(spans), partial=partial)


def _in_order(spans: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(sorted(spans, key=lambda span: span.began))


# --- JSON ------------------------------------------------------------------------------------------------------------


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore")


class _Values(_Part):
    values: list[_AnyValue] = []


class _Pairs(_Part):
    values: list[_Pair] = []


class _AnyValue(_Part):
    string_value: str | None = None
    bool_value: bool | None = None
    int_value: int | None = None
    double_value: float | None = None
    array_value: _Values | None = None
    kvlist_value: _Pairs | None = None
    bytes_value: str | None = None

    def plain(self) -> Value:
        if self.array_value is not None:
            return [value.plain() for value in self.array_value.values]
        if self.kvlist_value is not None:
            return _told(self.kvlist_value.values)
        for value in (self.string_value, self.bool_value, self.int_value, self.double_value, self.bytes_value):
            if value is not None:
                return value
        return None


class _Pair(_Part):
    key: str
    value: _AnyValue | None = None


class _Event(_Part):
    name: str = ""
    attributes: list[_Pair] = []


class _Status(_Part):
    code: str | int = 0


class _Span(_Part):
    trace_id: str
    span_id: str
    parent_span_id: str = ""
    name: str = ""
    start_time_unix_nano: int = 0
    attributes: list[_Pair] = []
    events: list[_Event] = []
    status: _Status = _Status()


class _Scope(_Part):
    spans: list[_Span] = []


class _Resource(_Part):
    attributes: list[_Pair] = []


class _Batch(_Part):
    resource: _Resource = _Resource()
    scope_spans: list[_Scope] = Field(
        default=[], validation_alias=AliasChoices("scopeSpans", "instrumentationLibrarySpans")
    )


class _Trace(_Part):
    batches: list[_Batch] = Field(default=[], validation_alias=AliasChoices("resourceSpans", "batches"))


class _Answer(_Trace):
    trace: _Trace | None = None
    status: str | int = ""


def _from_json(text: str, *, where: str) -> Trace:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise TraceUnreadable("its JSON breaks off or is none", where=where) from None
    if (
        not isinstance(given, dict)
        or not {"trace", "batches", "resourceSpans"} & cast("dict[str, object]", given).keys()
    ):
        raise TraceUnreadable("it is JSON of something else", where=where)
    try:
        answer = _Answer.model_validate(given)
        trace = answer.trace if answer.trace is not None else answer
        spans = [
            _span(span, _told(batch.resource.attributes))
            for batch in trace.batches
            for scope in batch.scope_spans
            for span in scope.spans
        ]
    except ValidationError as error:
        raise TraceUnreadable(what_is_wrong(error), where=where) from None
    except ValueError as error:
        raise TraceUnreadable(str(error), where=where) from None
    return Trace(spans=_in_order(spans), partial=answer.status in ("PARTIAL", _PARTIAL))


def _told(pairs: Iterable[_Pair]) -> dict[str, Value]:
    return {pair.key: pair.value.plain() if pair.value else None for pair in pairs}


def _span(span: _Span, resource: Attributes) -> Span:
    return Span(
        trace_id=_hex(span.trace_id),
        span_id=_hex(span.span_id),
        parent_id=_hex(span.parent_span_id),
        name=span.name,
        began=span.start_time_unix_nano,
        failed=span.status.code in ("STATUS_CODE_ERROR", _STATUS_ERROR),
        attributes=_told(span.attributes),
        events=tuple((event.name, _told(event.attributes)) for event in span.events),
        resource=resource,
    )


_HEX = re.compile(r"(?:[0-9a-fA-F]{16}|[0-9a-fA-F]{32})?")


def _hex(text: str) -> str:
    """An id in hex: Tempo writes base64 in bodies, OTLP's own JSON hex. Lengths tell them apart."""
    if _HEX.fullmatch(text):
        return text.lower()
    with suppress(binascii.Error, ValueError):
        raw = base64.b64decode(text, validate=True)
        if len(raw) in (8, 16):
            return raw.hex()
    raise ValueError(f"a span's id is {text[:40]!r}, neither base64 nor hex")


# --- Protobuf --------------------------------------------------------------------------------------------------------


def _from_protobuf(data: bytes) -> tuple[list[Span], bool]:
    """v1 answers with a trace, v2 with one in an envelope: in a trace there are batches, and those have scopes (2)."""
    outer = Record(data)
    inner = list(outer.messages(1))
    if any(2 in record.numbers() for record in inner):
        return [span for batch in inner for span in _spans_of(batch)], False
    batches = [batch for trace in inner for batch in trace.messages(1)]
    return [span for batch in batches for span in _spans_of(batch)], outer.number(3) == _PARTIAL


def _spans_of(batch: Record) -> Iterable[Span]:
    resource = {key: value for part in batch.messages(1) for key, value in _pairs(part, 1).items()}
    for scope in batch.messages(2):
        for span in scope.messages(2):
            yield Span(
                trace_id=span.bytes(1).hex(),
                span_id=span.bytes(2).hex(),
                parent_id=span.bytes(4).hex(),
                name=span.text(5),
                began=span.number(7),
                failed=any(status.number(3) == _STATUS_ERROR for status in span.messages(15)),
                attributes=_pairs(span, 9),
                events=tuple((event.text(2), _pairs(event, 3)) for event in span.messages(11)),
                resource=resource,
            )


def _pairs(record: Record, number: int) -> dict[str, Value]:
    return {pair.text(1): _plain(next(pair.messages(2), None)) for pair in record.messages(number)}


_Kind = Literal[1, 2, 3, 4, 5, 6, 7]


def _plain(value: Record | None) -> Value:
    """One AnyValue: text, flag, number, fraction, list, mapping or bytes, each a field of its own."""
    numbers = value.numbers() if value else ()
    if value is None or not numbers:
        return None
    match cast("_Kind", numbers[-1]):
        case 1:
            return value.text(1)
        case 2:
            return bool(value.number(2))
        case 3:
            number = value.number(3)
            return number - 2**64 if number >= 2**63 else number
        case 4:
            return struct.unpack("<d", value.number(4).to_bytes(8, "little"))[0]
        case 5:
            return [_plain(each) for array in value.messages(5) for each in array.messages(1)]
        case 6:
            return {name: each for mapping in value.messages(6) for name, each in _pairs(mapping, 1).items()}
        case 7:
            return value.bytes(7)
