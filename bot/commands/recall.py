"""`companion recall`: what would come to mind."""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict
from datetime import UTC, datetime

from bot.app import open_app
from bot.commands.common import print_json, recalled_json, report, shown
from bot.memory.pack import pack, packed_line
from bot.model import Lane, token_count
from bot.settings import Settings


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print what a question would bring to mind in a chat, with the score's parts; changes nothing."""
    async with open_app(settings, report=report, may_change=False) as app:
        chat = await app.store.chats.get(args.chat)
        now = args.at or datetime.now(UTC)
        started = time.perf_counter()
        recalled = await app.recall(args.question, lane=Lane(chat.chat_id, args.topic), now=now, hits=args.k)
        milliseconds = (time.perf_counter() - started) * 1000
        hits = recalled.hits if args.budget is None else pack(recalled.hits, budget=args.budget)
        if args.json:
            print_json(
                {
                    "memories": recalled_json(hits),
                    "tokens": sum(token_count(packed_line(hit.message)) for hit in hits),
                    "ms": round(milliseconds, 3),
                    "profile": recalled.profile,
                    **({"reranked": asdict(recalled.reranked)} if recalled.reranked else {}),
                }
            )
            return 0
        if recalled.reranked and recalled.reranked.kept:
            report(f"({recalled.reranked.model} put nothing in order: {recalled.reranked.kept})")
        for hit in hits:
            parts = ", ".join(f"{name} {value:.3f}" for name, value in hit.parts.items())
            print(f"{hit.score:.3f}  #{hit.message.message_id} {shown(packed_line(hit.message))}  ({parts})")
        if not hits:
            report(f"nothing comes to mind ({recalled.missing or 'nothing fits the budget'})")
    return 0
