"""What metrics tell of the spans that end: each value where it belongs, with its trace, and never who it was."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import cast

import pytest
from opentelemetry.sdk.trace import ReadableSpan

from bot import telemetry_names as names
from bot.errors import ModelError, ModelUnavailable, RequestRefused
from bot.metering import MOST
from bot.traced import served_at
from bot.tracing import Tracing, current_trace_id, event, level, levels_every, note, set_up, span
from tests.fakes.otlp_agent import agent, free_port
from tests.fakes.otlp_receiver import OtlpReceiver, Point, tracing_to

SLACK = 1.5
"""Seconds that a busy machine may take on top of what was promised."""


@pytest.fixture
async def receiver() -> AsyncIterator[OtlpReceiver]:
    async with OtlpReceiver() as receiver:
        yield receiver


def told(receiver: OtlpReceiver, name: str) -> dict[str, tuple[float, int]]:
    """The series of a metric: its labels' values, and sum and count."""
    return {
        " ".join(str(value) for _, value in sorted(point.attributes.items())): (point.value, point.count)
        for point in receiver.points()
        if point.name == name
    }


def only(receiver: OtlpReceiver, name: str) -> Point:
    [point] = [point for point in receiver.points() if point.name == name]
    return point


def ended(name: str, attributes: Mapping[str, object], *, error: ModelError | None = None) -> str:
    """A span that ended; its trace."""
    trace_ids: list[str] = []
    with suppress(ModelError), span(name, attributes=attributes):
        trace_ids.append(current_trace_id())
        if error is not None:
            raise error
    return trace_ids[0]


