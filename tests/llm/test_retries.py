"""Patience: how often is asked again, and what is waited."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BadAnswer, ContextTooLong, ModelError, ModelUnavailable, RequestRefused
from bot.llm.retries import CHAT, JOB, TURN, Patience, Patient, PatientChat
from tests.llm.patient import ScriptedChat, ScriptedEmbedder, Sleeper, always, lengths, patient, refusing
from tests.llm.samples import prompt


async def test_what_is_served_at_once_is_asked_once_and_waits_for_nothing() -> None:
    embedder, sleeper = refusing(), Sleeper()
    assert lengths(await patient(embedder, TURN, sleeper).embed(["a", "bb"], purpose="query")) == [1, 2]
    assert embedder.asked == [["a", "bb"]]
    assert sleeper.slept == []


async def test_a_server_that_is_down_is_asked_six_times_and_then_said_to_be_down() -> None:
    embedder, sleeper = always(ModelUnavailable("down", status=503)), Sleeper()
    with pytest.raises(ModelUnavailable, match="down"):
        await patient(embedder, TURN, sleeper).embed(["a"], purpose="query")
    assert len(embedder.asked) == 6
    assert sleeper.slept == [0.5, 1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize("failures", range(6))
async def test_a_server_that_comes_back_in_time_serves(failures: int) -> None:
    embedder = ScriptedEmbedder(
        lambda texts, number: ModelUnavailable("down", status=500) if number < failures else None
    )
    assert lengths(await patient(embedder).embed(["a", "bb"], purpose="query")) == [1, 2]
    assert len(embedder.asked) == failures + 1


@given(chance=st.floats(0, 1, exclude_max=True))
async def test_chance_shortens_a_wait_by_half_at_most_and_never_lengthens_it(chance: float) -> None:
    sleeper = Sleeper()
    with pytest.raises(ModelUnavailable):
        await patient(always(ModelUnavailable("down")), TURN, sleeper, chance).embed(["a"], purpose="query")
    for wait, full in zip(sleeper.slept, [0.5, 1.0, 2.0, 4.0, 8.0], strict=True):
        assert full / 2 <= wait <= full


async def test_a_server_that_names_its_wait_is_given_it() -> None:
    errors = [ModelUnavailable("busy", retry_after=7.0, status=429), None]
    sleeper = Sleeper()
    embedder = ScriptedEmbedder(lambda texts, number: errors[number])
    await patient(embedder, TURN, sleeper).embed(["a"], purpose="query")
    assert sleeper.slept == [7.0]


async def test_in_a_turn_a_minute_is_too_long_and_in_a_job_it_is_waited() -> None:
    busy = ModelUnavailable("busy", retry_after=60.0, status=429)
    turn, job = Sleeper(), Sleeper()
    with pytest.raises(ModelUnavailable) as caught:
        await patient(always(busy), TURN, turn).embed(["a"], purpose="query")
    assert caught.value.retry_after == 60
    assert turn.slept == []
    with pytest.raises(ModelUnavailable):
        await patient(always(busy), JOB, job).embed(["a"], purpose="query")
    assert job.slept == [60.0] * 5


@given(wish=st.floats(0, 10**6), patience=st.sampled_from([TURN, JOB]))
async def test_nobody_waits_longer_than_their_patience(wish: float, patience: Patience) -> None:
    sleeper = Sleeper()
    with pytest.raises(ModelUnavailable) as caught:
        await patient(always(ModelUnavailable("busy", retry_after=wish)), patience, sleeper).embed(
            ["a"], purpose="query"
        )
    assert caught.value.retry_after == wish
    assert len(sleeper.slept) <= patience.retries
    assert all(wish <= wait <= patience.longest_wait for wait in sleeper.slept if wait)
    assert sum(sleeper.slept) <= patience.in_all


async def test_time_that_requests_take_counts_as_patience_too() -> None:
    clock = iter([0.0, 20.0, 29.0, 31.0])
    embedder = always(ModelUnavailable("slow"))
    slow = Patient(embedder, patience=TURN, sleep=Sleeper(), random=lambda: 1.0, clock=lambda: next(clock))
    with pytest.raises(ModelUnavailable):
        await slow.embed(["a"], purpose="query")
    assert len(embedder.asked) == 3


@pytest.mark.parametrize("status", [401, 402, 403, 404, 429])
@pytest.mark.parametrize("patience", [TURN, JOB])
async def test_what_cannot_get_better_rises_at_the_first_request(status: int, patience: Patience) -> None:
    embedder = always(RequestRefused("no", status=status))
    with pytest.raises(RequestRefused):
        await patient(embedder, patience).embed([f"text {n}" for n in range(64)], purpose="passage")
    assert len(embedder.asked) == 1


def patient_chat(chat: ScriptedChat, sleeper: Sleeper, patience: Patience = CHAT) -> PatientChat:
    return PatientChat(chat, patience=patience, sleep=sleeper, random=lambda: 1.0, clock=lambda: 0.0)


async def test_a_chat_model_is_asked_again_twice_at_most() -> None:
    chat, sleeper = ScriptedChat([ModelUnavailable("down")] * 2), Sleeper()
    assert (await patient_chat(chat, sleeper).complete(prompt("hi"))).text == "hi"
    assert (chat.asked, sleeper.slept) == (3, [1.0, 2.0])
    chat = ScriptedChat([ModelUnavailable("down")] * 3)
    with pytest.raises(ModelUnavailable):
        await patient_chat(chat, sleeper).complete(prompt("hi"))
    assert chat.asked == 3


@pytest.mark.parametrize(
    "error", [RequestRefused("no", status=400), ContextTooLong("long", status=400), BadAnswer("odd")]
)
async def test_a_chat_model_is_not_asked_again_for_anything_else(error: ModelError) -> None:
    chat, sleeper = ScriptedChat([error]), Sleeper()
    with pytest.raises(type(error)):
        await patient_chat(chat, sleeper).complete(prompt("hi"))
    assert (chat.asked, sleeper.slept) == (1, [])


async def test_a_chat_model_that_asks_for_more_time_than_there_is_is_left_alone() -> None:
    chat, sleeper = ScriptedChat([ModelUnavailable("busy", retry_after=600)]), Sleeper()
    with pytest.raises(ModelUnavailable):
        await patient_chat(chat, sleeper, replace(CHAT, longest_wait=5)).complete(prompt("hi"))
    assert (chat.asked, sleeper.slept) == (1, [])
