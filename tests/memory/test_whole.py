"""What a chat's vectors are like as a whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.memory.embed import embed_pending
from bot.memory.whole import FULL_COHERENCE, Talk, whole
from bot.model import ChatId, EmbeddingModel, Lane, NewMessage, Query, Recall, Search
from bot.store import PostgresStore
from tests.fakes.ports import DIMENSION, WordEmbedder
from tests.fakes.vectors import squeezed

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def talk(*vectors: list[float], topics: str | None = None) -> Talk:
    return Talk(topics=tuple(topics or "a" * len(vectors)), vectors=np.array(vectors, dtype=np.float32))


def test_people_who_keep_to_a_subject_cohere_and_people_who_jump_do_not() -> None:
    kept = [[1.0, 0.0]] * 10 + [[0.0, 1.0]] * 10
    jumped = [[1.0, 0.0], [0.0, 1.0]] * 10
    assert whole(talk(*kept)).coherence == 1.0
    assert whole(talk(*jumped)).coherence == 0.0


def test_the_centroid_is_the_mean_of_unit_vectors() -> None:
    assert whole(talk([2.0, 0.0], [0.0, 5.0])).centroid.tolist() == [0.5, 0.5]


def test_what_follows_in_another_topic_is_no_neighbour() -> None:
    apart = whole(talk([1.0, 0.0], [1.0, 0.0], topics="ab"))
    assert apart.coherence == 0.0


def test_half_the_usual_excess_is_half_the_coherence() -> None:
    # Two subjects, each twice, in turns: of 47 neighbours 24 are the same, of any two messages half are.
    measured = whole(talk(*[[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]] * 12))
    assert measured.coherence == pytest.approx((24 / 47 - 0.5) / FULL_COHERENCE)


@given(
    vectors=st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3).filter(any), min_size=2, max_size=20),
    first=st.floats(0.6, 0.9),
    second=st.floats(0.6, 0.9),
)
def test_models_that_find_all_texts_more_or_less_alike_tell_the_same_coherence(
    vectors: list[list[int]], first: float, second: float
) -> None:
    rows = np.array(vectors, dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    # Where all messages say the same there is nothing to tell but the last digits of what is reckoned.
    assume(1 - float(np.square(rows.mean(axis=0)).sum()) > 0.01)
    one, other = (whole(talk(*squeezed(rows, alike).tolist())).coherence for alike in (first, second))
    assert one == pytest.approx(other, abs=1e-2)


@given(st.lists(st.lists(st.floats(-10, 10, width=32), min_size=3, max_size=3), min_size=1, max_size=20))
def test_coherence_stays_within_its_bounds(vectors: list[list[float]]) -> None:
    measured = whole(talk(*vectors))
    assert 0.0 <= measured.coherence <= 1.0
    assert np.isfinite(measured.centroid).all()


@pytest.fixture
async def model(store: PostgresStore) -> EmbeddingModel:
    return await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.3)


async def say(store: PostgresStore, chat: ChatId, first: int, count: int, text: str = "line {n}") -> None:
    said = [
        NewMessage(
            external_id=str(n), sender_id="u", sender="Ann", sent_at=NOW + timedelta(minutes=n), text=text.format(n=n)
        )
        for n in range(first, first + count)
    ]
    await store.messages.record(chat, "terminal", said)


async def told_through(store: PostgresStore) -> int | None:
    return await store.database.pool.fetchval("SELECT through FROM chat_vectors")


async def test_a_chat_is_told_anew_when_it_grew_by_a_tenth(store: PostgresStore, model: EmbeddingModel) -> None:
    chat = await store.chats.open("import:x", title="T")
    for first, count, through in [(0, 40, 40), (40, 3, 40), (43, 1, 44), (44, 4, 44), (48, 1, 49)]:
        await say(store, chat, first, count)
        await embed_pending(model=model, embedder=WordEmbedder(), store=store.embeddings)
        assert await told_through(store) == through


async def test_a_turn_is_told_what_the_chat_is_like(store: PostgresStore, model: EmbeddingModel) -> None:
    chat = await store.chats.open("import:x", title="T")
    search = Search(lane=Lane(chat), queries=(Query(text="", vector=None),), recall=Recall(model=model), now=NOW)
    before = await store.statistics(search)
    assert (before.centroid, before.coherence, before.embedded) == (None, 0.0, 0)
    for n, text in enumerate(["tea and cake {n}", "the train is late {n}", "rain again {n}"]):
        await say(store, chat, n * 30, 30, text)
    await embed_pending(model=model, embedder=WordEmbedder(), store=store.embeddings)
    after = await store.statistics(search)
    assert after.centroid is not None
    assert after.centroid.shape == (DIMENSION,)
    assert (after.coherence, after.embedded) == (1.0, 90)


async def test_what_the_model_never_takes_is_no_part_of_the_whole(store: PostgresStore, model: EmbeddingModel) -> None:
    chat = await store.chats.open("import:x", title="T")
    await say(store, chat, 0, 5, " ")
    await embed_pending(model=model, embedder=WordEmbedder(), store=store.embeddings)
    assert await told_through(store) is None
