"""Traces out of Tempo: by id, and by TraceQL over as long a time as is wanted.

Tempo's v2 answers 200 with an empty trace for an id that it does not know, v1 with 404. A search covers a week at most;
without a start and an end it would cover the last minutes only.
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final, cast
from urllib.parse import urlsplit

import aiohttp

from bot.errors import TempoError, UnknownTurn
from bot.replay.otlp import Trace, read_trace

LONGEST_SEARCH: Final = 168 * 3600
"""Seconds that one search may cover."""
MOST_FOUND: Final = 500
"""Traces that a search is asked for; where there are more, the time is halved."""
_LARGEST: Final = 256 * 1024 * 1024
"""Bytes of an answer."""


class Tempo:
    """Asks a Tempo; see `open_tempo`."""

    def __init__(self, session: aiohttp.ClientSession, base: str) -> None:
        self._session, self._base = session, base.rstrip("/")
        parts = urlsplit(base)
        self.where: Final = f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)

    async def trace(self, trace_id: str) -> Trace:
        """A trace by its id in hex. Raises `UnknownTurn` or `TempoError`."""
        status, body = await self._get(f"/api/v2/traces/{trace_id}", accept="application/protobuf")
        if status == 404:  # it knows no v2, or not the trace: v1 tells which
            status, body = await self._get(f"/api/traces/{trace_id}", accept="application/protobuf")
        if status == 404:
            raise self._unknown(trace_id)
        self._see(status, body)
        trace = read_trace(body, where=f"what Tempo at {self.where} answered")
        if not trace.spans:
            raise self._unknown(trace_id)
        if trace.spans[0].trace_id.lstrip("0") != trace_id.lower().lstrip("0"):
            raise TempoError("it gave another trace than was asked for", where=self.where)
        return trace

    async def search(self, query: str, *, since: datetime, until: datetime) -> list[str]:
        """The ids of the traces that a TraceQL query finds, the latest first, each once. Raises `TempoError`."""
        found: dict[str, None] = {}
        first, end = math.floor(since.timestamp()), math.ceil(until.timestamp())
        while end > first:
            start = max(first, end - LONGEST_SEARCH)
            found |= dict.fromkeys(await self._search(query, start, end))
            end = start
        return list(found)

    async def _search(self, query: str, start: int, end: int) -> list[str]:
        """As `search`, between two times that are a week apart at most."""
        asked = {
            "q": query,
            "start": str(start),
            "end": str(end),
            "limit": str(MOST_FOUND),
            "spss": "1",
        }
        status, body = await self._get("/api/search", accept="application/json", **asked)
        self._see(status, body)
        try:
            given = json.loads(body)
            traces = cast("list[dict[str, str]]", given.get("traces") or [])
            ids = [each["traceID"].rjust(32, "0").lower() for each in traces]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise TempoError("what it found is not JSON as a search answers", where=self.where) from None
        if len(ids) < MOST_FOUND or end - start <= 1:
            return ids
        middle = (start + end) // 2
        return [*await self._search(query, middle, end), *await self._search(query, start, middle)]

    async def _get(self, path: str, *, accept: str, **query: str) -> tuple[int, bytes]:
        try:
            async with self._session.get(self._base + path, params=query, headers={"Accept": accept}) as answer:
                body = await answer.content.read(_LARGEST)
                while not answer.content.at_eof() and len(body) < _LARGEST:
                    body += await answer.content.read(_LARGEST - len(body))
                return answer.status, body
        except TimeoutError:
            raise TempoError("nothing came in time", where=self.where) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise TempoError(f"it could not be asked ({type(error).__name__})", where=self.where) from None

    def _see(self, status: int, body: bytes) -> None:
        """Raise unless it answered as asked."""
        if status != 200:
            page = ", with a web page" if body.lstrip()[:1] == b"<" else ""
            said = "" if page or status >= 500 else _plain(body)
            raise TempoError(f"HTTP {status}{page}{said}", where=self.where)

    def _unknown(self, trace_id: str) -> UnknownTurn:
        return UnknownTurn(
            f"Tempo at {self.where} has no trace {trace_id}, and no turn of it is in the database; Tempo forgets what "
            "is older than its retention"
        )


def _plain(body: bytes) -> str:
    """The first words of a complaint, such as what is wrong with a query."""
    text = " ".join(body[:200].decode(errors="replace").split())
    return f" ({text})" if text.isprintable() and text else ""


@asynccontextmanager
async def open_tempo(base: str, *, timeout: float = 20.0) -> AsyncGenerator[Tempo]:
    """A Tempo at an address, for the block; each request may take so many seconds."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=timeout)) as session:
        yield Tempo(session, base)
