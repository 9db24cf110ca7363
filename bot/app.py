"""The composition root: settings to working parts. The only module that knows all of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from zoneinfo import ZoneInfo

import asyncpg

from bot import cards, tracing
from bot.errors import ModelError
from bot.llm import local
from bot.llm.local import LocalEmbedder
from bot.llm.offline import OfflineResponder
from bot.llm.patience import JOB, TURN
from bot.llm.retries import Patient, PatientChat
from bot.memory.embed import JOB as EMBED
from bot.memory.embed import embed_job
from bot.memory.recall import Recall, search_memory
from bot.model import Chat, EmbeddingModel, Lane, Persona, Recalled
from bot.ports import ChatModel, Embedder, PatientEmbedder
from bot.settings import Settings
from bot.store import PostgresStore, jobs, open_store
from bot.store.database import connect
from bot.traced import TracedChat, TracedEmbedder, TracedStore
from bot.turn import Mind, Turn, read_message

log = logging.getLogger(__name__)

Report = Callable[[str], None]

THRESHOLD = 0.5
"""For an embedding model of which nothing else is known: the classic value."""
THRESHOLDS: Mapping[str, float] = {local.NAME: 0.3}
"""Measured: see ARCHITECTURE.md."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything a command needs, wired."""

    settings: Settings
    dsn: str
    store: PostgresStore
    persona: Persona
    mind: Mind
    model: EmbeddingModel
    embedder: Embedder
    """One attempt, however it ends."""
    patient: PatientEmbedder
    """The embedder as background work uses it: it waits longer."""
    has_chat_model: bool

    def zone_of(self, chat: Chat) -> ZoneInfo:
        """The chat's own time zone, else the operator's."""
        return ZoneInfo(chat.timezone) if chat.timezone else self.settings.timezone

    async def turn(self, lane: Lane, *, now: datetime, source: str, zone: ZoneInfo) -> Turn:
        """One turn in a lane."""
        return await read_message(lane, mind=self.mind, persona=self.persona, zone=zone, now=now, source=source)

    async def recall(self, question: str, *, lane: Lane, now: datetime, hits: int) -> Recalled:
        """What would come to mind for a question; changes nothing."""
        vectors = await self.mind.embedder.embed([question], purpose="query")
        recall = Recall(model=self.model, weights=self.mind.recall.weights, hits=hits, window=self.mind.recall.window)
        return await search_memory(vectors, lane=lane, recall=recall, store=self.mind.store, now=now)

    async def probe(self) -> None:
        """See that a configured embedding model gives vectors of the length it should; raise `DimensionMismatch`.

        One that is away is no reason to stop: messages are kept, and embedded once it is back.
        """
        if self.settings.embedding_api_base_url is not None:
            try:
                await self.embedder.embed(["hello"], purpose="query")
            except ModelError as error:
                log.warning("the embedding model does not work yet: %s", error)

    @asynccontextmanager
    async def background(self) -> AsyncGenerator[None]:
        """Do background jobs while the block runs, beginning with what an earlier process left."""
        handlers = {EMBED: embed_job(model=self.model, embedder=self.patient, store=self.store.embeddings)}
        await self.store.hint(EMBED)
        direct = self.settings.database_direct_url
        address = direct.get_secret_value() if direct else self.dsn

        async def listen() -> asyncpg.Connection[Any]:
            return await connect(address)

        async with jobs.worker(listen, handlers):
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


async def embedding_row(settings: Settings, raw: Embedder, store: PostgresStore) -> EmbeddingModel:
    """The row of the embedding model in use. Its length is set, known from before, or asked for once."""
    dimension = local.DIMENSION if isinstance(raw, LocalEmbedder) else settings.embedding_dimension
    if dimension is None:
        known = [model.dimension for model in await store.embeddings.all() if model.name == raw.name]
        dimension = known[-1] if known else len((await raw.embed(["hello"], purpose="query"))[0])
    return await store.embeddings.open(
        name=raw.name, dimension=dimension, threshold=THRESHOLDS.get(raw.name, THRESHOLD)
    )


@asynccontextmanager
async def open_app(settings: Settings, *, report: Report, may_migrate: bool = True) -> AsyncGenerator[App]:
    """All parts wired on an open database, for the block."""
    async with (
        database(settings, report=report) as dsn,
        open_store(dsn, may_migrate=may_migrate, report=report) as store,
    ):
        raw = embedder(settings)
        model = await embedding_row(settings, raw, store)
        chat, real = chat_model(settings)
        traced_embedder = TracedEmbedder(raw)
        yield App(
            settings=settings,
            dsn=dsn,
            store=store,
            persona=cards.load(settings.character_card) if settings.character_card else cards.default(),
            mind=Mind(
                store=TracedStore(store),
                embedder=Patient(traced_embedder, patience=TURN),
                chat=PatientChat(TracedChat(chat)),
                recall=Recall(model=model),
                prompt_budget=settings.prompt_budget,
                max_reply_tokens=settings.max_reply_tokens,
                language=settings.llm_response_language,
            ),
            model=model,
            embedder=traced_embedder,
            patient=Patient(traced_embedder, patience=JOB),
            has_chat_model=real,
        )
