"""Background jobs: hinted at, done, done again later, and never lost."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import asyncpg

from bot.store import PostgresStore, jobs
from bot.store.database import connect
from bot.store.jobs import pause_before


async def rows(store: PostgresStore) -> list[asyncpg.Record]:
    return await store.database.pool.fetch("SELECT status::text, dedupe_key FROM jobs.pgqueuer ORDER BY id")


async def waits_for_an_hour(store: PostgresStore) -> bool:
    later = "SELECT count(*) FROM jobs.pgqueuer WHERE attempts = 1 AND execute_after > now() + interval '50 minutes'"
    return bool(await store.database.pool.fetchval(later))


async def test_hints_while_one_waits_add_at_most_one_more(store: PostgresStore) -> None:
    for _ in range(5):
        await store.hint("embed")
    assert [row["dedupe_key"] for row in await rows(store)] == ["embed", "embed, once more"]


async def test_a_hint_given_while_the_job_runs_is_followed_by_another_run(store: PostgresStore, dsn: str) -> None:
    started, go_on, again = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handler() -> timedelta | None:
        if started.is_set():
            again.set()
        started.set()
        await go_on.wait()
        return None

    async def listen() -> asyncpg.Connection[Any]:
        return await connect(dsn)

    await store.hint("embed")
    async with jobs.worker(listen, {"embed": handler}):
        await asyncio.wait_for(started.wait(), 20)
        await store.hint("embed")
        go_on.set()
        await asyncio.wait_for(again.wait(), 20)


async def test_a_job_that_asks_to_wait_is_kept_for_later(store: PostgresStore, dsn: str) -> None:
    ran = asyncio.Event()

    async def handler() -> timedelta | None:
        ran.set()
        return timedelta(hours=1)

    async def listen() -> asyncpg.Connection[Any]:
        return await connect(dsn)

    await store.hint("embed")
    async with jobs.worker(listen, {"embed": handler}):
        await asyncio.wait_for(ran.wait(), 20)
        async with asyncio.timeout(20):
            while not await waits_for_an_hour(store):
                pass  # each look is a round trip
    assert [row["status"] for row in await rows(store)] == ["queued"]


def test_pauses_grow_up_to_ten_minutes_and_respect_what_is_asked() -> None:
    pauses = [pause_before(attempt, timedelta()) for attempt in range(40)]
    assert pauses == sorted(pauses)
    assert pauses[0] == timedelta(seconds=5)
    assert pauses[-1] == timedelta(minutes=10)
    assert pause_before(0, timedelta(hours=2)) == timedelta(hours=2)
