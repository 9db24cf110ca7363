"""Brings the schema up to date: numbered files, in order, once each, one process at a time."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from bot.errors import MigrationRefused
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


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@asynccontextmanager
async def _alone(connection: asyncpg.Connection[Any], report: Callable[[str], None]) -> AsyncIterator[None]:
    """Hold the migration lock; a second process waits here."""
    if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
        report("another process is bringing the database up to date; waiting for it")
        await connection.fetchval("SELECT pg_advisory_lock($1)", _LOCK, timeout=None)
    try:
        yield
    finally:
        await connection.fetchval("SELECT pg_advisory_unlock($1)", _LOCK)


async def pending(connection: asyncpg.Connection[Any]) -> list[str]:
    """The migrations that the database lacks, by number and name; empty when it is up to date.

    Raises `MigrationRefused` when what it has on record is not what this program ships.
    """
    if await connection.fetchval("SELECT to_regclass('schema_migrations')") is None:
        applied: dict[int, tuple[str, str]] = {}
    else:
        rows = await connection.fetch("SELECT number, name, sha256 FROM schema_migrations")
        applied = {row["number"]: (row["name"], row["sha256"]) for row in rows}
    shipped = migrations()
    unknown = sorted(set(applied) - {number for number, _, _ in shipped})
    if unknown:
        raise MigrationRefused(
            f"the database is newer than this program (it has migration {unknown[-1]:04d} "
            f"{applied[unknown[-1]][0]}); install the version that made it, or a later one"
        )
    for number, name, text in shipped:
        if number in applied and applied[number][1] != _sha256(text):
            raise MigrationRefused(
                f"migration {number:04d} {name} was changed after it was applied to this database; "
                "restore the file as it was and put the change into a new migration"
            )
    missing = [f"{number:04d} {name}" for number, name, _ in shipped if number not in applied]
    if not missing and not await jobs.installed(connection):
        missing.append("the job queue")
    return missing


async def migrate(connection: asyncpg.Connection[Any], *, report: Callable[[str], None]) -> list[str]:
    """Apply what is missing and return its names. Each migration is one transaction with its record."""
    async with _alone(connection, report):
        missing = await pending(connection)
        if not missing:
            return []
        extension = await find_extension(connection)
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
                    _sha256(text),
                )
        await jobs.install(connection)
        return missing
