"""What must not go into a database, and what a restore that fails or is killed leaves there: nothing."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.errors import BackupError, MigrationFailed, MigrationRefused
from bot.store.archive import reading
from bot.store.migrate import migrate
from tests.servers import made
from tests.store.saved import at_once, connected, contents, everything, fill, guest, load, save, silent

ROOT = Path(__file__).parents[2]

LOADING = """
import asyncio, sys
from pathlib import Path
from typing import Any
from tests.store.saved import load

def report(line):
    print(line, flush=True)
    if line.startswith("messages:"):
        sys.stdin.readline()

asyncio.run(load(sys.argv[1], Path(sys.argv[2]), report=report))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A database that was saved."""

    file: Path
    contents: dict[str, list[str]]


@pytest.fixture(scope="module")
def saved(server: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> Saved:
    """A backup with something in every table."""
    file = tmp_path_factory.mktemp("saved") / "everything.companion"

    async def make() -> Saved:
        async with made(server, template) as dsn:
            await fill(dsn)
            await save(dsn, file)
            return Saved(file=file, contents=await contents(dsn))

    return asyncio.run(make())


@pytest.fixture
def file(saved: Saved, tmp_path: Path) -> Path:
    """A copy of that backup, to do with as one likes."""
    return Path(shutil.copy(saved.file, tmp_path))


Forgery = Callable[[dict[str, bytes], dict[str, Any]], None]
"""Changes the rows of tables, and what the manifest says."""


def forge(file: Path, forgery: Forgery) -> None:
    """Change a backup and make every checksum right again."""
    with zipfile.ZipFile(file) as packed:
        manifest = json.loads(packed.read("manifest.json"))
        rows = {name: packed.read(f"tables/{name}.copy") for name in manifest["tables"]}
    forgery(rows, manifest)
    with zipfile.ZipFile(file, "w") as packed:
        for name, table in manifest["tables"].items():
            table.update(sha256=hashlib.sha256(rows[name]).hexdigest(), rows=rows[name].count(b"\n"))
            packed.writestr(f"tables/{name}.copy", rows[name])
        packed.writestr("manifest.json", json.dumps(manifest))


def _replaced(table: str, old: bytes, new: bytes) -> Forgery:
    def forgery(rows: dict[str, bytes], _: dict[str, Any]) -> None:
        assert old in rows[table]
        rows[table] = rows[table].replace(old, new, 1)

    return forgery


def _without_a_table(_: dict[str, bytes], manifest: dict[str, Any]) -> None:
    del manifest["tables"]["lanes"]


def _without_a_column(_: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["tables"]["lanes"]["columns"].remove("notes")


def _with_a_column_of_its_own(_: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["tables"]["chats"]["columns"][0] = 'chat_id) FROM PROGRAM $$touch /tmp/x$$; --"'


def _with_a_column_twice(_: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["tables"]["chats"]["columns"].append("title")


def _with_an_early_end(rows: dict[str, bytes], _: dict[str, Any]) -> None:
    rows["chats"] += b"\\.\n"


def _with_a_number_beyond_all(_: dict[str, bytes], manifest: dict[str, Any]) -> None:
    manifest["sequences"]["chats_chat_id_seq"] = 2**63 - 1


def _with_models_of_a_strange_number(rows: dict[str, bytes], _: dict[str, Any]) -> None:
    rows["embedding_models"] = rows["embedding_models"].replace(b"1\t", b"-1\t", 1)


FORGERIES = [
    _replaced("chats", b"1\t", b"secret\t"),
    _replaced("chats", b"1\t", b"2\t"),
    _replaced("chats", b"1\t", b"77\t"),
    _replaced("chats", b"1\t", b"1\tsecret\t"),
    _replaced("messages", b"DROP TABLE", b"secret \xff\xfe"),
    _replaced("embedding_models", b"\t64\t", b"\t65\t"),
    _replaced("embedding_models", b"\t64\t", b"\t2\t"),
    _without_a_table,
    _without_a_column,
    _with_a_column_of_its_own,
    _with_a_column_twice,
    _with_an_early_end,
    _with_a_number_beyond_all,
    _with_models_of_a_strange_number,
]


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_backup_that_was_tampered_with_changes_nothing(empty_dsn: str, file: Path, forgery: Forgery) -> None:
    forge(file, forgery)
    with pytest.raises(BackupError) as raised:
        await load(empty_dsn, file)
    assert "\n" not in str(raised.value)
    assert "secret" not in str(raised.value)
    assert await everything(empty_dsn) == ({}, [])


async def test_a_migrated_database_stays_migrated_when_a_restore_fails(dsn: str, file: Path) -> None:
    forge(file, FORGERIES[-1])
    before = await everything(dsn)
    with pytest.raises(BackupError):
        await load(dsn, file)
    assert await everything(dsn) == before


async def test_a_file_that_changes_while_it_is_loaded_changes_nothing(empty_dsn: str, file: Path) -> None:

    def spoil(line: str) -> None:
        if line.startswith("bringing"):
            with file.open("r+b") as raw:
                raw.seek(file.stat().st_size // 2)
                raw.write(bytes(500))

    with pytest.raises(BackupError, match="is damaged or was changed"):
        await load(empty_dsn, file, report=spoil)
    assert await everything(empty_dsn) == ({}, [])


async def test_a_killed_restore_leaves_the_database_empty(empty_dsn: str, file: Path, saved: Saved) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", LOADING, empty_dsn, file, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    while not (await process.stdout.readline()).startswith(b"messages: "):
        assert process.returncode is None
    process.kill()
    assert await process.wait() == -signal.SIGKILL
    assert await everything(empty_dsn) == ({}, [])
    await load(empty_dsn, file)
    assert await contents(empty_dsn) == saved.contents


async def test_a_restore_that_is_called_off_leaves_the_database_empty(empty_dsn: str, file: Path) -> None:

    def call_off(line: str) -> None:
        if line.startswith("messages:"):
            task.cancel()

    task = asyncio.create_task(load(empty_dsn, file, report=call_off))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await everything(empty_dsn) == ({}, [])


async def test_a_server_that_goes_away_ends_a_restore(empty_dsn: str, file: Path) -> None:

    async def cut() -> None:
        async with connected(empty_dsn) as connection:
            await connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    with pytest.raises(BackupError, match=r"was not restored, and nothing was changed|connection to PostgreSQL broke"):
        await load(empty_dsn, file, report=lambda line: at_once(cut) if line.startswith("messages:") else None)
    assert await everything(empty_dsn) == ({}, [])


async def test_a_program_that_starts_meanwhile_waits_for_the_restore(empty_dsn: str, file: Path, saved: Saved) -> None:
    started: list[asyncio.Task[list[str]]] = []
    async with connected(empty_dsn) as connection:

        def start(line: str) -> None:
            if line.startswith("messages:"):
                started.append(asyncio.create_task(migrate(connection, report=silent)))

        await load(empty_dsn, file, report=start)
        assert await started[0] == []
    assert await contents(empty_dsn) == saved.contents


async def test_tables_in_use_are_not_waited_for_without_end(
    dsn: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.store.restore._LOCK_TIMEOUT", "10ms")
    async with connected(dsn) as connection, connection.transaction():
        await connection.execute("INSERT INTO chats (title) VALUES ('new')")
        with pytest.raises(BackupError, match="another program is using the tables; stop it and try again"):
            await load(dsn, file)


async def test_a_role_that_may_not_make_tables_is_told_so(empty_dsn: str, file: Path) -> None:
    async with guest(empty_dsn) as weak:
        with pytest.raises(MigrationFailed, match="permission denied"):
            await load(weak, file)
    assert await everything(empty_dsn) == ({}, [])


async def test_other_programs_on_the_database_are_told_of(empty_dsn: str, file: Path) -> None:
    heard: list[str] = []
    async with connected(empty_dsn):
        await load(empty_dsn, file, report=heard.append)
    assert heard[-1].startswith("others are connected to this database (1); restart")


async def test_a_database_that_holds_something_is_left_as_it_is(dsn: str, file: Path) -> None:
    await fill(dsn)
    before = await contents(dsn)
    with pytest.raises(BackupError, match=r"is not empty .*COMPANION_HOME to a new folder, or DATABASE_URL"):
        await load(dsn, file)
    assert await contents(dsn) == before


async def test_a_database_of_a_newer_program_is_left_as_it_is(dsn: str, file: Path) -> None:
    async with connected(dsn) as connection:
        await connection.execute("INSERT INTO schema_migrations (number, name, sha256) VALUES (9000, 'later', 'x')")
    with pytest.raises(MigrationRefused, match="newer than this program"):
        await load(dsn, file)


def test_what_is_no_plain_file_is_refused_before_it_is_read() -> None:
    with pytest.raises(BackupError, match="not a plain file"), reading(Path("/dev/zero")):
        pass
