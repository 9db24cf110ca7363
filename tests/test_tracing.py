"""What `@step` and `span` record, and what they leave alone."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_type

import pytest

from bot.disclosure import Content
from bot.errors import ModelUnavailable
from bot.tracing import (
    current_ids,
    current_trace_id,
    current_traceparent,
    endpoint_for,
    event,
    note,
    set_up,
    span,
    step,
)
from tests.fakes.otlp_receiver import OtlpReceiver, tracing_to

SECRET = "the plum jam is behind the third brick"


@dataclass(frozen=True)
class Thought:
    """A value with something to tell a trace."""

    words: str = "I like plums"

    def span_attributes(self) -> Mapping[str, object]:
        return {"companion.thought.ids": [1, 2], "companion.thought.absent": None}

    def span_content(self) -> Mapping[str, str]:
        return {"companion.thought.words": self.words}

    def span_events(self) -> Sequence[tuple[str, Mapping[str, object]]]:
        return [("hit", {"companion.recall.score": 0.5}), ("hit", {"companion.recall.score": 0.25})]


@step
async def think() -> Thought:
    """Come up with something."""
    return Thought()


@step
async def count(limit: int) -> list[int]:
    return list(range(limit))


@step
def count_at_once(limit: int) -> tuple[int, ...]:
    return tuple(range(limit))


@step("invoke_agent {persona.name}")
async def answer(persona: Persona, *, mood: str = "calm") -> str:
    await think()
    return mood


@dataclass(frozen=True)
class Persona:
    name: str

    @step("greet {self.name} {times}")
    async def greet(self, times: int = 1) -> int:
        return times


@pytest.fixture
async def receiver() -> AsyncIterator[OtlpReceiver]:
    async with OtlpReceiver() as receiver:
        yield receiver


async def test_a_step_tells_what_its_value_says_of_itself(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        thought = await think()
    seen = receiver.root()
    assert thought == Thought()
    assert (seen.name, seen.kind, seen.status) == ("think", "internal", "unset")
    assert seen.attributes == {
        "companion.thought.ids": [1, 2],
        "companion.thought.words": "I like plums",
        "companion.thought.words.bytes": 12,
        "companion.thought.words.sha256": hashlib.sha256(b"I like plums").hexdigest(),
    }
    assert seen.events == [
        ("hit", {"companion.recall.score": 0.5}),
        ("hit", {"companion.recall.score": 0.25}),
    ]
    assert seen.resource["service.name"] == "companion"
    assert seen.resource["service.version"] == "1"
    assert seen.resource["companion.content"] == "full"
    assert receiver.encodings == ["gzip"]


async def test_a_step_that_gives_a_list_tells_how_many(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        assert_type(await count(3), list[int])
        assert_type(count_at_once(4), tuple[int, ...])
    assert [seen.attributes["companion.result.count"] for seen in receiver.roots()] == [3, 4]


async def test_a_step_may_be_named_for_its_arguments(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        assert await answer(Persona("Aika"), mood="glad") == "glad"
        assert await Persona("Aika").greet() == 1
    assert [seen.name for seen in receiver.roots()] == ["invoke_agent Aika", "greet Aika 1"]


async def test_a_name_that_cannot_be_filled_in_stays_a_template(receiver: OtlpReceiver) -> None:
    @step("recall {found.best}")
    async def recall(found: object) -> object:
        return found

    async with tracing_to(receiver):
        assert await recall(None) is None
    assert receiver.root().name == "recall {found.best}"


def test_a_name_for_an_argument_that_is_not_there_is_refused_at_once() -> None:
    async def recall(limit: int) -> int:
        return limit

    with pytest.raises(TypeError, match="'persona', no argument of"):
        step("recall {persona}")(recall)


def test_a_step_cannot_be_a_generator() -> None:
    def several() -> Iterator[int]:
        yield 1

    with pytest.raises(TypeError, match="a step returns a value"):
        step(several)


def test_a_step_keeps_its_name_and_words() -> None:
    assert think.__name__ == "think"
    assert think.__doc__ == "Come up with something."


async def test_steps_below_a_step_are_its_children_also_in_tasks_and_threads(receiver: OtlpReceiver) -> None:
    @step
    async def turn() -> None:
        await asyncio.gather(count(1), count(2))
        await asyncio.to_thread(count_at_once, 3)

    async with tracing_to(receiver):
        await turn()
        await answer(Persona("Aika"))
    turn_seen, answer_seen = receiver.roots()
    assert [child.name for child in turn_seen.children] == ["count", "count", "count_at_once"]
    assert [child.name for child in answer_seen.children] == ["think"]
    assert turn_seen.trace_id != answer_seen.trace_id


async def test_what_a_step_raises_is_told_and_rises(receiver: OtlpReceiver) -> None:
    @step
    async def ask() -> None:
        raise ModelUnavailable("the model answered 429; try later")

    async with tracing_to(receiver, content="off"):
        with pytest.raises(ModelUnavailable):
            await ask()
    seen = receiver.root()
    assert (seen.status, seen.description) == ("error", "the model answered 429; try later")
    assert seen.attributes == {"error.type": "ModelUnavailable"}
    told = {
        "exception.type": "bot.errors.ModelUnavailable",
        "exception.message": "the model answered 429; try later",
    }
    assert seen.events == [("exception", told)]


async def test_a_cancelled_step_is_no_failure(receiver: OtlpReceiver) -> None:
    began = asyncio.Event()

    @step
    async def wait() -> None:
        began.set()
        await asyncio.Event().wait()

    async with tracing_to(receiver):
        task = asyncio.create_task(wait())
        await began.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    seen = receiver.root()
    assert (seen.attributes, seen.status, seen.events) == ({"companion.cancelled": True}, "unset", [])


async def test_a_value_that_cannot_describe_itself_is_still_an_answer(
    receiver: OtlpReceiver, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def span_attributes(self) -> Mapping[str, object]:
            raise ValueError(SECRET)

    @step
    async def make() -> Broken:
        return Broken()

    async with tracing_to(receiver):
        assert isinstance(await make(), Broken)
    assert receiver.root().status == "unset"
    assert "Broken cannot describe itself to a trace: ValueError" in caplog.text
    assert SECRET not in caplog.text


async def test_an_adapter_opens_a_span_and_adds_to_it(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        with span("send telegram", kind="client", attributes={"telegram.chat.id": -100}) as here:
            here.note({"telegram.message.id": 7})
            note({"companion.waited": 1.5})
            event("retry", {"companion.attempt": 2})
        note({"companion.nowhere": True})
        event("nowhere")
    seen = receiver.root()
    assert (seen.name, seen.kind) == ("send telegram", "client")
    assert seen.attributes == {"telegram.chat.id": -100, "telegram.message.id": 7, "companion.waited": 1.5}
    assert seen.events == [("retry", {"companion.attempt": 2})]


@pytest.mark.parametrize("content", ["full", "redacted", "off"])
async def test_only_full_traces_hold_what_people_wrote(receiver: OtlpReceiver, content: Content) -> None:
    @step
    async def recite() -> Thought:
        return Thought(SECRET)

    @step
    async def fail() -> None:
        raise ValueError(f"bad answer: {SECRET}") from LookupError(SECRET)

    async with tracing_to(receiver, content=content):
        await recite()
        with pytest.raises(ValueError, match=SECRET):
            await fail()
    recited, failed = receiver.roots()
    shown = {"full": SECRET, "redacted": "[38 characters]", "off": None}[content]
    assert recited.attributes.get("companion.thought.words") == shown
    assert recited.attributes["companion.thought.words.bytes"] == 38
    assert len(recited.attributes["companion.thought.words.sha256"]) == 64
    assert failed.attributes == {"error.type": "ValueError"}
    assert (SECRET.encode() in b"".join(receiver.bodies)) is (content == "full")
    if content != "full":
        assert failed.description == "ValueError"
        assert failed.events == [("exception", {"exception.type": "ValueError"})]


async def test_keys_are_blotted_out_also_in_full_traces(receiver: OtlpReceiver) -> None:
    key, token = "sk-live-0123456789", "123456789:AAHk-abcdefghijklmnopqrstuvwxyz_01"

    @step
    async def ask() -> Thought:
        await think()
        return Thought(f"my key is {key}")

    @step
    async def fail() -> None:
        raise ValueError(f"no answer from https://me:hunter2@host/bot{token}/getMe for {key}")

    async with tracing_to(receiver, secrets=[key]):
        await ask()
        with pytest.raises(ValueError, match="hunter2"):
            await fail()
    sent = b"".join(receiver.bodies)
    assert [secret for secret in (key, token, "hunter2") if secret.encode() in sent] == []
    assert receiver.roots()[0].attributes["companion.thought.words"] == "my key is [secret]"


async def test_a_trace_has_an_id_also_when_nothing_is_sent(receiver: OtlpReceiver) -> None:
    ids: list[tuple[str, str]] = []

    @step
    async def inner() -> None:
        ids.append(current_ids())

    @step
    async def outer() -> None:
        ids.append(current_ids())
        await inner()

    with set_up(service="companion", version="1", content="full", endpoint=None) as tracing:
        await outer()
        assert current_trace_id() == ""
        assert (tracing.exports, tracing.delivered, tracing.lost) == (False, 0, 0)
    await outer()
    traces = [trace for trace, _ in ids]
    assert [len(trace) for trace in traces] == [32] * 4
    assert (traces[0], traces[2]) == (traces[1], traces[3])
    assert traces[0] != traces[2]
    assert len({span_id for _, span_id in ids}) == 4
    assert receiver.asked == 0


async def test_the_last_set_up_counts(receiver: OtlpReceiver) -> None:
    async with OtlpReceiver() as other, tracing_to(other), tracing_to(receiver):
        await think()
        assert other.spans() == []
    assert receiver.root().name == "think"


@pytest.mark.parametrize(
    ("base", "traces", "endpoint"),
    [
        (None, None, None),
        ("http://host:4318", None, "http://host:4318/v1/traces"),
        ("http://host/otlp/", None, "http://host/otlp/v1/traces"),
        ("http://host:4318", "http://other/in", "http://other/in"),
    ],
)
def test_the_endpoint_is_found_as_opentelemetry_says(
    base: str | None, traces: str | None, endpoint: str | None
) -> None:
    assert endpoint_for("traces", base=base, own=traces) == endpoint


async def test_a_turn_of_spans_costs_little(receiver: OtlpReceiver) -> None:
    @step
    async def numbers() -> Any:
        return Thought()

    async with tracing_to(receiver):
        began = time.process_time()
        for _ in range(250):
            await numbers()
        spent = time.process_time() - began
    assert spent < 1.0, "ten turns should cost some 20 ms"
    assert len(receiver.spans()) == 250
    assert logging.getLogger("opentelemetry").level == logging.NOTSET


@step("greet {name}", about=("name", "where"))
async def greet(name: str, *, where: str) -> None:
    raise ValueError(name)


async def test_a_call_that_fails_has_told_about_its_arguments() -> None:
    async with OtlpReceiver() as receiver:
        async with tracing_to(receiver):
            with pytest.raises(ValueError, match="Ann"):
                await greet("Ann", where="Lyon")
        told = receiver.root().attributes
    assert (told["companion.name"], told["companion.where"]) == ("Ann", "Lyon")


def test_telling_about_an_argument_that_is_not_there_is_refused_when_decorated() -> None:
    with pytest.raises(TypeError, match="nobody"):
        step("x", about=("nobody",))(lambda: None)


async def test_a_trace_goes_on_in_another_place_by_its_traceparent() -> None:
    async with OtlpReceiver() as receiver:
        async with tracing_to(receiver):
            with span("turn"):
                handed_over = current_traceparent()
            with span("send", parent=handed_over):
                pass
        root = receiver.root()
    assert [child.name for child in root.children] == ["send"]


def test_outside_of_any_span_there_is_no_traceparent() -> None:
    assert current_traceparent() is None
