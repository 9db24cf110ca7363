"""Takes the tables of an empty database down, so that they can be built again as an earlier version had them."""

from __future__ import annotations

import re
from typing import Any

import asyncpg

from bot.errors import BackupError
from bot.store import catalog, migrate
from bot.store.catalog import quoted
from bot.store.database import statement
from bot.store.queries import migrations

MODELS = "embedding_models"
"""Says which tables of vectors there are. Any command writes here, so that a database with such rows is still empty."""

_VECTORS = re.compile(r"vectors_[0-9]+")
_SCRATCH = "companion_restore"
_KINDS = ("VIEW", "MATERIALIZED VIEW", "TABLE", "ROUTINE", "SEQUENCE", "TYPE")
"""In this order nothing that is dropped is still needed."""


async def take_down(connection: asyncpg.Connection[Any]) -> None:
    """Drop all that our migrations made, within the transaction that is open; raise if it holds anything.

    Whatever else lies in the database is left alone.
    """
    schema = await catalog.our_schema(connection)
    if schema is None:
        return
    await migrate.pending(connection)  # raises unless these are migrations of ours
    made = await _made_by(connection, [*await migrate.recorded(connection)])
    vectors = [name for name in await catalog.tables(connection, schema) if _VECTORS.fullmatch(name)]
    made["TABLE"] = [*made.get("TABLE", []), *((name, "") for name in ("schema_migrations", *vectors))]
    holding = [name for name, _ in made["TABLE"] if name not in ("schema_migrations", MODELS)]
    tables = ", ".join(quoted(schema, name) for name, _ in made["TABLE"])
    await connection.execute(f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE")
    for name in holding:
        if await connection.fetchval(f"SELECT EXISTS (SELECT FROM {quoted(schema, name)})"):  # noqa: S608 (quoted)
            raise BackupError(
                f"the database is not empty (there are rows in {name}); to restore into a new one, set "
                "COMPANION_HOME to a new folder, or DATABASE_URL to a new database"
            )
    for kind in _KINDS:
        if targets := [quoted(schema, name) + arguments for name, arguments in made.get(kind, [])]:
            await connection.execute(f"DROP {kind} {', '.join(targets)}")


async def _made_by(connection: asyncpg.Connection[Any], numbers: list[int]) -> dict[str, list[tuple[str, str]]]:
    """What migrations make: names, and of routines the arguments, by kind.

    To learn it they are run once more, in a schema that is rolled back.
    """
    rehearsal = connection.transaction()
    await rehearsal.start()
    try:
        await connection.execute(f"CREATE SCHEMA {_SCRATCH}")
        await connection.execute(
            f"SELECT set_config('search_path', '{_SCRATCH}, ' || current_setting('search_path'), true)"
        )
        for number, _, text in migrations():
            if number in numbers:
                await connection.execute(text)
        made: dict[str, list[tuple[str, str]]] = {}
        for row in await connection.fetch(statement("contents_of_schema"), _SCRATCH):
            made.setdefault(row["kind"], []).append((row["name"], row["arguments"]))
        return made
    finally:
        await rehearsal.rollback()
