"""Writes everything we keep into one file, as it stood at one moment, while others go on working.

Which tables there are is asked of the database, so that those of later migrations come along by themselves. Left
out are the record of migrations, which the manifest has, and the job queue, which lies in a schema of its own: a
lost job loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import asyncpg

from bot.errors import BackupError
from bot.store import catalog, migrate
from bot.store.archive import Member, Writer
from bot.store.manifest import Manifest, Migration, Table


async def backup(
    connection: asyncpg.Connection[Any], archive: Writer, *, program: str, report: Callable[[str], None]
) -> dict[str, int]:
    """Fill a backup and return the rows of each table; changes nothing.

    It takes any schema that this program knows, also one that is not up to date. Raises `BackupError`.
    """
    try:
        return await _backup(connection, archive, program, report)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        if archive.failure is not None:
            raise archive.failure from error
        code = f", SQLSTATE {error.sqlstate}" if isinstance(error, asyncpg.PostgresError) else ""
        raise BackupError(
            f"the backup was not finished, since the database broke off ({type(error).__name__}{code}); "
            "see the log of PostgreSQL, and try again"
        ) from error


async def _backup(
    connection: asyncpg.Connection[Any], archive: Writer, program: str, report: Callable[[str], None]
) -> dict[str, int]:
    schema = await catalog.our_schema(connection)
    if schema is None:
        raise BackupError("there is nothing to back up: the database has no tables of Companion yet")
    before = await catalog.tables(connection, schema)
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        # The snapshot is taken by the first query behind the locks. From here on no migration can come between.
        await connection.execute(
            f"LOCK TABLE {', '.join(catalog.quoted(schema, table) for table in before)} IN ACCESS SHARE MODE"
        )
        await catalog.settle(connection, lock_timeout="0")
        await migrate.pending(connection)  # raises if this program could not restore what it is about to write
        tables = await catalog.tables(connection, schema)
        if tables != before:
            raise BackupError("the tables were changed at just this moment; try again")
        written: dict[str, Table] = {}
        for name, columns in tables.items():
            with archive.table(name) as member:
                await _copy(connection, schema, name, columns, member)
            written[name] = member.described(columns)
            if member.rows:
                report(f"{name}: {member.rows:,} rows")
        recorded = await migrate.recorded(connection)
        archive.finish(
            Manifest(
                made_at=datetime.now(UTC),
                program=program,
                postgresql=await connection.fetchval("SHOW server_version"),
                migrations=tuple(
                    Migration(number=number, name=name, sha256=sha256) for number, (name, sha256) in recorded.items()
                ),
                tables=written,
                # Sequences stand outside the snapshot: read last, they are not behind any row that was written.
                sequences={
                    sequence.name: sequence.last_value
                    for sequence in await catalog.sequences(connection, schema)
                    if sequence.last_value is not None
                },
            )
        )
    return {name: table.rows for name, table in written.items()}


async def _copy(
    connection: asyncpg.Connection[Any], schema: str, table: str, columns: Sequence[str], member: Member
) -> None:
    async def take(data: bytes) -> None:
        try:
            member.write(data)
        except BackupError:
            # Were it raised behind the last piece, asyncpg 0.32 would wait for ever. Hanging up ends it in any case.
            connection.terminate()

    wanted = ", ".join(catalog.quoted(column) for column in columns)
    await connection.copy_from_query(
        f"SELECT {wanted} FROM {catalog.quoted(schema, table)}",  # noqa: S608 (quoted)
        output=take,
        format="text",
        encoding="UTF8",
    )
