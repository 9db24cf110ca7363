"""Recall's time in large chats: what is loaded is what the store would write, and what is found is what is there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.bench.corpus import Chunk, Material, Said, gather, sizes, talk
from bot.bench.latency import bench_latency, material_of
from bot.bench.loading import load
from bot.memory.embed import tell_wholes
from bot.memory.index import index_pending
from bot.model import ChatId, EmbeddingModel, NewMessage, Vector
from bot.store import PostgresStore
from bot.store import recall as pooling
from tests.fakes.ports import DIMENSION, WordEmbedder

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SAID = (
    Said(sender="Ann", text="the cat is called Biscuit, and the cat is old"),
    Said(sender="小雨", text="明天下雨吗？我想去爬山"),
    Said(sender="Rowan\0", text="my keyboard cost 40 euros\0"),
    Said(sender="Maya", text="haha"),
)
TABLES = {
    "messages": "message_id, external_id, topic, sender_id, sender, persona, turn_id, sent_at, edited_at, text, "
    "reply_to, forwarded_from, read_at, traceparent, terms, session",
    "vectors_1": "message_id, topic, sent_at, embedding::text",
    "postings": "term, message_id, topic, sent_at, tf, length",
    "term_counts": "term, messages",
    "chats": "timezone, last_message_id, indexed_messages, indexed_terms, sessions_from",
    "embedding_progress": "model_id, through",
    "chat_vectors": "model_id, through, centroid::text, coherence",
}


@pytest.fixture
async def model(store: PostgresStore) -> EmbeddingModel:
    return await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.2)


async def some_material() -> Material:
    return await gather(SAID, ["what is the cat called"], [], embedder=WordEmbedder(), count=20)


async def recorded(store: PostgresStore, model: EmbeddingModel, chunks: Sequence[Chunk]) -> ChatId:
    """The same as the store itself writes it."""
    chat = await store.chats.open("import:one by one", title="T")
    vectors: list[Vector] = []
    for chunk in chunks:
        vectors += list(chunk.vectors)
        messages = [
            NewMessage(external_id=str(n), sender_id=one.sender, sender=one.sender, sent_at=sent_at, text=one.text)
            for n, (one, sent_at) in enumerate(zip(chunk.said, chunk.sent_at, strict=True), chunk.first)
        ]
        for at in range(0, len(messages), 70):
            await store.messages.record(chat, "import:one by one", messages[at : at + 70], read_at=NOW)
    await index_pending(store.words)
    given = iter(vectors)
    while passages := await store.embeddings.to_embed(model, limit=100):
        await store.embeddings.keep(model, passages, [next(given) for _ in passages])
    await tell_wholes(model=model, store=store.embeddings)
    return chat


async def test_what_is_loaded_is_what_the_store_would_have_written(store: PostgresStore, model: EmbeddingModel) -> None:
    chunks = list(talk(await some_material(), count=400, now=NOW, seed=3))
    [loaded] = await load(store, model, {"import:at once": chunks}, read_at=NOW)
    kept = await recorded(store, model, chunks)
    for table, columns in TABLES.items():
        one, other = [
            await store.database.pool.fetch(f"SELECT {columns} FROM {table} WHERE chat_id = $1 ORDER BY 1, 2", chat)  # noqa: S608
            for chat in (loaded, kept)
        ]
        assert one == other, table
        assert one


async def test_loading_leaves_keys_and_indexes_as_they_were(store: PostgresStore, model: EmbeddingModel) -> None:
    async def there() -> list[str]:
        keys = "SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint"
        return sorted(
            row[0]
            for row in await store.database.pool.fetch(f"{keys} UNION ALL SELECT indexdef FROM pg_indexes")  # noqa: S608
            if row[0] is not None
        )

    before = await there()
    await load(store, model, {"import:x": talk(await some_material(), count=30, now=NOW, seed=3)}, read_at=NOW)
    assert await there() == before


async def test_a_chat_is_spread_over_two_years_with_a_part_of_it_lately() -> None:
    chunks = list(talk(await some_material(), count=12_000, now=NOW, seed=3))
    times = [sent_at for chunk in chunks for sent_at in chunk.sent_at]
    assert [len(chunk.said) for chunk in chunks] == [5_000, 5_000, 2_000]
    assert times == sorted(times)
    assert NOW - timedelta(days=731) < times[0] < NOW - timedelta(days=700)
    assert 0.05 < sum(time > NOW - timedelta(days=30) for time in times) / len(times) < 0.2
    stretches = sum(after - before > timedelta(minutes=30) for before, after in pairwise(times))
    assert 500 < stretches < 1_100


@given(st.integers(1, 300), st.integers(0, 100_000))
def test_chats_of_skewed_sizes_have_all_messages_between_them(chats: int, more: int) -> None:
    shared = sizes(chats + more, chats=chats)
    assert sum(shared) == chats + more
    assert len(shared) == chats
    assert min(shared) >= 1
    assert all(one >= other - 1 for one, other in pairwise(shared))


@pytest.mark.parametrize("chats", [1, 20])
async def test_recall_is_measured_beside_the_classic_way(
    store: PostgresStore, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch, chats: int
) -> None:
    monkeypatch.setattr(pooling, "INDEX_COST", float("inf"))  # so that all vectors are looked at
    material = await material_of([], embedder=WordEmbedder(), count=500)
    rows = await bench_latency(store=store, model=model, material=material, messages=2_000, chats=chats, queries=3)
    assert [(row["unread"], row["profile"]) for row in rows] == [
        (unread, profile) for unread in (1, 5, 20) for profile in ("ranked", "combined")
    ]
    for row in rows:
        assert set(row) == {
            "chats", "messages", "unread", "profile", "how", "p50_ms", "p95_ms", "classic_p50_ms", "ratio",
            "same_top3",
        }  # fmt: skip
        assert (row["chats"], row["messages"], row["how"]) == (chats, 2_000, "scan")
        assert row["same_top3"] == 1.0
    ratio = rows[-1]["ratio"]
    assert isinstance(ratio, float)
    assert ratio > 0.3  # one statement against a hundred: 1 to 4, where the machine is not too busy
