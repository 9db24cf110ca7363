"""The composition root: settings to working parts. The only module that knows all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from zoneinfo import ZoneInfo

import asyncpg

from bot import cards, tracing
from bot.errors import DimensionMismatch, NothingEmbedded, SettingsError
from bot.llm import local
from bot.llm.local import LocalEmbedder
from bot.llm.offline import OfflineResponder
from bot.llm.patience import JOB, TURN
from bot.llm.retries import Patient, PatientChat
from bot.memory.embed import JOB as EMBED
from bot.memory.embed import embed_job
from bot.memory.index import in_turn, index_job
from bot.memory.recall import as_queries, asked_in, search_memory
from bot.model import Chat, EmbeddingModel, Lane, Persona, Recall, Recalled
from bot.ports import ChatModel, Embedder, PatientEmbedder
from bot.settings import LONGEST_VECTOR, SHORTEST_VECTOR, Settings
from bot.store import PostgresStore, jobs, open_store
from bot.store.database import connect
from bot.traced import TracedChat, TracedEmbedder, TracedStore
from bot.turn import Mind, Turn, embed_unread, read_message

Report = Callable[[str], None]

THRESHOLD = 0.5
"""For an embedding model of which nothing else is known: the classic value."""
THRESHOLDS: Mapping[str, float] = {local.NAME: 0.3}
"""Measured: see ARCHITECTURE.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """The embedding model in use: its row, and who is asked for vectors."""

    model: EmbeddingModel
    embedder: Embedder
    """One attempt, however it ends."""
    patient: PatientEmbedder
    """As background work uses it: it waits longer."""
    is_served: bool
    """Whether a server is asked; else the bundled model."""

    async def probe(self) -> None:
        """See that a served model works; raise `ModelError`, or `DimensionMismatch` when it is another than before.

        One that is away is no reason to stop: messages are kept, and embedded once it is back.
        """
        if self.is_served:
            [vector] = await self.embedder.embed(["hello"], purpose="query")
            if len(vector) != self.model.dimension:
                raise DimensionMismatch(model=self.model.name, got=len(vector), want=self.model.dimension)


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything a command needs, wired."""

    settings: Settings
    dsn: str
    store: PostgresStore
    persona_now: Callable[[], Persona]
    mind: Mind
    embedding: Embedding
    has_chat_model: bool

    @property
    def persona(self) -> Persona:
        """Who the bot is now: its card may change while it runs."""
        return self.persona_now()

    def zone_of(self, chat: Chat) -> ZoneInfo:
        """The chat's own time zone, else the operator's."""
        return ZoneInfo(chat.timezone) if chat.timezone else self.settings.timezone

    async def turn(self, lane: Lane, *, now: datetime, source: str, zone: ZoneInfo) -> Turn:
        """One turn in a lane."""
        return await read_message(lane, mind=self.mind, persona=self.persona, zone=zone, now=now, source=source)

    async def recall(self, question: str, *, lane: Lane, now: datetime, hits: int) -> Recalled:
        """What would come to mind for a question; changes nothing."""
        recall = self.mind.recall.deep(hits)
        asked = [part for _, part in asked_in([question], recall=recall)]
        queries = as_queries(asked, (await embed_unread(asked, embedder=self.mind.embedder)).vectors)
        return await search_memory(queries, lane=lane, recall=recall, store=self.mind.store, now=now)

    @asynccontextmanager
    async def background(self) -> AsyncGenerator[None]:
        """Do background jobs while the block runs, beginning with what an earlier process left."""
        job = in_turn(
            index_job(self.store.words),
            embed_job(model=self.embedding.model, embedder=self.embedding.patient, store=self.store.embeddings),
        )
        await self.store.hint(EMBED)
        direct = self.settings.database_direct_url
        address = direct.get_secret_value() if direct else self.dsn

        async def listen() -> asyncpg.Connection[Any]:
            return await connect(address)

        async with jobs.worker(listen, {EMBED: job}):
            yield


def program_version() -> str:
    """The version of the installed program."""
    try:
        return version("companion")
    except PackageNotFoundError:
        return "0"


@asynccontextmanager
async def traced(settings: Settings) -> AsyncGenerator[tracing.Tracing]:
    """Tracing and logging set up for the block, drained behind it."""
    handle = tracing.set_up(
        service=settings.otel_service_name,
        version=program_version(),
        content=settings.trace_content,
        endpoint=tracing.traces_endpoint(
            base=settings.otel_exporter_otlp_endpoint, traces=settings.otel_exporter_otlp_traces_endpoint
        ),
        secrets=settings.secrets(),
    )
    try:
        yield handle
    finally:
        await asyncio.to_thread(handle.shut_down)


@asynccontextmanager
async def database(settings: Settings, *, report: Report) -> AsyncGenerator[str]:
    """The address of the database; the embedded server is started for the block when none is set."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    from bot.store.embedded import start

    server = await asyncio.to_thread(start, settings.companion_home, report=report)
    try:
        yield server.dsn
    finally:
        server.close()


