"""The command line: what there is to call, and how an error reaches a person.

An error a person can fix is one line on stderr and exit 1, without a traceback; wrong arguments exit 2.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Any, cast

from bot import settings as configuration
from bot.commands.common import chat_number, moment, positive, several, words
from bot.errors import BotError
from bot.settings import Settings

Run = Callable[[argparse.Namespace, Settings], Awaitable[int]]


def parser() -> argparse.ArgumentParser:
    """Every command with its arguments. What a command does is said by the docstring of its module's `run`."""
    top = argparse.ArgumentParser(prog="companion", description="A bot with a character that remembers its chats.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, module: str, about: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about, description=about)
        sub.set_defaults(module=module)
        return sub

    command("run", "run", "the bot in Telegram, until it is told to stop")

    chat = command("chat", "chat", "talk in the terminal; every line is a message, every answer is kept")
    chat.add_argument("--chat", type=chat_number, metavar="ID", help="the number of a chat; else the sample chat")
    chat.add_argument("--as", dest="name", type=words, default="You", metavar="NAME", help="who you are in it (You)")
    chat.add_argument("--once", type=words, metavar="TEXT", help="send one message, print the answer and end")
    chat.add_argument("--json", action="store_true", help="print one JSON object a turn")

    history = command("import", "importing", "chat history into memory; twice adds nothing")
    history.add_argument("file", type=Path, metavar="FILE", help="a Telegram Desktop result.json, or JSON lines")
    history.add_argument("--chat", type=chat_number, metavar="ID", help="into this chat; else its own")
    history.add_argument("--json", action="store_true", help="print what was read as JSON")

    recall = command("recall", "recall", "what would come to mind, with scores; changes nothing")
    recall.add_argument("question", metavar="QUESTION")
    recall.add_argument("--chat", type=chat_number, required=True, metavar="ID", help="the number of a chat")
    recall.add_argument("--topic", metavar="TOPIC", help="one topic of it; else all")
    recall.add_argument("-k", type=positive, default=3, metavar="N", help="how many at most (3)")
    recall.add_argument("--at", type=moment, metavar="TIME", help="as of a time in the past (ISO 8601)")
    recall.add_argument("--budget", type=positive, metavar="TOKENS", help="only what fits into so many tokens")
    recall.add_argument("--json", action="store_true", help="print as JSON")

    command("migrate", "migrate", "bring the database up to date")
    doctor = command("doctor", "doctor", "check everything the bot needs; changes nothing")
    doctor.add_argument("--json", action="store_true", help="print as JSON")

    backup = command("backup", "backup", "write all chats, messages, memories and settings to a file")
    backup.add_argument("file", type=Path, metavar="FILE", help="a new file; it holds what people wrote")
    backup.add_argument("--force", action="store_true", help="replace a file that is there already")
    restore = command("restore", "restore", "load a backup into an empty database, all of it or nothing")
    restore.add_argument("file", type=Path, metavar="FILE", help="as `companion backup` wrote it")
    for sub in (backup, restore):
        sub.add_argument("--json", action="store_true", help="print what is in it as JSON")

    bench = commands.add_parser("bench", help="our own measurements, in a scratch database")
    benches = bench.add_subparsers(required=True, dest="what", metavar="WHAT")
    bench_recall = benches.add_parser("recall", help="how much evidence is recalled on sets of questions")
    bench_recall.add_argument("sets", type=Path, nargs="+", metavar="SET", help="files as contract.md describes")
    bench_recall.add_argument("--threshold", type=float, help="instead of the embedding model's own")
    bench_latency = benches.add_parser("latency", help="how long recall takes, beside the classic way")
    bench_latency.add_argument("sets", type=Path, nargs="*", metavar="SET", help="more to make chats of, as for recall")
    bench_latency.add_argument(
        "--messages", type=several, default=[10_000, 100_000], metavar="N,…", help="in all (10000,100000)"
    )
    bench_latency.add_argument(
        "--chats", type=positive, default=200, help="that share them; beside one that has all (200)"
    )
    bench_latency.add_argument("--embedded", type=positive, default=5_000, help="messages that are embedded (5000)")
    bench_latency.add_argument("--queries", type=positive, default=200, help="bursts that are measured (200)")
    bench_turn = benches.add_parser("turn", help="what a turn costs beside the model's calls")
    bench_turn.add_argument("--messages", type=positive, default=10_000, help="in the chat (10000)")
    bench_evening = benches.add_parser("evening", help="messages a second, and how soon an answer is in the outbox")
    bench_evening.add_argument("--chats", type=positive, default=50, help="groups (50)")
    bench_evening.add_argument("--messages", type=positive, default=20_000, help="in all of them together (20000)")
    bench_lore = benches.add_parser("lore", help="how long a lorebook is looked through")
    bench_lore.add_argument("--entries", type=positive, default=1_000, help="in the book, a fifth by pattern (1000)")
    for sub in (bench_recall, bench_latency, bench_turn, bench_evening, bench_lore):
        sub.set_defaults(module="bench")
        sub.add_argument("--json", action="store_true", help="as it is printed anyway")

    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    _prepare_streams()
    # SIGTERM ends a command as Ctrl-C does: in order, with what is traced sent off.
    signal.signal(signal.SIGTERM, _as_interrupt)
    try:
        args = parser().parse_args(arguments)
        code = asyncio.run(_run(args, configuration.load()))
        sys.stdout.flush()
    except BotError as error:
        print(f"companion: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        _let_go_of_stdout()
        if not isinstance(error, BrokenPipeError):  # else whoever read our output has seen enough
            logging.getLogger(__name__).debug("ended by an error of the system", exc_info=error)
            where = f": {error.filename}" if error.filename else ""
            print(f"companion: {error.strerror or error}{where}", file=sys.stderr)
        return 1
    return code


def _prepare_streams() -> None:
    """Standard streams that are there and take any text, whatever was closed and whatever the locale."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream: object = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open till the end
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace" if mode == "r" else "backslashreplace")


def _let_go_of_stdout() -> None:
    """Write no more to a stdout that takes nothing; Python would complain once more when it flushes at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _as_interrupt(_: int, __: FrameType | None) -> None:
    signal.raise_signal(signal.SIGINT)


async def _run(args: argparse.Namespace, settings: Settings) -> int:
    from bot.app import traced
    from bot.logs import set_up_logging

    set_up_logging(settings.log_level, settings.log_format, secrets=settings.secrets())
    run = cast("Run", cast("Any", import_module(f"bot.commands.{args.module}")).run)
    async with traced(settings):
        return await run(args, settings)
