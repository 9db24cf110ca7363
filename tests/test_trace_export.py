"""Where spans go: to a collector that is up, down, hanging or rude, and through one that is not ours."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.errors import ModelUnavailable
from bot.trace_export import QUEUE
from bot.tracing import Tracing, event, set_up, span, step
from tests.fakes.otlp_agent import agent, free_port
from tests.fakes.otlp_receiver import OtlpReceiver, tracing_to

ROOT = Path(__file__).parent.parent
SLACK = 1.5
"""Seconds that a busy machine may take on top of what was promised."""


@pytest.fixture
async def receiver() -> AsyncIterator[OtlpReceiver]:
    async with OtlpReceiver() as receiver:
        yield receiver


def trace_to(endpoint: str) -> Tracing:
    return set_up(service="companion", version="1", content="off", endpoint=endpoint)


def make_spans(count: int) -> None:
    for number in range(count):
        with span("tick", attributes={"companion.number": number}):
            pass


async def shut_down(tracing: Tracing) -> float:
    """End tracing; the seconds it took."""
    began = time.monotonic()
    await asyncio.to_thread(tracing.shut_down)
    return time.monotonic() - began


def complaints(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_nothing_is_lost_at_the_end_when_the_collector_is_up(
    receiver: OtlpReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    tracing = trace_to(receiver.endpoint)
    make_spans(1000)
    assert await shut_down(tracing) < 5
    assert sorted(seen.attributes["companion.number"] for seen in receiver.spans()) == list(range(1000))
    assert (tracing.delivered, tracing.lost) == (1000, 0)
    assert complaints(caplog) == []


async def test_spans_are_sent_while_the_bot_runs(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        make_spans(3)
        await receiver.received(3)


async def test_a_hanging_collector_delays_the_end_by_five_seconds_at_most(
    receiver: OtlpReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.hangs = True
    tracing = trace_to(receiver.endpoint)
    began = time.monotonic()
    make_spans(QUEUE + 1000)
    assert time.monotonic() - began < 5, "the bot does not wait for the collector"
    assert tracing.lost >= 1000 - 64, "no more are kept than the queue holds"
    assert await shut_down(tracing) < 5 + SLACK
    assert (tracing.delivered, tracing.lost) == (0, QUEUE + 1000)
    assert complaints(caplog) == [
        f"traces do not reach {receiver.endpoint} (no answer in time); the bot goes on without"
    ]


async def test_a_shorter_time_to_end_is_kept_too(receiver: OtlpReceiver, caplog: pytest.LogCaptureFixture) -> None:
    receiver.hangs = True
    tracing = trace_to(receiver.endpoint)
    make_spans(10)
    await asyncio.to_thread(tracing.shut_down, 0.2)
    assert tracing.lost == 10
    told = [f"10 spans did not reach {receiver.endpoint} before the end"]
    assert complaints(caplog) == told
    for thread in threading.enumerate():
        if thread.name == "traces-drain":
            await asyncio.to_thread(thread.join)
    assert complaints(caplog) == told, "a request that fails after the end is nobody's news"


async def test_a_collector_that_is_not_there_costs_one_line(caplog: pytest.LogCaptureFixture) -> None:
    endpoint = f"http://127.0.0.1:{free_port()}/v1/traces"
    tracing = trace_to(endpoint.replace("//", "//user:password@"))
    make_spans(500)
    assert await shut_down(tracing) < 5 + SLACK
    assert (tracing.delivered, tracing.lost) == (0, 500)
    assert complaints(caplog) == [f"traces do not reach {endpoint} (ConnectionError); the bot goes on without"]


async def test_a_collector_that_goes_and_comes_costs_a_line_each(
    receiver: OtlpReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.status = 401
    tracing = trace_to(receiver.endpoint)
    make_spans(200)
    await receiver.was_asked(4)
    receiver.status = 200
    make_spans(5)
    await receiver.received(5)
    make_spans(5)
    await shut_down(tracing)
    assert (tracing.delivered, tracing.lost) == (10, 200)
    assert complaints(caplog) == [
        f"traces do not reach {receiver.endpoint} (HTTP 401); the bot goes on without",
        f"traces reach {receiver.endpoint} again; 200 spans were lost",
    ]


@pytest.mark.parametrize("endpoint", ["no address at all", "localhost:4318", "http://[::1/v1/traces"])
async def test_a_wrong_address_is_said_once_and_raises_nothing(endpoint: str, caplog: pytest.LogCaptureFixture) -> None:
    tracing = trace_to(endpoint)
    make_spans(100)
    await shut_down(tracing)
    assert tracing.lost == 100
    assert len(complaints(caplog)) == 1


async def test_a_wrong_environment_is_said_once_and_raises_nothing(
    monkeypatch: pytest.MonkeyPatch, receiver: OtlpReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_PYTHON_EXPORTER_OTLP_HTTP_CREDENTIAL_PROVIDER", "nobody")
    monkeypatch.setenv("OTEL_SPAN_EVENT_COUNT_LIMIT", "many")
    with trace_to(receiver.endpoint) as tracing:
        make_spans(3)
    assert not tracing.exports
    assert complaints(caplog) == ["no traces will be sent: the exporter cannot be made from OTEL_* (RuntimeError)"]


async def run_and_end(receiver: OtlpReceiver, *, how: str, by: signal.Signals | None) -> int:
    """Run a process that makes 100 spans and then ends in some way; its exit code."""
    script = f"""
