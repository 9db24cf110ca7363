"""Three embedding models one after the other, while people talk and the bot answers."""

from __future__ import annotations

import asyncio
import json
from typing import cast

from aiohttp import web

from bot.memory.embed import BATCH
from tests.fakes.bot_api_values import Bell
from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer, Asked, OpenAIServer
from tests.system.conftest import Companion, line
from tests.system.world import World, answer, around, asked_in, ends

_LACKING = """
    SELECT count(*) FROM messages m
    WHERE NOT EXISTS (SELECT FROM vectors_3 v WHERE v.chat_id = m.chat_id AND v.message_id = m.message_id)
"""
PATIENCE = 60.0
PAST = 400
SIZES = {"stub-embed": 256, "middle": 512, "large": 1024}
KEY = "the spare key hangs behind the boiler"


class Models(OpenAIServer):
    """Can be told to embed no passage by a model from some request on."""

    def __init__(self) -> None:
        super().__init__(dimension=256)
        self.dimensions = dict(SIZES)
        self.bell = Bell()
        self.held: str | None = None
        self.lets_through = 0
        self.waiting = 0

    def holds(self, model: str, *, behind: int) -> None:
        """Let so many batches by a model through, and then none."""
        self.held, self.lets_through, self.waiting = model, behind, 0

    def passages(self, model: str) -> list[str]:
        """All that it was asked to embed."""
        return [text for asked in self.requests(EMBEDDINGS) if asked.body["model"] == model for text in asked.texts]

    def lets_go(self) -> None:
        self.held = None
        self.bell.ring()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        if request.path.endswith(EMBEDDINGS):
            asked = json.loads(await request.text())
            if asked["model"] == self.held and len(asked["input"]) > 1:
                self.lets_through -= 1
                if self.lets_through < 0:
                    self.waiting += 1
                    self.bell.ring()
                    await self.bell.until(lambda: self.held != asked["model"], within=PATIENCE)
        return await super()._serve(request)


def _answers(asked: Asked) -> Answer:
    """What recall brought, or not, and what was asked last."""
    prompt = cast("str", asked.body["messages"][-1]["content"])
    past, _, new = prompt.partition("# New messages")
    number = new.rpartition("number ")[2].split()[0]
    return answer(f"{number}: {'boiler' if KEY in past else 'no idea'}")


async def _states(world: World) -> dict[str, str]:
    rows = await world.query("SELECT name, state FROM embedding_models ORDER BY model_id")
    return {row["name"]: row["state"] for row in rows}


async def test_two_switches_while_people_talk_and_a_kill_in_the_middle_of_one(prepared: Companion) -> None:
    async with around(prepared, models=Models()) as world:
        models = cast("Models", world.models)
        models.always(CHAT, _answers)
        api, mia = world.api, world.mia
        ann = api.person("Ann")
        chat = api.private(ann, mia)
        process = await world.starts()
        await ann.says(mia, "number 0 hello")
        await api.sent(chat, 1, within=PATIENCE)
        [[ours]] = await world.query("SELECT chat_id FROM chats")
        past = [line(n, KEY if n == 300 else f"small talk about thing {n % 90} on day {n}") for n in range(PAST)]
        env = world.env
        await prepared.done("import", _written(prepared, past), "--chat", str(ours), **env)
        said = 1

        async def asks() -> str:
            """The bot's answer to one more question."""
            nonlocal said
            await ann.says(mia, f"{KEY}, does it not? number {said} please")
            said += 1
            return (await api.sent(chat, said, within=PATIENCE))[-1].text

        assert await asks() == "1: boiler"

        # The bot alone builds; it is killed in the middle, and another goes on.
        models.holds("middle", behind=4)
        told = (await prepared.done("embed", "switch", "middle", "--no-wait", "--json", **env)).json
        assert (told["state"], told["dimension"], told["embedded"]) == ("building", 512, 0)
        assert await models.bell.until(lambda: models.waiting > 0, within=PATIENCE)
        assert await asks() == "2: boiler"
        looked = (await prepared.done("embed", "status", "--json", **env)).json["models"]
        assert [(each["name"], each["state"]) for each in looked] == [("stub-embed", "in use"), ("middle", "building")]
        half = looked[1]["embedded"]
        assert 0 < half < PAST
        assert looked[0]["index"] == "hnsw, vector_cosine_ops"
        assert looked[1]["why_no_index"] == "it is made once all is embedded"
        process.kill()
        await process.wait()
        await ann.says(mia, f"number {said} was said to nobody, {KEY}")
        said += 1
        asked = len(models.passages("middle"))
        models.lets_go()
        # What time does by itself.
        await world.query("UPDATE jobs.pgqueuer SET heartbeat = now() - interval '1 minute'")
        await world.query("UPDATE lanes SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL")
        await world.query("UPDATE pollers SET lease_until = now() - interval '1 s'")
        process = await world.starts()
        await api.sent(chat, said, within=PATIENCE)
        await _until_in_use(world, "middle")
        assert len(models.passages("middle")) - asked < PAST + BATCH + 50 - half, (
            "only the batch that was cut is embedded again"
        )
        assert await asks() == f"{said - 1}: boiler"
        assert await _states(world) == {"stub-embed": "leaving", "middle": "in use"}

        # A command that waits takes part in the work; people talk all the while.
        models.holds("large", behind=2)
        switching = asyncio.create_task(
            prepared.done("embed", "switch", "large", "--dimension", "1024", "--keep", **env)
        )
        assert await models.bell.until(lambda: models.waiting > 0, within=PATIENCE)
        assert await asks() == f"{said - 1}: boiler"
        models.lets_go()
        while not switching.done():
            assert await asks() == f"{said - 1}: boiler"
        ran = await switching
        assert ran.out == "large (1,024 numbers) is the embedding model in use\n"
        assert "EMBEDDING_MODEL=large" in ran.err
        assert await asks() == f"{said - 1}: boiler"

        await world.query("UPDATE embedding_models SET since = now() - interval '1 hour'")
        # A job that the command had in hand when it ended is found again after half a minute.
        await world.query("UPDATE jobs.pgqueuer SET execute_after = now(), heartbeat = now() - interval '1 minute'")
        assert await asks() == f"{said - 1}: boiler"  # what is new wakes whoever works in the background
        while "stub-embed" in await _states(world):
            pass  # each look is a round trip
        while (await world.query(_LACKING))[0][0]:
            pass
        err = await ends(process)
        assert "Traceback" not in err
        assert await _states(world) == {"middle": "kept", "large": "in use"}
        assert [name for [name] in await world.query("SELECT to_regclass('vectors_1')")] == [None]

        turns = await world.query(
            "SELECT inputs ->> 'embedding_model' AS model, inputs ->> 'missing' AS missing FROM turns"
        )
        assert {turn["model"] for turn in turns} == set(SIZES)
        assert [turn["missing"] for turn in turns if "failed" in (turn["missing"] or "")] == []
        assert all(KEY in prompt for prompt in asked_in(models)[1:])


def _written(companion: Companion, messages: list[dict[str, object]]) -> str:
    file = companion.folder / "past.jsonl"
    file.write_text("".join(f"{json.dumps(message)}\n" for message in messages), "utf-8")
    return str(file)


async def _until_in_use(world: World, name: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while (await _states(world)).get(name) != "in use":
            pass  # each look is a round trip
