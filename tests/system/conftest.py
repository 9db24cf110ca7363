"""The program as a process of its own, on a database that only this test sees."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 120
"""Seconds after which a command counts as hanging."""


AWAY = {
    "EMBEDDING_API_BASE_URL": "http://127.0.0.1:9/v1",
    "EMBEDDING_MODEL": "nobody-there",
    "EMBEDDING_DIMENSION": "64",
}
"""Settings for an embedding service at which nobody listens: for commands whose vectors do not matter."""


def line(n: int, text: str = "hello", *, sender: str = "Ann", **more: object) -> dict[str, object]:
    """One JSON line: a message, a minute after the one before."""
    sent_at = datetime(2026, 1, 5, 10, tzinfo=UTC) + timedelta(minutes=n)
    return {"id": str(n), "sent_at": sent_at.isoformat(), "sender": sender, "text": text, **more}


def write_lines(path: Path, messages: Iterable[Mapping[str, object]]) -> Path:
    """A JSON-lines file of these messages."""
    path.write_text("".join(f"{json.dumps(message)}\n" for message in messages), "utf-8")
    return path


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A command that ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one line that it has to end with when a person can put it right: what is wrong, and no traceback."""
        assert self.code == 1, (self.code, self.out, self.err)
        [line] = self.err.splitlines()
        return line.removeprefix("companion: ")


@dataclass(kw_only=True)
class Companion:
    """Runs `companion` with an environment of its own: nothing of the machine's settings, an empty folder."""

    folder: Path
    env: dict[str, str]
    running: list[Process] = field(default_factory=list[Process])

    async def start(self, *args: str | Path, **env: str) -> Process:
        """A command that goes on by itself; killed at the end of the test."""
        return await self.launch([sys.executable, "-m", "bot", *map(str, args)], env)

    async def launch(self, command: Sequence[str], env: Mapping[str, str]) -> Process:
        """Any command, with the same environment; killed at the end of the test."""
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=self.folder,
            env={**self.env, **env},
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
        )
        self.running.append(process)
        return process

    async def run(self, *args: str | Path, stdin: str = "", **env: str) -> Ran:
        """A command to its end."""
        return await self._ended(await self.start(*args, **env), stdin)

    async def shell(self, script: str, *args: str | Path, **env: str) -> Ran:
        """A shell script in which "$@" is the command; pipes and redirections as people write them."""
        command = ["bash", "-c", script, "bash", sys.executable, "-m", "bot", *map(str, args)]
        return await self._ended(await self.launch(command, env), "")

    async def _ended(self, process: Process, stdin: str) -> Ran:
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate(stdin.encode())
        assert process.returncode is not None
        return Ran(code=process.returncode, out=out.decode(), err=err.decode())

    async def remembers(self, *messages: Mapping[str, object], name: str = "past", **env: str) -> str:
        """Import these messages as JSON lines; the number of their chat."""
        file = write_lines(self.folder / f"{name}.jsonl", messages)
        return str((await self.done("import", file, "--json", **env)).json["chats"][0]["chat"])

    async def done(self, *args: str | Path, stdin: str = "", **env: str) -> Ran:
        """A command that has to succeed."""
        ran = await self.run(*args, stdin=stdin, **env)
        assert ran.code == 0, ran.err
        return ran


@pytest.fixture
async def companion(empty_dsn: str, tmp_path: Path) -> AsyncIterator[Companion]:
    """The program on an empty database."""
    async for program in _program(empty_dsn, tmp_path):
        yield program


@pytest.fixture
async def prepared(dsn: str, tmp_path: Path) -> AsyncIterator[Companion]:
    """The program on a database whose schema is up to date; `store` is on the same one."""
    async for program in _program(dsn, tmp_path):
        yield program


@pytest.fixture
async def offline(tmp_path: Path) -> AsyncIterator[Companion]:
    """The program where no database answers."""
    async for program in _program("postgresql://nobody@127.0.0.1:9/nothing", tmp_path):
        yield program


async def _program(dsn: str, tmp_path: Path) -> AsyncIterator[Companion]:
    root = Path(__file__).parents[2]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(root), "DATABASE_URL": dsn, "PACE": "0"}
    program = Companion(folder=tmp_path, env=env)
    yield program
    for process in program.running:
        if process.returncode is None:
            process.kill()
            await process.wait()
