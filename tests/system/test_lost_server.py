"""PostgreSQL killed under the bot, or the connection in the middle of a migration: nothing is lost, all goes on."""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import asyncpg
import pytest

from bot.store.database import connect
from bot.store.embedded import EmbeddedServer, start
from bot.store.migrate import migrate, pending
from tests.fakes.openai_server import CHAT, Answer, Asked
from tests.fakes.pg_proxy import PgProxy, When
from tests.servers import database
from tests.system.conftest import Companion
from tests.system.world import answer, around, ends

PATIENCE = 60.0
PEOPLE = 8
FEW, MANY = 4, 40
SPREAD = [
    *[pytest.param(nth, FEW, id=f"{nth + 1} of {FEW}") for nth in range(FEW)],
    *[pytest.param(nth, MANY, id=f"{nth + 1} of {MANY}", marks=pytest.mark.soak) for nth in range(MANY)],
]
_databases = itertools.count(1)


class Server:
    """A server of the test's own, as durable as a person's."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._seats: list[EmbeddedServer] = []
        self.is_lost = asyncio.Event()

    async def starts(self) -> str:
        """Start it, or bring it back; its address, which stays the same."""
        self._seats.append(await asyncio.to_thread(start, self.home))
        return self._seats[-1].dsn

    def is_killed(self) -> None:
        """SIGKILL to all of its processes."""
        postmaster = int((self.home / "postgresql" / "data" / "postmaster.pid").read_text().splitlines()[0])
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        for pid in (postmaster, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.is_lost.set()

    def close(self) -> None:
        for seat in self._seats:
            seat.close()


@pytest.fixture
def own_server() -> Iterator[Server]:
    home = Path(tempfile.mkdtemp(prefix="companion-lost-"))
    home.chmod(0o711)  # the server's own user has to enter it
    server = Server(home)
    yield server
    server.close()
    with (home / "postgresql" / "keeper.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until its keeper has stopped it, now that nobody uses it
    shutil.rmtree(home)


def _echo(asked: Asked) -> Answer:
    """What was said last, said again."""
    new = cast("str", asked.body["messages"][-1]["content"]).rpartition("# New messages")[2]
    return answer(f"You said: {new.rpartition('> ')[2].splitlines()[0]}", "Go on.")


async def _rests(look: asyncpg.Connection[Any], messages: int) -> bool:
    return await look.fetchval(
        "SELECT (SELECT count(*) FROM messages WHERE persona IS NULL) >= $1"
        " AND NOT EXISTS (SELECT FROM outbox WHERE state IN ('waiting', 'sending'))"
        " AND NOT EXISTS (SELECT FROM lanes WHERE due_at IS NOT NULL OR lease_until IS NOT NULL)",
        messages,
    )


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    "request_", [30, *[pytest.param(n, marks=pytest.mark.soak) for n in (3, 10, 20, 45, 60, 90, 120)]]
)
async def test_a_bot_whose_postgresql_is_killed_goes_on_once_it_is_back(
    offline: Companion, own_server: Server, request_: int
) -> None:
    dsn = await own_server.starts()
    offline.env["DATABASE_URL"] = dsn
    await offline.done("migrate")
    async with around(offline) as world, PgProxy(dsn) as proxy:
        world.models.always(CHAT, _echo)
        people = [world.api.person(f"Ann{n}") for n in range(PEOPLE)]
        process = await offline.start("run", **{**world.env, "DATABASE_URL": proxy.dsn})
        await world.api.was_asked("getUpdates", 1, within=PATIENCE)
        proxy.at(request_, lambda _: own_server.is_killed())
        for person in people:
            await person.says(world.mia, "one")
        async with asyncio.timeout(PATIENCE):
            await own_server.is_lost.wait()
        for person in people:
            await person.says(world.mia, "two")
        await own_server.starts()
        await world.api.confirmed(world.mia, within=PATIENCE)
        look = await connect(dsn)
        async with asyncio.timeout(PATIENCE):
            while not await _rests(look, 2 * PEOPLE):
                assert process.returncode is None, (await process.communicate())[1].decode()
        await ends(process)
        heard = [tuple(row) for row in await look.fetch("SELECT chat_id, text FROM messages WHERE persona IS NULL")]
        assert sorted(heard) == sorted({*heard})
        assert len(heard) == 2 * PEOPLE
        for person in people:
            source = f"telegram:{world.mia.id}:{person.id}"
            kept = await look.fetch(
                "SELECT text, state FROM outbox WHERE source = $1 ORDER BY queued_at, turn_id, n", source
            )
            said = [message.text for message in world.api.by_bots(world.api.private(person, world.mia))]
            assert [row["text"] for row in kept if row["state"] == "sent"] == said, "each at most once, in order"
            assert "You said: two" in [row["text"] for row in kept]
            assert {row["state"] for row in kept} <= {"sent", "unknown"}
        await look.close()


@pytest.fixture(scope="module")
def requests_of_a_migration(server: str) -> int:
    """How often the database is asked for something from nothing to the schema of now."""

    async def count() -> int:
        name = f"migrated_{os.getpid()}_{next(_databases)}"
        admin = await asyncpg.connect(server)
        await admin.execute(f"CREATE DATABASE {name}")
        async with PgProxy(database(server, name)) as proxy:
            connection = await connect(proxy.dsn)
            await migrate(connection, report=lambda _: None)
            await connection.close()
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await admin.close()
        return len(proxy.asked)

    return asyncio.run(count())


async def _schema(dsn: str) -> Sequence[Sequence[object]]:
    """What there is in a database."""
    connection = await connect(dsn)
    assert await pending(connection) == []
    found = await connection.fetch(
        "SELECT table_name || '.' || column_name, data_type, is_nullable, column_default"
        " FROM information_schema.columns WHERE table_schema = 'public'"
        " UNION ALL SELECT indexname, indexdef, '', '' FROM pg_indexes WHERE schemaname = 'public'"
        " UNION ALL SELECT proname, prosrc, '', '' FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        " UNION ALL SELECT conname, pg_get_constraintdef(oid), '', '' FROM pg_constraint"
        " WHERE connamespace = 'public'::regnamespace"
        " UNION ALL SELECT name, sha256, '', '' FROM schema_migrations ORDER BY 1, 2"
    )
    await connection.close()
    return [tuple(row) for row in found]


@pytest.mark.parametrize(("nth", "of"), SPREAD)
async def test_a_migration_that_is_killed_anywhere_is_finished_by_the_next_start(
    companion: Companion, empty_dsn: str, dsn: str, requests_of_a_migration: int, nth: int, of: int
) -> None:
    request = (2 * nth + 1) * requests_of_a_migration // (2 * of) + 1
    when: When = "after" if nth % 2 else "before"
    async with PgProxy(empty_dsn) as proxy:
        process = await companion.start("migrate", DATABASE_URL=proxy.dsn)
        proxy.kill(process.pid, request=request, when=when)
        async with asyncio.timeout(PATIENCE):
            assert await process.wait() == -signal.SIGKILL, (await process.communicate())[1].decode()
    await companion.done("migrate")
    assert await _schema(empty_dsn) == await _schema(dsn)
    assert (await companion.done("migrate")).out == "the database is up to date\n"


async def test_a_migration_whose_connection_is_cut_says_so_in_one_line(companion: Companion, empty_dsn: str) -> None:
    async with PgProxy(empty_dsn) as proxy:
        proxy.at(10, lambda _: None, cut=True)
        cut = await companion.run("migrate", DATABASE_URL=proxy.dsn)
    assert cut.code == 1
    assert "Traceback" not in cut.err
    await companion.done("migrate")
