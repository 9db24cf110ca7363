"""Fifty turns recorded once, in a database and in the spans that a Tempo was sent; each test gets copies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot import cards
from bot.disclosure import Content
from bot.errors import ModelError
from bot.llm.patience import CHAT, TURN
from bot.llm.retries import Patient, PatientChat
from bot.memory.embed import embed_pending
from bot.model import ChatId, EmbeddingModel, Lane, NewMessage, Recall
from bot.replay.case import Case
from bot.replay.from_row import case_of, numbers_of
from bot.replay.retrieve import Memory
from bot.store import PostgresStore, open_store
from bot.traced import TracedChat, TracedEmbedder, TracedStore
from bot.tracing import set_up
from bot.turn import Mind, read_message
from tests.fakes.ports import DIMENSION, ScriptedChat, WordEmbedder
from tests.fakes.tempo import FakeTempo
from tests.replay.fifty import Scene, fifty
from tests.servers import NEWEST, Servers, database, execute, made, new_name

START = datetime(2026, 3, 5, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


async def _at_once(_: float) -> None:
    return None


@dataclass(kw_only=True)
class Talk:
    """A chat with a past, in which turns take place."""

    store: PostgresStore
    chat: ChatId
    model: EmbeddingModel
    embedder: WordEmbedder
    now: datetime = START
    said: int = 0
    persona: cards.Persona = field(default_factory=cards.default)

    @classmethod
    async def begin(cls, store: PostgresStore) -> Talk:
        embedder = WordEmbedder()
        model = await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.3)
        chat = await store.chats.open("import:past", title="Past")
        texts = {20: "the spare key hangs behind the boiler", 50: "备用钥匙 挂在 锅炉后面"}
        past = [
            NewMessage(
                external_id=str(n),
                sender_id=f"user{n % 3}",
                sender=("Bob", "Mila", "Ann")[n % 3],
                sent_at=START - timedelta(days=100) + timedelta(hours=n),
                text=texts.get(n, f"small talk number {n}"),
            )
            for n in range(120)
        ]
        await store.messages.record(chat, "import:past", past, read_at=START)
        await embed_pending(model=model, embedder=embedder, store=store.embeddings)
        return cls(store=store, chat=chat, model=model, embedder=embedder)

    async def play(self, scene: Scene, *, combined: bool = False) -> None:
        """One turn."""
        self.now += timedelta(hours=2)
        for text in scene.said:
            self.said += 1
            message = NewMessage(
                external_id=f"said {self.said}", sender_id="user2", sender="Ann", sent_at=self.now, text=text
            )
            await self.store.messages.record(self.chat, "terminal", [message])
        self.embedder.fails = ModelError("away") if scene.embedding_fails else None
        chat = TracedChat(ScriptedChat(*scene.answers))
        mind = Mind(
            store=TracedStore(self.store),
            embedder=Patient(TracedEmbedder(self.embedder), patience=TURN, sleep=_at_once),
            chat=PatientChat(chat, patience=CHAT, sleep=_at_once),
            recall=Recall(model=self.model, profile="combined" if combined else "ranked"),
            prompt_budget=3000,
            max_reply_tokens=100,
        )
        with pytest.raises(ModelError) if scene.fails else nullcontext():
            await read_message(
                Lane(self.chat), mind=mind, persona=self.persona, zone=BERLIN, now=self.now, source="terminal"
            )
        self.embedder.fails = None
        await embed_pending(model=self.model, embedder=self.embedder, store=self.store.embeddings)


async def record(dsn: str, scenes: Sequence[Scene], *, content: Content) -> list[bytes]:
    """Play the turns, and give what was sent to the collector."""
    async with open_store(dsn, may_migrate=False, report=print) as store, FakeTempo() as tempo:
        talk = await Talk.begin(store)
        tracing = set_up(service="companion", version="1", content=content, endpoint=tempo.endpoint)
        try:
            for n, scene in enumerate(scenes):
                await talk.play(scene, combined=n % 4 == 3)
        finally:
            await asyncio.to_thread(tracing.shut_down)
        assert tracing.lost == 0
        return tempo.bodies


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A database to copy, and what its turns sent."""

    server: str
    name: str
    bodies: list[bytes]


@pytest.fixture(scope="session")
def recording(servers: Servers) -> Iterator[Recording]:
    """The fifty turns, recorded once a run."""
    server, name = servers.address(NEWEST), new_name("recorded")
    template = servers.template(server)

    async def make() -> list[bytes]:
        await execute(server, f"CREATE DATABASE {name} TEMPLATE {template}")
        return await record(database(server, name), list(fifty()), content="full")

    yield Recording(server=server, name=name, bodies=asyncio.run(make()))
    asyncio.run(execute(server, f"DROP DATABASE {name}"))


@pytest.fixture
async def recorded_dsn(recording: Recording) -> AsyncIterator[str]:
    """The address of a copy of the database with the fifty turns, which only this test sees."""
    async with made(recording.server, recording.name) as address:
        yield address


@pytest.fixture
async def recorded(recorded_dsn: str) -> AsyncIterator[PostgresStore]:
    """A store on a copy of that database."""
    async with open_store(recorded_dsn, may_migrate=False, report=print) as store:
        yield store


@pytest.fixture
async def tempo(recording: Recording) -> AsyncIterator[FakeTempo]:
    """A Tempo that was sent the fifty turns."""
    async with FakeTempo() as fake:
        fake.bodies = list(recording.bodies)
        yield fake


async def cases_in_database(store: PostgresStore) -> list[Case]:
    """All turns, by their rows alone."""
    rows = await store.database.pool.fetch("SELECT chat_id, turn_id FROM turns ORDER BY started_at")
    turns = [await store.turns.get(ChatId(row["chat_id"]), row["turn_id"]) for row in rows]
    return [case_of(turn, await store.turns.messages(turn.lane.chat_id, numbers_of(turn))) for turn in turns if turn]


async def memory_of(store: PostgresStore, *, embedder: WordEmbedder | None = None) -> Memory:
    """What `retrieve` needs, with the embedder that the turns were recorded with."""
    [model] = await store.embeddings.all()
    return Memory(store=store, embedder=embedder or WordEmbedder(), recall=Recall(model=model, profile="ranked"))