async def test_a_turn_is_counted_by_how_it_ended_and_leads_to_its_trace(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        traces = {ended("invoke_agent Aika", {names.COMPANION_TURN_OUTCOME: "answered"}) for _ in range(2)}
        ended("invoke_agent Aika", {}, error=ModelUnavailable("503; try later"))
        with pytest.raises(asyncio.CancelledError), span("invoke_agent Aika"):
            raise asyncio.CancelledError
    turns = told(receiver, names.METRIC_TURN_DURATION)
    assert {labels: count for labels, (_, count) in turns.items()} == {
        "answered": 2,
        "failed ModelUnavailable": 1,
        "cancelled": 1,
    }
    [answered] = [
        point for point in receiver.points() if point.attributes.get(names.COMPANION_TURN_OUTCOME) == "answered"
    ]
    assert (answered.unit, answered.kind) == ("s", "histogram")
    assert {*answered.exemplars} <= traces
    assert answered.exemplars


async def test_a_request_to_a_model_tells_time_tokens_and_cost(receiver: OtlpReceiver) -> None:
    asked = {
        names.GEN_AI_OPERATION_NAME: "chat",
        names.GEN_AI_REQUEST_MODEL: "m",
        **served_at("https://api.groq.com/v1"),
    }
    chat = {
        **asked,
        names.GEN_AI_RESPONSE_MODEL: "whatever a server says",
        names.GEN_AI_USAGE_INPUT_TOKENS: 100,
        names.GEN_AI_USAGE_OUTPUT_TOKENS: 7,
        names.GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS: 64,
        names.COMPANION_COST: 0.25,
    }
    async with tracing_to(receiver):
        ended("chat m", chat)
        ended("chat m", chat)
        refused = RequestRefused("429; slow down", status=429)
        ended("chat m", asked, error=refused)
    durations = told(receiver, names.METRIC_MODEL_DURATION)
    assert {labels: count for labels, (_, count) in durations.items()} == {
        "chat groq m api.groq.com 443": 2,
        "RequestRefused chat groq m 429 api.groq.com 443": 1,
    }
    assert told(receiver, names.METRIC_TOKENS) == {
        "chat groq m input api.groq.com 443": (200.0, 2),
        "chat groq m output api.groq.com 443": (14.0, 2),
    }
    assert told(receiver, names.METRIC_TOKENS_CACHED) == {"chat groq m api.groq.com 443": (128.0, 1)}
    assert told(receiver, names.COMPANION_COST) == {"chat groq m api.groq.com 443": (0.5, 1)}


async def test_what_a_turn_does_in_between_is_told_too(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        with span("search_memory", attributes={names.COMPANION_RECALL_PROFILE: "ranked"}):
            event("hit", {names.COMPANION_RECALL_SCORE: 0.5})
            event("hit", {names.COMPANION_RECALL_SCORE: 0.75})
            note({names.COMPANION_RECALL_HITS: 2})
        ended("search_memory", {names.COMPANION_RECALL_PROFILE: "ranked", names.COMPANION_RECALL_HITS: 0})
        ended(
            "assemble_prompt", {f"{names.COMPANION_PROMPT_TOKENS}card": 30, f"{names.COMPANION_PROMPT_TOKENS}all": 90}
        )
        ended("parse_action", {names.COMPANION_PARSE_REPAIRED: True, names.COMPANION_PARSE_ACTION: "send_message"})
        ended("embed_unread", {})
        ended("embed_batch", {}, error=ModelUnavailable("503; try later", retry_after=2.5))
        ended("send telegram", {})
    assert told(receiver, names.COMPANION_RECALL_HITS) == {"ranked": (2.0, 2)}
    assert told(receiver, names.METRIC_TOP_SCORE) == {"ranked": (0.75, 1)}
    assert told(receiver, names.METRIC_PROMPT_SIZE) == {"card": (30.0, 1), "all": (90.0, 1)}
    assert told(receiver, names.METRIC_PARSES) == {"send_message True": (1.0, 1)}
    assert told(receiver, names.METRIC_EMBEDDING_EXHAUSTED) == {"": (1.0, 1)}
    assert told(receiver, names.METRIC_WAITS) == {"embed_batch": (2.5, 1)}
    assert only(receiver, names.METRIC_SEND_DURATION).count == 1


async def test_spans_are_counted_as_they_arrive_and_what_is_cut_from_them(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        ended("tick", {f"companion.number.{n}": n for n in range(300)})
        ended("tick", {})
    assert told(receiver, names.METRIC_SPANS_DELIVERED) == {"": (2.0, 1)}
    assert told(receiver, names.METRIC_SPANS_LOST) == {"": (0.0, 1)}
    assert only(receiver, names.METRIC_SPANS_CUT).value == 300 - 256


async def test_a_span_that_cannot_be_counted_is_no_trouble_of_who_ended_it(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver) as tracing:
        assert tracing.meters is not None
        tracing.meters.on_end(cast("ReadableSpan", object()))
        ended("send telegram", {})
    assert only(receiver, names.METRIC_SEND_DURATION).count == 1


async def test_spans_are_counted_at_once_when_too_many_wait_for_it(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        for _ in range(2 * MOST + 5):
            ended("send telegram", {})
    assert only(receiver, names.METRIC_SEND_DURATION).count == 2 * MOST + 5


async def test_a_level_is_told_until_it_is_told_anew(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver) as tracing:
        assert levels_every() == 60
        level(names.METRIC_BACKLOG, {"turns": 3, "outbox": 1})
        level(names.METRIC_BACKLOG, {"turns": 2})
        level(names.METRIC_SPENDING_LIMIT, {"": 5})
        assert tracing.metrics is not None
    assert told(receiver, names.METRIC_BACKLOG) == {"turns": (2.0, 1)}
    assert told(receiver, names.METRIC_SPENDING_LIMIT) == {"": (5.0, 1)}
    assert only(receiver, names.METRIC_BACKLOG).kind == "gauge"


async def test_without_an_endpoint_nothing_is_measured() -> None:
    with set_up(service="companion", version="1", content="off", endpoint=None) as tracing:
        level(names.METRIC_BACKLOG, {"turns": 3})
        assert (tracing.meters, levels_every()) == (None, None)


async def test_processes_are_told_apart_and_labels_name_nobody(receiver: OtlpReceiver) -> None:
    about = {names.TELEGRAM_CHAT_ID: 7, names.GEN_AI_CONVERSATION_ID: "7", names.COMPANION_TURN_ID: "t"}
    async with tracing_to(receiver):
        for name in (
            "invoke_agent Aika",
            "chat m",
            "search_memory",
            "parse_action",
            "send telegram",
            "process telegram",
        ):
            ended(name, about)
    assert len({point.resource[names.SERVICE_INSTANCE_ID] for point in receiver.points()}) == 1
    assert [point for point in receiver.points() if point.attributes.keys() & about.keys()] == []


async def test_metrics_go_out_at_intervals(receiver: OtlpReceiver) -> None:
    with set_up(
        service="companion",
        version="1",
        content="off",
        endpoint=None,
        metrics_endpoint=receiver.metrics_endpoint,
        interval=0.1,
    ) as tracing:
        assert tracing.exports
        ended("send telegram", {})
        await receiver.measured(names.METRIC_SEND_DURATION)
        await asyncio.to_thread(tracing.shut_down)


def measure_to(endpoint: str, *, interval: float = 60.0) -> Tracing:
    base = endpoint.removesuffix("/v1/traces")
    return set_up(
        service="companion",
        version="1",
        content="off",
        endpoint=f"{base}/v1/traces",
        metrics_endpoint=f"{base}/v1/metrics",
        interval=interval,
    )


async def end(tracing: Tracing, *, within: float = 5.0) -> float:
    """End tracing; the seconds it took."""
    began = time.monotonic()
    await asyncio.to_thread(tracing.shut_down, within)
    return time.monotonic() - began


@pytest.mark.parametrize("within", [1.0, pytest.param(5.0, marks=pytest.mark.soak)])
async def test_a_hanging_collector_delays_the_end_by_what_it_is_given_at_most(
    receiver: OtlpReceiver, within: float
) -> None:
    receiver.hangs = True
    tracing = measure_to(receiver.endpoint, interval=0.1)
    ended("send telegram", {})
    assert within / 2 < await end(tracing, within=within) < within + SLACK
    assert tracing.lost == 1
    for thread in threading.enumerate():
        if thread.name.endswith("-drain"):  # it would complain in the next test's log
            await asyncio.to_thread(thread.join)


async def test_a_collector_that_is_not_there_costs_a_line_for_traces_and_one_for_metrics(
    caplog: pytest.LogCaptureFixture,
) -> None:
    base = f"http://127.0.0.1:{free_port()}"
    tracing = measure_to(base.replace("//", "//user:password@"), interval=0.1)
    ended("send telegram", {})
    assert await end(tracing) < 5 + SLACK
    complaints = sorted(record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING)
    assert complaints == [
        f"metrics do not reach {base}/v1/metrics (ConnectionError); the bot goes on without",
        f"traces do not reach {base}/v1/traces (ConnectionError); the bot goes on without",
    ]


async def test_a_collector_that_is_not_ours_takes_and_passes_on_the_same_metrics(
    receiver: OtlpReceiver, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with agent(tmp_path_factory.mktemp("rotel"), to=receiver) as endpoint:
        tracing = measure_to(endpoint)
        trace_id = ended("invoke_agent Aika", {names.COMPANION_TURN_OUTCOME: "silent"})
        level(names.METRIC_BACKLOG, {"turns": 3})
        await end(tracing)
        await receiver.measured(names.METRIC_TURN_DURATION, names.METRIC_BACKLOG, names.METRIC_SPANS_DELIVERED)
    turn = only(receiver, names.METRIC_TURN_DURATION)
    assert (turn.attributes, turn.count, turn.exemplars) == ({names.COMPANION_TURN_OUTCOME: "silent"}, 1, [trace_id])
    assert told(receiver, names.METRIC_BACKLOG) == {"turns": (3.0, 1)}
