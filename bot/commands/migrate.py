"""`companion migrate`: the schema brought up to date."""

from __future__ import annotations

import argparse

from bot.app import database
from bot.commands.common import report
from bot.settings import Settings
from bot.store.database import connect
from bot.store.migrate import migrate


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Bring the database up to date; changes only what is missing."""
    async with database(settings, report=report) as dsn:
        connection = await connect(dsn)
        try:
            applied = await migrate(connection, report=report)
        finally:
            await connection.close()
    print(f"applied: {', '.join(applied)}" if applied else "the database is up to date")
    return 0
