"""A database to measure in, beside the configured one and gone afterwards."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

from bot.store import PostgresStore, open_store
from bot.store.database import connect


def _silent(_: str) -> None:
    return None


@asynccontextmanager
async def scratch_store(dsn: str) -> AsyncGenerator[PostgresStore]:
    """A store on a new, migrated database of the same server. Its user must be allowed to create databases."""
    name = f"companion_bench_{uuid4().hex[:12]}"
    admin = await connect(dsn)
    try:
        await admin.execute(f"CREATE DATABASE {name}")
        try:
            address = urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))
            async with open_store(address, may_migrate=True, report=_silent) as store:
                yield store
        finally:
            await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    finally:
        await admin.close()
