"""`companion chat`: the turn in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import sys
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager, suppress
from datetime import UTC, datetime
from importlib import import_module
from importlib.resources import as_file, files
from uuid import uuid4

from bot.app import App, open_app
from bot.commands.common import CLEAR_LINE, print_json, recalled_json, report, shown
from bot.commands.importing import embed, read_in
from bot.errors import BotError, ModelError, StoreError
from bot.importer import Imported
from bot.llm.discover import local_model_server
from bot.memory.embed import JOB
from bot.model import TERMINAL, Chat, Lane, NewMessage, Outcome, Said
from bot.settings import Settings
from bot.turn import Turn

SAMPLE = "sample"
"""The address of the chat that ships with the product."""
SAMPLE_FILE = "Four Hungry People.jsonl"
"""Named as the friends named their group, since a file of JSON lines gives its chat its title."""
_CHARACTERS_A_SECOND = 40
_LONGEST_PAUSE = 2.5


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Talk in a chat; every line is a message, every answer is kept."""
    async with open_app(settings, report=report) as app:
        embeds = await _embeds(app)
        chat = await app.store.chats.get(args.chat) if args.chat else await _sample(app, embeds=embeds)
        talk = Conversation(app, chat, name=args.name)
        if args.once is not None:
            if embeds:
                await embed(app.embedding, app.store)
            await talk.hear(args.once)
            turn = await talk.answer()
            _print(turn, as_json=args.json)
            if not args.json:
                _explain(turn, talk)
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
        self.zone = app.zone_of(chat)

    @property
    def persona(self) -> str:
        """What the bot is called now."""
        return self._app.persona.name

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
            zone=self.zone,
        )


async def _embeds(app: App) -> bool:
    """Whether the embedding model works. One that is away costs the memories, not the talk."""
    try:
        await app.embedding.probe()
    except ModelError as error:
        report(f"nothing comes to mind until the embedding model works: {error}")
        return False
    return True


async def _sample(app: App, *, embeds: bool) -> Chat:
    """The chat that ships with the product, imported when it is not there yet."""
    chat_id = await app.store.chats.at(SAMPLE)
    if chat_id is None:
        report("importing the sample chat")
        imported = Imported()
        with as_file(files("bot.data") / SAMPLE_FILE) as path:
            await read_in(path, imported, store=app.store)
        chat_id = imported.chats[0].chat_id
        if embeds:
            report("embedding its messages")
            await embed(app.embedding, app.store)
        await app.store.chats.add_address(SAMPLE, chat_id)
    return await app.store.chats.get(chat_id)


async def _greet(app: App, chat: Chat) -> None:
    """Say where one is, and what is missing."""
    report(f"You are in “{shown(chat.title)}” with {app.persona.name}. Write, and press Enter; Ctrl-D ends.")
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
    watched = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    with _terminal_as_it_was():
        try:
            async with aclosing(_lines(prompt="you: " if watched else "")) as lines:
                async for text in lines:
                    if not text.strip():
                        continue
                    try:
                        await talk.hear(text)
                        turn = await talk.answer()
                    except StoreError:
                        raise  # nothing that is typed could be kept; a new start brings the database back
                    except BotError as error:
                        report(f"companion: {error}")
                    else:
                        await _say(turn, talk, pace=app.settings.pace, as_json=as_json)
        finally:
            if watched:
                print(flush=True)  # away from the prompt


async def _lines(*, prompt: str) -> AsyncGenerator[str]:
    """What is typed, line by line, to the end of input; a line is asked for when the one before is dealt with.

    Read in a thread of its own: input() cannot be awaited, and a daemon thread does not hold up Ctrl-C.
    """
    wanted = threading.Semaphore(0)
    typed: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        with suppress(ImportError):
            import_module("readline")  # its import gives input() a history and editing keys
        line: str | None = ""
        while line is not None:
            wanted.acquire()
            try:
                line = input(prompt)
            except (EOFError, OSError):
                line = None
            with suppress(RuntimeError):  # the loop is gone: the program is ending
                loop.call_soon_threadsafe(typed.put_nowait, line)

    threading.Thread(target=read, daemon=True, name="terminal").start()
    while True:
        wanted.release()
        line = await typed.get()
        if line is None:
            return
        yield line


@contextmanager
def _terminal_as_it_was() -> Generator[None]:
    """Leave the terminal as it was: readline, interrupted in its thread, would leave it without echo."""
    try:
        import termios
    except ImportError:  # where there is no termios, there is no such terminal either
        yield
        return
    if not sys.stdin.isatty():
        yield
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        yield
    finally:
        with suppress(termios.error):  # it was closed
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


async def _say(turn: Turn, talk: Conversation, *, pace: float, as_json: bool) -> None:
    """Print a turn, bubble by bubble, at the pace of somebody who types."""
    if as_json:
        _print(turn, as_json=True)
        return
    watched = sys.stdout.isatty()
    for said in turn.said:
        if watched:
            print(f"{talk.persona} is typing …", end="", flush=True)
        await asyncio.sleep(min(len(said.text) / _CHARACTERS_A_SECOND, _LONGEST_PAUSE) * pace)
        print(f"{CLEAR_LINE if watched else ''}{talk.persona}: {_line(said)}", flush=True)
    _explain(turn, talk)


def _explain(turn: Turn, talk: Conversation) -> None:
    """Why nothing was said, to somebody who sits and waits."""
    if turn.rests_until is not None:
        report(f"({talk.persona} rests until {turn.rests_until.astimezone(talk.zone):%Y-%m-%d %H:%M %Z})")
    elif not turn.said:
        report(f"({talk.persona} says nothing)")


def _line(said: Said) -> str:
    """A bubble as it is printed; a terminal shows no picture, so its name stands for it."""
    return said.text if said.emotion is None else f"[picture: {said.emotion}] {said.text}"


def _print(turn: Turn, *, as_json: bool) -> None:
    if not as_json:
        for said in turn.said:
            print(_line(said))
        return
    print_json(
        {
            "replies": [said.text for said in turn.said],
            "picture": next((said.emotion for said in turn.said if said.emotion is not None), None),
            "actions": list(turn.actions),
            "trace_id": turn.trace_id,
            "turn_id": str(turn.turn_id),
            "outcome": turn.outcome.value,
            "rests_until": turn.rests_until.isoformat() if turn.rests_until else None,
            "recalled": recalled_json(turn.recalled.hits),
        }
    )
