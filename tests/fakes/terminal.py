"""A terminal with a person at it: what the program shows is read, and keys are pressed."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import sys
import termios
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

CTRL_C, CTRL_D = "\x03", "\x04"
_PATIENCE = 60
"""Seconds after which what is waited for will not come."""


class Terminal:
    """One pseudo-terminal, and the program that runs in it."""

    def __init__(self, keys: int, screen: int, process: Process) -> None:
        self._keys, self._screen, self.process = keys, screen, process
        self.shown = ""
        """All that was shown so far, decoded."""
        self._bytes = b""
        self._news = asyncio.Event()
        asyncio.get_running_loop().add_reader(keys, self._read)

    def _read(self) -> None:
        try:
            self._bytes += os.read(self._keys, 65536)
        except OSError:  # nobody has the terminal open any more
            self.stop()
        self.shown = self._bytes.decode("utf-8", "replace")
        self._news.set()

    def press(self, keys: str) -> None:
        """Press these keys."""
        os.write(self._keys, keys.encode())

    async def shows(self, text: str) -> str:
        """Wait until a text is shown that was not there the last time; all that came before it since then."""
        async with asyncio.timeout(_PATIENCE):
            while (at := self.shown.find(text)) < 0:
                self._news.clear()
                await self._news.wait()
        before, rest = self.shown[:at], self.shown[at + len(text) :]
        self._bytes, self.shown = rest.encode(), rest
        return before

    async def ended(self) -> int:
        """Wait for the program to end; its exit code, or minus the signal that killed it."""
        async with asyncio.timeout(_PATIENCE):
            return await self.process.wait()

    @property
    def echoes_lines(self) -> bool:
        """Whether what is typed is shown and goes off line by line, as a shell leaves its terminal."""
        local = termios.tcgetattr(self._screen)[3]
        return bool(local & termios.ECHO and local & termios.ICANON and local & termios.ISIG)

    def stop(self) -> None:
        """Read no more."""
        asyncio.get_running_loop().remove_reader(self._keys)


@asynccontextmanager
async def terminal(*arguments: str, folder: Path, env: Mapping[str, str]) -> AsyncGenerator[Terminal]:
    """A terminal in which `companion` runs; it is killed at the end of the block."""
    keys, screen = pty.openpty()

    def take_over() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C is sent to it

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", *arguments,
        cwd=folder, env={**env, "TERM": "xterm", "LANG": "C.UTF-8"},
        stdin=screen, stdout=screen, stderr=screen, start_new_session=True, preexec_fn=take_over,
    )  # fmt: skip
    person = Terminal(keys, screen, process)
    try:
        yield person
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        person.stop()
        os.close(keys)
        os.close(screen)
