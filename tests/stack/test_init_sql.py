"""The database's first script: run here on the server that has pgvector."""

from __future__ import annotations

import asyncpg

from bot.store.vectors import EXTENSIONS
from tests.stack.files import ROOT

SCRIPT = (ROOT / "sql" / "init.sql").read_text("utf-8")


async def test_it_creates_the_extension_that_the_server_has_and_may_run_again(empty_dsn: str) -> None:
    connection = await asyncpg.connect(empty_dsn)
    await connection.execute(SCRIPT)
    await connection.execute(SCRIPT)
    assert await connection.fetchval("SELECT extname FROM pg_extension WHERE extname LIKE 'v%'") == "vector"
    await connection.close()


def test_it_knows_the_extensions_that_the_bot_knows_in_the_same_order() -> None:
    assert f"({', '.join(repr(extension.name) for extension in EXTENSIONS)})" in SCRIPT


def test_it_sets_for_every_session_what_the_bot_sets_for_its_own() -> None:
    [pgvecto_rs] = [extension for extension in EXTENSIONS if extension.name == "vectors"]
    assert ("vectors.pgvector_compatibility", "on") in pgvecto_rs.settings
    assert "ALTER DATABASE %I SET vectors.pgvector_compatibility = on" in SCRIPT
