"""Whether a chat model runs on this machine already."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import cast

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.discover import Place, local_model_server
from tests.fakes.openai_server import OpenAIServer

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def serving(path: str, handler: Handler) -> AsyncGenerator[int]:
    """A server with one path; its port."""
    app = web.Application()
    app.router.add_get(path, handler)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield cast("tuple[str, int]", runner.addresses[0])[1]
    await runner.cleanup()


def ollama(port: int) -> Place:
    return Place(server="Ollama", port=port, path="/api/tags", models="models", name="name")


def answering(body: object, status: int = 200) -> Handler:
    async def answer(request: web.Request) -> web.Response:
        return web.json_response(body, status=status)

    return answer


async def test_the_first_model_that_can_chat_is_named_with_its_address() -> None:
    names = ["nomic-embed-text:latest", "bge-m3:latest", "all-minilm", "qwen3:8b", "llama3"]
    body = {"models": [{"name": name} for name in names]}
    async with serving("/api/tags", answering(body)) as port:
        found = await local_model_server(places=(ollama(port),), within=5)
    assert found
    assert (found.server, found.model, found.base_url) == ("Ollama", "qwen3:8b", f"http://127.0.0.1:{port}/v1")


async def test_any_openai_compatible_server_will_do(api: OpenAIServer) -> None:
    found = await local_model_server(places=(Place(server="LM Studio", port=api.port),), within=5)
    assert found
    assert (found.base_url, found.model) == (api.base_url, "stub")


async def test_places_are_preferred_in_order(api: OpenAIServer) -> None:
    body = {"models": [{"name": "qwen3"}]}
    async with serving("/api/tags", answering(body)) as port:
        places = (ollama(9), ollama(port), Place(server="llama.cpp", port=api.port))
        found = await local_model_server(places=places, within=5)
    assert found
    assert found.model == "qwen3"


@pytest.mark.parametrize(
    "body", [None, [], {}, {"models": None}, {"models": [None, {}, {"name": 7}, {"name": " "}, {"name": "bge-m3"}]}]
)
async def test_a_server_without_a_chat_model_is_none(body: object) -> None:
    async with serving("/api/tags", answering(body)) as port:
        assert await local_model_server(places=(ollama(port),), within=5) is None


async def test_another_kind_of_server_is_none() -> None:
    async def page(request: web.Request) -> web.Response:
        return web.Response(text="<html>a web server</html>", content_type="text/html")

    async with serving("/api/tags", page) as port:
        assert await local_model_server(places=(ollama(port), Place(server="x", port=port)), within=5) is None


async def test_nobody_there_is_none_and_quickly() -> None:
    assert await local_model_server(places=(ollama(9), Place(server="x", port=9))) is None


async def test_a_server_that_never_answers_is_none() -> None:
    async def hang(request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse()
        await stream.prepare(request)
        await stream.write(b'{"models": [')
        await asyncio.Event().wait()
        return stream

    async with serving("/api/tags", hang) as port:
        assert await local_model_server(places=(ollama(port),), within=0.05) is None


@given(head=st.binary(max_size=60), body=st.binary(max_size=60))
async def test_whatever_listens_there_it_never_raises(head: bytes, body: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.0 200 OK\r\n" + head + b"\r\n\r\n" + body)
        writer.close()

    listening = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    assert await local_model_server(places=(ollama(port),), within=5) is None
    listening.close()
