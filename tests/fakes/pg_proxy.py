"""A TCP proxy in front of a real PostgreSQL that counts what the server is asked to do.

    async with PgProxy(dsn) as proxy:
        process = await companion.start("run", DATABASE_URL=proxy.dsn)
        proxy.kill(process.pid, request=17, when="after")

A request is a message that the server answers with ReadyForQuery: Query, FunctionCall and Sync. That is one for each
round trip of a client, also for one that sends Parse, Bind and Execute before its Sync; signing in counts for nothing.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import time
from asyncio import IncompleteReadError, StreamReader, StreamWriter
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Self, TypeAlias, cast
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from tests.fakes.bot_api_values import Bell

When: TypeAlias = Literal["before", "after"]
"""Before the request is passed on, or once the server has done it but before the client learns of it."""
Act: TypeAlias = Callable[[int], Awaitable[None] | None]
"""Is given the number of the request."""

_REQUESTS = frozenset(b"QFS")
_READY = ord("Z")
_SSL, _GSS, _CANCEL = 80877103, 80877104, 80877102
"""Codes in the place of a protocol version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hook:
    at: int
    act: Act
    when: When
    cut: bool


class PgProxy:
    """PostgreSQL, reachable at `dsn` through a counter. `upstream` is the address of the server itself."""

    def __init__(self, upstream: str) -> None:
        self._upstream = urlsplit(upstream)
        self._query = {name: values[-1] for name, values in parse_qs(self._upstream.query).items()}
        self.asked: list[float] = []
        """When each request came, by time.time."""
        self.bell = Bell()
        """Rings at each request."""
        self._hooks: list[_Hook] = []
        self._sessions: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def dsn(self) -> str:
        """What goes into DATABASE_URL."""
        assert self._server
        host, port = cast("tuple[str, int]", self._server.sockets[0].getsockname())
        user = self._upstream.netloc.rpartition("@")[0]
        query = {name: value for name, value in self._query.items() if name not in {"host", "port"}}
        place = f"{user}@{host}:{port}"
        return urlunsplit(self._upstream._replace(netloc=place, query=urlencode({**query, "sslmode": "disable"})))

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        assert self._server
        self._server.close()
        for session in self._sessions:
            session.cancel()
        await asyncio.gather(*self._sessions, return_exceptions=True)

    def at(self, request: int, act: Act, *, when: When = "before", cut: bool = False) -> None:
        """Do something at the k-th request from now: 1 is the next; then cut its connection, if told to.

        Cut before, the server never got it; cut after, it did it, but nobody learns of it.
        """
        self._hooks.append(_Hook(at=len(self.asked) + request, act=act, when=when, cut=cut))

    def kill(self, pid: int, *, request: int, when: When = "before") -> None:
        """Send a process SIGKILL at the k-th request from now, and cut that request."""

        def act(number: int) -> None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

        self.at(request, act, when=when, cut=True)

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        session = asyncio.create_task(self._session(reader, writer))
        self._sessions.add(session)
        session.add_done_callback(self._sessions.discard)

    async def _session(self, reader: StreamReader, writer: StreamWriter) -> None:
        writers = [writer]
        try:
            server_reader, server_writer = await self._connect()
            writers.append(server_writer)
            if await _signs_in(reader, writer, server_writer):
                owed: deque[Sequence[_Hook]] = deque([()])  # the first ReadyForQuery answers nothing of the client's
                forth = asyncio.create_task(self._pass_forth(reader, server_writer, owed))
                back = asyncio.create_task(self._pass_back(server_reader, writer, owed))
                try:
                    await asyncio.wait({forth, back}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    forth.cancel()
                    back.cancel()
                    await asyncio.gather(forth, back, return_exceptions=True)
        except (IncompleteReadError, OSError):
            return  # who asked, or who was asked, is gone
        finally:
            for each in writers:
                each.close()

    async def _connect(self) -> tuple[StreamReader, StreamWriter]:
        host = self._query.get("host") or self._upstream.hostname or "127.0.0.1"
        port = int(self._query.get("port") or self._upstream.port or 5432)
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _pass_forth(self, reader: StreamReader, server: StreamWriter, owed: deque[Sequence[_Hook]]) -> None:
        """What the client asks; ends when it is to be cut."""
        with suppress(IncompleteReadError, OSError):
            while True:
                kind, message = await _message(reader)
                if kind in _REQUESTS:
                    self.asked.append(time.time())
                    number = len(self.asked)
                    hooks = [hook for hook in self._hooks if hook.at == number]
                    self.bell.ring()
                    if await _acted(hooks, number, "before"):
                        return
                    owed.append(hooks)
                server.write(message)
                await server.drain()

    async def _pass_back(self, server: StreamReader, client: StreamWriter, owed: deque[Sequence[_Hook]]) -> None:
        """What the server answers; ends when it is to be cut."""
        with suppress(IncompleteReadError, OSError):
            while True:
                kind, message = await _message(server)
                if kind == _READY and (hooks := owed.popleft()) and await _acted(hooks, hooks[0].at, "after"):
                    return
                client.write(message)
                await client.drain()


async def _signs_in(reader: StreamReader, client: StreamWriter, server: StreamWriter) -> bool:
    """Pass on how a session begins; whether one does. No encryption is offered."""
    while True:
        size = await reader.readexactly(4)
        body = await reader.readexactly(int.from_bytes(size) - 4)
        code = int.from_bytes(body[:4])
        if code in {_SSL, _GSS}:
            client.write(b"N")
            continue
        server.write(size + body)
        await server.drain()
        return code != _CANCEL


async def _message(reader: StreamReader) -> tuple[int, bytes]:
    """The next message: its kind, and all of its bytes."""
    head = await reader.readexactly(5)
    return head[0], head + await reader.readexactly(int.from_bytes(head[1:]) - 4)


async def _acted(hooks: Sequence[_Hook], number: int, when: When) -> bool:
    """Run what is due; whether the connection is to be cut."""
    due = [hook for hook in hooks if hook.when == when]
    for hook in due:
        done = hook.act(number)
        if inspect.isawaitable(done):
            await done
    return any(hook.cut for hook in due)
