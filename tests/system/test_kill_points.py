"""kill -9 at any request that the bot makes: nothing is lost, nothing comes twice, and the next start goes on.

A run without a kill lists the requests to the database, the model and Telegram from the start to the last bubble; each
test then kills the bot at one of them, before it is passed on or after it was dealt with but before the bot knows.
`make soak` tries many more of them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import asyncpg
import pytest

from bot.telegram.sending import SENDING_LEASE
from tests.fakes.bot_api_values import Chat
from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer, Asked
from tests.fakes.pg_proxy import PgProxy, When
from tests.servers import database
from tests.system.conftest import Companion
from tests.system.leaks import found
from tests.system.world import World, answer, around, ends

PATIENCE = 30.0
"""Seconds in which everything has to come to rest."""
DATABASE, MODEL = "database", "model"
IN_TEA, IN_PRIVATE = ("On the top shelf.", "Bob put it there."), ("Good morning, Ann.", "Did you sleep well?")
SAID = ("I tidied the kitchen", "thank you", "@mia_bot where is the kettle?", "good morning")


@dataclass(frozen=True, slots=True, kw_only=True)
class KillPoint:
    """A request, by whom it is made to and which of theirs it is."""

    to: str
    """`database`, `model`, or a method of the Bot API."""
    number: int
    """From 1, since the start of the program."""

    def __str__(self) -> str:
        return f"{self.to} {self.number}"


class Flow:
    """Two people, their group and a private chat, and a bot in both."""

    def __init__(self, world: World, proxy: PgProxy, look: asyncpg.Connection[Any]) -> None:
        self.world, self._proxy, self._look = world, proxy, look
        self._ann, self._bob = world.api.person("Ann"), world.api.person("Bob")
        self.tea = world.api.supergroup("Tea", self._ann, self._bob, world.mia)
        self.private = world.api.private(self._ann, world.mia)
        self._model_asked: list[float] = []
        self._doomed: tuple[int, int] | None = None
        world.models.always(CHAT, _answers)
        for path in (CHAT, EMBEDDINGS):
            world.models.always(path, self._count_model)

    async def starts(self, kill_at: KillPoint | None = None, *, when: When = "before") -> Process:
        """The program, going to be killed there."""
        process = await self.world.companion.start("run", **{**self.world.env, "DATABASE_URL": self._proxy.dsn})
        if kill_at is None:
            return process
        match kill_at.to:
            case "database":
                self._proxy.kill(process.pid, request=kill_at.number, when=when)
            case "model":
                self._doomed = (process.pid, kill_at.number)
            case method:
                self.world.api.kill(process.pid, request=kill_at.number, when=when, method=method)
        return process

    async def goes_on(self) -> Process:
        """The program once more, once it polls: before, it may have nothing to do and not yet know how to end."""
        asked = len(self.world.api.requests("getUpdates"))
        process = await self.starts()
        await _first(self.world.api.was_asked("getUpdates", asked + 1, within=PATIENCE), process.wait())
        return process

    async def is_talked_in(self, process: Process) -> None:
        """What people say: half of it while the bot starts, half once it listens, or is dead."""
        await self._ann.says(self.tea, SAID[0])
        await self._bob.says(self.tea, SAID[1])
        await _first(self.world.api.was_asked("getUpdates", 1, within=PATIENCE), process.wait())
        await self._ann.says(self.tea, SAID[2])
        await self._ann.says(self.world.mia, SAID[3])

    async def comes_to_rest(self, process: Process, *, within: float = PATIENCE) -> None:
        """Until all is kept, answered and settled."""
        await _first(process.wait(), self._rest(within))
        if process.returncode is not None:
            _, err = await process.communicate()
            raise AssertionError(f"ended by itself: {process.returncode} {err.decode()}")

    async def is_killed_or_comes_to_rest(self, process: Process) -> bool:
        """Whether the kill point was reached; if not, it is killed now."""
        await _first(process.wait(), self._rest(PATIENCE))
        reached = process.returncode is not None
        if not reached:
            process.kill()
        _, err = await process.communicate()
        self._tells_nothing(err.decode())
        assert process.returncode == -signal.SIGKILL, err.decode()
        return reached

    async def ends(self, process: Process) -> None:
        """Told to stop, it ends in order."""
        self._tells_nothing(await ends(process))

    def _tells_nothing(self, err: str) -> None:
        """Neither a secret nor a text is in the log of a process."""
        secrets = (self.world.mia.token, self.world.env["LLM_API_KEY"])
        assert found([*secrets, *SAID, *IN_TEA, *IN_PRIVATE], err) == []

    async def _rest(self, within: float) -> None:
        """Looks again at each request that the bot makes."""
        try:
            async with asyncio.timeout(within):
                while self.world.mia.updates.pending or not await self._look.fetchval(_AT_REST, len(SAID)):
                    asked = len(self._proxy.asked)
                    await self._proxy.bell.until(lambda n=asked: len(self._proxy.asked) > n, within=within)
        except TimeoutError:
            seen = [await self._look.fetch(f"SELECT * FROM {table}") for table in ("lanes", "outbox", "inbox")]  # noqa: S608
            raise AssertionError(f"after {within} s: {seen}, {self.world.mia.updates.pending}") from None

    async def leases_run_out(self) -> None:
        """What time does by itself, once the server has noticed that its client is gone."""
        while await self._look.fetchval(_SESSIONS):
            pass  # each look is a round trip
        for table in ("lanes", "pollers", "outbox"):
            await self._look.execute(
                f"UPDATE {table} SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL"  # noqa: S608
            )

    def requests(self) -> list[KillPoint]:
        """All requests so far, in order."""
        came = [(asked.at, asked.method) for asked in self.world.api.asked]
        came += [(at, DATABASE) for at in self._proxy.asked] + [(at, MODEL) for at in self._model_asked]
        numbers = Counter[str]()
        points: list[KillPoint] = []
        for _, to in sorted(came):
            numbers[to] += 1
            points.append(KillPoint(to=to, number=numbers[to]))
        return points

    async def states(self, chat: Chat) -> list[str]:
        """What became of the bubbles for a chat, in order."""
        source = f"telegram:{self.world.mia.id}:{chat.id}"
        rows = await self._look.fetch("SELECT state FROM outbox WHERE source = $1 ORDER BY n", source)
        return [row["state"] for row in rows]

    async def holds(self) -> None:
        """What must be true however often the bot was killed."""
        kept = await self._look.fetch("SELECT text FROM messages WHERE persona IS NULL ORDER BY chat_id, message_id")
        assert sorted(row["text"] for row in kept) == sorted(SAID)
        for chat, texts in ((self.tea, IN_TEA), (self.private, IN_PRIVATE)):
            arrived = [message.text for message in self.world.api.by_bots(chat)]
            assert arrived == [text for text in texts if text in arrived], "each at most once, in order"
            source = f"telegram:{self.world.mia.id}:{chat.id}"
            rows = await self._look.fetch("SELECT n, text, state FROM outbox WHERE source = $1 ORDER BY n", source)
            assert [row["text"] for row in rows] == list(texts), "one turn, and all that it said"
            assert {row["state"] for row in rows} <= {"sent", "unknown"}
            sent = [row["text"] for row in rows if row["state"] == "sent"]
            assert set(sent) <= set(arrived)
            own = await self._look.fetch(
                "SELECT text FROM messages WHERE source = $1 AND persona IS NOT NULL ORDER BY message_id", source
            )
            assert [row["text"] for row in own] == sent, "what it knows to have said is a message"

    def _count_model(self, _: Asked) -> Answer | None:
        self._model_asked.append(time.time())
        if self._doomed and self._doomed[1] == len(self._model_asked):
            with suppress(ProcessLookupError):
                os.kill(self._doomed[0], signal.SIGKILL)
        return None


_AT_REST = """
SELECT (SELECT count(*) FROM messages WHERE persona IS NULL) >= $1 AND (SELECT count(*) FROM outbox) >= 4
    AND NOT EXISTS (SELECT FROM outbox WHERE state IN ('waiting', 'sending'))
    AND NOT EXISTS (SELECT FROM lanes WHERE due_at IS NOT NULL OR lease_until IS NOT NULL)
