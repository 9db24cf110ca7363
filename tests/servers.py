"""The PostgreSQL servers that tests run on: real ones, of our own, or the one that `DATABASE_URL` names.

Each of our own starts when the first test asks for it, is shared by all workers of a test run, and has a migrated
template for each of them. On a server that was named, only databases are made whose names begin with companion_test.
"""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from bot.errors import BotError
from bot.settings import Settings
from bot.store.database import connect
from bot.store.embedded import EMBEDDED, Wheel, start
from bot.store.migrate import migrate
from bot.store.vectors import find_extension

NEWEST, OLDER = EMBEDDED, Wheel("pgserver", 16)
"""PostgreSQL 18 with pgvector 0.8, and 16 with pgvector 0.6: no vectors of half the length, no index that goes on."""

_number = itertools.count(1)


class Servers:
    """The servers of one worker of a test run."""

    def __init__(self, home: Path, *, given: str | None) -> None:
        self._home = home
        self._given = given
        self._running: dict[Wheel, str] = {}
        self._templates: dict[str, str] = {}
        self._at_the_end = ExitStack()

    def address(self, wheel: Wheel) -> str:
        """Of a server with the programs of that wheel; of the one that was given, if one was."""
        if self._given is not None:
            return self._given
        if wheel not in self._running:
            if wheel is not EMBEDDED and find_spec(wheel.name) is None:
                pytest.skip(f"{wheel.name}, which PostgreSQL {wheel.major} comes with, has no wheel for this system")
            server = start(self._home / wheel.name, durable=False, wheel=wheel)
            self._running[wheel] = self._at_the_end.enter_context(server).dsn
        return self._running[wheel]

    def template(self, server: str) -> str:
        """The name of a migrated, empty database to copy."""
        if server not in self._templates:
            self._templates[server] = name = new_name("template")
            self._at_the_end.callback(lambda: asyncio.run(execute(server, f"DROP DATABASE IF EXISTS {name}")))
            asyncio.run(_make_template(server, name))
        return self._templates[server]

    def close(self) -> None:
        """Use them no longer."""
        self._at_the_end.close()


def new_name(what: str) -> str:
    """A name for a database that nobody else has."""
    return f"companion_test_{what}_{os.getpid()}_{next(_number)}"


def database(server: str, name: str) -> str:
    """The address of another database on the same server."""
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))


@asynccontextmanager
async def made(server: str, template: str = "template0") -> AsyncGenerator[str]:
    """The address of a database that is there for the block only."""
    name = new_name("of")
    await execute(server, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield database(server, name)
    finally:
        await execute(server, f"DROP DATABASE {name} WITH (FORCE)")


async def execute(server: str, statement: str) -> None:
    """One statement on a connection of its own."""
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def given_server() -> str:
    """The address that `DATABASE_URL` has."""
    address = Settings().database_url
    if address is None:
        raise pytest.UsageError("DATABASE_URL names no server; set it to the address of one to run these tests on")
    return address.get_secret_value()


def check_given_server() -> None:
    """Raise `pytest.UsageError` if the tests cannot be run on the server that `DATABASE_URL` names."""
    if lacks := asyncio.run(_lacks(given_server())):
        raise pytest.UsageError(f"the tests cannot be run on the server that DATABASE_URL names: {lacks}")


async def _lacks(server: str) -> str | None:
    """What a server lacks to run the tests on; None: nothing."""
    try:
        async with made(server) as scratch:
            connection = await connect(scratch)
            try:
                await connection.execute((await find_extension(connection)).create)
            finally:
                await connection.close()
    except asyncpg.InsufficientPrivilegeError as error:
        return f"{_first_line(error)}; its role needs CREATEDB, and the right to create the extension"
    except (BotError, asyncpg.PostgresError, OSError) as error:
        return _first_line(error)
    return None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


async def _make_template(server: str, name: str) -> None:
    await execute(server, f"CREATE DATABASE {name} TEMPLATE template0")
    connection = await asyncpg.connect(database(server, name))
    await migrate(connection, report=lambda _: None)
    await connection.close()
