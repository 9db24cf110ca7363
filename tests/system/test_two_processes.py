"""Two processes on one database and one token: one polls, both answer, and each is there for the other."""

from __future__ import annotations

import time
from typing import cast

from aiohttp import web

from bot.lanes import PARALLEL
from tests.fakes.bot_api_people import Person
from tests.fakes.bot_api_values import Bell
from tests.fakes.openai_server import CHAT, Answer, Asked, OpenAIServer
from tests.system.conftest import Companion
from tests.system.world import World, answer, around, ends

PATIENCE = 60.0
CROWD = PARALLEL + 6
"""More chats than one process has turns at once, so that some are left for the other."""
TAKES_OVER_WITHIN = 15.0


class SlowModel(OpenAIServer):
    """Thinks until it is let go."""

    def __init__(self) -> None:
        super().__init__(dimension=256)
        self.thinking = 0
        self._bell = Bell()
        self._may_answer = True

    def holds(self) -> None:
        """Answer nobody from now on."""
        self._may_answer = False

    def lets_go(self) -> None:
        """Answer everybody."""
        self._may_answer = True
        self._bell.ring()

    async def thinks(self, count: int) -> None:
        """Until so many wait for an answer."""
        assert await self._bell.until(lambda: self.thinking >= count, within=PATIENCE), self.thinking

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        if request.path.endswith(CHAT):
            await request.read()  # else it could not be read any more once who asked is gone
            self.thinking += 1
            self._bell.ring()
            await self._bell.until(lambda: self._may_answer, within=PATIENCE)
            self.thinking -= 1
        return await super()._serve(request)


def _echo(asked: Asked) -> Answer:
    """What was said last, said again."""
    new = cast("str", asked.body["messages"][-1]["content"]).rpartition("# New messages")[2]
    return answer(f"You said: {new.rpartition('> ')[2].splitlines()[0]}")


async def _is_answered(world: World, person: Person, *texts: str) -> None:
    """All these texts in a private chat, each once and in order."""
    said = await world.api.sent(world.api.private(person, world.mia), len(texts), within=PATIENCE)
    assert [message.text for message in said] == [f"You said: {text}" for text in texts]


async def test_one_polls_both_answer_and_when_the_poller_is_killed_the_other_goes_on(prepared: Companion) -> None:
    model = SlowModel()
    model.always(CHAT, _echo)
    async with around(prepared, models=model) as world:
        api, mia = world.api, world.mia
        crowd, late = [api.person(f"Ann{n}") for n in range(CROWD)], api.person("Bob")
        polling = await world.starts()
        other = await prepared.start("run", **world.env)
        await api.was_asked("getMe", 2, within=PATIENCE)

        model.holds()
        for person in crowd:
            await person.says(mia, "hello")
        await model.thinks(CROWD)
        assert await _busy(world) == 2
        model.lets_go()
        for person in crowd:
            await _is_answered(world, person, "hello")

        model.holds()
        for person in crowd:
            await person.says(mia, "still there?")
        await model.thinks(CROWD)
        assert await _busy(world) == 2
        assert {asked.status for asked in api.requests("getUpdates")} <= {200, None}, "only one polls"
        polls, killed_at = len(api.requests("getUpdates")), time.monotonic()
        polling.kill()
        await late.says(mia, "and now?")
        await api.was_asked("getUpdates", polls + 1, within=PATIENCE)
        took = time.monotonic() - killed_at
        print(f"the other polls {took:.1f} s after the poller was killed")
        assert took <= TAKES_OVER_WITHIN
        model.lets_go()
        await _is_answered(world, late, "and now?")
        for person in crowd:
            await _is_answered(world, person, "hello", "still there?")

        await ends(other)
        said = [text for [text] in await world.query("SELECT text FROM messages WHERE persona IS NOT NULL")]
        assert len(said) == len(api.requests("sendMessage")) == 2 * CROWD + 1, "nobody is answered twice"


async def _busy(world: World) -> int:
    """How many processes think about an answer."""
    [[owners]] = await world.query("SELECT count(DISTINCT owner) FROM lanes WHERE lease_until > now()")
    return owners