"""
_SESSIONS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND backend_type = 'client backend'
"""


def _answers(asked: Asked) -> Answer:
    new = cast("str", asked.body["messages"][-1]["content"]).rpartition("# New messages")[2]
    return answer(*IN_TEA) if "kettle" in new else answer(*IN_PRIVATE)


async def _first(*waits: Coroutine[Any, Any, object]) -> None:
    """Until one of them is over; if that failed, so does this."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    done, late = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    for task in done:
        task.result()


@asynccontextmanager
async def _flow(companion: Companion) -> AsyncGenerator[Flow]:
    dsn = companion.env["DATABASE_URL"]
    async with around(companion) as world, PgProxy(dsn) as proxy:
        look = await asyncpg.connect(dsn)
        try:
            yield Flow(world, proxy, look)
        finally:
            await look.close()


@pytest.fixture(scope="module")
def requests(server: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> Sequence[KillPoint]:
    """What the bot asks of others when it is not killed, from its start to the last bubble."""
    name = f"unharmed_{template}"

    async def unharmed(folder: Path) -> Sequence[KillPoint]:
        admin = await asyncpg.connect(server)
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        root = str(Path(__file__).parents[2])
        env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONPATH": root, "PACE": "0"}
        companion = Companion(folder=folder, env={**env, "DATABASE_URL": database(server, name)})
        try:
            async with _flow(companion) as flow:
                process = await flow.starts()
                await flow.is_talked_in(process)
                await flow.comes_to_rest(process)
                asked = flow.requests()
                await flow.ends(process)
                await flow.holds()
                assert [*await flow.states(flow.tea), *await flow.states(flow.private)] == ["sent"] * 4
                return asked
        finally:
            for process in companion.running:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
            await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
            await admin.close()

    return asyncio.run(unharmed(tmp_path_factory.mktemp("unharmed")))


FEW, MANY = 6, 40
SPREAD = [
    *[pytest.param(nth, FEW, id=f"{nth + 1} of {FEW}") for nth in range(FEW)],
    *[pytest.param(nth, MANY, id=f"{nth + 1} of {MANY}", marks=pytest.mark.soak) for nth in range(MANY)],
]


@pytest.mark.parametrize(("nth", "of"), SPREAD)
async def test_a_bot_killed_anywhere_loses_nothing_says_nothing_twice_and_goes_on(
    prepared: Companion, requests: Sequence[KillPoint], nth: int, of: int
) -> None:
    point = requests[(2 * nth + 1) * len(requests) // (2 * of)]
    when: When = "after" if nth % 2 else "before"
    async with _flow(prepared) as flow:
        process = await flow.starts(point, when=when)
        await flow.is_talked_in(process)
        reached = await flow.is_killed_or_comes_to_rest(process)
        print(f"killed {when} {point} of {len(requests)} requests{'' if reached else ', at rest'}")
        await flow.leases_run_out()
        again = await flow.goes_on()
        await flow.comes_to_rest(again)
        await flow.holds()
        await flow.ends(again)


@pytest.mark.parametrize(
    ("bubble", "when"),
    [
        (1, "before"),
        (1, "after"),
        *[pytest.param(n, when, marks=pytest.mark.soak) for n in (2, 3, 4) for when in ("before", "after")],
    ],
)
async def test_a_bubble_cut_after_it_was_written_becomes_unknown_and_is_not_sent_again(
    prepared: Companion, bubble: int, when: When
) -> None:
    async with _flow(prepared) as flow:
        process = await flow.starts(KillPoint(to="sendMessage", number=bubble), when=when)
        await flow.is_talked_in(process)
        assert await flow.is_killed_or_comes_to_rest(process)
        cut = flow.world.api.requests("sendMessage")[bubble - 1].args["text"]
        await flow.leases_run_out()
        again = await flow.goes_on()
        await flow.comes_to_rest(again)
        await flow.holds()
        await flow.ends(again)
        arrived = [message.text for chat in (flow.tea, flow.private) for message in flow.world.api.by_bots(chat)]
        assert arrived.count(cut) == (when == "after")
        unknown = await flow.world.query("SELECT text, problem FROM outbox WHERE state = 'unknown'")
        assert (cut, "cut while it was being sent") in [tuple(row) for row in unknown]


@pytest.mark.soak
async def test_time_alone_puts_right_what_a_kill_left(prepared: Companion) -> None:
    async with _flow(prepared) as flow:
        process = await flow.starts(KillPoint(to="sendMessage", number=1), when="after")
        await flow.is_talked_in(process)
        assert await flow.is_killed_or_comes_to_rest(process)
        again = await flow.goes_on()
        await flow.comes_to_rest(again, within=SENDING_LEASE + 2 * PATIENCE)
        await flow.holds()
        await flow.ends(again)
        states = [*await flow.states(flow.tea), *await flow.states(flow.private)]
        assert sorted(states) == ["sent", "sent", "sent", "unknown"]
