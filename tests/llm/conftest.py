"""A server of its own for each test, and the adapters that talk to it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.llm.chat import OpenAIChat
from bot.llm.embeddings import OpenAIEmbedder
from tests.fakes.openai_server import OpenAIServer

KEY = "sk-very-secret-0123456789"


@pytest.fixture
async def api() -> AsyncIterator[OpenAIServer]:
    """An OpenAI-compatible server that only this test sees."""
    async with OpenAIServer(dimension=8) as api:
        yield api


@pytest.fixture
async def chat(api: OpenAIServer) -> AsyncIterator[OpenAIChat]:
    """The chat adapter, pointed at that server."""
    chat = OpenAIChat(base_url=api.base_url, model="stub", api_key=KEY, timeout=20)
    yield chat
    await chat.aclose()


@pytest.fixture
async def embedder(api: OpenAIServer) -> AsyncIterator[OpenAIEmbedder]:
    """The embedding adapter, pointed at that server."""
    embedder = OpenAIEmbedder(base_url=api.base_url, model="stub", api_key=KEY, timeout=20)
    yield embedder
    await embedder.aclose()
