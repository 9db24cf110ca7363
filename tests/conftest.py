"""A real PostgreSQL for every test that wants one: migrated once, copied per test.

All workers of a test run share one embedded server; each has a template database of its own.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from bot.store import PostgresStore, open_store
from bot.store.embedded import start
from bot.store.migrate import migrate

_number = itertools.count(1)

SHARED = Path(__file__).parents[1].parent / "shared"
"""Data to measure on, beside the project; tests that need it skip when it is absent."""


def database(server: str, name: str) -> str:
    """The address of another database on the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[str]:
    """The address of a server for this test run."""
    base = tmp_path_factory.getbasetemp()
    home = (base if worker_id == "master" else base.parent) / "postgresql"
    home.mkdir(exist_ok=True)
    running = start(home, durable=False)
    yield running.dsn
    running.close()


@pytest.fixture(scope="session")
def template(server: str, worker_id: str) -> str:
    """The name of a migrated, empty database to copy."""
    name = f"template_{worker_id}_{os.getpid()}"

    async def make() -> None:
        await _execute(server, f"CREATE DATABASE {name}")
        connection = await asyncpg.connect(database(server, name))
        await migrate(connection, report=lambda _: None)
        await connection.close()

    asyncio.run(make())
    return name


@pytest.fixture
async def empty_dsn(server: str) -> AsyncIterator[str]:
    """The address of a database without any table, which only this test sees."""
    async for address in _database(server, ""):
        yield address


@pytest.fixture
async def dsn(server: str, template: str) -> AsyncIterator[str]:
    """The address of a migrated database that only this test sees."""
    async for address in _database(server, f"TEMPLATE {template}"):
        yield address


@pytest.fixture
async def store(dsn: str) -> AsyncIterator[PostgresStore]:
    """A store on a database that only this test sees."""
    async with open_store(dsn, may_migrate=False, report=print) as opened:
        yield opened


async def _database(server: str, how: str) -> AsyncIterator[str]:
    name = f"test_{os.getpid()}_{next(_number)}"
    await _execute(server, f"CREATE DATABASE {name} {how}")
    yield database(server, name)
    await _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


async def _execute(server: str, statement: str) -> None:
    connection = await asyncpg.connect(server)
    await connection.execute(statement)
    await connection.close()
