"""Takes the tables of an empty database down, so that they can be built again as an earlier version had them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import asyncpg

from bot.errors import BackupError
from bot.store import catalog, migrate
from bot.store.catalog import quoted
from bot.store.database import statement
from bot.store.queries import migrations

MODELS = "embedding_models"
"""Says which tables of vectors there are. Any command writes here, so that a database with such rows is still empty."""

_RECORD = "schema_migrations"
_VECTORS = re.compile(r"vectors_[0-9]+")
_REHEARSAL = "companion_restore"
_KINDS = ("VIEW", "MATERIALIZED VIEW", "TABLE", "ROUTINE", "SEQUENCE", "TYPE")
"""In this order nothing that is dropped is still needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """Something that migrations make."""

    kind: str
    """As DROP calls it."""
    name: str
    arguments: str = ""
    """Those of a routine, in brackets."""
    rows: int = 0
    """Those of a table that the migrations put there themselves."""


async def take_down(connection: asyncpg.Connection[Any]) -> None:
    """Drop all that our migrations made, within the transaction that is open; raise if people's data is in it.

    Whatever else lies in the database is left alone.
    """
    schema = await catalog.our_schema(connection)
    if schema is None:
        return
    await migrate.pending(connection)  # raises unless these are migrations of ours
    made = await _made_by(connection, [*await migrate.recorded(connection)])
    vectors = [name for name in await catalog.tables(connection, schema) if _VECTORS.fullmatch(name)]
    made += [_Made(kind="TABLE", name=name) for name in (_RECORD, *vectors)]
    tables = [thing for thing in made if thing.kind == "TABLE"]
    await connection.execute(
        f"LOCK TABLE {', '.join(quoted(schema, table.name) for table in tables)} IN ACCESS EXCLUSIVE MODE"
    )
    for table in tables:
        more = f"SELECT EXISTS (SELECT FROM {quoted(schema, table.name)} OFFSET {table.rows})"  # noqa: S608 (quoted)
        if table.name not in (_RECORD, MODELS) and await connection.fetchval(more):
            raise BackupError(
                f"the database is not empty (there are rows in {table.name}); to restore into a new one, set "
                "COMPANION_HOME to a new folder, or DATABASE_URL to a new database"
            )
    for kind in _KINDS:
        if targets := [quoted(schema, thing.name) + thing.arguments for thing in made if thing.kind == kind]:
            await connection.execute(f"DROP {kind} {', '.join(targets)}")


async def _made_by(connection: asyncpg.Connection[Any], numbers: list[int]) -> list[_Made]:
    """What migrations make. To learn it they are run once more, in a schema that is rolled back."""
    rehearsal = connection.transaction()
    await rehearsal.start()
    try:
        await connection.execute(f"CREATE SCHEMA {_REHEARSAL}")
        await connection.execute(
            f"SELECT set_config('search_path', '{_REHEARSAL}, ' || current_setting('search_path'), true)"
        )
        for number, _, text in migrations():
            if number in numbers:
                await connection.execute(text)
        return [
            _Made(
                **row,
                rows=await connection.fetchval(f"SELECT count(*) FROM {quoted(_REHEARSAL, row['name'])}")  # noqa: S608
                if row["kind"] == "TABLE"
                else 0,
            )
            for row in await connection.fetch(statement("contents_of_schema"), _REHEARSAL)
        ]
    finally:
        await rehearsal.rollback()
