"""Where cases come from: a file, a folder, Tempo or the database, and what the one lacks out of the other."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import cast
from uuid import UUID

from pydantic import ValidationError

from bot.errors import BotError, ReplayError, StoreError, TraceUnreadable, UnknownTurn
from bot.invalid import what_is_wrong
from bot.model import ChatId
from bot.replay.case import Case, Mode, damage, load
from bot.replay.from_row import case_of, numbers_of
from bot.replay.from_trace import cases_of
from bot.replay.merge import merged
from bot.replay.otlp import Trace, read_trace
from bot.replay.tempo import Tempo
from bot.store import PostgresStore
from bot.store.turns import KeptTurn
from bot.whole_file import write_whole

LARGEST = 256 * 1024 * 1024
"""Bytes of a file that is read."""
_TRACE_ID = re.compile(r"[0-9a-fA-F]{1,32}")


class Sources:
    """All places that a turn may be on record in."""

    def __init__(self, *, tempo: Tempo | None, store: Callable[[], Awaitable[PostgresStore]]) -> None:
        """`store` is asked for only when something has to be looked up there."""
        self._tempo, self._store = tempo, store

    async def each(self, what: str, mode: Mode) -> AsyncIterator[Case | BotError]:
        """The turns that are meant by a file, a folder, the id of a trace or the number of a turn.

        What is wrong with a file is given in its place; other errors are raised.
        """
        files = _files(Path(what))
        if files is None:
            for case in await self._known_as(what):
                yield await self.completed(case, mode)
            return
        for file in files:
            try:
                for case in cases_in(file):
                    yield await self.completed(case, mode)
            except ReplayError as error:
                yield error

    async def found(
        self, query: str, mode: Mode, *, since: datetime, until: datetime
    ) -> AsyncIterator[Case | BotError]:
        """The turns in the traces that a TraceQL query finds, the latest first."""
        if self._tempo is None:
            raise UnknownTurn("a query needs Tempo: set TEMPO_URL")
        ids = await self._tempo.search(query, since=since, until=until)
        if not ids:
            raise UnknownTurn(f"the query finds no trace since {since:%Y-%m-%d %H:%M} UTC; --since looks further back")
        for trace_id in ids:
            try:
                for case in _turns(await self._tempo.trace(trace_id), where=f"trace {trace_id}"):
                    yield await self.completed(case, mode)
            except ReplayError as error:
                yield error

    async def completed(self, case: Case, mode: Mode) -> Case:
        """The case with what it lacks for a mode out of the database, where that has the turn."""
        if case.chat_id is None or case.turn_id is None or not (damage(case, mode) or mode == "retrieve"):
            return case
        try:
            store = await self._store()
            turn = await store.turns.get(ChatId(case.chat_id), UUID(case.turn_id))
        except (StoreError, ValueError) as error:
            if mode == "retrieve":
                raise
            return case.model_copy(update={"notes": (*case.notes, f"the database could not be asked: {error}")})
        return case if turn is None else merged(case, await _of_row(turn, store))

    async def _known_as(self, what: str) -> list[Case]:
        turn_id = None
        with suppress(ValueError):
            turn_id = UUID(what) if "-" in what else None
        if turn_id is None and not _TRACE_ID.fullmatch(what):
            raise UnknownTurn(
                f"{what!r} is neither a file or folder, nor a trace's id (up to 32 hex digits), nor a turn's number "
                "(with dashes)"
            )
        unknown: ReplayError | None = None
        if turn_id is None and self._tempo is not None:
            try:
                return _turns(await self._tempo.trace(what), where=f"trace {what}")
            except ReplayError as error:
                unknown = error
        store = await self._store()
        trace_id = None if turn_id else what.lower().rjust(32, "0")
        turns = await store.turns.known_as(turn_id=turn_id, trace_id=trace_id)
        if not turns:
            raise unknown or UnknownTurn(
                f"no turn {what} is in the database"
                + ("" if turn_id or self._tempo else "; set TEMPO_URL to look for the trace in Tempo")
            )
        cases = [await _of_row(turn, store) for turn in turns]
        if unknown is None or isinstance(unknown, UnknownTurn):
            return cases
        return [case.model_copy(update={"notes": (*case.notes, f"from the database: {unknown}")}) for case in cases]


def _files(path: Path) -> list[Path] | None:
    """The file, or all that can be read in the folder; None when there is no such thing. Raises `UnknownTurn`."""
    if not path.is_dir():
        if path.exists() and not path.is_file():
            raise UnknownTurn(f"{path} is no regular file")
        return [path] if path.is_file() else None
    files = sorted(each for each in path.iterdir() if each.suffix in (".json", ".pb") and each.is_file())
    if not files:
        raise UnknownTurn(f"there is no .json or .pb file in {path}")
    return files


async def _of_row(turn: KeptTurn, store: PostgresStore) -> Case:
    return case_of(turn, await store.turns.messages(turn.lane.chat_id, numbers_of(turn)))


def cases_in(file: Path) -> list[Case]:
    """The turns in a file: what Tempo answers, or what was saved. Raises `TraceUnreadable`."""
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError as error:
        raise TraceUnreadable(f"it cannot be read ({error.strerror})", where=str(file)) from None
    if len(data) > LARGEST:
        raise TraceUnreadable(f"it has more than {LARGEST // 1024**2} MiB", where=str(file))
    if not data.strip():
        raise TraceUnreadable("it is empty", where=str(file))
    if _is_saved(data):
        return [load(data, where=str(file))]
    return _turns(read_trace(data, where=str(file)), where=str(file))


def _is_saved(data: bytes) -> bool:
    with suppress(ValueError, RecursionError):
        given = json.loads(data) if data.lstrip()[:1] == b"{" else None
        return isinstance(given, dict) and {"version", "trace_id"} <= cast("dict[str, object]", given).keys()
    return False


def _turns(trace: Trace, *, where: str) -> list[Case]:
    try:
        cases = cases_of(trace)
    except ValidationError as error:
        raise TraceUnreadable(what_is_wrong(error), where=where) from None
    if not cases:
        raise UnknownTurn(f"no turn is in {where}: its {len(trace.spans)} spans are about something else")
    return cases


def save(case: Case, folder: Path) -> Path:
    """Keep a case as a file that only its owner can read, since it holds what people wrote."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{case.trace_id}{f'-{case.turn_id}' if case.turn_id else ''}.json"
        write_whole(file, case.model_dump_json(indent=1).encode())
    except OSError as error:
        raise ReplayError(f"cannot write to {folder}: {error.strerror}; name another folder with --save") from None
    return file
