"""Vectors: kept per model, pending until they are there, and searched by the combined score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.memory.recall import combined
from bot.model import (
    ChatId,
    EmbeddingModel,
    Hit,
    Lane,
    MessageId,
    NewMessage,
    Passage,
    Query,
    Recall,
    Search,
    Vector,
    Words,
)
from bot.store import PostgresStore
from bot.store.vectors import create_table, from_binary, from_text, to_binary, to_text, wrap

pytestmark = pytest.mark.on_both_servers

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


@pytest.fixture
async def model(store: PostgresStore) -> EmbeddingModel:
    return await store.embeddings.open(name="test", dimension=64, threshold=0.2)


def vector(seed: int) -> Vector:
    return np.random.default_rng(seed).normal(size=64).astype(np.float32)


def message(n: int, *, sent_at: datetime, topic: str = "") -> NewMessage:
    return NewMessage(
        external_id=str(n), sender_id="user1", sender="Ann", sent_at=sent_at, text=f"line {n}", topic=topic
    )


async def embed_all(store: PostgresStore, model: EmbeddingModel, vectors: dict[int, Vector | None]) -> list[Passage]:
    passages = await store.embeddings.to_embed(model, limit=1000)
    await store.embeddings.keep(model, passages, [vectors[p.message_id] for p in passages])
    return passages


async def test_what_has_no_vector_is_pending_until_it_has(store: PostgresStore, model: EmbeddingModel) -> None:
    chats = [await store.chats.open(f"import:{n}", title="T") for n in range(3)]
    for chat in chats:
        await store.messages.record(chat, "terminal", [message(n, sent_at=NOW) for n in range(5)])
    assert await store.embeddings.pending(model) == 15
    first = await store.embeddings.to_embed(model, limit=7)
    await store.embeddings.keep(model, first, [vector(p.message_id) for p in first])
    assert await store.embeddings.pending(model) == 8
    rest = await store.embeddings.to_embed(model, limit=100)
    await store.embeddings.keep(model, rest, [vector(p.message_id) for p in rest])
    assert {(p.chat_id, p.message_id) for p in (*first, *rest)} == {(c, n) for c in chats for n in range(1, 6)}
    assert await store.embeddings.counts(model) == (15, 0)
    await store.messages.record(chats[1], "terminal", [message(9, sent_at=NOW)])
    assert [p.text for p in await store.embeddings.to_embed(model, limit=100)] == ["line 9"]


async def test_keeping_the_same_vectors_twice_changes_nothing(store: PostgresStore, model: EmbeddingModel) -> None:
    chat = await store.chats.open("import:x", title="T")
    await store.messages.record(chat, "terminal", [message(n, sent_at=NOW) for n in range(5)])
    passages = await store.embeddings.to_embed(model, limit=10)
    for _ in range(2):
        await store.embeddings.keep(model, passages, [vector(p.message_id) for p in passages])
    assert await store.embeddings.counts(model) == (5, 0)


async def test_a_refused_text_is_pending_no_more_and_never_found(store: PostgresStore, model: EmbeddingModel) -> None:
    chat = await store.chats.open("import:x", title="T")
    await store.messages.record(chat, "terminal", [message(n, sent_at=NOW) for n in range(2)])
    await embed_all(store, model, {1: None, 2: vector(2)})
    assert await store.embeddings.pending(model) == 0
    assert await store.embeddings.counts(model) == (1, 1)
    hits = await search(store, model, chat, [vector(2)])
    assert [hit.message.message_id for hit in hits] == [2]


async def test_two_models_of_different_size_live_side_by_side(store: PostgresStore, model: EmbeddingModel) -> None:
    other = await store.embeddings.open(name="test", dimension=1024, threshold=0.2)
    assert other.model_id != model.model_id
    chat = await store.chats.open("import:x", title="T")
    await store.messages.record(chat, "terminal", [message(0, sent_at=NOW)])
    await embed_all(store, model, {1: vector(1)})
    assert await store.embeddings.pending(other) == 1
    assert await search(store, other, chat, [np.ones(1024, np.float32)]) == []


async def search(
    store: PostgresStore,
    model: EmbeddingModel,
    chat: ChatId,
    queries: list[Vector],
    *,
    topic: str | None = None,
    exclude: list[MessageId] | None = None,
    now: datetime = NOW,
    window: int = 2,
) -> list[Hit]:
    wanted = Search(
        lane=Lane(chat, topic),
        queries=tuple(Query(text="", vector=query) for query in queries),
        recall=Recall(model=model, window=window),
        now=now,
        exclude=tuple(exclude or ()),
    )
    return [*combined(await store.pool(wanted, await store.statistics(wanted), Words()))]


@dataclass(frozen=True)
class Row:
    """One message of the brute force."""

    number: int
    sent_at: datetime
    topic: str
    vector: Vector


def brute_force(
    rows: list[Row], query: Vector, *, topic: str | None, exclude: list[int], now: datetime, threshold: float
) -> list[tuple[int, float]]:
    """The three best by the combined score, reckoned in Python as recall.md words it."""
    scored: list[tuple[float, datetime, int]] = []
    for row in rows:
        if row.sent_at > now or row.number in exclude or (topic is not None and row.topic != topic):
            continue
        lengths = float(np.linalg.norm(row.vector)) * float(np.linalg.norm(query))
        similarity = float(row.vector.astype(np.float64) @ query.astype(np.float64)) / lengths
        age = (now - row.sent_at) / timedelta(days=30)
        if similarity > threshold:
            scored.append((1.2 * similarity + 0.2 * min(1.0, max(0.0, 1 - age)), row.sent_at, row.number))
    best = sorted(scored, key=lambda item: (-item[0], -item[1].timestamp(), -item[2]))[:3]
    return [(number, score) for score, _, number in best]


ages = st.integers(-5, 90 * 24)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
async def test_the_combined_search_is_what_brute_force_finds(store: PostgresStore, data: st.DataObject) -> None:
    model = await store.embeddings.open(name="test", dimension=64, threshold=0.2)
    chat = await store.chats.open(f"import:{uuid4()}", title="T")
    hours = data.draw(st.lists(ages, min_size=1, max_size=30))
    topics = data.draw(st.lists(st.sampled_from(["", "a"]), min_size=len(hours), max_size=len(hours)))
    seeds = data.draw(st.lists(st.integers(0, 12), min_size=len(hours), max_size=len(hours)))
    rows = [
        Row(n + 1, NOW - timedelta(hours=hour), topic, vector(seed) + vector(1000))
        for n, (hour, topic, seed) in enumerate(zip(hours, topics, seeds, strict=True))
    ]
    await store.messages.record(
        chat, "terminal", [message(row.number, sent_at=row.sent_at, topic=row.topic) for row in rows]
    )
    await embed_all(store, model, {row.number: row.vector for row in rows})
    queries = [vector(seed) + vector(1000) for seed in data.draw(st.lists(st.integers(0, 15), min_size=1, max_size=3))]
    topic = data.draw(st.sampled_from([None, "", "a"]))
    exclude = data.draw(st.lists(st.integers(1, len(rows)), max_size=5))
    hits = await search(store, model, chat, queries, topic=topic, exclude=[MessageId(n) for n in exclude])
    for n, query in enumerate(queries):
        found = [(hit.message.message_id, hit.score) for hit in hits if hit.query == n]
        wanted = brute_force(rows, query, topic=topic, exclude=exclude, now=NOW, threshold=0.2)
        assert [number for number, _ in found] == [number for number, _ in wanted]
        assert all(math.isclose(a[1], b[1], abs_tol=1e-5) for a, b in zip(found, wanted, strict=True))


async def test_a_hit_comes_with_what_was_said_around_it_in_its_topic(
    store: PostgresStore, model: EmbeddingModel
) -> None:
    chat = await store.chats.open("import:x", title="T")
    lines = [message(n, sent_at=NOW - timedelta(days=2) + timedelta(minutes=n), topic="ab"[n % 2]) for n in range(40)]
    await store.messages.record(chat, "terminal", lines)
    await embed_all(store, model, {n + 1: (vector(1) if n == 20 else -vector(1)) for n in range(40)})
    [hit] = await search(store, model, chat, [vector(1)], window=3, exclude=[MessageId(19)])
    assert hit.message.message_id == 21
    assert [m.message_id for m in hit.window] == [15, 17, 23, 25, 27]


async def test_another_chats_messages_are_never_found(store: PostgresStore, model: EmbeddingModel) -> None:
    mine = await store.chats.open("import:mine", title="T")
    other = await store.chats.open("import:other", title="T")
    await store.messages.record(other, "terminal", [message(n, sent_at=NOW) for n in range(20)])
    await embed_all(store, model, {n: vector(1) for n in range(1, 21)})
    assert await search(store, model, mine, [vector(1)]) == []


def test_vectors_travel_unchanged_as_text_and_as_binary() -> None:
    [wrapped] = wrap([vector(3)])
    assert wrapped is not None
    assert np.array_equal(from_text(to_text(wrapped)), vector(3))
    assert np.array_equal(from_binary(to_binary(wrapped)), vector(3))


@pytest.mark.parametrize("dimension", [64, 1900, 1901, 4096])
async def test_a_table_takes_vectors_of_every_allowed_size(store: PostgresStore, dimension: int) -> None:
    await store.database.pool.execute(create_table(99, dimension))
    chat = await store.chats.open("import:x", title="T")
    await store.messages.record(chat, "terminal", [message(0, sent_at=NOW)])
    model = EmbeddingModel(model_id=99, name="big", dimension=dimension, threshold=0.2)
    passages = await store.embeddings.to_embed(model, limit=1)
    await store.database.pool.execute(
        "INSERT INTO embedding_models (model_id, name, dimension, threshold) VALUES (99, 'big', $1, 0.2)",
        dimension,
    )
    await store.embeddings.keep(model, passages, [np.ones(dimension, np.float32)])
    assert await store.embeddings.counts(model) == (1, 0)
