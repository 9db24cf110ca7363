"""A real PostgreSQL for every test that wants one: migrated once, copied per test."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.store import PostgresStore, open_store
from tests.servers import NEWEST, OLDER, Servers, check_given_server, given_server, made

HOME = pytest.StashKey[Path]()

SHARED = Path(__file__).parents[1].parent / "shared"
"""Data to measure on, beside the project; tests that need it skip when it is absent."""


MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of our own is made in it
ROOM = 3 * 2**30
"""Bytes that the servers' files may grow to."""


def _in_memory() -> Path | None:
    """Where 400 files, as every test's database has, are made and removed at once; None where there is no such place.

    Linux' ext4 looks long for an inode while others were just removed: a copy of the template takes 0.26 s
    there, and 0.02 s in memory.
    """
    has_room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if has_room else None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the tests of the store be run on a server of one's own."""
    parser.addoption("--on-database-url", action="store_true", help="run on the server that DATABASE_URL names")


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of the run's servers: once, and one that their own user can enter."""
    if not hasattr(config, "workerinput"):
        if config.getoption("on_database_url"):
            check_given_server()
        home = Path(tempfile.mkdtemp(prefix="companion-tests-", dir=_in_memory()))
        home.chmod(0o711)
        config.stash[HOME] = home


def pytest_configure_node(node: Any) -> None:
    """Tell each worker of a parallel run where that folder is."""
    node.workerinput["home"] = str(node.config.stash[HOME])


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder once the servers, which nobody uses any more, have stopped."""
    home = config.stash.get(HOME, None)
    if home is not None:
        for keeper in home.glob("*/postgresql/keeper.lock"):
            with keeper.open("r+") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(home)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests that are marked so on both servers."""
    both = metafunc.definition.get_closest_marker("on_both_servers") is not None
    if both and "server" in metafunc.fixturenames and not metafunc.config.getoption("on_database_url"):
        wheels = [pytest.param(NEWEST, id="newest"), pytest.param(OLDER, id="older")]
        metafunc.parametrize("server", wheels, indirect=True, scope="module")


@pytest.fixture(scope="session")
def servers(request: pytest.FixtureRequest) -> Iterator[Servers]:
    """The servers of this worker."""
    given = getattr(request.config, "workerinput", None)
    home = Path(given["home"]) if given else request.config.stash[HOME]
    servers = Servers(home, given=given_server() if request.config.getoption("on_database_url") else None)
    yield servers
    servers.close()


@pytest.fixture(scope="module")
def server(servers: Servers, request: pytest.FixtureRequest) -> str:
    """The address of a server: the newest, unless the test runs on both."""
    return servers.address(getattr(request, "param", NEWEST))


@pytest.fixture(scope="module")
def template(servers: Servers, server: str) -> str:
    """The name of a migrated, empty database to copy."""
    return servers.template(server)


@pytest.fixture
async def empty_dsn(server: str) -> AsyncIterator[str]:
    """The address of a database without any table, which only this test sees."""
    async with made(server) as address:
        yield address


@pytest.fixture
async def dsn(server: str, template: str) -> AsyncIterator[str]:
    """The address of a migrated database that only this test sees."""
    async with made(server, template) as address:
        yield address


@pytest.fixture
async def store(dsn: str) -> AsyncIterator[PostgresStore]:
    """A store on a database that only this test sees."""
    async with open_store(dsn, may_migrate=False, report=print) as opened:
        yield opened
