"""The program as a process of its own, on a database that only this test sees."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 120
"""Seconds after which a command counts as hanging."""


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


@dataclass(kw_only=True)
class Companion:
    """Runs `companion` with an environment of its own: nothing of the machine's settings, an empty folder."""

    folder: Path
    env: dict[str, str]
    running: list[Process] = field(default_factory=list[Process])

    async def start(self, *args: str | Path, **env: str) -> Process:
        """A command that goes on by itself; killed at the end of the test."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            *map(str, args),
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
        process = await self.start(*args, **env)
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate(stdin.encode())
        assert process.returncode is not None
        return Ran(code=process.returncode, out=out.decode(), err=err.decode())

    async def done(self, *args: str | Path, stdin: str = "", **env: str) -> Ran:
        """A command that has to succeed."""
        ran = await self.run(*args, stdin=stdin, **env)
        assert ran.code == 0, ran.err
        return ran


@pytest.fixture
async def companion(empty_dsn: str, tmp_path: Path) -> AsyncIterator[Companion]:
    """The program on an empty database."""
    root = Path(__file__).parents[2]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(root), "DATABASE_URL": empty_dsn, "PACE": "0"}
    program = Companion(folder=tmp_path, env=env)
    yield program
    for process in program.running:
        if process.returncode is None:
            process.kill()
            await process.wait()
