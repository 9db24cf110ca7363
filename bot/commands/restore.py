"""`companion restore`: a backup into an empty database."""

from __future__ import annotations

import argparse

from bot.app import database
from bot.commands.backup import show
from bot.commands.common import report
from bot.settings import Settings
from bot.store.archive import reading
from bot.store.database import connect
from bot.store.restore import restore


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Load a backup, all of it or nothing; only into a database that is empty."""
    with reading(args.file) as archive:
        async with database(settings, report=report) as dsn:
            connection = await connect(dsn)
            try:
                rows = await restore(connection, archive, report=report)
            finally:
                await connection.close(timeout=5)
    show("restored", args.file, rows, as_json=args.json)
    return 0
