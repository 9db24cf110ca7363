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
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Any, cast

from bot import settings as configuration
from bot.commands.common import chat_number, length, moment, positive, several, share, words
from bot.errors import BotError, WrongArguments
from bot.settings import Settings
from bot.version import program_version

MODES = ("recorded", "frozen", "render", "retrieve")
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

    replay = command("replay", "replay", "run recorded turns again and show the first stage that differs")
    what = replay.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "what",
        nargs="?",
        type=words,
        metavar="WHAT",
        help="a trace's id, a turn's number, a file, or a folder of files",
    )
    what.add_argument("--query", type=words, metavar="TRACEQL", help="the turns in all traces that Tempo finds")
    replay.add_argument("--since", type=moment, metavar="TIME", help="how far back --query looks (four weeks)")
    replay.add_argument("--mode", choices=MODES, default="recorded", help="what is run again (recorded)")
    replay.add_argument("--save", type=Path, metavar="DIR", help="keep the turns there, to be run again without Tempo")
    replay.add_argument("--json", action="store_true", help="print one JSON object a turn")

    why = command("why", "why", "why the bot said that; changes nothing")
    why.add_argument("where", nargs="+", metavar="LINK", help="a message's t.me link, or CHAT_ID MESSAGE_ID")
    why.add_argument("--json", action="store_true", help="print as JSON")

    card = commands.add_parser("card", help="a character card: as it is understood, or as another file")
    cards = card.add_subparsers(required=True, dest="what", metavar="WHAT")
    card_show = cards.add_parser("show", help="what is in it, and what is odd about it")
    card_check = cards.add_parser("check", help="whether it can be read: exit 0, or 1 and the kind of error")
    card_export = cards.add_parser("export", help="all of it as V3: JSON, or a picture that carries it")
    card_export.add_argument("--to", type=Path, metavar="FILE", help="a new .json or .png file; else JSON is printed")
    card_export.add_argument("--force", action="store_true", help="replace a file that is there already")
    for sub in (card_show, card_check, card_export):
        sub.set_defaults(module="card")
        sub.add_argument("file", type=Path, metavar="FILE", help="JSON, PNG, CHARX, JPEG, WebP, YAML or text")
    for sub in (card_show, card_check):
        sub.add_argument("--json", action="store_true", help="print it normalised to the shape of V3")

    command("migrate", "migrate", "bring the database up to date")
    doctor = command("doctor", "doctor", "check everything the bot needs; changes nothing")
    doctor.add_argument("--json", action="store_true", help="print as JSON")

    embed = commands.add_parser("embed", help="embedding models: what is embedded by which, and change model")
    embeds = embed.add_subparsers(required=True, dest="what", metavar="WHAT")
    embed_status = embeds.add_parser("status", help="which models there are, and what each has embedded")
    switch = embeds.add_parser("switch", help="build another model up while the bot goes on, then use it")
    switch.add_argument("model", type=words, metavar="MODEL", help="as its server calls it, or the bundled one")
    switch.add_argument("--dimension", type=length, metavar="N", help="numbers of its vectors; else what it gives")
    switch.add_argument("--threshold", type=share, metavar="S", help="similarity of what is related; else measured")
    switch.add_argument("--query-prefix", metavar="TEXT", help="what a new model wants before what is asked")
    switch.add_argument("--passage-prefix", metavar="TEXT", help="what a new model wants before what is to be found")
    switch.add_argument("--keep", action="store_true", help="keep the vectors of the model that gives way")
    switch.add_argument("--no-wait", action="store_true", help="leave it to the bot that runs; else show how far it is")
    for sub in (embed_status, switch):
        sub.set_defaults(module="embed")
        sub.add_argument("--json", action="store_true", help="print as JSON")

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
    bench_recall.add_argument(
        "--turns", action="store_true", help="statements that come back to something as well, beside BM25"
    )
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
    bench_agreement = benches.add_parser(
        "agreement", help="how much of what would be best of all messages is found in a very large chat"
    )
    bench_agreement.add_argument("set", type=Path, metavar="SET", help="whose conversations are planted there")
    bench_agreement.add_argument("--messages", type=positive, default=100_000, help="in the chat (100000)")
    bench_agreement.add_argument("--embedded", type=positive, default=5_000, help="messages that are embedded (5000)")
    bench_agreement.add_argument("--questions", type=positive, default=40, help="that are asked (40)")
    bench_turn = benches.add_parser("turn", help="what a turn costs beside the model's calls")
    bench_turn.add_argument("--messages", type=positive, default=10_000, help="in the chat (10000)")
    bench_evening = benches.add_parser("evening", help="messages a second, and how soon an answer is in the outbox")
    bench_evening.add_argument("--chats", type=positive, default=50, help="groups (50)")
    bench_evening.add_argument("--messages", type=positive, default=20_000, help="in all of them together (20000)")
    bench_lore = benches.add_parser("lore", help="how long a lorebook is looked through")
    bench_lore.add_argument("--entries", type=positive, default=1_000, help="in the book, a fifth by pattern (1000)")
    for sub in (bench_recall, bench_latency, bench_agreement, bench_turn, bench_evening, bench_lore):
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
        return 2 if isinstance(error, WrongArguments) else 1
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
    from bot.logs import set_up_logging

    set_up_logging(settings.log_level, settings.log_format, secrets=settings.secrets())
    run = cast("Run", cast("Any", import_module(f"bot.commands.{args.module}")).run)
    # What is run again is no turn: it would stand beside the real ones, and be counted with them.
    async with _traced(settings.untraced() if args.module == "replay" else settings):
        return await run(args, settings)


@asynccontextmanager
async def _traced(settings: Settings) -> AsyncGenerator[None]:
    """Tracing set up for the block, drained behind it."""
    from bot import tracing  # help and wrong arguments need none of it

    base = settings.otel_exporter_otlp_endpoint
    handle = tracing.set_up(
        service=settings.otel_service_name,
        version=program_version(),
        content=settings.trace_content,
        endpoint=tracing.endpoint_for("traces", base=base, own=settings.otel_exporter_otlp_traces_endpoint),
        metrics_endpoint=tracing.endpoint_for("metrics", base=base, own=settings.otel_exporter_otlp_metrics_endpoint),
        interval=settings.otel_metric_export_interval / 1000,
        secrets=settings.secrets(),
    )
    try:
        yield
    finally:
        await asyncio.to_thread(handle.shut_down)
