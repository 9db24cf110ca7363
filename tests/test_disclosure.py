"""What may leave the process is always something OTLP can carry, and never what was not meant to."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, NewType
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.trace import SpanContext, TraceFlags

from bot.disclosure import Content, attribute_value, attributes, clean, content, error_line, failure
from bot.errors import RequestRefused, UnknownChat
from bot.model import Lane, MessageId, Outcome, Weights

Colour = StrEnum("Colour", ["RED"])
TurnId = NewType("TurnId", UUID)


class Hostile:
    """An object that answers nothing."""

    def __str__(self) -> str:
        raise RuntimeError("no")

    def __repr__(self) -> str:
        return "Hostile()"

    def __iter__(self) -> Any:
        raise RuntimeError("no")


class SlyText(str):
    """A text that lies about itself."""

    __slots__ = ()

    def __str__(self) -> str:
        raise RuntimeError("no")


ITSELF: list[object] = []
ITSELF.append(ITSELF)

any_text = st.text(st.characters(codec=None))
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | any_text
    | st.binary()
    | st.uuids()
    | st.datetimes()
    | st.timedeltas()
    | st.decimals()
    | st.complex_numbers()
    | st.sampled_from([Colour.RED, Hostile(), SlyText("x"), ITSELF, Hostile, np.float32(1.5), ...])
    | st.sampled_from([np.zeros((2, 2), np.float32), np.array(["a", None], object), np.bool_(1)])
    | st.builds(pow, st.just(10), st.just(5000))
)
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(any_text | st.integers(), inner)
        | st.frozensets(st.integers() | any_text)
    ),
    max_leaves=12,
)


def through_otlp(told: dict[str, Any]) -> dict[str, Any]:
    """The names of attributes after a trip through the SDK's encoder and the wire."""
    here = SpanContext(1, 1, is_remote=False, trace_flags=TraceFlags(1))
    span = ReadableSpan("step", context=here, attributes=told, start_time=1, end_time=2)
    sent = ExportTraceServiceRequest.FromString(encode_spans([span]).SerializeToString())
    arrived = sent.resource_spans[0].scope_spans[0].spans[0].attributes
    return {pair.key: pair.value for pair in arrived}


@given(st.dictionaries(any_text, anything, max_size=4))
def test_whatever_a_value_is_a_trace_can_carry_it(values: dict[str, object]) -> None:
    told = attributes(values)
    kept = {clean(name) for name, value in values.items() if name and value is not None}
    assert told.keys() == kept
    assert through_otlp(told).keys() == kept
    for value in told.values():
        items = value if isinstance(value, list) else [value]
        assert {type(item) for item in items} <= {str, bool, int, float}
        assert len({type(item) for item in items}) <= 1


@given(any_text)
def test_text_is_left_alone_unless_utf8_cannot_carry_it(text: str) -> None:
    told = clean(text)
    assert told.encode().decode() == told
    assert (told == text) or any("\ud800" <= character <= "\udfff" for character in text)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, None),
        (True, True),
        (2**63, "9223372036854775808"),
        ("a\ud800b", "a\ufffdb"),
        (Outcome.ANSWERED, "answered"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (datetime(2026, 11, 30, tzinfo=UTC), "2026-11-30T00:00:00+00:00"),
        (timedelta(minutes=1), 60.0),
        (Path("/tmp/card.json"), "/tmp/card.json"),  # noqa: S108
        (b"\x00\xff", "00ff"),
        ([MessageId(3), MessageId(4)], [3, 4]),
        ((1, 2.5, None), [1.0, 2.5]),
        ([1, "a", True], ["1", "a", "True"]),
        ([], []),
        (np.array([1, 2]), [1, 2]),
        (np.float64(0.5), 0.5),
        ({"similarity": 1.2, "ids": (1, None)}, '{"similarity": 1.2, "ids": [1, null]}'),
        ([[1, 2], [3]], ["[1, 2]", "[3]"]),
        (Lane, "<type>"),
        (Weights(), "<Weights>"),
        (Hostile(), "<Hostile>"),
        (SlyText("plain"), "plain"),
    ],
)
def test_values_are_told_as_plainly_as_they_can_be(value: object, told: object) -> None:
    assert attribute_value(value) == told
    assert type(attribute_value(value)) is type(told)


@given(any_text, st.sampled_from(["full", "redacted", "off"]))
def test_hash_and_length_of_a_text_are_told_in_every_mode(text: str, mode: Content) -> None:
    told = content("gen_ai.input.messages", text, mode)
    data = clean(text).encode()
    assert told.pop("gen_ai.input.messages.sha256") == hashlib.sha256(data).hexdigest()
    assert told.pop("gen_ai.input.messages.bytes") == len(data)
    shown = {"full": clean(text), "redacted": f"[{len(clean(text))} characters]"}
    assert told == ({"gen_ai.input.messages": shown[mode]} if mode in shown else {})


def test_what_a_value_is_called_does_not_quote_what_is_in_it() -> None:
    class Letter:
        def __init__(self, words: str) -> None:
            self.words = words

        def __repr__(self) -> str:
            return f"Letter({self.words})"

    told = attributes({"one": Letter("dear"), "many": [Letter("dear")], "deep": {"letter": [Letter("dear")]}})
    assert "dear" not in json.dumps(told)


class Refused(Exception):
    """As asyncpg's errors: a message that quotes the row, and facts that do not."""

    sqlstate = "23505"
    constraint_name = "messages_pkey"
    table_name = "a table; its name quotes somebody"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (KeyError("dear diary"), "KeyError"),
        (OSError(111, "dear diary"), "ConnectionRefusedError (errno=111)"),
        (
            Refused("dear diary"),
            "tests.test_disclosure.Refused (sqlstate=23505, constraint_name=messages_pkey)",
        ),
        (TimeoutError(), "TimeoutError"),
        (
            ExceptionGroup("dear diary", [KeyError("dear"), UnknownChat(7)]),
            "ExceptionGroup of KeyError, bot.errors.UnknownChat",
        ),
        (UnknownChat(7), f"bot.errors.UnknownChat: {UnknownChat(7)}"),
    ],
)
def test_an_error_is_told_without_quoting_anybody(error: Exception, line: str) -> None:
    assert error_line(error) == line


def test_an_error_that_cannot_be_asked_has_no_facts() -> None:
    class Closed(Exception):
        @property
        def status(self) -> int:
            raise RuntimeError("closed")

        def __str__(self) -> str:
            raise RuntimeError("closed")

    assert failure(Closed(), "full").attributes == {"error.type": Closed.__qualname__}


def test_a_failure_tells_the_status_that_the_other_side_gave() -> None:
    refused = failure(RequestRefused("the server answered 401; check LLM_API_KEY", status=401), "off")
    assert refused.attributes == {"error.type": "RequestRefused", "http.response.status_code": 401}
    assert failure(Refused("dear diary"), "off").attributes == {
        "error.type": "Refused",
        "db.response.status_code": "23505",
    }
