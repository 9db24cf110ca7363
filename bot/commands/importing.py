"""`companion import`: chat history into memory."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from bot.app import App, open_app
from bot.commands.common import print_json, report
from bot.errors import BotError
from bot.importer import Imported, import_file
from bot.memory.embed import JOB, embed_pending
from bot.model import ChatId
from bot.settings import Settings


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Read a file into chats, each message once, then give the new messages their vectors."""
    async with open_app(settings, report=report) as app:
        into = ChatId((await app.store.chats.get(args.chat)).chat_id) if args.chat else None
        imported, seconds = await read_in(app, args.file, into=into)
        await embed(app)
        _print(imported, seconds, as_json=args.json)
    return 0


async def read_in(app: App, path: Path, *, into: ChatId | None) -> tuple[Imported, float]:
    """Import a file, showing how far it is; and how many seconds it took."""
    started = time.monotonic()

    def progress(imported: Imported, share: float) -> None:
        pace = imported.read / max(time.monotonic() - started, 1e-9)
        _show(f"{imported.read:,} messages read ({share:.0%}, {pace:,.0f}/s)")

    try:
        imported = await import_file(path, store=app.store, into=into, progress=progress)
    finally:
        _show("", last=True)
        await app.store.hint(JOB)
    return imported, time.monotonic() - started


async def embed(app: App) -> None:
    """Embed what has no vector yet. A service that is away is no failure: the background job goes on later."""
    total = await app.store.embeddings.pending(app.model)
    if not total:
        return
    try:
        await embed_pending(
            model=app.model,
            embedder=app.patient,
            store=app.store.embeddings,
            progress=lambda done: _show(f"{done:,} of {total:,} messages embedded"),
        )
        _show("", last=True)
    except BotError as error:
        _show("", last=True)
        left = await app.store.embeddings.pending(app.model)
        report(f"{left:,} messages wait for their vectors, to be made while the bot runs: {error}")


def _show(line: str, *, last: bool = False) -> None:
    """A line that the next one replaces; only where somebody watches."""
    if sys.stderr.isatty():
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=not last)


def _print(imported: Imported, seconds: float, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "chats": [
                    {"chat": chat.chat_id, "title": chat.title, "read": chat.read, "added": chat.added}
                    for chat in imported.chats
                ],
                "skipped": dict(imported.skipped),
                "seconds": round(seconds, 3),
            }
        )
        return
    for chat in imported.chats:
        print(f"chat {chat.chat_id}: {chat.title}: {chat.added:,} of {chat.read:,} messages were new")
    if imported.skipped:
        told = ", ".join(f"{count:,} {reason}" for reason, count in imported.skipped.most_common())
        print(f"skipped: {told}")
    if imported.read:
        print(f"{imported.read:,} messages in {seconds:.1f} s")
