"""Three embedding models one after the other, while two processes answer and people talk."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import cast

from aiohttp import web

from bot.lanes import PARALLEL
from bot.memory.embed import BATCH
from bot.model import ChatId, EmbeddingModel, NewMessage
from bot.store import PostgresStore
from bot.store.vectors import table_of
from tests.fakes.bot_api_people import Person
from tests.fakes.bot_api_values import Bell
from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer, Asked, OpenAIServer
from tests.system.conftest import Companion
from tests.system.world import World, answer, around, ends

PATIENCE = 60.0
PAST = 3 * BATCH
SIZES = {"small": 512, "middle": 1536, "large": 3072}
KEY = "the spare key hangs behind the boiler"
ASKED = "the spare key hangs behind the what? number"
_BUSY = "SELECT count(DISTINCT owner) FROM lanes WHERE lease_until > now()"
_UNTOLD = "SELECT count(*) FROM outbox WHERE state IN ('waiting', 'sending')"
_VECTORS = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'vectors%' ORDER BY relname"
_TURNS = "SELECT inputs ->> 'embedding_model' AS model, inputs ->> 'missing' AS missing FROM turns"
_LACKING = """
    SELECT m.text FROM messages m
    WHERE NOT EXISTS (SELECT FROM {vectors} v WHERE v.chat_id = m.chat_id AND v.message_id = m.message_id)
"""


class Models(OpenAIServer):
    """Can be told to embed no batch by a model from some request on, and to answer nobody for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.dimensions = dict(SIZES)
        self.bell = Bell()
        self.held: str | None = None
        self.lets_through = 0
        self.waiting_key = ""
        self.is_silent = False
        self.thinking = 0

    def holds(self, model: str, *, behind: int) -> None:
        """Let so many batches by a model through, and then none."""
        self.held, self.lets_through, self.waiting_key = model, behind, ""

    async def is_waited_for(self) -> str:
        """Until a batch is held: the key of who waits."""
        assert await self.bell.until(lambda: bool(self.waiting_key), within=PATIENCE)
        return self.waiting_key

    def lets_go(self) -> None:
        """Hold no batch any more."""
        self.held = None
        self.bell.ring()

    def passages(self, model: str) -> list[str]:
        """All that it was asked to embed to be found."""
        asked = [asked for asked in self.requests(EMBEDDINGS) if asked.body["model"] == model]
        return [text for each in asked for text in each.texts if text.startswith("[2")]

    def speaks(self) -> None:
        """Answer again."""
        self.is_silent = False
        self.bell.ring()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        asked = cast("dict[str, object]", await request.json())
        if request.path.endswith(CHAT):
            self.thinking += 1
            self.bell.ring()
            await self.bell.until(lambda: not self.is_silent, within=PATIENCE)
            self.thinking -= 1
        elif asked["model"] == self.held and len(cast("list[str]", asked["input"])) > 1:
            self.lets_through -= 1
            if self.lets_through < 0:
                self.waiting_key = request.headers.get("Authorization", "none").removeprefix("Bearer ")
                self.bell.ring()
                await self.bell.until(lambda: self.held is None, within=PATIENCE)
        return await super()._serve(request)


def _answers(asked: Asked) -> Answer:
    """Whether recall brought what is asked about; and a word to all else."""
    past, _, new = cast("str", asked.body["messages"][-1]["content"]).partition("# New messages")
    if ASKED not in new:
        return answer(f"heard: {new.rpartition('> ')[2].splitlines()[0]}")
    number = new.rpartition(ASKED)[2].split()[0]
    return answer(f"{number}: {'it came to mind' if KEY in past else 'no idea'}")


class Talk:
    """Ann's chat with the bot: each answer that she gets has to know what was said long ago."""

    def __init__(self, world: World, models: Models) -> None:
        self.world, self.models = world, models
        self.ann, self.zoe = world.api.person("Ann"), world.api.person("Zoe")
        self.chat, self.other = (world.api.private(person, world.mia) for person in (self.ann, self.zoe))
        self.count = self.words = 0

    async def begins(self, store: PostgresStore) -> None:
        """A chat with a long past, all of it embedded."""
        await self.ann.says(self.world.mia, "hello")
        await self.world.api.sent(self.chat, 1, within=PATIENCE)
        [[chat]] = await self.world.query("SELECT chat_id FROM chats")
        await _remember(store, ChatId(chat))
        await self.goes_on_until(lambda: _is_embedded(store))

    async def asks(self) -> None:
        """One more question, and its answer."""
        await self.says()
        await self.is_answered()

    async def goes_on_until(self, reached: Callable[[], Awaitable[bool]]) -> None:
        """Somebody else says one thing after the other, and has an answer to each."""
        async with asyncio.timeout(PATIENCE):
            while not await reached():
                self.words += 1
                await self.zoe.says(self.world.mia, f"word {self.words}")
                await self.world.api.sent(self.other, self.words, within=PATIENCE)

    async def says(self) -> None:
        """One more question."""
        await self.ann.says(self.world.mia, f"{ASKED} {self.count}")
        self.count += 1

    async def is_answered(self) -> None:
        """Every question so far has its answer, in order."""
        sent = await self.world.api.sent(self.chat, 1 + self.count, within=PATIENCE)
        assert [message.text for message in sent[1:]] == [f"{n}: it came to mind" for n in range(self.count)]


