"""`companion import`: chat history into memory."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import suppress
from pathlib import Path

from bot.app import database
from bot.commands.common import CLEAR_LINE, print_json, report, shown
from bot.embedding import Embedding, Embeddings, open_embedding
from bot.errors import BotError, ModelError, StoreError
from bot.importer import Imported, import_file
from bot.memory.embed import JOB, embed_pending
from bot.memory.index import index_pending
from bot.model import ChatId
from bot.settings import Settings
from bot.store import PostgresStore, open_store


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Read a file into chats, each message once, then give the new messages their vectors."""
    embeddings = Embeddings(settings)  # settings that make no sense show before anything is done
    async with (
        database(settings, report=report) as dsn,
        open_store(dsn, may_migrate=True, report=report) as store,
    ):
        into = (await store.chats.get(args.chat)).chat_id if args.chat else None
        imported, started = Imported(), time.monotonic()
        try:
            await read_in(args.file, imported, store=store, into=into)
        finally:
            if imported.chats:
                _print(imported, time.monotonic() - started, as_json=args.json)
        try:
            embedding = await open_embedding(settings, embeddings, store)
            await embedding.probe()
        except ModelError as error:
            _say_later(imported.added, error)
        else:
            await embed(embedding, store)
    return 0


async def read_in(path: Path, imported: Imported, *, store: PostgresStore, into: ChatId | None = None) -> None:
    """Import a file, showing how far it is."""
    started = time.monotonic()

    def progress(share: float) -> None:
        pace = imported.read / max(time.monotonic() - started, 1e-9)
        _show(f"{imported.read:,} messages read ({share:.0%}, {pace:,.0f}/s)")

    try:
        await import_file(path, imported, store=store, into=into, progress=progress)
    finally:
        _show("", last=True)
        with suppress(StoreError):  # a lost hint costs time, never work
            await store.hint(JOB)


async def embed(embedding: Embedding, store: PostgresStore) -> None:
    """Index and embed what is not yet. A service that is away is no failure: the background job goes on later."""
    await index_pending(store.words)
    total = await store.embeddings.pending(embedding.model)
    if not total:
        return
    try:
        await embed_pending(
            model=embedding.model,
            embedder=embedding.patient,
            store=store.embeddings,
            progress=lambda done: _show(f"{done:,} of {total:,} messages embedded"),
        )
        _show("", last=True)
    except BotError as error:
        _show("", last=True)
        _say_later(await store.embeddings.pending(embedding.model), error)


def _say_later(waiting: int, error: BotError) -> None:
    """What becomes of messages that could not be embedded now."""
    if waiting:
        report(f"{waiting:,} messages wait for their vectors, to be made while the bot runs: {error}")


def _show(line: str, *, last: bool = False) -> None:
    """A line that the next one replaces; only where somebody watches."""
    if sys.stderr.isatty():
        print(f"{CLEAR_LINE}{line}", end="", file=sys.stderr, flush=not last)


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
        print(f"chat {chat.chat_id}: {shown(chat.title)}: {chat.added:,} of {chat.read:,} messages were new")
    if imported.skipped:
        told = ", ".join(f"{count:,} {reason}" for reason, count in imported.skipped.most_common())
        print(f"skipped: {told}")
    if imported.read:
        print(f"{imported.read:,} messages in {seconds:.1f} s", flush=True)
