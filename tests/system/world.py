"""Everything around the whole bot: Telegram, a model server and a collector on this machine, and a real database."""

from __future__ import annotations

import json
import signal
import time
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

import asyncpg

from tests.fakes.bot_api import BotApi
from tests.fakes.bot_api_values import Bot
from tests.fakes.openai_server import CHAT, Answer, OpenAIServer, completion
from tests.fakes.otlp_receiver import OtlpReceiver
from tests.system.conftest import Companion

_SESSIONS = """
SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend'
"""


@dataclass(frozen=True, kw_only=True)
class World:
    """Everything around the bot."""

    api: BotApi
    mia: Bot
    models: OpenAIServer
    spans: OtlpReceiver
    companion: Companion
    more: Mapping[str, str]
    """Settings beside the usual ones, or instead of them."""

    @property
    def env(self) -> dict[str, str]:
        return {
            "TELEGRAM_BOT_TOKEN": self.mia.token,
            "TELEGRAM_API_BASE_URL": self.api.base_url,
            "LLM_API_BASE_URL": self.models.base_url,
            "LLM_API_KEY": "sk-secret",
            "LLM_MODEL": "stub-chat",
            "EMBEDDING_API_BASE_URL": self.models.base_url,
            "EMBEDDING_MODEL": "stub-embed",
            "EMBEDDING_DIMENSION": "256",
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": self.spans.endpoint,
            **self.more,
        }

    async def starts(self) -> Process:
        """The bot, once it polls."""
        asked = len(self.api.requests("getUpdates"))
        process = await self.companion.start("run", **self.env)
        await self.api.was_asked("getUpdates", asked + 1)
        return process

    async def leases_run_out(self) -> None:
        """What time does by itself once a process was killed and the server has noticed; `make soak` waits for it."""
        while await self.query(_SESSIONS):
            pass  # each look is a round trip
        for table in ("lanes", "pollers", "outbox"):
            await self.query(
                f"UPDATE {table} SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL"  # noqa: S608
            )

    async def query(self, sql: str, *args: object) -> list[asyncpg.Record]:
        connection = await asyncpg.connect(self.companion.env["DATABASE_URL"])
        try:
            return await connection.fetch(sql, *args)
        finally:
            await connection.close()


@asynccontextmanager
async def around(
    companion: Companion,
    *,
    models: OpenAIServer | None = None,
    clock: Callable[[], float] = time.time,
    more: Mapping[str, str] = MappingProxyType({}),
) -> AsyncGenerator[World]:
    """`clock` is Telegram's; the bot and the database have the computer's own."""
    async with BotApi(clock=clock) as api, models or OpenAIServer(dimension=256) as asked, OtlpReceiver() as spans:
        mia = api.bot("Mia", username="mia_bot")
        yield World(api=api, mia=mia, models=asked, spans=spans, companion=companion, more=more)


async def ends(process: Process) -> str:
    """The bot, told to stop: what it had to say. It must end in order."""
    process.send_signal(signal.SIGTERM)
    _, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return err.decode()


def answer(*messages: str) -> Answer:
    return Answer(body=completion(json.dumps({"action": "send_message", "messages": list(messages)})))


def asked_in(models: OpenAIServer) -> list[str]:
    """The prompts that the chat model was asked, as it reads them."""
    return [request.body["messages"][-1]["content"] for request in models.requests(CHAT)]