async def test_two_switches_while_people_talk_and_a_kill_in_the_middle_of_one(
    prepared: Companion, store: PostgresStore
) -> None:
    # By `combined` nothing is found by words, so what comes to mind tells that all is embedded: the key is the last.
    more = {"EMBEDDING_MODEL": "small", "EMBEDDING_DIMENSION": "512", "RECALL_PROFILE": "combined"}
    async with around(prepared, models=Models(), more=more) as world:
        models = cast("Models", world.models)
        models.always(CHAT, _answers)
        two = {key: await _starts(world, key) for key in ("one", "two")}
        talk = Talk(world, models)
        await talk.begins(store)
        await talk.asks()

        # One of the two builds; it is killed in the middle, and the other, which answers all the while, goes on.
        models.holds("middle", behind=1)
        asked = ["embed", "switch", "middle", "--dimension", "1536", "--no-wait", "--json"]
        told = (await prepared.done(*asked, **world.env)).json
        assert [told[name] for name in ("state", "dimension", "embedded")] == ["building", 1536, 0]
        killed = two.pop(await models.is_waited_for())
        await talk.asks()
        await _both_answer(world, store, models)
        middle = (await store.embeddings.standings())[1]
        assert (middle.model.name, middle.state) == ("middle", "building")
        assert 0 < (await store.embeddings.counts(middle.model))[0] < PAST
        killed.kill()
        await killed.wait()
        two["three"] = await _starts(world, "three")
        await talk.says()
        await _as_after_a_minute(store)
        models.lets_go()
        await talk.is_answered()
        await talk.goes_on_until(lambda: _is(store, "middle", "in use"))
        twice = Counter(models.passages("middle")) - Counter(set(models.passages("middle")))
        assert len(twice) <= BATCH, f"only the batch that was cut is embedded again: {twice}"
        await talk.asks()

        # A command that waits takes part in the work.
        models.holds("large", behind=1)
        asked = ["embed", "switch", "large", "--dimension", "3072", "--keep"]
        switching = asyncio.create_task(prepared.done(*asked, **world.env))
        await models.is_waited_for()
        await talk.asks()
        models.lets_go()
        await talk.goes_on_until(lambda: _is(store, "large", "in use"))
        ran = await switching
        assert ran.out == "large (3,072 numbers) is the embedding model in use\n"
        assert "EMBEDDING_MODEL=large" in ran.err
        await talk.asks()

        # What gave way goes once no turn can need it.
        await store.database.pool.execute("UPDATE embedding_models SET since = now() - interval '1 hour'")
        await _as_after_a_minute(store)
        await talk.goes_on_until(lambda: _is(store, "small", None))
        async with asyncio.timeout(PATIENCE):
            # What the bot says is a message once Telegram has taken it; each look is a round trip.
            while await store.database.pool.fetchval(_UNTOLD) or not await _is_embedded(store):
                pass
        for process in two.values():
            assert "Traceback" not in await ends(process)

        assert await _states(store) == {"middle": "kept", "large": "in use"}
        large = models.passages("large")
        assert len(large) == len(set(large)), "no text is embedded twice"
        # Numbers of models have gaps where two processes opened one at the same time.
        tables = {each.model.name: table_of(each.model.model_id) for each in await store.embeddings.standings()}
        assert await world.query(_LACKING.format(vectors=tables["large"])) == []
        assert [table for [table] in await world.query(_VECTORS)] == [tables["middle"], tables["large"]]
        turns = await world.query(_TURNS)
        assert {turn["model"] for turn in turns} == set(SIZES)
        assert [turn["missing"] for turn in turns if "failed" in (turn["missing"] or "")] == []


async def _starts(world: World, key: str) -> Process:
    """One more process of the bot, by whose key the model server knows it."""
    return await world.companion.start("run", **world.env, EMBEDDING_API_KEY=key)


async def _both_answer(world: World, store: PostgresStore, models: Models) -> None:
    """Two processes think about an answer at the same time, and give it."""
    models.is_silent, people = True, list[Person]()
    async with asyncio.timeout(PATIENCE):
        while len(people) < PARALLEL + 1 and await store.database.pool.fetchval(_BUSY) < 2:
            people.append(world.api.person(f"Bob{len(people)}"))
            await people[-1].says(world.mia, f"hello from Bob{len(people)}")
            assert await models.bell.until(lambda: models.thinking >= len(people), within=PATIENCE)
    models.speaks()
    for person in people:
        await world.api.sent(world.api.private(person, world.mia), 1, within=PATIENCE)


async def _as_after_a_minute(store: PostgresStore) -> None:
    """What time does by itself: leases end, and jobs that nobody works on any more are found again."""
    for late in (
        "UPDATE jobs.pgqueuer SET execute_after = now(), heartbeat = now() - interval '1 minute'",
        "UPDATE lanes SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL",
        "UPDATE pollers SET lease_until = now() - interval '1 s'",
    ):
        await store.database.pool.execute(late)


async def _states(store: PostgresStore) -> dict[str, str]:
    return {each.model.name: each.state for each in await store.embeddings.standings()}


async def _is(store: PostgresStore, name: str, state: str | None) -> bool:
    return (await _states(store)).get(name) == state


async def _is_embedded(store: PostgresStore) -> bool:
    return await store.embeddings.pending(await _in_use(store)) == 0


async def _in_use(store: PostgresStore) -> EmbeddingModel:
    model = await store.embeddings.in_use()
    assert model is not None
    return model


async def _remember(store: PostgresStore, chat: ChatId) -> None:
    """A past that is read already. The key is embedded last, but was said first: it is not in view."""
    first = datetime(2026, 1, 5, 10, tzinfo=UTC)
    texts = {n: f"small talk about thing {n % 90} on day {n}" for n in range(PAST - 1)} | {-60: KEY}
    past = [
        NewMessage(
            external_id=str(n), sender_id="1", sender="Ann", sent_at=first + timedelta(minutes=n), text=text, topic=""
        )
        for n, text in texts.items()
    ]
    await store.messages.record(chat, "import:past", past, read_at=past[-1].sent_at)
