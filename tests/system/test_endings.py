"""Beginning and end of the whole bot while something else is away: no wait is without a bound, and nothing is lost."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from aiohttp.test_utils import unused_port

from bot.commands.run import LONGEST_END
from tests.fakes.bot_api import BotApi
from tests.fakes.openai_server import CHAT, Answer
from tests.fakes.pg_proxy import PgProxy
from tests.system.conftest import Companion
from tests.system.world import World, around, ends

SHORT_END = 1.0
"""For most tests instead of LONGEST_END."""
OVERHEAD = 1.5
"""Seconds that ending a process may take beside what it waits for."""
BOUNDED = """
import sys
from bot.cli import main
from bot.commands import run
run.LONGEST_END = float(sys.argv[1])
sys.exit(main(["run"]))
"""


@asynccontextmanager
async def hanging_database(world: World) -> AsyncGenerator[tuple[str, asyncio.Event]]:
    """The address of a database that answers nothing any more once the event is set."""
    async with PgProxy(world.companion.env["DATABASE_URL"]) as proxy:
        hangs, never = asyncio.Event(), asyncio.Event()

        async def answer(number: int) -> None:
            proxy.at(1, answer)
            if hangs.is_set():
                await never.wait()

        proxy.at(1, answer)
        yield proxy.dsn, hangs


async def starts(world: World, *, longest_end: float = SHORT_END, **env: str) -> Process:
    """The bot, once it polls."""
    command = [sys.executable, "-c", BOUNDED, str(longest_end)]
    process = await world.companion.launch(command, {**world.env, **env})
    await world.api.was_asked("getUpdates", 1)
    return process


async def takes_to_end(process: Process) -> float:
    """Seconds from SIGTERM to the end."""
    told = time.monotonic()
    process.send_signal(signal.SIGTERM)
    await process.wait()
    return time.monotonic() - told


async def a_turn_hangs(world: World) -> None:
    """Somebody asks, and the model does not answer."""
    asked = len(world.models.requests(CHAT))
    world.models.always(CHAT, Answer(fault="hang"))
    await world.api.person("Bob").says(world.mia, "are you there?")
    while len(world.models.requests(CHAT)) == asked:
        await world.query("SELECT")  # a round trip


@pytest.mark.parametrize(
    "longest_end", [SHORT_END, pytest.param(LONGEST_END, marks=pytest.mark.soak)], ids=["short", "true"]
)
async def test_sigterm_ends_it_in_time_while_the_database_hangs(prepared: Companion, longest_end: float) -> None:
    async with around(prepared) as world, hanging_database(world) as (dsn, hangs):
        process = await starts(world, longest_end=longest_end, DATABASE_URL=dsn)
        await a_turn_hangs(world)
        hangs.set()
        assert await takes_to_end(process) < longest_end + OVERHEAD
        _, err = await process.communicate()
        assert process.returncode == 1
        assert f"not all had ended after {longest_end:.0f} s" in err.decode()


async def test_a_second_signal_ends_it_at_once_and_nothing_is_lost(prepared: Companion) -> None:
    async with around(prepared) as world:
        process = await starts(world, longest_end=LONGEST_END)
        await a_turn_hangs(world)
        process.send_signal(signal.SIGINT)
        while await world.query("SELECT FROM pollers"):
            pass  # each look is a round trip; the first signal was heard
        assert process.returncode is None
        assert await takes_to_end(process) < OVERHEAD
        assert process.returncode == 1
        [unread] = await world.query("SELECT text FROM messages WHERE read_at IS NULL")
        assert unread["text"] == "are you there?"
        assert await world.query("SELECT FROM lanes WHERE due_at IS NOT NULL")


@pytest.mark.soak
async def test_sigterm_ends_it_in_order_while_the_model_and_telegram_hang(prepared: Companion) -> None:
    async with around(prepared) as world:
        process = await starts(world, longest_end=LONGEST_END)
        sending = world.api.hang("sendMessage")
        await world.api.person("Ann").says(world.mia, "hello")
        await sending.reached()
        await a_turn_hangs(world)
        world.api.hang("getUpdates", times=1000)
        took = await takes_to_end(process)
        print(f"ended after {took:.1f} s")
        assert took < LONGEST_END
        assert process.returncode == 0, (await process.communicate())[1].decode()
        assert [row["state"] for row in await world.query("SELECT state FROM outbox")] == ["unknown"]


async def test_a_telegram_that_is_away_at_the_start_is_waited_for(prepared: Companion) -> None:
    async with around(prepared) as world:
        port = unused_port()
        away = {**world.env, "TELEGRAM_API_BASE_URL": f"http://127.0.0.1:{port}", "TELEGRAM_BOT_TOKEN": world.mia.token}
        process = await prepared.start("run", **away)
        assert process.stderr
        assert b"Telegram does not answer yet" in await process.stderr.readline()
        async with BotApi(port=port) as api:
            mia, ann = api.bot("Mia", username="mia_bot", token=world.mia.token), api.person("Ann")
            await api.was_asked("getUpdates", 1)
            await ann.says(mia, "hello")
            [said] = await api.sent(api.private(ann, mia), 1)
            assert said.text == "hello"
            assert mia.token not in await ends(process)
