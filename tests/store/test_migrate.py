"""The schema: brought up to date once, by one process, and never silently changed."""

from __future__ import annotations

import asyncio

import pytest

from bot.errors import DatabaseUnreachable, MigrationFailed, MigrationRefused, SchemaOutdated
from bot.store import open_store
from bot.store.database import connect, statement
from bot.store.migrate import migrate, pending
from bot.store.queries import migrations, named_queries
from bot.store.vectors import create_table, find_extension, speak, table_of

pytestmark = pytest.mark.on_both_servers


def silent(_: str) -> None:
    return None


async def test_an_empty_database_is_brought_up_to_date_once(empty_dsn: str) -> None:
    connection = await connect(empty_dsn)
    assert await migrate(connection, report=silent) != []
    assert await pending(connection) == []
    assert await migrate(connection, report=silent) == []
    await connection.close()


async def test_processes_that_start_together_migrate_one_after_the_other(empty_dsn: str) -> None:
    heard: list[str] = []

    async def start() -> list[str]:
        connection = await connect(empty_dsn)
        try:
            return await migrate(connection, report=heard.append)
        finally:
            await connection.close()

    applied = await asyncio.gather(*(start() for _ in range(4)))
    assert sum(1 for names in applied if names) == 1
    assert sum("waiting" in line for line in heard) == 3


async def test_a_migration_that_was_changed_later_is_refused(dsn: str) -> None:
    connection = await connect(dsn)
    await connection.execute("UPDATE schema_migrations SET sha256 = 'another' WHERE number = 1")
    with pytest.raises(MigrationRefused, match=r"0001.*was changed"):
        await migrate(connection, report=silent)
    await connection.close()


async def test_a_database_of_a_newer_program_is_refused(dsn: str) -> None:
    connection = await connect(dsn)
    await connection.execute("INSERT INTO schema_migrations (number, name, sha256) VALUES (9000, 'later', 'x')")
    with pytest.raises(MigrationRefused, match="newer than this program"):
        await migrate(connection, report=silent)
    await connection.close()


async def test_a_migration_that_fails_leaves_nothing_behind(empty_dsn: str) -> None:
    connection = await connect(empty_dsn)
    await connection.execute("CREATE TABLE turns (in_the_way int)")
    with pytest.raises(MigrationFailed, match="already exists"):
        await migrate(connection, report=silent)
    tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    assert {row["tablename"] for row in tables} == {"turns", "schema_migrations"}
    await connection.execute("DROP TABLE turns")
    assert await migrate(connection, report=silent) != []
    await connection.close()


async def test_a_command_that_changes_nothing_refuses_an_old_schema(empty_dsn: str) -> None:
    with pytest.raises(SchemaOutdated, match="companion migrate"):
        async with open_store(empty_dsn, may_migrate=False, report=silent):
            pass


async def test_a_database_that_is_not_there_is_named_without_its_password(server: str) -> None:
    with pytest.raises(DatabaseUnreachable) as raised:
        await connect("postgresql://me:hunter2@127.0.0.1:9/companion")
    assert "127.0.0.1:9/companion" in str(raised.value)
    assert "hunter2" not in str(raised.value)


async def test_an_address_that_makes_no_sense_is_refused(server: str) -> None:
    with pytest.raises(DatabaseUnreachable):
        await connect("mysql://somewhere")


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [number for number, _, _ in migrations()] == list(range(1, len(migrations()) + 1))


@pytest.mark.parametrize("dimension", [64, 2500])
async def test_postgresql_prepares_every_query(dsn: str, dimension: int) -> None:
    connection = await connect(dsn)
    await speak(connection, await find_extension(connection))
    await connection.execute(create_table(7, dimension))
    index = (await find_extension(connection)).index(dimension)
    distance = index.distance if index else ""
    parts = {name for name in named_queries() if name.startswith("near_")}
    can_be_asked = parts if index else parts - {"near_by_index"}
    for name in named_queries().keys() - parts:
        for near in can_be_asked if "{near}" in named_queries()[name] else (None,):
            await connection.prepare(statement(name, vectors=table_of(7), near=near, distance=distance))
    await connection.close()
