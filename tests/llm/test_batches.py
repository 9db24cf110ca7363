"""Which texts are given up, and at what cost to the others."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BadAnswer, ContextTooLong, ModelError, ModelUnavailable, RequestRefused
from bot.llm.batches import CONTROL
from bot.llm.retries import JOB, TURN, Patience
from tests.llm.patient import ScriptedEmbedder, always, lengths, patient, refusing


@pytest.mark.parametrize(
    "error", [RequestRefused("NaN", status=500), BadAnswer("odd"), RequestRefused("no", status=422)]
)
@pytest.mark.parametrize("patience", [TURN, JOB])
async def test_one_bad_text_costs_only_itself(error: ModelError, patience: Patience) -> None:
    texts = [f"text {'x' * n}" for n in range(8)]
    embedder = refusing(texts[5], error=error)
    found = await patient(embedder, patience).embed(texts, purpose="passage")
    assert lengths(found) == [5, 6, 7, 8, 9, None, 11, 12]


texts_and_bad = st.integers(1, 64).flatmap(
    lambda size: st.tuples(st.just(size), st.sets(st.integers(0, size - 1), max_size=5))
)


@given(case=texts_and_bad)
async def test_the_bad_ones_and_only_they_are_given_up_in_few_requests(case: tuple[int, set[int]]) -> None:
    size, bad = case
    texts = [f"text number {number}" for number in range(size)]
    embedder = refusing(*(texts[number] for number in bad))
    found = await patient(embedder, JOB).embed(texts, purpose="passage")
    assert [vector is None for vector in found] == [number in bad for number in range(size)]
    assert len(embedder.asked) <= 1 + bool(bad) + len(bad) * 2 * math.ceil(math.log2(max(size, 2)))


@pytest.mark.parametrize("error", [RequestRefused("no", status=400), BadAnswer("html")])
@pytest.mark.parametrize("size", [1, 2, 64])
async def test_a_broken_server_is_never_taken_for_bad_texts(error: ModelError, size: int) -> None:
    texts = [f"text {number}" for number in range(size)]
    for patience in (TURN, JOB):
        embedder = always(error)
        with pytest.raises(type(error)):
            await patient(embedder, patience).embed(texts, purpose="passage")
        assert len(embedder.asked) <= 2


async def test_a_server_that_only_fails_with_500_is_never_taken_for_bad_texts() -> None:
    for patience, requests in ((TURN, 6), (JOB, 7)):
        embedder = always(ModelUnavailable("failed", status=500))
        with pytest.raises(ModelUnavailable):
            await patient(embedder, patience).embed(["a", "b", "c"], purpose="passage")
        assert len(embedder.asked) == requests


async def test_a_text_that_always_makes_the_server_fail_does_not_stop_a_job_for_ever() -> None:
    embedder = refusing("poison", error=ModelUnavailable("failed", status=500))
    found = await patient(embedder, JOB).embed(["a", "poison", "ccc", "dddd"], purpose="passage")
    assert lengths(found) == [1, None, 3, 4]


async def test_a_server_that_goes_down_while_a_bad_text_is_looked_for_is_down() -> None:
    def rule(texts: Sequence[str], number: int) -> ModelError | None:
        return (
            RequestRefused("no", status=400)
            if number == 0
            else ModelUnavailable("down", status=503)
            if number > 1
            else None
        )

    with pytest.raises(ModelUnavailable, match="down"):
        await patient(ScriptedEmbedder(rule), JOB).embed(["a", "b"], purpose="passage")


async def test_texts_that_are_named_are_left_out_without_searching() -> None:
    def rule(texts: Sequence[str], number: int) -> ModelError | None:
        wrong = tuple(place for place, text in enumerate(texts) if text.startswith("bad"))
        return BadAnswer("zero", texts=wrong) if wrong else None

    embedder = ScriptedEmbedder(rule)
    found = await patient(embedder, JOB).embed(["a", "bad", "ccc", "bad too"], purpose="passage")
    assert lengths(found) == [1, None, 3, None]
    assert embedder.asked[1:] == [["a", "ccc"]]


async def test_in_a_turn_a_lone_text_is_given_up_when_the_error_is_about_it() -> None:
    for error in (
        RequestRefused("NaN", status=500),
        BadAnswer("zero", texts=(0,)),
        RequestRefused("no words", texts=(0,)),
    ):
        embedder = always(error)
        assert await patient(embedder, TURN).embed(["importance"], purpose="query") == [None]
        assert len(embedder.asked) == 1


async def test_in_a_job_a_lone_text_is_given_up_only_when_the_control_text_is_served() -> None:
    embedder = refusing("importance")
    assert await patient(embedder, JOB).embed(["importance"], purpose="passage") == [None]
    assert embedder.asked == [["importance"], [CONTROL]]


async def test_what_the_embedder_itself_cannot_take_needs_no_control() -> None:
    embedder = always(RequestRefused("no words", texts=(0, 1)))
    assert await patient(embedder, JOB).embed(["🐈", "😂"], purpose="passage") == [None, None]
    assert len(embedder.asked) == 1


async def test_a_text_without_anything_to_see_is_never_asked_for() -> None:
    embedder = refusing()
    found = await patient(embedder).embed(["", "  \n", "\u200b\u2060", "a"], purpose="query")
    assert lengths(found) == [None, None, None, 1]
    assert embedder.asked == [["a"]]
    assert await patient(embedder).embed(["", " "], purpose="query") == [None, None]
    assert len(embedder.asked) == 1


async def test_a_text_that_is_too_long_by_itself_is_embedded_by_its_beginning() -> None:
    def rule(texts: Sequence[str], number: int) -> ModelError | None:
        return ContextTooLong("long", status=400) if sum(map(len, texts)) > 600 else None

    for patience in (TURN, JOB):
        found = await patient(ScriptedEmbedder(rule), patience).embed(["a" * 4096, "bb"], purpose="passage")
        assert lengths(found) == [512, 2]


async def test_a_text_that_stays_too_long_is_given_up() -> None:
    embedder = refusing()
    embedder.rule = lambda texts, number: ContextTooLong("long", status=400) if CONTROL not in texts else None
    assert await patient(embedder, JOB).embed(["a" * 4096], purpose="passage") == [None]
    assert len(embedder.asked) == 8


async def test_the_number_of_requests_is_bounded_whatever_happens() -> None:
    texts = [f"bad {number}" for number in range(200)]
    embedder = refusing(*texts)
    with pytest.raises(ModelUnavailable, match="32 requests"):
        await patient(embedder, TURN).embed(texts, purpose="query")
    assert len(embedder.asked) == TURN.requests


async def test_an_embedder_that_blames_what_was_not_sent_does_not_loop() -> None:
    embedder = always(BadAnswer("odd", texts=(99,)))
    with pytest.raises(BadAnswer):
        await patient(embedder, JOB).embed(["a", "b"], purpose="passage")
    assert len(embedder.asked) == 2


async def test_a_server_that_begins_to_fail_halfway_is_not_taken_for_a_bad_text() -> None:
    def rule(texts: Sequence[str], number: int) -> ModelError | None:
        if number == 0:
            return RequestRefused("no", status=400)
        return ModelUnavailable("failing", status=500) if number > 2 else None

    with pytest.raises(ModelUnavailable, match="failing"):
        await patient(ScriptedEmbedder(rule), JOB).embed(["a", "b"], purpose="passage")
