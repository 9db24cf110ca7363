"""`companion replay`: turns run again, and the first stage that differs."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta

from bot import cards
from bot.app import chat_model, database
from bot.commands.common import print_json, report
from bot.commands.side_by_side import side_by_side
from bot.embedding import Embeddings, open_embedding
from bot.errors import BotError, WrongArguments
from bot.llm.patience import TURN
from bot.llm.retries import Patient, PatientChat
from bot.model import Recall
from bot.replay.case import Case, Mode, damage
from bot.replay.report import Report, Stage
from bot.replay.rerun import rerun
from bot.replay.retrieve import Memory, retrieve
from bot.replay.sources import Sources, save
from bot.replay.tempo import open_tempo
from bot.settings import Settings
from bot.store import PostgresStore, open_store
from bot.traced import TracedChat

LOOK_BACK = timedelta(days=28)
"""How far back a query looks unless it is told."""


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Run recorded turns again and show where they differ; sends nothing, and changes nothing in the database."""
    mode: Mode = args.mode
    if args.since is not None and args.query is None:
        raise WrongArguments("--since says how far back --query looks; give one")
    async with AsyncExitStack() as stack:
        world = _World(settings, stack)
        tempo = await stack.enter_async_context(open_tempo(settings.tempo_url)) if settings.tempo_url else None
        sources = Sources(tempo=tempo, store=world.store)
        if args.query is not None:
            until = datetime.now(UTC)
            cases = sources.found(args.query, mode, since=args.since or until - LOOK_BACK, until=until)
        else:
            cases = sources.each(args.what, mode)
        return await _each(cases, world, args, colour=sys.stdout.isatty() and settings.no_color is None)


class _World:
    """What replay needs of the world, opened when it is needed first."""

    def __init__(self, settings: Settings, stack: AsyncExitStack) -> None:
        self._settings, self._stack = settings, stack
        self._store: PostgresStore | None = None
        self._memory: Memory | None = None
        self.persona = cards.CardFile(settings.character_card).persona()
        self.chat = PatientChat(TracedChat(chat_model(settings)[0]))

    async def store(self) -> PostgresStore:
        if self._store is None:
            dsn = await self._stack.enter_async_context(database(self._settings, report=report))
            self._store = await self._stack.enter_async_context(open_store(dsn, may_migrate=False, report=report))
        return self._store

    async def memory(self) -> Memory:
        if self._memory is None:
            store = await self.store()
            embedding = await open_embedding(self._settings, Embeddings(self._settings), store, may_add=False)
            self._memory = Memory(
                store=store,
                embedder=Patient(embedding.embedder, patience=TURN),
                recall=Recall(model=embedding.model, profile=self._settings.recall_profile),
            )
        return self._memory

    async def again(self, case: Case, mode: Mode) -> Report:
        if mode == "retrieve":
            return await retrieve(case, await self.memory())
        return await rerun(case, mode, persona=await self._persona_of(case), chat=self.chat)

    async def _persona_of(self, case: Case) -> cards.Persona:
        """CHARACTER_CARD's, or that of the card which the chat was given, if the database is at hand and has it."""
        if self._store is None or case.persona_sha256 in (None, self.persona.sha256):
            return self.persona
        file = await self._store.personas.file(case.persona_sha256)
        return self.persona if file is None else cards.load(file).persona()


async def _each(cases: AsyncIterator[Case | BotError], world: _World, args: argparse.Namespace, *, colour: bool) -> int:
    """Every turn in its order; what is wrong with one does not keep the others from being run."""
    turns = differing = failed = 0
    async for case in cases:
        turns += 1
        try:
            if isinstance(case, BotError):
                raise case
            if args.save is not None:
                save(case, args.save)
            found = await world.again(case, args.mode)
        except BotError as error:
            failed += 1
            report(f"companion: {error}")
            continue
        differing += found.first_difference is not None
        failed += not found.ran
        if args.json:
            print_json(found.as_json())
        else:
            _show(found, colour=colour)
    if turns > 1 and not args.json:
        report(f"{turns} turns: {differing} differ, {failed} could not be run again")
    return 1 if differing or failed else 0


def _show(found: Report, *, colour: bool) -> None:
    """The report for people: every stage in a line, and side by side what differs."""
    case = found.case
    named = f"turn {case.turn_id} of trace {case.trace_id}" if case.turn_id else f"trace {case.trace_id}"
    print(f"{named}, {found.mode}: {_verdict(found)}")
    for need in damage(case, found.mode):
        print(f"  missing: {need}")
    if case.partial:
        print("  missing: Tempo says itself that it does not have all of the trace")
    for cause in (*case.notes, *found.causes):
        print(f"  note: {cause}")
    width = shutil.get_terminal_size().columns
    for stage in found.stages:
        print(f"  {_line(stage)}")
        if stage.same is False:
            for line in side_by_side(stage.before, stage.after, width=width, colour=colour):
                print(f"  {line}")


def _verdict(found: Report) -> str:
    if found.first_difference:
        return f"differs first in {found.first_difference}"
    if not found.stages:
        return "nothing was asked in it"
    if not found.ran:
        return "it could not be run again"
    return "no difference" if found.complete else "no difference in what could be run again"


def _line(stage: Stage) -> str:
    word = {True: "same", False: "DIFFERS", None: "not run"}[stage.same]
    step = f"step {stage.step}" if stage.step is not None else "      "
    return f"{step}  {stage.stage:<9} {word}{f' ({stage.note})' if stage.note else ''}"
