"""What the tests of backups share: a database with something in every table, and how to tell two databases apart."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import pytest

from bot.store import open_store
from bot.store.archive import reading, writing
from bot.store.backup import backup
from bot.store.database import connect
from bot.store.restore import restore

STRANGE = [
    "",
    r"\N",
    r"\.",
    "a tab\tand a line\nand another\r\nand \\ and \\n",
    "\x01\x1f\x7f\x80\u2028\ufeff",
    "👩‍👩‍👧 ﷽ 喝茶 \U0010ffff",
    "'; DROP TABLE chats; -- \" %s {vectors} $1",
    "NULL",
]
"""Texts that have a meaning to something on their way."""


def silent(_: str) -> None:
    return None


@asynccontextmanager
async def connected(dsn: str) -> AsyncGenerator[asyncpg.Connection[Any]]:
    """A connection for the block."""
    connection = await connect(dsn)
    try:
        yield connection
    finally:
        await connection.close(timeout=10)


@asynccontextmanager
async def guest(dsn: str) -> AsyncGenerator[str]:
    """The address of a database for a role that is there for the block, can look at everything, and may do nothing."""
    async with connected(dsn) as connection:
        if not await connection.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
            pytest.skip("making a role that looks at everything takes a superuser")
        role = f"companion_test_guest_{connection.get_server_pid()}"
        await connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD '{role}'; GRANT pg_read_all_data TO {role}")
        parts = urlsplit(dsn)
        try:
            yield urlunsplit(parts._replace(netloc=f"{role}:{role}@{parts.netloc.rpartition('@')[2]}"))
        finally:
            await connection.execute(f"DROP ROLE {role}")


async def fill(dsn: str) -> None:
    """Put something into every table, and strange texts into most."""
    async with open_store(dsn, may_migrate=False, report=silent) as store:
        model = await store.embeddings.open(name="small", dimension=64, threshold=0.25)
        await store.embeddings.open(name="large", dimension=2500, threshold=float("nan"))
        pool = store.database.pool
        for title in STRANGE[:3]:
            await pool.execute("INSERT INTO chats (title, timezone) VALUES ($1, nullif($1, ''))", title)
        await pool.execute("DELETE FROM chats WHERE chat_id = 3")
        await pool.execute("INSERT INTO chat_addresses SELECT 'import:' || title, chat_id FROM chats")
        for number, text in enumerate(STRANGE):
            await pool.execute(
                "INSERT INTO messages (chat_id, message_id, source, external_id, sender, sent_at, text, forwarded_from)"
                " VALUES (1 + $1 % 2, $1, 'import:x', $2, $2, 'infinity', $2, nullif($2, ''))",
                number,
                text,
            )
        await pool.execute("INSERT INTO lanes (chat_id, topic, notes) VALUES (1, NULL, $1), (1, '', '{}')", STRANGE)
        await pool.execute(
            "INSERT INTO turns (chat_id, turn_id, trace_id, persona, started_at, outcome, inputs)"
            " VALUES (1, gen_random_uuid(), '', 'Mia', '-infinity', 'spoke', to_jsonb($1::text[]))",
            STRANGE,
        )
        await pool.execute("INSERT INTO cards VALUES (repeat('a', 64), $1)", bytes(range(256)) * 4096)
        await pool.execute(
            "INSERT INTO chat_personas (chat_id, card, persona) VALUES (1, repeat('a', 64), $1)", STRANGE[4]
        )
        await pool.execute(
            "INSERT INTO commands (bot_id, update_id, chat_id, source, topic, external_id, asked)"
            " VALUES (7, 1, 2, 'telegram:7:1', '', '1', to_jsonb($1::text))",
            STRANGE[5],
        )
        await pool.execute("INSERT INTO embedding_progress VALUES ($1, 1, 7)", model.model_id)
        await pool.execute(
            "INSERT INTO vectors_1 SELECT chat_id, message_id, '', now(), ("
            "  SELECT array_agg((sin(message_id + i) * 10::float8 ^ (i - 35))::real) FROM generate_series(1, 64) i"
            ")::vector FROM messages"
        )
        await pool.execute("INSERT INTO vectors_2 SELECT chat_id, message_id, text, sent_at, NULL FROM messages")


async def contents(dsn: str) -> dict[str, list[str]]:
    """All rows of all tables, as text."""
    async with connected(dsn) as connection:
        await connection.execute("SET extra_float_digits = 3")
        names = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        return {
            name: [row[0] for row in await connection.fetch(f'SELECT t::text FROM "{name}" t ORDER BY 1')]  # noqa: S608
            for (name,) in names
            if name != "schema_migrations"
        }


async def shape(dsn: str) -> list[str]:
    """Everything there is in a database beside rows: relations, columns, constraints, triggers, routines, types."""
    async with connected(dsn) as connection:
        rows = await connection.fetch(
            """
            SELECT concat(
                pg_describe_object(classid, objid, objsubid),
                (SELECT pg_get_constraintdef(oid) || convalidated::text FROM pg_constraint WHERE oid = objid),
                (SELECT pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE oid = objid)
            )
            FROM (
                SELECT DISTINCT classid, objid, objsubid FROM pg_depend
                WHERE objid >= 16384 AND pg_describe_object(classid, objid, objsubid) !~ 'pg_temp|pg_toast|RI_Const'
            ) AS objects
            ORDER BY 1
            """
        )
        return [row[0] for row in rows]


async def everything(dsn: str) -> tuple[dict[str, list[str]], list[str]]:
    """All there is in a database."""
    return await contents(dsn), await shape(dsn)


async def save(dsn: str, file: Path, *, replace: bool = False, report: Callable[[str], None] = silent) -> None:
    """A backup of a database."""
    with writing(file, replace=replace) as archive:
        async with connected(dsn) as connection:
            await backup(connection, archive, program="1.2.3", report=report)


async def load(dsn: str, file: Path, *, report: Callable[[str], None] = silent) -> dict[str, int]:
    """A backup into a database."""
    with reading(file) as archive:
        async with connected(dsn) as connection:
            return await restore(connection, archive, report=report)


def at_once(work: Callable[[], Awaitable[None]]) -> None:
    """Do something on another connection before going on, from within a report."""
    thread = threading.Thread(target=lambda: asyncio.run(_await(work)))
    thread.start()
    thread.join()


async def _await(work: Callable[[], Awaitable[None]]) -> None:
    await work()


def beside(file: Path) -> dict[str, bytes]:
    """What lies in the folder of a file, that file too."""
    return {path.name: path.read_bytes() for path in file.parent.iterdir() if path.is_file()}
