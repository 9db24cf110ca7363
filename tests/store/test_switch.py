"""From one embedding model to another: built up beside the one in use, switched at one moment, dropped in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import numpy as np
import pytest

from bot.errors import ModelUnavailable
from bot.llm.patience import Patience
from bot.llm.retries import Patient
from bot.memory.embed import BATCH, embed_pending
from bot.memory.switch import FEWEST, build_job, build_up, leave_job, measured, threshold_of
from bot.model import ChatId, EmbeddingModel, NewMessage, Vector
from bot.ports import Purpose
from bot.store import PostgresStore, jobs, open_store
from bot.store.database import connect

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
ONCE = Patience(retries=0, first_wait=0, longest_wait=0, in_all=60, requests=100)


class Sized:
    """Random vectors of a length, the same for the same text; keeps what it was asked."""

    name = "sized"

    def __init__(self, dimension: int, *, fails_after: int | None = None) -> None:
        self._dimension, self.fails_after = dimension, fails_after
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        if self.fails_after is not None and len(self.asked) >= self.fails_after:
            raise ModelUnavailable("away")
        self.asked += texts
        return [
            np.random.default_rng(list(text.encode())).normal(size=self._dimension).astype(np.float32) for text in texts
        ]


def patient(raw: Sized) -> Patient:
    return Patient(raw, patience=ONCE)


async def talk(store: PostgresStore, count: int, *, first: int = 0, name: str = "x") -> ChatId:
    chat = await store.chats.open(f"import:{name}", title="T")
    lines = [
        NewMessage(
            external_id=str(n),
            sender_id="1",
            sender="Ann",
            sent_at=NOW + timedelta(minutes=n),
            text=f"line number {n}",
            topic="",
        )
        for n in range(first, first + count)
    ]
    await store.messages.record(chat, "terminal", lines)
    return chat


async def state_of(store: PostgresStore) -> dict[str, str]:
    return {each.model.name: each.state for each in await store.embeddings.standings()}


@pytest.fixture
async def old(store: PostgresStore) -> EmbeddingModel:
    """A model in use that has embedded all of a chat."""
    await talk(store, 3 * BATCH)
    model = await store.embeddings.open(name="old", dimension=64, threshold=0.5)
    await embed_pending(model=model, embedder=patient(Sized(64)), store=store.embeddings)
    return await store.embeddings.use_first(model)


@pytest.fixture
async def new(store: PostgresStore, old: EmbeddingModel) -> EmbeddingModel:
    """A model that is to be in use."""
    model = await store.embeddings.open(name="new", dimension=2500, threshold=0.5, indexed=False)
    assert await store.embeddings.build(model, keeps_old=False)
    return model


@pytest.fixture
async def another_process(store: PostgresStore, dsn: str) -> AsyncIterator[PostgresStore]:
    async with open_store(dsn, may_migrate=False, report=print) as opened:
        yield opened


async def build(store: PostgresStore, model: EmbeddingModel, raw: Sized) -> bool:
    return await build_up(model, measures=False, embedder=patient(raw), store=store.embeddings)


async def test_the_first_model_is_in_use_and_no_second_one_takes_its_place_by_itself(store: PostgresStore) -> None:
    first = await store.embeddings.open(name="first", dimension=64, threshold=0.5)
    second = await store.embeddings.open(name="second", dimension=64, threshold=0.5)
    used = await asyncio.gather(*(store.embeddings.use_first(model) for model in (first, second)))
    assert used[0] == used[1] == await store.embeddings.in_use()


async def test_the_old_model_is_in_use_until_the_new_one_is_whole(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel, another_process: PostgresStore
) -> None:
    assert not await store.embeddings.switch(new, lacking=BATCH)
    assert await another_process.embeddings.in_use() == old
    assert await store.embeddings.index_kind(new) is None
    assert await build(store, new, Sized(2500))
    assert await another_process.embeddings.in_use() == new
    assert await store.embeddings.index_kind(new) == "hnsw, halfvec_cosine_ops"
    assert await store.embeddings.pending(new) == 0
    assert await state_of(store) == {"old": "leaving", "new": "in use"}


async def test_what_came_just_now_and_the_old_one_lacks_too_does_not_hold_it_up(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    await embed_pending(model=new, embedder=patient(Sized(2500)), store=store.embeddings)
    await talk(store, 3, first=1000)
    await embed_pending(model=old, embedder=patient(Sized(64)), store=store.embeddings)
    assert not await store.embeddings.switch(new, lacking=BATCH), "the old one has what the new one lacks"
    await embed_pending(model=new, embedder=patient(Sized(2500)), store=store.embeddings)
    await talk(store, 3, first=2000)
    assert not await store.embeddings.switch(new, lacking=2)
    assert await store.embeddings.switch(new, lacking=3)


async def test_a_run_that_was_cut_is_gone_on_with(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    with pytest.raises(ModelUnavailable):
        await build(store, new, Sized(2500, fails_after=2 * BATCH))
    assert await store.embeddings.pending(new) == BATCH
    rest = Sized(2500)
    assert await build(store, new, rest)
    assert len(rest.asked) == BATCH


async def test_two_processes_build_at_once_and_switch_once(
    store: PostgresStore, new: EmbeddingModel, another_process: PostgresStore
) -> None:
    both = await asyncio.gather(build(store, new, Sized(2500)), build(another_process, new, Sized(2500)))
    assert sorted(both) == [False, True]
    assert await store.embeddings.counts(new) == (3 * BATCH, 0)


async def test_the_job_is_run_once_at_a_time_however_often_it_is_hinted_at(
    store: PostgresStore, new: EmbeddingModel, dsn: str
) -> None:
    raw, switched = Sized(2500), asyncio.Event()

    async def tell() -> None:
        switched.set()

    async def listen() -> asyncpg.Connection[Any]:
        return await connect(dsn)

    job = build_job(embedder_of=lambda _: patient(raw), measures=lambda _: False, store=store.embeddings, switched=tell)
    for _ in range(3):
        await store.hint("build", alone=True)
    async with jobs.worker(listen, {"build": job}), jobs.worker(listen, {"build": job}):
        await asyncio.wait_for(switched.wait(), 30)
    assert sorted(raw.asked) == sorted(set(raw.asked)), "no text is paid for twice"


async def test_a_newer_wish_ends_the_build_before_it(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    newer = await store.embeddings.open(name="newer", dimension=128, threshold=0.5, indexed=False)
    assert await store.embeddings.build(newer, keeps_old=True)
    assert not await build(store, new, Sized(2500))
    assert await state_of(store) == {"old": "in use", "new": "leaving", "newer": "building"}
    assert await build(store, newer, Sized(128))
    assert await state_of(store) == {"old": "kept", "new": "leaving", "newer": "in use"}
    assert not await store.embeddings.build(newer, keeps_old=False), "it is in use"
    assert await store.embeddings.build(old, keeps_old=False), "what was kept has only to catch up"
    await store.embeddings.give_up()
    assert (await state_of(store))["old"] == "kept", "and stays when that is given up"


async def test_the_old_vectors_are_dropped_when_no_turn_from_before_holds_a_lane(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    pool, table = store.database.pool, f"vectors_{old.model_id}"
    await pool.execute(
        "INSERT INTO lanes (chat_id, topic, claim, lease_until) VALUES (1, '', $1, now() + interval '1 hour')", uuid4()
    )
    assert await build(store, new, Sized(2500))
    assert await store.embeddings.drop_left(longest_turn=3600), "a turn without a lane may still be under way"
    assert await store.embeddings.drop_left(longest_turn=0), "a turn holds a lane"
    assert await pool.fetchval("SELECT to_regclass($1)", table) == table
    await pool.execute("UPDATE lanes SET claim = $1", uuid4())  # the next turn searches in the new ones
    async with pool.acquire() as backup, backup.transaction():
        await backup.execute("LOCK TABLE messages IN ACCESS SHARE MODE")
        assert await store.embeddings.drop_left(longest_turn=0), "nobody is made to wait behind a lock"
    assert not await store.embeddings.drop_left(longest_turn=0)
    assert await pool.fetchval("SELECT to_regclass($1)", table) is None
    assert await state_of(store) == {"new": "in use"}
    [standing] = await store.embeddings.standings()
    assert standing.instead_of == ("old/64",)
    assert await leave_job(store.embeddings)() is None


async def test_a_dropped_turn_lease_that_ran_out_does_not_keep_the_old_vectors(
    store: PostgresStore, new: EmbeddingModel
) -> None:
    pool = store.database.pool
    await pool.execute(
        "INSERT INTO lanes (chat_id, topic, claim, lease_until) VALUES (1, '', $1, now() + interval '1 hour')", uuid4()
    )
    assert await build(store, new, Sized(2500))
    await pool.execute("UPDATE lanes SET lease_until = now() - interval '1 s'")
    assert not await store.embeddings.drop_left(longest_turn=0)


async def test_beyond_4000_numbers_it_is_said_why_there_is_no_index(store: PostgresStore, old: EmbeddingModel) -> None:
    model = await store.embeddings.open(name="long", dimension=4096, threshold=0.5)
    assert await store.embeddings.index_kind(model) is None
    assert store.embeddings.why_no_index(model) == "vectors of more than 4,000 numbers cannot be indexed"
    assert store.embeddings.why_no_index(old) is None
    assert await store.embeddings.index_kind(old) == "hnsw, vector_cosine_ops"


async def test_a_text_that_comes_twice_in_a_batch_is_asked_for_once(store: PostgresStore, old: EmbeddingModel) -> None:
    chat = await store.chats.open("import:x", title="T")
    same = [
        NewMessage(external_id=f"same {n}", sender_id="1", sender="Ann", sent_at=NOW, text="ok then", topic="")
        for n in range(5)
    ]
    await store.messages.record(chat, "terminal", same)
    raw = Sized(64)
    await embed_pending(model=old, embedder=patient(raw), store=store.embeddings)
    assert len(raw.asked) == 1
    assert await store.embeddings.counts(old) == (3 * BATCH + 5, 0)


async def test_the_threshold_is_what_one_of_a_hundred_random_pairs_is_above(
    store: PostgresStore, old: EmbeddingModel
) -> None:
    assert await measured(old, embedder=patient(Sized(64)), store=store.embeddings) is None, "too few to tell"
    await talk(store, FEWEST, first=5000)
    await embed_pending(model=old, embedder=patient(Sized(64)), store=store.embeddings)
    threshold = await measured(old, embedder=patient(Sized(64)), store=store.embeddings)
    assert threshold == pytest.approx(2.33 / 8, abs=0.02), "of a normal distribution with a deviation of 1 / √64"


def test_a_text_is_not_compared_with_itself() -> None:
    vectors = np.eye(4, dtype=np.float32)
    assert threshold_of(vectors, vectors, own=np.arange(4)) == 0.1
