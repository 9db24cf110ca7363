"""From which similarity on two texts have to do with each other: told by pairs of texts that do not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.patience import JOB
from bot.llm.retries import Patient
from bot.memory.calibrate import Sample, measured, threshold_of, units, unrelated
from bot.model import ChatId, MessageId, Passage
from tests.fakes.ports import RandomEmbedder

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def sample(n: int, *, chat: int = 1, session: int | None = None) -> Sample:
    passage = Passage(
        chat_id=ChatId(chat),
        message_id=MessageId(n),
        topic="",
        sender="Ann",
        sent_at=NOW + timedelta(hours=n),
        text=f"line number {n}",
    )
    vector = RandomEmbedder(64).vector(f"found {n}")
    return Sample(passage=passage, session=n if session is None else session, vector=vector)


def patient() -> Patient:
    return Patient(RandomEmbedder(64), patience=JOB)


async def test_it_is_what_one_of_a_hundred_unrelated_pairs_is_above() -> None:
    threshold = await measured([sample(n) for n in range(500)], embedder=patient())
    assert threshold == pytest.approx(2.33 / 8, abs=0.02), "of a normal distribution with a deviation of 1 / √64"


async def test_the_same_samples_tell_the_same() -> None:
    samples = [sample(n) for n in range(100)]
    assert await measured(samples, embedder=patient()) == await measured(samples, embedder=patient())


async def test_too_few_unrelated_pairs_tell_nothing() -> None:
    assert await measured([], embedder=patient()) is None
    assert await measured([sample(n) for n in range(30)], embedder=patient()) is None
    assert await measured([sample(n, session=1) for n in range(500)], embedder=patient()) is None, "one session"
    assert await measured([sample(n, chat=n) for n in range(500)], embedder=patient()) is None, "one message a chat"


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=20))
def test_pairs_are_of_one_chat_and_never_of_one_session(places: list[tuple[int, int]]) -> None:
    samples = [sample(n, chat=chat, session=session) for n, (chat, session) in enumerate(places)]
    pairs = unrelated(samples, range(len(samples)))
    for a, (chat, session) in enumerate(places):
        for b, (other_chat, other_session) in enumerate(places):
            assert pairs[a, b] == (chat == other_chat and session != other_session)


@given(st.floats(0.0, 4.0), st.floats(0.0, 4.0))
def test_the_more_all_texts_of_a_model_have_in_common_the_more_is_asked_for(one: float, other: float) -> None:
    less, more = sorted((_threshold(common=one), _threshold(common=other)))
    assert 0.1 <= less <= more <= 0.9
    if abs(one - other) > 0.1 and less < 0.9:
        assert (_threshold(common=one) < _threshold(common=other)) == (one < other)


def _threshold(*, common: float) -> float:
    rows = np.random.default_rng(1).normal(size=(100, 64)).astype(np.float32)
    rows[:, 0] = 8 * common
    table = units(list(rows))
    return threshold_of(table, table, ~np.eye(100, dtype=np.bool_))
