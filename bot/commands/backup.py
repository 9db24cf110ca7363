"""`companion backup`: everything in one file."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from bot.app import database
from bot.commands.common import print_json, report
from bot.settings import Settings
from bot.store.archive import writing
from bot.store.backup import backup
from bot.store.database import connect
from bot.version import program_version


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Write all chats, messages, memories and settings to a file; changes nothing in the database."""
    with writing(args.file, replace=args.force) as archive:
        async with database(settings, report=report) as dsn:
            connection = await connect(dsn)
            try:
                rows = await backup(connection, archive, program=program_version(), report=report)
            finally:
                await connection.close(timeout=5)
    show("saved", args.file, rows, as_json=args.json)
    return 0


def show(done: str, file: Path, rows: Mapping[str, int], *, as_json: bool) -> None:
    """Say what is in a backup."""
    size = file.stat().st_size
    if as_json:
        print_json({"file": str(file), "bytes": size, "tables": dict(rows)})
    else:
        told = ", ".join(_counted(rows[table], table) for table in ("chats", "messages"))
        print(f"{done} {file}: {size:,} bytes, {told}")


def _counted(count: int, things: str) -> str:
    return f"{count:,} {things if count != 1 else things.removesuffix('s')}"