def chat_model(settings: Settings) -> tuple[ChatModel, bool]:
    """The chat model that the settings name, else the offline responder; and whether it is a real one."""
    if settings.llm_api_base_url is None:
        return OfflineResponder(), False
    from bot.llm.chat import OpenAIChat  # half a second to import, and not needed offline

    return (
        OpenAIChat(
            base_url=settings.llm_api_base_url,
            api_key=settings.llm_api_key.get_secret_value() if settings.llm_api_key else None,
            model=settings.llm_model or "",
        ),
        True,
    )


def embedder(settings: Settings) -> Embedder:
    """The embedding model that the settings name, else the bundled one."""
    if settings.embedding_api_base_url is None:
        return LocalEmbedder()
    from bot.llm.embeddings import OpenAIEmbedder

    return OpenAIEmbedder(
        base_url=settings.embedding_api_base_url,
        api_key=settings.embedding_api_key.get_secret_value() if settings.embedding_api_key else None,
        model=settings.embedding_model or "",
        dimension=settings.embedding_dimension,
    )


def check_length(dimension: int, *, model: str) -> None:
    """Raise `SettingsError` for a model whose vectors the database cannot keep."""
    if not SHORTEST_VECTOR <= dimension <= LONGEST_VECTOR:
        raise SettingsError(
            f"{model!r} gives vectors of {dimension:,} numbers, and {SHORTEST_VECTOR} to {LONGEST_VECTOR:,} are "
            "possible; choose another EMBEDDING_MODEL"
        )


async def embedding_row(
    settings: Settings, raw: Embedder, store: PostgresStore, *, may_add: bool = True
) -> EmbeddingModel:
    """The row of the embedding model in use. Its length is set, known from before, or asked for once.

    Without `may_add` nothing is changed, and for a model that was never used here `NothingEmbedded` is raised.
    """
    known = [model for model in await store.embeddings.all() if model.name == raw.name]
    dimension = local.DIMENSION if isinstance(raw, LocalEmbedder) else settings.embedding_dimension
    if dimension is None and known:
        dimension = known[-1].dimension
    if not may_add:
        found = next((model for model in known if model.dimension == dimension), None)
        if found is None:
            raise NothingEmbedded(model=raw.name)
        return found
    if dimension is None:
        dimension = len((await raw.embed(["hello"], purpose="query"))[0])
    check_length(dimension, model=raw.name)
    return await store.embeddings.open(
        name=raw.name, dimension=dimension, threshold=THRESHOLDS.get(raw.name, THRESHOLD)
    )


async def open_embedding(settings: Settings, raw: Embedder, store: PostgresStore, *, may_add: bool = True) -> Embedding:
    """The embedding model in use, wired; see `embedding_row`."""
    traced_embedder = TracedEmbedder(raw)
    return Embedding(
        model=await embedding_row(settings, raw, store, may_add=may_add),
        embedder=traced_embedder,
        patient=Patient(traced_embedder, patience=JOB),
        is_served=settings.embedding_api_base_url is not None,
    )


@asynccontextmanager
async def open_app(settings: Settings, *, report: Report, may_change: bool = True) -> AsyncGenerator[App]:
    """All parts wired on an open database, for the block.

    Without `may_change` neither the schema is brought up to date nor an embedding model added.
    """
    card = cards.CardFile(settings.character_card)
    raw = embedder(settings)
    chat, real = chat_model(settings)
    async with (
        database(settings, report=report) as dsn,
        open_store(dsn, may_migrate=may_change, report=report) as store,
    ):
        embedding = await open_embedding(settings, raw, store, may_add=may_change)
        yield App(
            settings=settings,
            dsn=dsn,
            store=store,
            persona_now=card.persona,
            mind=Mind(
                store=TracedStore(store),
                embedder=Patient(embedding.embedder, patience=TURN),
                chat=PatientChat(TracedChat(chat)),
                recall=Recall(model=embedding.model, profile=settings.recall_profile),
                prompt_budget=settings.prompt_budget,
                max_reply_tokens=settings.max_reply_tokens,
                language=settings.llm_response_language,
            ),
            embedding=embedding,
            has_chat_model=real,
        )