import signal, sys
from bot.tracing import set_up, span

signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
tracing = set_up(service="companion", version="1", content="off", endpoint={receiver.endpoint!r})
for _ in range(100):
    with span("tick"):
        pass
print("ready", flush=True)
{how}
"""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    assert await process.stdout.readline() == b"ready\n"
    if by is not None:
        process.send_signal(by)
    return await process.wait()


@pytest.mark.parametrize(
    ("how", "by", "code"),
    [
        ("signal.pause()", signal.SIGTERM, 143),
        ("with tracing: signal.pause()", signal.SIGTERM, 143),
        ("import asyncio; asyncio.run(asyncio.Event().wait())", signal.SIGTERM, 143),
        ("", None, 0),
        ("raise ValueError", None, 1),
    ],
)
async def test_a_process_that_ends_sends_what_it_has(
    receiver: OtlpReceiver, how: str, by: signal.Signals | None, code: int
) -> None:
    assert await run_and_end(receiver, how=how, by=by) == code
    assert len(receiver.spans()) == 100


@step("invoke_agent {persona}")
async def turn(persona: str) -> list[str]:
    """A small turn with one of everything."""
    event("remembered", {"companion.message.id": 7, "companion.recall.score": 0.5})
    with span("SELECT messages", kind="client", attributes={"ids": [1, 2], "text": "我喜欢李子 🍑", "yes": True}):
        await asyncio.gather(fetch(1), fetch(2), return_exceptions=True)
    return ["one"]


@step
async def fetch(number: int) -> None:
    if number == 2:
        raise ModelUnavailable("the server answered 503; try later")


async def test_a_collector_that_is_not_ours_takes_and_passes_on_the_same_spans(
    receiver: OtlpReceiver, tmp_path: Path
) -> None:
    async with OtlpReceiver() as direct, tracing_to(direct):
        await turn("Aika")
        await asyncio.to_thread(make_spans, 300)
        await direct.received(304)
    async with agent(tmp_path, to=receiver) as endpoint:
        with set_up(service="companion", version="1", content="full", endpoint=endpoint) as tracing:
            await turn("Aika")
            await asyncio.to_thread(make_spans, 300)
            await shut_down(tracing)
        assert (tracing.delivered, tracing.lost) == (304, 0)
        await receiver.received(304)
    passed_on, sent = receiver.roots(), direct.roots()
    assert [seen.outline() for seen in passed_on] == [seen.outline() for seen in sent]
    assert passed_on[0].resource == sent[0].resource
    (turn_seen, *ticks) = passed_on
    assert (turn_seen.name, turn_seen.attributes) == ("invoke_agent Aika", {"companion.result.count": 1})
    assert [child.name for child in turn_seen.children] == ["SELECT messages"]
    assert [child.status for child in turn_seen.children[0].children] == ["unset", "error"]
    assert len(ticks) == 300
