"""Saving everything to a file, and what keeps that file whole."""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import subprocess
import sys
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from bot.errors import BackupError, MigrationRefused
from tests.store.saved import at_once, beside, connected, contents, fill, guest, load, save

ROOT = Path(__file__).parents[2]

SAVING = """
import asyncio, sys
from pathlib import Path
from tests.store.saved import save

def report(line):
    print(line, flush=True)
    sys.stdin.readline()

asyncio.run(save(sys.argv[1], Path(sys.argv[2]), report=report))
"""


@contextmanager
def limited_disk(size: int) -> Generator[None]:
    """No file may grow beyond so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a backup is to be, with nothing beside it."""
    return tmp_path / "everything.companion"


async def test_a_backup_is_one_moment_whatever_happens_meanwhile(dsn: str, empty_dsn: str, file: Path) -> None:
    await fill(dsn)
    before = await contents(dsn)
    heard: list[str] = []

    async def change() -> None:
        async with connected(dsn) as connection:
            await connection.execute("DELETE FROM chats WHERE chat_id = 1")
            await connection.execute("INSERT INTO chats (title) VALUES ('late')")

    def report(line: str) -> None:
        if not heard:
            at_once(change)
        heard.append(line)

    await save(dsn, file, report=report)
    assert len(heard) > 3
    await load(empty_dsn, file)
    assert await contents(empty_dsn) == before


async def test_any_unzip_can_look_into_a_backup(dsn: str, file: Path) -> None:
    await fill(dsn)
    await save(dsn, file)
    with zipfile.ZipFile(file) as packed:
        assert packed.testzip() is None
        told = json.loads(packed.read("manifest.json"))
        assert packed.read("tables/chat_addresses.copy") == b"import:\t1\nimport:\\\\N\t2\n"
    assert told["program"] == "1.2.3"
    assert told["tables"]["chats"]["rows"] == 2
    assert told["sequences"]["chats_chat_id_seq"] == 3
    assert "schema_migrations" not in told["tables"]
    assert not any("pgqueuer" in name for name in told["tables"])


async def test_a_full_disk_leaves_the_older_backup(dsn: str, file: Path) -> None:
    await fill(dsn)
    async with connected(dsn) as connection:
        await connection.execute(
            "INSERT INTO chats (title) SELECT string_agg(md5(i::text), '') FROM generate_series(1, 40000) i"
        )
    await save(dsn, file)
    before = beside(file)
    for size in (0, 1000, 100_000, 600_000):
        with limited_disk(size), pytest.raises(BackupError, match=r"cannot write .*make room"):
            await save(dsn, file, replace=True)
    assert beside(file) == before


async def test_a_database_that_goes_away_leaves_no_file(dsn: str, file: Path) -> None:
    await fill(dsn)

    async def cut() -> None:
        async with connected(dsn) as connection:
            await connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    with pytest.raises(BackupError, match="the database broke off"):
        await save(dsn, file, report=lambda _: at_once(cut))
    assert beside(file) == {}


async def test_a_backup_that_is_called_off_leaves_no_file(dsn: str, file: Path) -> None:
    await fill(dsn)

    def call_off(_: str) -> None:
        task.cancel()

    task = asyncio.create_task(save(dsn, file, report=call_off))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert beside(file) == {}


async def test_a_killed_backup_leaves_no_file(dsn: str, file: Path) -> None:
    await fill(dsn)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SAVING, dsn, file, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert (await process.stdout.readline()).startswith(b"cards: ")
    process.kill()
    assert await process.wait() == -signal.SIGKILL
    assert file.name not in beside(file)
    await save(dsn, file)


async def test_a_database_without_tables_has_nothing_to_save(empty_dsn: str, file: Path) -> None:
    with pytest.raises(BackupError, match="nothing to back up"):
        await save(empty_dsn, file)
    assert beside(file) == {}


async def test_what_could_not_be_restored_is_not_saved(dsn: str, file: Path) -> None:
    async with connected(dsn) as connection:
        await connection.execute("INSERT INTO schema_migrations (number, name, sha256) VALUES (9000, 'later', 'x')")
    with pytest.raises(MigrationRefused, match="newer than this program"):
        await save(dsn, file)


async def test_rows_that_are_hidden_are_an_error_not_a_gap(dsn: str, file: Path) -> None:
    await fill(dsn)
    async with connected(dsn) as connection, guest(dsn) as reader:
        await connection.execute("ALTER TABLE chats ENABLE ROW LEVEL SECURITY")
        with pytest.raises(BackupError, match="InsufficientPrivilege"):
            await save(reader, file)


async def test_the_session_of_a_server_does_not_show_in_a_backup(dsn: str, empty_dsn: str, file: Path) -> None:
    await fill(dsn)
    async with connected(dsn) as connection:
        name = await connection.fetchval("SELECT current_database()")
        for setting in (
            "DateStyle = 'SQL, DMY'",
            "TimeZone = 'Asia/Kolkata'",
            "extra_float_digits = -15",
            "default_transaction_isolation = 'serializable'",
            "default_transaction_deferrable = on",
        ):
            await connection.execute(f"ALTER DATABASE {name} SET {setting}")
    await save(dsn, file)
    async with connected(dsn) as connection:
        await connection.execute(f"ALTER DATABASE {name} RESET ALL")
    await load(empty_dsn, file)
    assert await contents(empty_dsn) == await contents(dsn)


async def test_a_migration_waits_for_a_backup(dsn: str, file: Path) -> None:
    await fill(dsn)
    outcome: list[str] = []

    async def alter() -> None:
        async with connected(dsn) as connection:
            await connection.execute("SET lock_timeout = '1ms'")
            try:
                await connection.execute("ALTER TABLE messages DROP COLUMN text")
            except asyncpg.LockNotAvailableError:
                outcome.append("waits")

    await save(dsn, file, report=lambda _: None if outcome else at_once(alter))
    assert outcome == ["waits"]
