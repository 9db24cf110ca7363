"""Background jobs on PgQueuer: its tables in a schema of their own, hints, and the worker.

A job is only a hint that there is something to do; what there is to do is derived from the tables, so a lost
hint costs time, never work. A job that fails for good is kept, not deleted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from importlib.metadata import version
from typing import Any

import asyncpg
from pgqueuer.adapters.drivers.asyncpg import AsyncpgDriver, AsyncpgPoolDriver
from pgqueuer.adapters.persistence.qb import (
    QueryBuilderEnvironment,
    QueryQueueBuilder,
    QuerySchedulerBuilder,
)
from pgqueuer.adapters.persistence.queries import Queries
from pgqueuer.core.qm import QueueManager
from pgqueuer.domain.errors import RetryRequested
from pgqueuer.domain.settings import DBSettings, Durability
from pgqueuer.domain.types import Channel
from pgqueuer.models import Job
from pgqueuer.ports.driver import Driver

from bot.errors import StoreError

log = logging.getLogger(__name__)

Handler = Callable[[], Awaitable[timedelta | None]]
"""Does what there is to do. None: done. A pause: not now, again after at least so long."""

_SCHEMA = "jobs"
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=10)
_LOST = (asyncpg.PostgresConnectionError, asyncpg.OperatorInterventionError)
"""What PostgreSQL says of a connection that it ends."""
_STAMP = f"pgqueuer {version('pgqueuer')}"

# Every name is given, since the library would else take them from variables such as CHANNEL or FUNCTION.
_SETTINGS = DBSettings(
    prefix="",
    db_schema=_SCHEMA,
    channel=Channel("companion_jobs"),
    function="fn_pgqueuer_changed",
    statistics_table="pgqueuer_statistics",
    queue_status_type="pgqueuer_status",
    queue_table="pgqueuer",
    queue_table_log="pgqueuer_log",
    trigger="tg_pgqueuer_changed",
    schedules_table="pgqueuer_schedules",
    durability=Durability.durable,
    widen_id=True,
)


def _queries(driver: Driver) -> Queries:
    return Queries(
        driver,
        qbe=QueryBuilderEnvironment(settings=_SETTINGS),
        qbq=QueryQueueBuilder(settings=_SETTINGS),
        qbs=QuerySchedulerBuilder(settings=_SETTINGS),
    )


async def installed(connection: asyncpg.Connection[Any]) -> bool:
    """Whether the job queue's tables are there, as this version of PgQueuer wants them."""
    stamp = await connection.fetchval(
        "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1", _SCHEMA
    )
    return stamp == _STAMP


async def install(connection: asyncpg.Connection[Any]) -> None:
    """Make the job queue's tables, or bring them up to this version of PgQueuer."""
    queries = _queries(AsyncpgDriver(connection))
    if await queries.schema_is_installed():
        await queries.upgrade()
    else:
        await queries.install()
    await connection.execute(f"COMMENT ON SCHEMA {_SCHEMA} IS '{_STAMP}'")


async def hint(pool: asyncpg.Pool[Any], job: str, *, alone: bool = False) -> None:
    """Say that there is something to do for a job.

    At most two are kept: one that may be at work and so may have looked already, and one behind it that will
    look again. `alone`: only one is, so that no two processes do the same work; its hint has to be given again.
    """
    queries = _queries(AsyncpgPoolDriver(pool))
    for key in (job,) if alone else (job, f"{job}, once more"):
        [number] = await queries.enqueue(job, None, dedupe_key=key, on_conflict="skip")
        if number is not None:
            return


def pause_before(attempt: int, asked: timedelta) -> timedelta:
    """How long a job rests before its next try: growing with each attempt (from 0), at least what was asked."""
    return max(asked, min(_FIRST_PAUSE * 2 ** min(attempt, 16), _LONGEST_PAUSE))


def _entry(handler: Handler) -> Callable[[Job], Awaitable[None]]:
    async def run(job: Job) -> None:
        asked = await handler()
        if asked is not None:
            raise RetryRequested(delay=pause_before(job.attempts, asked))

    return run


async def _work(dsn_connect: Callable[[], Awaitable[asyncpg.Connection[Any]]], handlers: Mapping[str, Handler]) -> None:
    """Run jobs on a connection of its own until cancelled; raises when the connection is lost."""
    connection = await dsn_connect()
    try:
        queries = _queries(AsyncpgDriver(connection))
        manager = QueueManager(queries, _SETTINGS.channel)
        for name, handler in handlers.items():
            manager.entrypoint(name, concurrency_limit=1, on_failure="hold", accepts_context=False)(_entry(handler))
        await manager.run(shutdown_on_listener_failure=True)
    finally:
        await connection.close(timeout=2)


async def _supervise(
    dsn_connect: Callable[[], Awaitable[asyncpg.Connection[Any]]], handlers: Mapping[str, Handler]
) -> None:
    """Keep a worker going: a lost connection ends it, a pause later another begins."""
    for attempt in range(1_000_000):
        try:
            await _work(dsn_connect, handlers)
        except (StoreError, OSError, asyncpg.InterfaceError, *_LOST) as error:
            log.warning("the background worker lost the database, and will look for it again: %s", error)
        except Exception:
            log.exception("the background worker stopped; it starts again")
        await asyncio.sleep(pause_before(min(attempt, 4), timedelta()).total_seconds())


@asynccontextmanager
async def worker(
    dsn_connect: Callable[[], Awaitable[asyncpg.Connection[Any]]], handlers: Mapping[str, Handler]
) -> AsyncGenerator[None]:
    """Do background jobs while the block runs. What is unfinished at its end is found again at the next start."""
    task = asyncio.create_task(_supervise(dsn_connect, handlers), name="background jobs")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
