"""Puts a backup into an empty database: all of it, or nothing.

The file is read once before the database is touched, and checked again on the way in. All the rest is one
transaction: the schema is built as it was when the backup was made, the rows are loaded, then it is brought up to
date around them. Only names that the database itself gives are ever put into SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import asyncpg

from bot.errors import BackupError
from bot.store import catalog, migrate
from bot.store.archive import Archive
from bot.store.catalog import quoted
from bot.store.database import statement
from bot.store.queries import migrations
from bot.store.take_down import MODELS, take_down
from bot.store.vectors import create_indexes, create_table, find_extension, speak

_LOCK_TIMEOUT = "10s"


async def restore(
    connection: asyncpg.Connection[Any], archive: Archive, *, report: Callable[[str], None]
) -> dict[str, int]:
    """Load a backup into a database without chats and return the rows of each table.

    If that cannot be, `BackupError` or `MigrationRefused` is raised and the database is as it was.
    """
    through = _known_migrations(archive)
    report(f"checking {archive.file}")
    await archive.check()
    try:
        # Held until all is there: a program that starts meanwhile waits, as for any migration.
        async with migrate.alone(connection, report), connection.transaction():
            return await _restore(connection, archive, through, report)
    except asyncpg.LockNotAvailableError as error:
        raise BackupError(
            f"{archive.file} was not restored: another program is using the tables; stop it and try again"
        ) from error
    except (asyncpg.PostgresConnectionError, asyncpg.InterfaceError, OSError) as error:
        raise BackupError(
            f"the connection to PostgreSQL broke while {archive.file} was restored ({type(error).__name__}); "
            "try again: the database is still empty, or has all of it"
        ) from error
    except asyncpg.PostgresError as error:  # its own words may quote what people wrote
        raise BackupError(
            f"{archive.file} was not restored, and nothing was changed: PostgreSQL did not take it "
            f"({type(error).__name__}, SQLSTATE {error.sqlstate}); try another backup or a new database, "
            "and see the log of PostgreSQL"
        ) from error


def _known_migrations(archive: Archive) -> int:
    """The last migration of a backup's schema; raise unless its migrations are the first of ours."""
    manifest, shipped = archive.manifest, migrations()
    for position, theirs in enumerate(manifest.migrations):
        if position >= len(shipped):
            raise BackupError(
                f"{archive.file} is newer than this program (it has migration {theirs.number:04d}); "
                f"install {manifest.program!r}, which made it, or a later version"
            )
        number, name, text = shipped[position]
        if (theirs.number, theirs.sha256) != (number, migrate.sha256(text)):
            raise BackupError(
                f"{archive.file} was made with another migration {number:04d} than this program has ({name}); "
                f"restore it with the version that made it, {manifest.program!r}"
            )
    return len(manifest.migrations)


async def _restore(
    connection: asyncpg.Connection[Any], archive: Archive, through: int, report: Callable[[str], None]
) -> dict[str, int]:
    await catalog.settle(connection, lock_timeout=_LOCK_TIMEOUT)
    await take_down(connection)
    schema = str(await connection.fetchval("SELECT current_schema()"))
    others = {*await catalog.tables(connection, schema)}
    other_sequences = {sequence.name for sequence in await catalog.sequences(connection, schema)}

    async def ours() -> dict[str, tuple[str, ...]]:
        tables = await catalog.tables(connection, schema)
        return {name: columns for name, columns in tables.items() if name not in others}

    await migrate.migrate(connection, report=report, through=through)
    extension = await find_extension(connection)
    await speak(connection, extension)
    made = await ours()
    if missing := made.keys() - archive.manifest.tables.keys():
        raise BackupError(f"{archive.file} is not whole: it lacks {', '.join(sorted(missing))}; use another copy of it")
    names = [quoted(schema, name) for name in made]
    await connection.execute(f"TRUNCATE {', '.join(names)}")  # rows that a migration made are in the backup, too
    for name in names:
        await connection.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")  # what they would do is in it as well

    await _load(connection, archive, schema, MODELS, made[MODELS])
    models = await connection.fetch(f"SELECT model_id, dimension FROM {quoted(schema, MODELS)}")  # noqa: S608
    for model in models:
        await connection.execute(create_table(model["model_id"], model["dimension"]))
    tables = await ours()
    keys = [key for key in await catalog.foreign_keys(connection, schema) if key.table in tables]
    # Without its foreign keys a table can be loaded in any order, and their check at the end takes all rows at once.
    for key in keys:
        await connection.execute(f"ALTER TABLE {quoted(schema, key.table)} DROP CONSTRAINT {quoted(key.name)}")
    for name, table in archive.manifest.tables.items():
        if name not in tables:
            report(f"leaving out {name!r} ({table.rows:,} rows), which is no table of Companion")
        elif name != MODELS:
            await _load(connection, archive, schema, name, tables[name])
            if table.rows:
                report(f"{name}: {table.rows:,} rows")
    for key in keys:
        await connection.execute(
            f"ALTER TABLE {quoted(schema, key.table)} ADD CONSTRAINT {quoted(key.name)} {key.definition}"
        )
    for model in models:  # at once over all rows, which is many times quicker than row by row
        for definition in create_indexes(model["model_id"], model["dimension"], extension).values():
            await connection.execute(definition)
    for name in names:
        await connection.execute(f"ALTER TABLE {name} ENABLE TRIGGER USER")
    await _continue_numbering(
        connection,
        schema,
        [sequence for sequence in await catalog.sequences(connection, schema) if sequence.name not in other_sequences],
        archive.manifest.sequences,
    )
    await migrate.migrate(connection, report=report)
    await connection.execute(f"ANALYZE {', '.join(quoted(schema, name) for name in await ours())}")
    if connected := await connection.fetchval(statement("other_connections")):
        report(f"others are connected to this database ({connected}); restart those that are Companion")
    return {name: table.rows for name, table in archive.manifest.tables.items() if name in tables}


async def _load(
    connection: asyncpg.Connection[Any], archive: Archive, schema: str, name: str, columns: tuple[str, ...]
) -> None:
    table = archive.manifest.tables[name]
    if sorted(table.columns) != sorted(columns):
        differ = ", ".join(map(repr, sorted({*table.columns} ^ {*columns})[:5])) or "one is there twice"
        raise BackupError(
            f"{archive.file} has other columns in {name} than that version of Companion made ({differ}); "
            "use another backup"
        )
    status = await connection.copy_to_table(
        name,
        source=archive.rows(name),
        columns=table.columns,
        schema_name=schema,
        format="text",
        encoding="UTF8",
    )
    if status != f"COPY {table.rows}":
        raise BackupError(f"{archive.file} was changed: {name} ends before its last row; use another copy of it")


async def _continue_numbering(
    connection: asyncpg.Connection[Any],
    schema: str,
    sequences: Iterable[catalog.Sequence],
    recorded: Mapping[str, int],
) -> None:
    """Let each sequence go on behind the last number it gave, and behind the highest that a row has."""
    for sequence in sequences:
        last = recorded.get(sequence.name, 0)
        if sequence.table is not None and sequence.column is not None:
            highest = await connection.fetchval(
                f"SELECT max({quoted(sequence.column)}) FROM {quoted(schema, sequence.table)}"  # noqa: S608 (quoted)
            )
            last = max(last, highest or 0)
        if last > 0:
            # Unlike setval, this is undone when the transaction is.
            await connection.execute(f"ALTER SEQUENCE {quoted(schema, sequence.name)} RESTART WITH {last + 1}")
