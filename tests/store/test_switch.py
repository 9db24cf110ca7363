"""From one embedding model to another: built up beside the one in use, switched at one moment, dropped in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from bot.errors import ModelUnavailable, QueryFailed
from bot.llm.patience import Patience
from bot.llm.retries import Patient
from bot.memory.embed import BATCH, embed_pending
from bot.memory.switch import build_job, build_up, leave_job
from bot.model import ChatId, EmbeddingModel, NewMessage
from bot.store import PostgresStore, jobs, open_store
from bot.store.database import connect
from bot.store.vectors import EXTENSIONS, table_of, why_no_index
from tests.fakes.ports import RandomEmbedder

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
ONCE = Patience(retries=0, first_wait=0, longest_wait=0, in_all=60, requests=100)


def patient(raw: RandomEmbedder) -> Patient:
    return Patient(raw, patience=ONCE)


async def talk(
    store: PostgresStore, count: int, *, first: int = 0, name: str = "x", apart: timedelta = timedelta(minutes=1)
) -> ChatId:
    chat = await store.chats.open(f"import:{name}", title="T")
    lines = [
        NewMessage(
            external_id=str(n),
            sender_id="1",
            sender="Ann",
            sent_at=NOW + n * apart,
            text=f"line number {n} of {name}",
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
    model = await store.embeddings.open(name="old", dimension=64, threshold=0.5, threshold_told=True)
    await embed_pending(model=model, embedder=patient(RandomEmbedder(64)), store=store.embeddings)
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


async def build(store: PostgresStore, model: EmbeddingModel, raw: RandomEmbedder) -> bool:
    return await build_up(model, embedder=patient(raw), store=store.embeddings)


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
    assert await build(store, new, RandomEmbedder(2500))
    assert await another_process.embeddings.in_use() == new
    assert await store.embeddings.index_kind(new) == "hnsw, halfvec_cosine_ops"
    assert await store.embeddings.pending(new) == 0
    assert await state_of(store) == {"old": "leaving", "new": "in use"}


async def test_what_came_just_now_and_the_old_one_lacks_too_does_not_hold_it_up(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    await embed_pending(model=new, embedder=patient(RandomEmbedder(2500)), store=store.embeddings)
    await talk(store, 3, first=1000)
    await embed_pending(model=old, embedder=patient(RandomEmbedder(64)), store=store.embeddings)
    assert not await store.embeddings.switch(new, lacking=BATCH), "the old one has what the new one lacks"
    await embed_pending(model=new, embedder=patient(RandomEmbedder(2500)), store=store.embeddings)
    await talk(store, 3, first=2000)
    assert not await store.embeddings.switch(new, lacking=2)
    assert await store.embeddings.switch(new, lacking=3)


async def test_a_run_that_was_cut_is_gone_on_with(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    with pytest.raises(ModelUnavailable):
        await build(store, new, RandomEmbedder(2500, fails_after=2 * BATCH))
    assert await store.embeddings.pending(new) == BATCH
    rest = RandomEmbedder(2500)
    assert await build(store, new, rest)
    assert len(rest.asked) == BATCH


async def test_two_processes_build_at_once_and_switch_once(
    store: PostgresStore, new: EmbeddingModel, another_process: PostgresStore
) -> None:
    both = await asyncio.gather(*(build(each, new, RandomEmbedder(2500)) for each in (store, another_process)))
    assert sorted(both) == [False, True]
    assert await store.embeddings.counts(new) == (3 * BATCH, 0)


async def test_the_job_is_run_once_at_a_time_however_often_it_is_hinted_at(
    store: PostgresStore, new: EmbeddingModel, dsn: str
) -> None:
    raw, switched = RandomEmbedder(2500), asyncio.Event()

    async def tell() -> None:
        switched.set()

    async def listen() -> asyncpg.Connection[Any]:
        return await connect(dsn)

    job = build_job(embedder_of=lambda _: patient(raw), store=store.embeddings, switched=tell)
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
    assert not await build(store, new, RandomEmbedder(2500))
    assert await state_of(store) == {"old": "in use", "new": "leaving", "newer": "building"}
    assert await build(store, newer, RandomEmbedder(128))
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
    assert await build(store, new, RandomEmbedder(2500))
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
    assert await build(store, new, RandomEmbedder(2500))
    await pool.execute("UPDATE lanes SET lease_until = now() - interval '1 s'")
    assert not await store.embeddings.drop_left(longest_turn=0)


@pytest.mark.parametrize(
    ("name", "version", "dimension", "why"),
    [
        ("vector", (0, 8, 0), 4000, None),
        ("vector", (0, 8, 0), 4001, "pgvector indexes vectors of up to 4,000 numbers"),
        ("vchord", (0, 5, 2), 16_001, "VectorChord indexes vectors of up to 16,000 numbers"),
        ("vector", (0, 7, 4), 64, "an index that goes on searching takes pgvector 0.8, and this server has 0.7.4"),
        ("vectors", (), 64, "an index that goes on searching takes pgvecto.rs 0.2, and this server has "),
    ],
)
def test_each_extension_says_why_it_has_no_index(
    name: str, version: tuple[int, ...], dimension: int, why: str | None
) -> None:
    [extension] = [replace(each, version=version) for each in EXTENSIONS if each.name == name]
    told = why_no_index(dimension, extension)
    assert told == why if why is None or told is None else told.startswith(why)


async def test_beyond_4000_numbers_it_is_said_why_there_is_no_index(store: PostgresStore, old: EmbeddingModel) -> None:
    model = await store.embeddings.open(name="long", dimension=4096, threshold=0.5)
    assert await store.embeddings.index_kind(model) is None
    assert store.embeddings.why_no_index(model) == "pgvector indexes vectors of up to 4,000 numbers"
    assert store.embeddings.why_no_index(old) is None
    assert await store.embeddings.index_kind(old) == "hnsw, vector_cosine_ops"


async def test_a_text_that_comes_twice_in_a_batch_is_asked_for_once(store: PostgresStore, old: EmbeddingModel) -> None:
    chat = await store.chats.open("import:x", title="T")
    same = [
        NewMessage(external_id=f"same {n}", sender_id="1", sender="Ann", sent_at=NOW, text="ok then", topic="")
        for n in range(5)
    ]
    await store.messages.record(chat, "terminal", same)
    raw = RandomEmbedder(64)
    await embed_pending(model=old, embedder=patient(raw), store=store.embeddings)
    assert len(raw.asked) == 1
    assert await store.embeddings.counts(old) == (3 * BATCH + 5, 0)


async def test_a_model_that_is_built_up_gets_its_threshold_from_unrelated_messages(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    assert (new.threshold, new.threshold_told) == (0.5, False)
    await talk(store, 100, name="of many sessions", apart=timedelta(hours=1))
    assert await build(store, new, RandomEmbedder(2500))
    told = await store.embeddings.in_use()
    assert told is not None
    assert told.threshold == 0.1, "random vectors of that length have nothing to do with each other"
    await store.embeddings.set_threshold(told, 0.4)
    assert await store.embeddings.in_use() == told, "told once"
    await store.embeddings.set_threshold(told, 0.4, again=True)
    assert await store.embeddings.in_use() == replace(told, threshold=0.4)


async def test_the_first_model_gets_its_threshold_too_once_there_are_messages_enough(store: PostgresStore) -> None:
    model = await store.embeddings.use_first(await store.embeddings.open(name="first", dimension=64, threshold=0.5))
    raw = RandomEmbedder(64)
    await talk(store, 10, apart=timedelta(hours=1))
    await embed_pending(model=model, embedder=patient(raw), store=store.embeddings)
    assert await store.embeddings.in_use() == model
    await talk(store, 200, first=10, apart=timedelta(hours=1))
    await embed_pending(model=model, embedder=patient(raw), store=store.embeddings)
    told = await store.embeddings.in_use()
    assert told is not None
    assert told.threshold == pytest.approx(2.33 / 8, abs=0.05), "of a normal distribution with a deviation of 1 / √64"


async def test_what_is_edited_while_it_is_embedded_is_embedded_again_and_nothing_else_is(
    store: PostgresStore, old: EmbeddingModel
) -> None:
    chat = await store.chats.open("import:x", title="T")
    await talk(store, BATCH, first=1000)
    raw = RandomEmbedder(64)
    passages = await store.embeddings.to_embed(old, limit=BATCH)
    edited = [3, passages[5].message_id]  # one that was embedded long ago, and one that is just now
    for number in edited:
        await edit(store, chat, number)
    await store.embeddings.keep(old, passages, await raw.embed([p.text for p in passages], purpose="passage"))
    assert await store.embeddings.pending(old) == 2
    assert [p.message_id for p in await store.embeddings.to_embed(old, limit=BATCH)] == edited
    raw = RandomEmbedder(64)
    await embed_pending(model=old, embedder=patient(raw), store=store.embeddings)
    assert [text.rpartition(": ")[2] for text in raw.asked] == [f"edited {number}" for number in edited]
    assert (await store.embeddings.pending(old), await store.embeddings.counts(old)) == (0, (4 * BATCH, 0))


async def test_an_edit_under_way_is_waited_for(store: PostgresStore, old: EmbeddingModel) -> None:
    chat = await store.chats.open("import:x", title="T")
    await talk(store, 1, first=1000)
    [passage] = await store.embeddings.to_embed(old, limit=BATCH)
    async with asyncio.timeout(20), store.database.pool.acquire() as editor, editor.transaction():
        await editor.execute(
            "UPDATE messages SET text = 'new' WHERE chat_id = $1 AND message_id = $2", chat, passage.message_id
        )
        keeping = asyncio.create_task(store.embeddings.keep(old, [passage], [RandomEmbedder(64).vector("old")]))
        while not await store.database.pool.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
            pass  # each look is a round trip
    await keeping
    assert await store.embeddings.pending(old) == 1
    assert await store.embeddings.counts(old) == (3 * BATCH, 0)


async def test_a_model_that_lacks_an_edit_that_the_one_in_use_has_is_not_whole(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    await embed_pending(model=new, embedder=patient(RandomEmbedder(2500)), store=store.embeddings)
    await edit(store, await store.chats.open("import:x", title="T"), 3)
    await embed_pending(model=old, embedder=patient(RandomEmbedder(64)), store=store.embeddings)
    assert not await store.embeddings.switch(new, lacking=BATCH)
    await embed_pending(model=new, embedder=patient(RandomEmbedder(2500)), store=store.embeddings)
    assert await store.embeddings.switch(new)


async def test_an_index_that_was_cut_is_made_anew(
    store: PostgresStore, old: EmbeddingModel, new: EmbeddingModel
) -> None:
    pool = store.database.pool
    await embed_pending(model=new, embedder=patient(RandomEmbedder(2500)), store=store.embeddings)
    async with asyncio.timeout(20), pool.acquire() as reader, reader.transaction(isolation="repeatable_read"):
        await reader.execute("SELECT count(*) FROM messages")  # a snapshot, as of a backup: the index waits for it
        making = asyncio.create_task(store.embeddings.index(new))
        found = None
        while not found:
            found = await pool.fetchval(
                "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONC%' "
                "AND datname = current_database() AND wait_event_type = 'Lock'"
            )
        with pytest.raises(QueryFailed):
            await making
    assert await store.embeddings.index_kind(new) is None
    await asyncio.gather(store.embeddings.index(new), store.embeddings.index(new))
    assert await store.embeddings.index_kind(new) == "hnsw, halfvec_cosine_ops"
    assert await pool.fetchval("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == 0


async def edit(store: PostgresStore, chat: ChatId, message_id: int) -> None:
    """What an edit from Telegram does to a message and its vectors."""
    edited = "UPDATE messages SET text = $3 WHERE chat_id = $1 AND message_id = $2"
    await store.database.pool.execute(edited, chat, message_id, f"edited {message_id}")
    async with store.database.transaction() as queries:
        for model in await store.embeddings.all():
            await queries.fetch("drop_vector", chat, message_id, vectors=table_of(model.model_id))
        await queries.fetch("embed_again", chat, message_id)
