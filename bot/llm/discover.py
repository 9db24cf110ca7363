"""Whether a chat model runs on this machine already: Ollama, LM Studio, llama.cpp at their usual ports.

Looks at 127.0.0.1 only, for a third of a second, and changes nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from typing import cast

from bot.llm.texts import has_something_to_see

WITHIN = 0.3
"""Seconds for all of it."""
_NOT_FOR_CHAT = re.compile(
    r"embed|rerank|minilm|(^|[^a-z])(bge|gte|e5)([^a-z]|$)|whisper|clip|\btts\b|sentence-", re.IGNORECASE
)
"""Names of models that do something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A server that runs here, and a model that it has: what to write into `.env`."""

    server: str
    base_url: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a server of some kind listens unless told otherwise, and how it tells its models."""

    server: str
    port: int
    path: str = "/v1/models"
    models: str = "data"
    name: str = "id"


PLACES = (
    Place(server="Ollama", port=11434, path="/api/tags", models="models", name="name"),
    Place(server="LM Studio", port=1234),
    Place(server="llama.cpp", port=8080),
)


async def local_model_server(*, places: tuple[Place, ...] = PLACES, within: float = WITHIN) -> Found | None:
    """The first of the places where a server tells of a chat model; None when there is none. Never raises."""
    answers = await asyncio.gather(*(_look(place, within) for place in places))
    return next((found for found in answers if found), None)


async def _look(place: Place, within: float) -> Found | None:
    try:
        async with asyncio.timeout(within):
            told = await _get(place.port, place.path)
    except (OSError, ValueError, TimeoutError, EOFError, RecursionError):
        return None
    model = _chat_model(told, place)
    if model is None:
        return None
    return Found(server=place.server, base_url=f"http://127.0.0.1:{place.port}/v1", model=model)


async def _get(port: int, path: str) -> object:
    """The JSON that a server here gives. HTTP/1.0, so that the body comes in one piece and ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    try:
        writer.write(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\nAccept: application/json\r\n\r\n".encode())
        await writer.drain()
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200" not in head.split(b"\r\n", 1)[0]:
            raise ValueError("not found there")
        body = await reader.read(1 << 20)
        while not reader.at_eof() and len(body) < 1 << 20:
            body += await reader.read(1 << 20)
        return json.loads(body)
    finally:
        writer.close()


def _chat_model(told: object, place: Place) -> str | None:
    """The first model listed that is not known by its name to do something else."""
    models = cast("dict[str, object]", told).get(place.models) if isinstance(told, dict) else None
    for model in cast("list[object]", models) if isinstance(models, list) else []:
        name = cast("dict[str, object]", model).get(place.name) if isinstance(model, dict) else None
        if isinstance(name, str) and has_something_to_see(name) and not _NOT_FOR_CHAT.search(name):
            return name
    return None
