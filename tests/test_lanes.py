"""Lanes on a real database: held by one claim at a time, let go of whatever happens, begun anew when it matters."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ModelUnavailable
from bot.lanes import MOST_FAILURES, LaneWorker, rest_after
from bot.model import MOST_RESTARTS, ChatId, Held
from bot.store import PostgresStore
from bot.store.lanes import Lanes

PATIENCE = 30


async def wake(store: PostgresStore, chat: ChatId) -> None:
    """A message that wants an answer came."""
    await store.database.pool.execute(
        "INSERT INTO lanes (chat_id, topic, source, due_at, generation) VALUES ($1, '', 'telegram:1:2', now(), 1) "
        "ON CONFLICT (chat_id, topic) DO UPDATE SET due_at = now(), generation = lanes.generation + 1",
        chat,
    )


class Turns:
    """Turns that wait until they are told to end. Keeps what was begun."""

    def __init__(self) -> None:
        self.begun: list[Held] = []
        self.began = asyncio.Event()
        self.may_end = asyncio.Event()
        self.fails = False

    async def __call__(self, held: Held) -> float | None:
        self.begun.append(held)
        self.began.set()
        await self.may_end.wait()
        if self.fails:
            raise ModelUnavailable("no answer")
        return None

    async def count(self, number: int) -> None:
        async with asyncio.timeout(PATIENCE):
            while len(self.begun) < number:
                self.began.clear()
                await self.began.wait()


@asynccontextmanager
async def working(store: PostgresStore, turns: Turns) -> AsyncGenerator[asyncio.Event]:
    """A worker at work; gives the event that tells it of news."""
    stop, news = asyncio.Event(), asyncio.Event()
    worker = LaneWorker(lanes=Lanes(store.database), turn=turns, owner=uuid4(), wake=news)
    task = asyncio.create_task(worker.run(stop, drain=0))
    yield news
    stop.set()
    async with asyncio.timeout(PATIENCE):
        await task


@pytest.fixture
async def chat(store: PostgresStore) -> ChatId:
    return await store.chats.open("telegram:1:2", title="Tea")


async def held_lanes(store: PostgresStore) -> int:
    return await store.database.pool.fetchval("SELECT count(*) FROM lanes WHERE claim IS NOT NULL")


async def test_a_burst_of_news_never_leaves_a_lane_held_by_nobody(store: PostgresStore, chat: ChatId) -> None:
    neighbour = await store.chats.open("telegram:1:3", title="Neighbour")
    turns = Turns()
    async with working(store, turns) as news:
        await wake(store, neighbour)
        news.set()
        await turns.count(1)
        for round_ in range(20):
            await wake(store, chat)
            news.set()
            await turns.count(len(turns.begun) + (1 if round_ == 0 else 0))
            for _ in range(3):
                await wake(store, chat)
                news.set()
                await asyncio.sleep(0)
        turns.may_end.set()
        async with asyncio.timeout(PATIENCE):
            while await held_lanes(store):
                pass  # each look is a round trip
    assert await held_lanes(store) == 0


async def test_a_turn_that_began_anew_too_often_is_finished(store: PostgresStore, chat: ChatId) -> None:
    turns = Turns()
    async with working(store, turns) as news:
        for number in range(1, MOST_RESTARTS + 2):
            await wake(store, chat)
            news.set()
            await turns.count(number)
        assert turns.begun[-1].insists
        await wake(store, chat)
        news.set()
        turns.may_end.set()
        await turns.count(MOST_RESTARTS + 2)


async def test_what_an_earlier_claim_still_does_comes_to_nothing(store: PostgresStore, chat: ChatId) -> None:
    lanes = Lanes(store.database)
    await wake(store, chat)
    first = await lanes.claim(uuid4(), lease=0)
    second = await lanes.claim(uuid4(), lease=60)
    assert first is not None
    assert second is not None
    await lanes.release(first, again_in=None, ended="done")
    assert await held_lanes(store) == 1
    assert await lanes.keep([first.claim], lease=60) == {}
    assert await lanes.claim(uuid4(), lease=60) is None
    await lanes.release(second, again_in=None, ended="done")
    assert await held_lanes(store) == 0


async def test_a_lane_that_fails_is_let_go_of_and_rests(store: PostgresStore, chat: ChatId) -> None:
    turns = Turns()
    turns.fails = True
    turns.may_end.set()
    async with working(store, turns) as news:
        await wake(store, chat)
        news.set()
        await turns.count(1)
        async with asyncio.timeout(PATIENCE):
            while not await store.database.pool.fetchval("SELECT failures FROM lanes"):
                pass  # each look is a round trip
    [row] = await store.database.pool.fetch("SELECT failures, claim, due_at > now() AS rests FROM lanes")
    assert (row["failures"], row["claim"], row["rests"]) == (1, None, True)


@given(st.integers(1, MOST_FAILURES))
def test_rests_grow_with_each_failure_and_end(failures: int) -> None:
    rest, longer = rest_after(failures), rest_after(failures + 1)
    assert rest is not None
    assert longer is None or longer >= rest
    assert rest_after(MOST_FAILURES + 1) is None
