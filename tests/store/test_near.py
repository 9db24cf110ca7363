"""The nearest vectors by an index: asked when it pays, as exact as can be, and without a trace behind it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import numpy as np
import pytest

from bot.memory.recall import as_queries, combined
from bot.memory.seeds import choose_words
from bot.model import ChatId, EmbeddingModel, How, Lane, NewMessage, Pool, Query, Recall, Search, Statistics, Vector
from bot.store import PostgresStore
from bot.store import recall as pooling
from bot.store.database import statement
from bot.store.recall import is_worth_an_index
from bot.store.vectors import EXTENSIONS, Extension, as_version, create_indexes, wrap

pytestmark = pytest.mark.on_both_servers

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
SCAN, INDEX = float("inf"), 0.0
"""What the index would cost, so that it is never or always asked."""
PGVECTOR = next(extension for extension in EXTENSIONS if extension.name == "vector")


@pytest.fixture
def indexed(store: PostgresStore) -> PostgresStore:
    """The store, on a server whose extension has an index to ask."""
    extension = store.database.extension
    if extension.index(64) is None:
        pytest.skip(f"{extension.title} {'.'.join(map(str, extension.version))} has no index that goes on searching")
    return store


def vectors_of(count: int, *, seed: int) -> list[Vector]:
    """Vectors of a chat with subjects: many are near to some, none is near to all."""
    chooser = np.random.default_rng(seed)
    subjects = np.random.default_rng(1).normal(size=(40, 64))
    chosen = subjects[chooser.integers(0, 40, count)] * chooser.uniform(0.3, 1, (count, 1))
    return list((chosen + 0.7 * chooser.normal(size=(count, 64)) + 0.2).astype(np.float32))


async def fill(store: PostgresStore, model: EmbeddingModel, count: int, *, days: float, name: str = "x") -> ChatId:
    chat = await store.chats.open(f"import:{name}", title="T")
    said = [
        NewMessage(
            external_id=str(n),
            sender_id="u",
            sender="Ann",
            sent_at=NOW - timedelta(days=days) * (1 - n / count),
            text=f"line {n}",
        )
        for n in range(count)
    ]
    for at in range(0, count, 500):
        await store.messages.record(chat, f"import:{name}", said[at : at + 500], read_at=NOW)
    made = iter(vectors_of(count, seed=chat))
    while passages := await store.embeddings.to_embed(model, limit=500):
        await store.embeddings.keep(model, passages, [next(made) for _ in passages])
    await store.database.pool.execute("ANALYZE")
    return chat


@pytest.fixture
async def model(store: PostgresStore) -> EmbeddingModel:
    return await store.embeddings.open(name="test", dimension=64, threshold=0.3)


def search_for(chat: ChatId, model: EmbeddingModel, *vectors: Vector, topic: str | None = None) -> Search:
    recall = Recall(model=model)
    queries = as_queries([""] * len(vectors), vectors)
    return Search(lane=Lane(chat, topic), queries=queries, recall=recall, now=NOW)


async def pool_of(store: PostgresStore, search: Search) -> Pool:
    statistics = await store.statistics(search)
    return await store.pool(search, statistics, choose_words(search, statistics))


@pytest.mark.parametrize("days", [365, 25])
async def test_the_index_finds_the_best_that_a_scan_finds(
    indexed: PostgresStore, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch, days: float
) -> None:
    chat = await fill(indexed, model, 4_000, days=days)
    queries = vectors_of(200, seed=77)
    found: dict[How, list[list[int]]] = {}
    ways: tuple[tuple[How, float], ...] = (("scan", SCAN), ("index", INDEX))
    for how, cost in ways:
        monkeypatch.setattr(pooling, "INDEX_COST", cost)
        pools = [await pool_of(indexed, search_for(chat, model, *queries[at : at + 10])) for at in range(0, 200, 10)]
        assert {pool.how for pool in pools} == {how}
        found[how] = [
            [hit.message.message_id for hit in combined(pool) if hit.query == query]
            for pool in pools
            for query in range(10)
        ]
    same = sum(one == other for one, other in zip(found["scan"], found["index"], strict=True))
    assert same >= 0.97 * 200
    assert sum(bool(hits) for hits in found["scan"]) > 150


async def test_a_chat_among_many_larger_ones_is_found_by_the_index_too(
    indexed: PostgresStore, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = await fill(indexed, model, 300, days=100, name="mine")
    await fill(indexed, model, 3_000, days=100, name="other")
    monkeypatch.setattr(pooling, "INDEX_COST", INDEX)
    search = search_for(mine, model, *vectors_of(5, seed=5))
    search = replace(search, recall=replace(search.recall, profile="ranked", seeds=500))  # 100 for each query
    pool = await pool_of(indexed, search)
    assert pool.how == "index"
    assert pool.by_vector.sum(axis=1).tolist() == [100] * 5
    assert {found.message.chat_id for found in pool.found} == {mine}


async def test_without_an_index_that_goes_on_all_vectors_are_looked_at_and_the_best_are_found(
    store: PostgresStore, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = replace(PGVECTOR, version=min(store.database.extension.version, (0, 7, 4)))
    monkeypatch.setattr(store.database, "extension", older)
    monkeypatch.setattr(pooling, "INDEX_COST", INDEX)
    chat = await fill(store, model, 1_000, days=100)
    queries = vectors_of(50, seed=78)
    pool = await pool_of(store, search_for(chat, model, *queries))
    assert pool.how == "scan"
    kept = np.array(vectors_of(1_000, seed=chat))
    kept /= np.linalg.norm(kept, axis=1, keepdims=True)
    weights, ages = pool.search.recall.weights, [timedelta(days=100) * (1 - n / 1_000) for n in range(1_000)]
    for number, query in enumerate(queries):
        similarity = kept @ (query / np.linalg.norm(query))
        score = np.array([weights.score(float(near), age) for near, age in zip(similarity, ages, strict=True)])
        best = sorted(np.flatnonzero(similarity > model.threshold), key=lambda place: -score[place])[:3]
        assert [hit.message.message_id - 1 for hit in combined(pool) if hit.query == number] == best


async def settings_now(connection: Any) -> list[str]:
    names = ("hnsw.ef_search", "hnsw.iterative_scan", "hnsw.max_scan_tuples", "hnsw.scan_mem_multiplier")
    return [await connection.fetchval("SELECT current_setting($1)", name) for name in names]


async def test_how_the_index_is_asked_is_set_for_that_statement_alone(
    indexed: PostgresStore, model: EmbeddingModel
) -> None:
    chat = await fill(indexed, model, 1_000, days=100)
    search = search_for(chat, model, vectors_of(1, seed=5)[0])
    async with indexed.database.pool.acquire() as connection:
        await connection.fetchval("SELECT '[1]'::vector")  # loads the library that knows the settings
        before = await settings_now(connection)
        # 40 rows are what the index gives when it is not told otherwise, and does not go on.
        await connection.execute("SET enable_seqscan = off; SET enable_sort = off")
        rows = await ask(connection, search, near="near_by_index", seeds=200)
        assert len([row for row in rows if row["vector"]]) == 200
        assert await settings_now(connection) == before
        assert before[:2] == ["40", "off"]


async def ask(connection: Any, search: Search, *, near: str, seeds: int, explain: bool = False) -> list[asyncpg.Record]:
    """The pool's statement on a connection of the test's own."""
    text = statement("recall_pool", vectors="vectors_1", near=near, distance="v.embedding <=> q.vector")
    vectors = wrap([query.vector for query in search.queries])
    empty: list[int] = []
    return await connection.fetch(
        f"EXPLAIN {text}" if explain else text,
        search.lane.chat_id, None, NOW, empty, vectors, 0.3, 1.2, 0.2, 2_592_000.0, 3, seeds, 0, 2, empty_texts, empty,
        empty, empty, 1.0, 1.2, 0.75, 100, empty, seeds, empty, WEIGHTS, [" "], empty, empty, empty, empty, "Tavi",
        empty, empty_texts, empty, 9, empty, 9, *(ASKED if near == "near_by_index" else ()),
    )  # fmt: skip


empty_texts: list[str] = []
WEIGHTS = [[1.0] * 6]
ASKED = [name for name, _ in PGVECTOR.indexing.settings], ["400", "relaxed_order", "200000", "8"]


async def grow(store: PostgresStore, count: int, *, chats: int) -> None:
    """Make the tables look like those of many chats, the first with half of all; quicker than message by message."""
    pool = store.database.pool
    await pool.execute("DROP INDEX vectors_1_near")
    await pool.execute("INSERT INTO chats (title) SELECT 'T' FROM generate_series(1, $1)", chats)
    await pool.execute(
        """
        INSERT INTO messages (chat_id, message_id, source, external_id, sender, sent_at, text, terms, session)
        SELECT CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n % $2 END, n, 'x', n, 'Ann',
               now() - n * interval '1 hour', 'line', 2, n
        FROM generate_series(1, $1) AS n
        """,
        count,
        chats,
    )
    await pool.execute(
        """
        INSERT INTO vectors_1 (chat_id, message_id, topic, sent_at, embedding)
        SELECT chat_id, message_id, topic, sent_at,
               (SELECT array_agg(sin(message_id * i)) FROM generate_series(1, 64) AS i)::vector
        FROM messages
        """
    )
    await pool.execute(
        """
        INSERT INTO postings (chat_id, term, message_id, topic, sent_at, tf, length)
        SELECT chat_id, 'line' || i * message_id % 50, message_id, topic, sent_at, 1, 2
        FROM messages, generate_series(1, 2) AS i
        ON CONFLICT DO NOTHING
        """
    )
    for definition in create_indexes(1, 64, store.database.extension).values():
        await pool.execute(definition)
    await pool.execute("ANALYZE")


@pytest.mark.parametrize("chats", [1, 2000])
@pytest.mark.parametrize(("near", "uses"), [("near_by_index", True), ("near_by_scan", False)])
async def test_which_way_is_taken_is_ours_to_say(
    indexed: PostgresStore, model: EmbeddingModel, near: str, chats: int, *, uses: bool
) -> None:
    await grow(indexed, 16_000, chats=chats)
    text = statement("recall_pool", vectors="vectors_1", near=near, distance="v.embedding <=> q.vector")
    async with indexed.database.pool.acquire() as connection:
        query = search_for(ChatId(1), model, vectors_of(1, seed=5)[0])
        custom = await ask(connection, query, near=near, seeds=200, explain=True)
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE pool AS {text}")
        nothing = "NULL, now(), '{}', '{}', 0.3, 1.2, 0.2, 0, 3, 9, 9, 2, '{}', '{}', '{}', '{}', 1, 1.2, 0.75, 9, '{}'"
        nothing += (
            ", 9, '{}', '{{1, 1, 1, 1, 1, 1}}', '{}', '{}', '{}', '{}', '{}', 'Tavi', '{}', '{}', '{}', 9, '{}', 9"
        )
        nothing += ", '{hnsw.ef_search}', '{400}'" if uses else ""
        generic = await connection.fetch(f"EXPLAIN EXECUTE pool (1, {nothing})")
    for plan in (custom, generic):
        lines = [row[0] for row in plan]
        assert any("vectors_1_near" in line for line in lines) is uses
        assert not [line for line in lines if "Seq Scan on messages" in line or "Seq Scan on postings" in line]
        left_out = [line for line in lines if "SubPlan" in line and "NOT" in line]  # what other personas said
        assert left_out
        assert all("hashed SubPlan" in line for line in left_out)


def statistics(*, embedded: int, vectors: int) -> Statistics:
    return Statistics(indexed=embedded, mean_length=1.0, counts={}, embedded=embedded, vectors=vectors)


@pytest.mark.parametrize(
    ("embedded", "vectors", "index"),
    [(500, 500, False), (5_000, 5_000, False), (10_000, 10_000, True), (100_000, 100_000, True),
     (4_200, 1_000_000, False), (500_000, 1_000_000, True), (0, 0, False), (0, 1_000_000, False)],
)  # fmt: skip
def test_the_index_is_asked_where_it_costs_less(embedded: int, vectors: int, *, index: bool) -> None:
    model = EmbeddingModel(model_id=1, name="test", dimension=64, threshold=0.3)
    search = Search(lane=Lane(ChatId(1)), queries=(Query(text="", vector=None),), recall=Recall(model=model), now=NOW)
    assert is_worth_an_index(search, statistics(embedded=embedded, vectors=vectors)) is index


def of_version(text: str) -> Extension:
    return replace(PGVECTOR, version=as_version(text))


@pytest.mark.parametrize(
    ("version", "dimension", "operators"),
    [
        ("0.8.6", 64, "vector_cosine_ops"),
        ("0.8.0", 2000, "vector_cosine_ops"),
        ("0.8.0", 2001, "halfvec_cosine_ops"),
        ("0.10.1", 4000, "halfvec_cosine_ops"),
        ("0.8.0", 4001, None),
        ("0.7.4", 64, None),
        ("0.6.0", 64, None),
    ],
)
def test_what_is_indexed_is_told_by_the_version_and_the_length(
    version: str, dimension: int, operators: str | None
) -> None:
    index = of_version(version).index(dimension)
    assert (None if index is None else index.operators) == operators
    assert ("vectors_7_near" in create_indexes(7, dimension, of_version(version))) is (operators is not None)


def test_an_extension_whose_version_is_not_known_is_scanned() -> None:
    for extension in EXTENSIONS:
        assert extension.index(64) is None


async def test_the_version_is_found_at_the_start(store: PostgresStore) -> None:
    assert store.database.extension.version >= (0, 5)


@pytest.mark.parametrize("dimension", [64, 2000, 2001, 4000, 4001])
async def test_a_model_of_any_length_gets_its_indexes_and_can_be_searched(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, dimension: int
) -> None:
    model = await store.embeddings.open(name="long", dimension=dimension, threshold=0.3)
    again = await store.embeddings.open(name="long", dimension=dimension, threshold=0.3)
    assert again == model
    names = await store.database.pool.fetch("SELECT indexname FROM pg_indexes WHERE tablename = 'vectors_1'")
    wanted = create_indexes(model.model_id, dimension, store.database.extension)
    assert {row[0] for row in names} == {"vectors_1_pkey", *wanted}
    chat = await store.chats.open("import:x", title="T")
    said = NewMessage(external_id="1", sender_id="u", sender="Ann", sent_at=NOW, text="line")
    await store.messages.record(chat, "import:x", [said])
    ones = np.ones(dimension, np.float32)
    await store.embeddings.keep(model, await store.embeddings.to_embed(model, limit=1), [ones])
    monkeypatch.setattr(pooling, "INDEX_COST", INDEX)
    pool = await pool_of(store, search_for(chat, model, ones))
    assert [hit.message.message_id for hit in combined(pool)] == [1]
