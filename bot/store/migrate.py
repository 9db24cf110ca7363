"""Brings the schema up to date: numbered files, in order, once each, one process at a time."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import asyncpg

from bot.errors import MigrationFailed, MigrationRefused, QueryFailed
from bot.store import jobs
from bot.store.queries import migrations
from bot.store.vectors import find_extension

_LOCK = 0x636F6D70
"""Any number that only this program uses: PostgreSQL's advisory locks have no names."""

_RECORD = """
    CREATE TABLE IF NOT EXISTS schema_migrations (
        number     int PRIMARY KEY,
        name       text NOT NULL,
        sha256     text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
    )
"""


def sha256(text: str) -> str:
    """What a migration is known by, on record and in backups."""
    return hashlib.sha256(text.encode()).hexdigest()


@asynccontextmanager
async def alone(connection: asyncpg.Connection[Any], report: Callable[[str], None]) -> AsyncGenerator[None]:
    """Hold the migration lock; a second process waits here. Whoever holds it can take it once more."""
    if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
        report("another process is bringing the database up to date; waiting for it")
        await connection.fetchval("SELECT pg_advisory_lock($1)", _LOCK, timeout=None)
    try:
        yield
    finally:
        # In a transaction around us that failed nothing more can be said; the lock then ends with the connection.
        with suppress(asyncpg.InFailedSQLTransactionError):
            await connection.fetchval("SELECT pg_advisory_unlock($1)", _LOCK)


async def recorded(connection: asyncpg.Connection[Any]) -> dict[int, tuple[str, str]]:
    """Name and sha256 of the migrations that the database has had, by number."""
    try:
        if await connection.fetchval("SELECT to_regclass('schema_migrations')") is None:
            return {}
        rows = await connection.fetch("SELECT number, name, sha256 FROM schema_migrations ORDER BY number")
    except asyncpg.PostgresError as error:
        raise QueryFailed("schema_migrations", error) from error
    return {row["number"]: (row["name"], row["sha256"]) for row in rows}


async def pending(connection: asyncpg.Connection[Any]) -> list[str]:
    """The migrations that the database lacks, by number and name; empty when it is up to date.

    Raises `MigrationRefused` when what it has on record is not what this program ships.
    """
    applied = await recorded(connection)
    shipped = migrations()
    unknown = sorted(set(applied) - {number for number, _, _ in shipped})
    if unknown:
        raise MigrationRefused(
            f"the database is newer than this program (it has migration {unknown[-1]:04d} "
            f"{applied[unknown[-1]][0]}); install the version that made it, or a later one"
        )
    for number, name, text in shipped:
        if number in applied and applied[number][1] != sha256(text):
            raise MigrationRefused(
                f"migration {number:04d} {name} was changed after it was applied to this database; "
                "restore the file as it was and put the change into a new migration"
            )
    missing = [f"{number:04d} {name}" for number, name, _ in shipped if number not in applied]
    if not missing and not await jobs.installed(connection):
        missing.append("the job queue")
    return missing


async def migrate(
    connection: asyncpg.Connection[Any], *, report: Callable[[str], None], through: int | None = None
) -> list[str]:
    """Apply what is missing and return its names. Each migration is one transaction with its record.

    With `through`, nothing is done beyond the migration of that number, as a restored backup needs it.
    """
    if not await pending(connection):
        return []  # nothing that anybody would have to wait for
    async with alone(connection, report):
        missing = await pending(connection)
        if through is not None:
            missing = [name for name in missing if name[:4].isdecimal() and int(name[:4]) <= through]
        if not missing:
            return []
        extension = await find_extension(connection)
        try:
            await connection.execute(extension.create)
            await connection.execute(_RECORD)
            for number, name, text in migrations():
                if f"{number:04d} {name}" not in missing:
                    continue
                report(f"bringing the database up to date: {number:04d} {name}")
                async with connection.transaction():
                    await connection.execute(text)
                    await connection.execute(
                        "INSERT INTO schema_migrations (number, name, sha256) VALUES ($1, $2, $3)",
                        number,
                        name,
                        sha256(text),
                    )
            if through is None:
                await jobs.install(connection)
        except asyncpg.PostgresError as error:
            raise MigrationFailed(_reason(error)) from error
        return missing


def _reason(error: asyncpg.PostgresError) -> str:
    """What the server said, where that can only name roles, schemas and tables; else its code."""
    code: str = getattr(error, "sqlstate", None) or ""
    said: str = getattr(error, "message", None) or ""
    return said if code.startswith("42") and said else f"{type(error).__name__}, SQLSTATE {code}"
