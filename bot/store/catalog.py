"""What the database says of its own tables, for backups: nothing here knows a table by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from bot.store.database import statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """Where numbers come from."""

    name: str
    last_value: int | None
    """None: it has given none yet."""
    table: str | None
    """The table and column that are numbered by it, if it belongs to one."""
    column: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignKey:
    """A foreign key, as ADD CONSTRAINT takes it."""

    table: str
    name: str
    definition: str


def quoted(*names: str) -> str:
    """A name as SQL takes it, whatever is in it; several are joined with dots."""
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


async def our_schema(connection: asyncpg.Connection[Any]) -> str | None:
    """The schema that holds our tables; None when there are none."""
    return await connection.fetchval(statement("our_schema"))


async def tables(connection: asyncpg.Connection[Any], schema: str) -> dict[str, tuple[str, ...]]:
    """The tables that a backup keeps, each with its columns."""
    rows = await connection.fetch(statement("tables_to_keep"), schema)
    return {row["name"]: tuple(row["columns"]) for row in rows}


async def sequences(connection: asyncpg.Connection[Any], schema: str) -> list[Sequence]:
    """All sequences, those of identity columns too."""
    return [Sequence(**row) for row in await connection.fetch(statement("sequence_values"), schema)]


async def foreign_keys(connection: asyncpg.Connection[Any] | PoolConnectionProxy[Any], schema: str) -> list[ForeignKey]:
    """All foreign keys between tables."""
    return [ForeignKey(**row) for row in await connection.fetch(statement("foreign_keys"), schema)]


async def settle(connection: asyncpg.Connection[Any], *, lock_timeout: str) -> None:
    """Until the transaction ends, make values print and read the same on every server, and let nothing be cut off."""
    await connection.execute(statement("settle_session").replace("$1", f"'{lock_timeout}'"))
