"""A real PostgreSQL for every test that wants one: migrated once, copied per test.

All workers of a test run share one embedded server; each has a template database of its own.
"""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from bot.store import PostgresStore, open_store
from bot.store.embedded import start
from bot.store.migrate import migrate

_number = itertools.count(1)
HOME = pytest.StashKey[Path]()

SHARED = Path(__file__).parents[1].parent / "shared"
"""Data to measure on, beside the project; tests that need it skip when it is absent."""


def database(server: str, name: str) -> str:
    """The address of another database on the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of the run's server: once, and one that the server's own user can enter."""
    if not hasattr(config, "workerinput"):
        home = Path(tempfile.mkdtemp(prefix="companion-tests-"))
        home.chmod(0o711)
        config.stash[HOME] = home


def pytest_configure_node(node: Any) -> None:
    """Tell each worker of a parallel run where that folder is."""
    node.workerinput["home"] = str(node.config.stash[HOME])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder once the server, which nobody uses any more, has stopped."""
    home = config.stash.get(HOME, None)
    if home is not None:
        keeper = home / "postgresql" / "keeper.lock"
        if keeper.exists():
            with keeper.open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(home)


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server for this test run."""
    given = getattr(request.config, "workerinput", None)
    home = Path(given["home"]) if given else request.config.stash[HOME]
    with start(home, durable=False) as running:
        yield running.dsn


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
