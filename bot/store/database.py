"""One pool of connections, and the one gateway through which named queries go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal
from urllib.parse import urlsplit

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from bot.errors import DatabaseUnreachable, QueryFailed, SchemaOutdated
from bot.store import migrate as migrations
from bot.store.queries import named_queries
from bot.store.vectors import Extension, find_extension, speak

FAILURES = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
"""What asyncpg raises when a server refuses something, or is gone."""


_INDEXING = 0x636F6D7061696E
"""The advisory lock of whoever makes an index."""
_LOOK_AGAIN = 0.5
"""Seconds between two looks at an index that another process makes."""
_LONGEST_BUILD = 6 * 3600.0
"""Seconds that an index of a table that is large already may take."""


def where(dsn: str) -> str:
    """The address of a database without its password, for people to read."""
    try:
        parts = urlsplit(dsn)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the address given"
    if parts.scheme not in {"postgresql", "postgres"} or "@" in parts.path:
        # The password can be anywhere: in `host=… password=…`, or behind a slash that is part of it.
        return "the address given"
    return f"{parts.hostname or 'the local socket'}{port}{parts.path}"


async def connect(dsn: str, *, timeout: float = 10) -> asyncpg.Connection[Any]:
    """A connection of its own; raise `DatabaseUnreachable` saying why not."""
    try:
        return await asyncpg.connect(dsn, timeout=timeout)
    except TimeoutError as error:
        raise DatabaseUnreachable(where=where(dsn), reason=f"no answer within {timeout:.0f} s") from error
    except (ValueError, OverflowError, asyncpg.ClientConfigurationError) as error:
        raise DatabaseUnreachable(where=where(dsn), reason="the address makes no sense") from error
    except FAILURES as error:
        raise DatabaseUnreachable(where=where(dsn), reason=str(error).partition("\n")[0]) from error


class Queries:
    """Named queries, on a pool or within a transaction."""

    def __init__(self, executor: asyncpg.Pool[Any] | PoolConnectionProxy[Any]) -> None:
        self._executor = executor
        self.round_trips = 0
        """Queries sent through this gateway so far; for measuring."""

    async def fetch(
        self, query: str, *args: object, vectors: str | None = None, near: str | None = None, distance: str = ""
    ) -> list[asyncpg.Record]:
        """Run a named query, its slots filled as `statement` does it; raise `QueryFailed`."""
        self.round_trips += 1
        try:
            return await self._executor.fetch(statement(query, vectors=vectors, near=near, distance=distance), *args)
        except FAILURES as error:
            raise QueryFailed(query, error) from error

    async def fetch_one(self, query: str, *args: object, vectors: str | None = None) -> asyncpg.Record | None:
        """As `fetch`, the first row or None."""
        rows = await self.fetch(query, *args, vectors=vectors)
        return rows[0] if rows else None

    async def make(self, name: str, definition: str) -> None:
        """Make a table that comes with its data, if it is not there."""
        try:
            if await self._executor.fetchval("SELECT to_regclass($1)", name) is None:
                await self._executor.execute(definition)
        except FAILURES as error:
            raise QueryFailed(f"make {name}", error) from error


class Database(Queries):
    """A pool on a database whose schema is that of this program."""

    def __init__(self, pool: asyncpg.Pool[Any], extension: Extension) -> None:
        super().__init__(pool)
        self.pool = pool
        self.extension = extension

    @asynccontextmanager
    async def transaction(self) -> AsyncGenerator[Queries]:
        """Several queries, all or nothing. No model and no Telegram may be waited for in here."""
        try:
            async with self.pool.acquire() as connection, connection.transaction():
                yield Queries(connection)
        except FAILURES as error:
            raise QueryFailed("transaction", error) from error

    async def make_index(self, name: str, definition: str) -> None:
        """Make an index while others write (`CONCURRENTLY`), if it is not there whole. Processes may do so at once.

        One that was cut is there, but not whole, and nobody works on it: it is made anew.
        """
        try:
            while (state := await self._index_state(name)) != "whole":
                async with self.pool.acquire() as turn, turn.transaction():
                    # Two that make indexes of one table would wait for each other.
                    is_ours = await turn.fetchval("SELECT pg_try_advisory_xact_lock($1)", _INDEXING)
                    # Idle from here on. A simple query ends what asyncpg leaves open of the one before: with it goes
                    # the snapshot, which the index would wait for.
                    await turn.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                    if is_ours:
                        state = await self._index_state(name)
                        if state == "cut":
                            await self.pool.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
                        if state in ("cut", "missing"):
                            await self.pool.execute(definition, timeout=_LONGEST_BUILD)
                            continue
                await asyncio.sleep(_LOOK_AGAIN)
        except FAILURES as error:
            raise QueryFailed(f"make {name}", error) from error

    async def _index_state(self, name: str) -> Literal["missing", "under way", "cut", "whole"]:
        row = await self.fetch_one("index_of_vectors", name)
        if row is None:
            return "missing"
        return "whole" if row["whole"] else "under way" if row["under_way"] else "cut"


def statement(query: str, *, vectors: str | None = None, near: str | None = None, distance: str = "") -> str:
    """The text of a named query, its slots filled: `near` names the part to put there, `vectors` a model's table."""
    text = named_queries()[query]
    if near is not None:
        text = text.replace("{near}", named_queries()[near]).replace("{distance}", distance)
    return text if vectors is None else text.replace("{vectors}", vectors)


@asynccontextmanager
async def open_database(
    dsn: str, *, may_migrate: bool, report: Callable[[str], None], size: int = 8
) -> AsyncGenerator[Database]:
    """Connect, see that the schema is that of this program, and give the pool.

    With `may_migrate` a schema that is missing or older is brought up to date; without, `SchemaOutdated` is
    raised and nothing is changed.
    """
    connection = await connect(dsn)
    try:
        extension = await find_extension(connection)
        if may_migrate:
            await migrations.migrate(connection, report=report)
        elif missing := await migrations.pending(connection):
            raise SchemaOutdated(missing=missing)
    finally:
        await connection.close()

    async def prepare(new: asyncpg.Connection[Any]) -> None:
        await speak(new, extension)

    # asyncpg's reset would forget the session settings that `speak` made, RESET ALL being part of it.
    async def keep(_: asyncpg.Connection[Any]) -> None:
        return None

    async with asyncpg.create_pool(
        dsn, min_size=1, max_size=size, init=prepare, reset=keep, command_timeout=60
    ) as pool:
        yield Database(pool, extension)
