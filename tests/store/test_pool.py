"""The pool: exactly the seeds, hits and neighbours that brute force finds, with all that is told of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TypeAlias
from uuid import uuid4

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.memory.index import index_pending
from bot.memory.recall import as_queries, combined
from bot.memory.seeds import choose_words
from bot.memory.words import terms
from bot.model import (
    ChatId,
    EmbeddingModel,
    Lane,
    MessageId,
    NewMessage,
    Pool,
    Recall,
    Search,
    Statistics,
    Vector,
    Words,
)
from bot.model import recall as values
from bot.store import PostgresStore
from tests.store.first_guess import Row, guessed

pytestmark = pytest.mark.on_both_servers

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
WORDS = ["tea", "coffee", "Lyon", "喝茶", "train", "rain", "the", "yesterday", "last week", "小明", "Ann's"]


def vector(seed: int) -> Vector:
    shared = np.random.default_rng(1000).normal(size=64)
    return (np.random.default_rng(seed).normal(size=64) + shared).astype(np.float32)


async def keep(store: PostgresStore, model: EmbeddingModel, rows: list[Row]) -> ChatId:
    chat = await store.chats.open(f"import:{uuid4()}", title="T")
    said = [
        NewMessage(
            external_id=str(row.number),
            sender_id="u",
            sender=row.sender,
            sent_at=row.sent_at,
            text=row.text,
            topic=row.topic,
        )
        for row in rows
    ]
    await store.messages.record(chat, "import:x", said, read_at=NOW)
    passages = await store.embeddings.to_embed(model, limit=1000)
    vectors = {row.number: row.vector for row in rows}
    await store.embeddings.keep(model, passages, [vectors[passage.message_id] for passage in passages])
    await index_pending(store.words)
    return chat


async def pool_of(store: PostgresStore, search: Search) -> Pool:
    statistics = await store.statistics(search)
    return await store.pool(search, statistics, choose_words(search, statistics))


minutes = st.one_of(st.integers(-120, 90 * 24 * 60), st.sampled_from([0, 1, 30, 31, 60]))
drawn_rows = st.lists(
    st.tuples(
        minutes,
        st.sampled_from(["", "a"]),
        st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join),
        st.one_of(st.none(), st.integers(0, 9)),
        st.sampled_from(["Ann", "tea", "Lyon Li", "小明", "喝茶", "Will", "", "😀"]),
    ),
    min_size=1,
    max_size=40,
)
drawn_queries = st.lists(
    st.tuples(
        st.tuples(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), st.sampled_from("?.")).map("".join),
        st.one_of(st.none(), st.integers(0, 9)),
    ),
    min_size=1,
    max_size=3,
)


of_any_chat = given(drawn_rows, drawn_queries, st.data())
on_one_database = partial(settings, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
Said: TypeAlias = list[tuple[int, str, str, int | None, str]]
Asked: TypeAlias = list[tuple[str, int | None]]


@on_one_database(max_examples=60)
@of_any_chat
async def test_the_pool_is_what_brute_force_finds(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, said: Said, asked: Asked, data: st.DataObject
) -> None:
    monkeypatch.setattr(values, "FEWEST_SEEDS", 1)
    await see_chat(store, said, asked, data)


@pytest.mark.soak
@on_one_database(max_examples=1000)
@of_any_chat
async def test_the_pool_is_what_brute_force_finds_in_a_thousand_chats(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, said: Said, asked: Asked, data: st.DataObject
) -> None:
    monkeypatch.setattr(values, "FEWEST_SEEDS", 1)
    await see_chat(store, said, asked, data)


async def see_chat(store: PostgresStore, said: Said, asked: Asked, data: st.DataObject) -> None:
    """Keep a chat, draw how it is searched, and compare."""
    model = await store.embeddings.open(name="test", dimension=64, threshold=0.4)
    rows = [
        Row(n, NOW - timedelta(minutes=minute), topic, text, None if seed is None else vector(seed), sender)
        for n, (minute, topic, text, seed, sender) in enumerate(said, 1)
    ]
    chat = await keep(store, model, rows)
    search = Search(
        lane=Lane(chat, data.draw(st.sampled_from([None, "", "a"]))),
        queries=as_queries([text for text, _ in asked], [None if n is None else vector(n) for _, n in asked]),
        recall=Recall(
            model=model,
            profile=data.draw(st.sampled_from(["ranked", "combined"])),
            seeds=data.draw(st.integers(1, 9)),
            neighbours=data.draw(st.integers(0, 2)),
            window=data.draw(st.integers(0, 3)),
        ),
        now=NOW,
        exclude=tuple(MessageId(n) for n in data.draw(st.lists(st.integers(1, len(rows)), max_size=5))),
    )
    statistics = await store.statistics(search)
    words = choose_words(search, statistics)
    see_statistics(statistics, rows, search)
    see_pool(await store.pool(search, statistics, words), rows, words)


def see_statistics(statistics: Statistics, rows: list[Row], search: Search) -> None:
    lengths = [len(terms(row.text)) for row in rows]
    assert statistics.indexed == len(rows)
    assert statistics.mean_length == pytest.approx(max(1.0, sum(lengths) / len(rows)))
    there = Counter(term for row in rows for term in set(terms(row.text)))
    assert all(count == there[term] for term, count in statistics.counts.items())
    if search.recall.profile == "ranked":
        assert set(statistics.counts) == {term for query in search.queries for term in query.terms}


def see_pool(pool: Pool, rows: list[Row], words: Words) -> None:
    """Compare all there is in a pool with what is reckoned one by one."""
    search, by_number = pool.search, {row.number: row for row in rows}
    reach, weights, topic = search.reach, search.recall.weights, search.lane.topic
    scope = sorted(
        (row for row in rows if row.sent_at <= NOW and topic in (None, row.topic)), key=lambda row: row.place
    )
    numbers = [int(found.message.message_id) for found in pool.found]
    assert numbers == sorted(set(numbers), key=lambda number: by_number[number].place)
    assert [found.in_view for found in pool.found] == [number in search.exclude for number in numbers]
    assert [found.length for found in pool.found] == [len(terms(by_number[number].text)) for number in numbers]
    for place, number in enumerate(numbers):
        tfs = Counter(terms(by_number[number].text))
        assert pool.counts[place].tolist() == [tfs[term] for term in words.terms]
    for query, asked in enumerate(search.queries):
        similarities = [similarity(by_number[number].vector, asked.vector) for number in numbers]
        assert np.allclose(pool.similarities[query], similarities, atol=1e-5, equal_nan=True)

    may_be_found = [row for row in scope if row.number not in search.exclude]
    seeds: set[int] = set()
    for query, asked in enumerate(search.queries):
        near = {row.number: similarity(row.vector, asked.vector) for row in may_be_found}
        near = {number: value for number, value in near.items() if not np.isnan(value)}
        by_words, by_vector = guessed(query, may_be_found, scope, near, words, pool)
        assert {numbers[n] for n in np.flatnonzero(pool.by_words[query])} == by_words
        assert {numbers[n] for n in np.flatnonzero(pool.by_vector[query])} == by_vector
        best = sorted(
            (
                (weights.score(value, NOW - by_number[number].sent_at), *by_number[number].place)
                for number, value in near.items()
                if value > search.recall.model.threshold
            ),
            reverse=True,
        )[: reach.hits]
        hits = [numbers[place] for place in pool.hits[query]]
        assert hits == [number for *_, number in best]
        seeds |= by_words | by_vector | set(hits)
    see_neighbours(pool, numbers, seeds, scope)


def see_neighbours(pool: Pool, numbers: list[int], seeds: set[int], scope: list[Row]) -> None:
    size = pool.search.reach.neighbours
    lines = {topic: [row.number for row in scope if row.topic == topic] for topic in ("", "a")}
    wanted: set[int] = set()
    hits = {hit.message.message_id: hit for hit in combined(pool)}
    for line in lines.values():
        for at, number in enumerate(line):
            around = [*line[max(0, at - size) : at], *line[at + 1 : at + 1 + size]]
            if number in seeds:
                wanted |= {number, *around}
            if number in hits and pool.search.recall.profile == "combined":
                told = [message.message_id for message in hits[MessageId(number)].window]
                assert told == [other for other in around if other not in pool.search.exclude]
    assert set(numbers) == wanted
    for line in lines.values():
        for before, number in zip([None, *line], line, strict=False):
            if number in wanted and before in wanted and (number in seeds or before in seeds) and size:
                assert pool.previous[numbers.index(number)] == numbers.index(before)
                assert pool.following[numbers.index(before)] == numbers.index(number)
    for place, before in enumerate(pool.previous):
        if before >= 0:
            line = lines[pool.found[place].message.topic]
            assert line[line.index(numbers[place]) - 1] == numbers[before]


def similarity(one: Vector | None, other: Vector | None) -> float:
    if one is None or other is None:
        return float("nan")
    lengths = float(np.linalg.norm(one.astype(np.float64))) * float(np.linalg.norm(other.astype(np.float64)))
    return float(one.astype(np.float64) @ other.astype(np.float64)) / lengths


@pytest.fixture
async def model(store: PostgresStore) -> EmbeddingModel:
    return await store.embeddings.open(name="test", dimension=64, threshold=0.4)


def row(number: int, text: str, *, seed: int | None = None, minute: int = 0, topic: str = "") -> Row:
    sent_at = NOW - timedelta(days=1) + timedelta(minutes=minute or number)
    return Row(number, sent_at, topic, text, None if seed is None else vector(seed))


async def test_what_has_no_vector_yet_is_found_by_its_words(store: PostgresStore, model: EmbeddingModel) -> None:
    chat = await keep(store, model, [row(n, "rain") for n in range(1, 9)] + [row(9, "the spare key")])
    queries = as_queries(["where is the key"], [vector(1)])
    pool = await pool_of(
        store, Search(lane=Lane(chat), queries=queries, recall=Recall(model=model, profile="ranked"), now=NOW)
    )
    assert [pool.found[n].message.message_id for n in np.flatnonzero(pool.by_words[0])] == [9]
    assert np.isnan(pool.similarities).all()


async def test_who_is_asked_about_counts_apart_from_what_is_asked(
    store: PostgresStore, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "FEWEST_SEEDS", 1)
    rows = [row(n, "pets rain") for n in range(1, 21)] + [row(n, "Anna rain") for n in range(21, 26)]
    recall = Recall(model=model, profile="ranked", seeds=1, neighbours=0)
    for sender, expected in (("Anna", 20), ("Bo", 25)):  # what she wrote is in view, so it is known who Anna is
        chat = await keep(store, model, [*rows, replace(row(26, "pets"), sender=sender)])
        queries = as_queries(["Has Anna pets?"], [None])
        search = Search(lane=Lane(chat), queries=queries, recall=recall, now=NOW, exclude=(MessageId(26),))
        assert [found.message.message_id for found in (await pool_of(store, search)).found] == [expected]


async def test_what_speaks_of_a_day_in_other_words_is_found_by_it_and_what_was_sent_then(
    store: PostgresStore, model: EmbeddingModel
) -> None:
    rows = [Row(n, NOW - timedelta(days=2 * n), "", "rain", None) for n in range(1, 30)]
    rows[9] = replace(rows[9], text="the exhibition opened eight days ago")  # on 5 February
    chat = await keep(store, model, rows)
    recall = Recall(model=model, profile="ranked", neighbours=0)
    for asked, expected in (
        ("what was on 5 February?", {10, 14}),
        ("2月5日怎么样？", {10, 14}),
        ("what was there?", set[int]()),
    ):
        search = Search(lane=Lane(chat), queries=as_queries([asked], [None]), recall=recall, now=NOW)
        assert {found.message.message_id for found in (await pool_of(store, search)).found} == expected, asked


@pytest.mark.parametrize(
    ("asked", "sender"),
    [("what does Bo drink?", "Bo Li"), ("BO's tea?", "Bo"), ("小雨喝什么茶？", "小雨"), ("tea on 1 March?", None)],
)
async def test_of_equals_who_is_named_and_what_is_of_that_day_are_the_seeds(
    store: PostgresStore, model: EmbeddingModel, monkeypatch: pytest.MonkeyPatch, asked: str, sender: str | None
) -> None:
    monkeypatch.setattr(values, "FEWEST_SEEDS", 1)
    chat = await store.chats.open("import:x", title="T")
    said = [
        NewMessage(
            external_id=str(n), sender_id="u", sender=(sender or "Ann") if n == 5 else "Ann",
            sent_at=NOW - timedelta(days=4 if n == 5 else 20 + n), text="tea 喝茶 drink",
        )
        for n in range(1, 9)
    ]  # fmt: skip
    await store.messages.record(chat, "import:x", said, read_at=NOW)
    recall = Recall(model=model, profile="ranked", seeds=3, neighbours=0)
    for text in (asked, "tea"):
        search = Search(lane=Lane(chat), queries=as_queries([text], [None]), recall=recall, now=NOW)
        found = {found.message.external_id for found in (await pool_of(store, search)).found}
        assert found == ({"8", "7", "5"} if text == asked else {"8", "7", "6"})


async def test_another_chats_words_are_never_found(store: PostgresStore, model: EmbeddingModel) -> None:
    await keep(store, model, [row(1, "the spare key", seed=1)])
    mine = await store.chats.open("import:mine", title="T")
    recall = Recall(model=model, profile="ranked")
    search = Search(lane=Lane(mine), queries=as_queries(["key"], [vector(1)]), recall=recall, now=NOW)
    assert (await pool_of(store, search)).found == ()


async def test_a_chat_that_is_not_there_has_an_empty_pool(store: PostgresStore, model: EmbeddingModel) -> None:
    recall = Recall(model=model, profile="ranked")
    search = Search(lane=Lane(ChatId(99)), queries=as_queries(["key"], [vector(1)]), recall=recall, now=NOW)
    assert (await pool_of(store, search)).found == ()
