"""`companion chat`: the turn in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from importlib.resources import as_file, files
from uuid import uuid4

from bot.app import App, open_app
from bot.commands.common import print_json, recalled_json, report
from bot.commands.importing import embed, read_in
from bot.errors import BotError, SettingsError
from bot.llm.discover import local_model_server
from bot.memory.embed import JOB
from bot.model import TERMINAL, Chat, Lane, NewMessage, Outcome
from bot.settings import Settings
from bot.turn import Turn

SAMPLE = "sample"
"""The address of the chat that ships with the product."""
_CHARACTERS_A_SECOND = 30
_LONGEST_PAUSE = 4.0


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Talk in a chat; every line is a message, every answer is kept."""
    if args.once is not None and not args.once.strip():
        raise SettingsError("there is nothing to say: --once needs a text")
    async with open_app(settings, report=report) as app:
        chat = await app.store.chats.get(args.chat) if args.chat else await _sample(app)
        talk = Conversation(app, chat, name=args.name)
        await app.probe()
        if args.once is not None:
            await embed(app)
            await talk.hear(args.once)
            _print(await talk.answer(), as_json=args.json)
            return 0
        await _greet(app, chat)
        async with app.background():
            await _converse(talk, app, as_json=args.json)
    return 0


class Conversation:
    """One person in a chat, by the terminal. The lane is the chat as a whole, whatever topics it has."""

    def __init__(self, app: App, chat: Chat, *, name: str) -> None:
        self._app, self._chat, self._name = app, chat, name
        self._lane = Lane(chat.chat_id)

    async def hear(self, text: str) -> None:
        """Keep what the person says."""
        said = NewMessage(
            external_id=uuid4().hex,
            sender_id=f"{TERMINAL}:{self._name}",
            sender=self._name,
            sent_at=datetime.now(UTC).replace(microsecond=0),
            text=text,
        )
        await self._app.store.messages.record(self._chat.chat_id, TERMINAL, [said])
        await self._app.store.hint(JOB)

    async def answer(self) -> Turn:
        """One turn; one that chose to wait is followed by another, when its time has come."""
        turn = await self._turn()
        if turn.outcome is Outcome.WAITING and turn.due_at is not None:
            await asyncio.sleep((turn.due_at - datetime.now(UTC)).total_seconds() * self._app.settings.pace)
            turn = await self._turn()
        if turn.said:
            await self._app.store.hint(JOB)
        return turn

    async def _turn(self) -> Turn:
        return await self._app.turn(
            self._lane,
            now=datetime.now(UTC).replace(microsecond=0),
            source=TERMINAL,
            zone=self._app.zone_of(self._chat),
        )


async def _sample(app: App) -> Chat:
    """The chat that ships with the product, imported when it is not there yet."""
    chat_id = await app.store.chats.at(SAMPLE)
    if chat_id is None:
        report("importing the sample chat")
        with as_file(files("bot.data") / "sample_chat.jsonl") as path:
            imported, _ = await read_in(app, path, into=None)
        chat_id = imported.chats[0].chat_id
        report("embedding its messages")
        await embed(app)
        await app.store.chats.add_address(SAMPLE, chat_id)
    return await app.store.chats.get(chat_id)


async def _greet(app: App, chat: Chat) -> None:
    """Say where one is, and what is missing."""
    report(f"You are in “{chat.title}” with {app.persona.name}. Write, and press Enter; Ctrl-D ends.")
    if app.has_chat_model:
        return
    found = await local_model_server()
    if found is not None:
        report(
            f"No chat model is set, but one is running here. To use it, put into .env:\n"
            f"  LLM_API_BASE_URL={found.base_url}\n  LLM_MODEL={found.model}"
        )


async def _converse(talk: Conversation, app: App, *, as_json: bool) -> None:
    """Line by line until the end of input. An error a person can fix is told, and the talk goes on."""
    lines = _lines(prompt="you: " if sys.stdin.isatty() and not as_json else "")
    while (text := await lines.get()) is not None:
        if text.strip():
            try:
                await talk.hear(text)
                turn = await talk.answer()
            except BotError as error:
                report(f"companion: {error}")
            else:
                await _say(turn, app, as_json=as_json)
        lines.task_done()


def _lines(*, prompt: str) -> asyncio.Queue[str | None]:
    """What is typed, line by line, None at the end.

    Read in a thread of its own: input() cannot be awaited, and a daemon thread does not hold up Ctrl-C. It asks
    for the next line once the one before is dealt with (`task_done`).
    """
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def put(line: str | None) -> None:
        with suppress(RuntimeError):  # the loop is gone: the program is ending
            asyncio.run_coroutine_threadsafe(_hand_over(queue, line), loop).result()

    def read() -> None:
        with suppress(ImportError):
            import_module("readline")  # gives input() a history and editing keys
        while True:
            try:
                line = input(prompt)
            except (EOFError, OSError):
                put(None)
                return
            except UnicodeDecodeError:
                report("that line is not UTF-8; it is left out")
                continue
            put(line)

    threading.Thread(target=read, daemon=True, name="terminal").start()
    return queue


async def _hand_over(queue: asyncio.Queue[str | None], line: str | None) -> None:
    queue.put_nowait(line)
    if line is not None:
        await queue.join()


async def _say(turn: Turn, app: App, *, as_json: bool) -> None:
    """Print a turn, bubble by bubble, at the pace of somebody who types."""
    if as_json:
        _print(turn, as_json=True)
        return
    for said in turn.said:
        await asyncio.sleep(min(len(said.text) / _CHARACTERS_A_SECOND, _LONGEST_PAUSE) * app.settings.pace)
        print(f"{app.persona.name}: {said.text}", flush=True)
    _explain(turn, app)


def _explain(turn: Turn, app: App) -> None:
    """Why nothing was said, to somebody who sits and waits."""
    name = app.persona.name
    if turn.rests_until is not None:
        report(f"({name} rests until {turn.rests_until:%Y-%m-%d %H:%M} UTC)")
    elif not turn.said:
        report(f"({name} says nothing)")


def _print(turn: Turn, *, as_json: bool) -> None:
    if not as_json:
        for said in turn.said:
            print(said.text)
        return
    print_json(
        {
            "replies": [said.text for said in turn.said],
            "actions": list(turn.actions),
            "trace_id": turn.trace_id,
            "turn_id": str(turn.turn_id),
            "outcome": turn.outcome.value,
            "recalled": recalled_json(turn.recalled.hits),
        }
    )
