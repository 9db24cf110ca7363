"""What a chat's vectors are like as a whole."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.embed import embed_pending
from bot.memory.whole import Talk, whole
from bot.model import ChatId, EmbeddingModel, Lane, NewMessage, Query, Recall, Search
from bot.store import PostgresStore
from tests.fakes.ports import DIMENSION, WordEmbedder

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
    # Neighbours: 1, x, 1, x, …; the centroid's length and the nearness are reckoned by hand.
    x = [0.6, 0.8]
    measured = whole(talk([1.0, 0.0], [1.0, 0.0], x, x))
    nearness, centroid = (1 + 0.6 + 1) / 3, np.array([0.8, 0.4])
    assert measured.coherence == pytest.approx(min(1.0, (nearness - centroid @ centroid) / 0.08))


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
