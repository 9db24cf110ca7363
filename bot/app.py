"""The composition root: settings to working parts. The only module that knows all of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import asyncpg

from bot import cards
from bot.embedding import Embedding, Embeddings, open_embedding
from bot.errors import SettingsError
from bot.llm.offline import OfflineResponder
from bot.llm.patience import TURN
from bot.llm.rerank import ModelReranker
from bot.llm.retries import Patient, PatientChat
from bot.memory.embed import JOB as EMBED
from bot.memory.embed import embed_job
from bot.memory.index import in_turn, index_job
from bot.memory.recall import as_queries, asked_in, search_memory
from bot.memory.rerank import MOST as CANDIDATES
from bot.memory.switch import BUILD, LEAVE, build_job, leave_job
from bot.model import Chat, ChatId, EmbeddingModel, Lane, Recall, Recalled
from bot.personas import Personas
from bot.ports import ChatModel, PatientEmbedder, Reranker
from bot.settings import Settings
from bot.store import PostgresStore, jobs, open_store
from bot.store.database import connect
from bot.traced import Prices, TracedChat, TracedReranker, TracedStore, served_at
from bot.turn import Mind, Turn, embed_unread, read_message

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything a command needs, wired."""

    settings: Settings
    dsn: str
    store: PostgresStore
    personas: Personas
    mind: Mind
    embedding: Embedding
    """The model that was in use when this process began."""
    wire: Callable[[EmbeddingModel], Embedding]
    """Whom to ask for the vectors of any other."""
    has_chat_model: bool

    @property
    def persona(self) -> cards.Persona:
        """Who the bot is where nobody gave it another card: CHARACTER_CARD's, which may change while it runs."""
        return self.personas.default

    def zone_of(self, chat: Chat) -> ZoneInfo:
        """The chat's own time zone, else the operator's."""
        return ZoneInfo(chat.timezone) if chat.timezone else self.settings.timezone

    async def zone_at(self, chat_id: ChatId) -> ZoneInfo:
        """The same, of a chat by its number."""
        return self.zone_of(await self.store.chats.get(chat_id))

    async def turn(self, lane: Lane, *, now: datetime, source: str, zone: ZoneInfo) -> Turn:
        """One turn in a lane."""
        mind = await self.current_mind()
        return await read_message(lane, mind=mind, persona=self.persona, zone=zone, now=now, source=source)

    async def current_mind(self) -> Mind:
        """What a turn that begins now thinks with: the embedding model in use now is its own to the end."""
        model, known = await self.store.embeddings.in_use(), self.mind.recall.model
        if model is None or model == known:
            return self.mind
        recall = replace(self.mind.recall, model=model)
        if model.model_id == known.model_id:  # its threshold was told meanwhile
            return replace(self.mind, recall=recall)
        return replace(self.mind, embedder=Patient(self.wire(model).embedder, patience=TURN), recall=recall)

    async def recall(self, question: str, *, lane: Lane, now: datetime, hits: int) -> Recalled:
        """What would come to mind for a question, as who the bot is in that chat; changes nothing."""
        mind, kept = await self.current_mind(), await self.store.personas.of(lane.chat_id)
        persona = await self.personas.of(kept.card if kept else None)
        recall, reranker = mind.recall.deep(hits), mind.reranker
        if reranker is not None and recall.profile == "ranked":
            recall = recall.deep(max(hits, CANDIDATES))  # it chooses from more than are shown
        asked = [part for _, part in asked_in([question], recall=recall)]
        queries = as_queries(asked, (await embed_unread(asked, embedder=mind.embedder)).vectors)
        found = await search_memory(
            queries,
            lane=lane,
            recall=recall,
            store=mind.store,
            now=now,
            zone=await self.zone_at(lane.chat_id),
            persona=persona.name,
            reranker=reranker,
        )
        return replace(found, hits=found.hits[:hits]) if recall.profile == "ranked" else found

    @asynccontextmanager
    async def background(self) -> AsyncGenerator[None]:
        """Do background jobs while the block runs, beginning with what an earlier process left."""
        store = self.store

        def embedder_of(model: EmbeddingModel) -> PatientEmbedder:
            return (self.embedding if model.model_id == self.embedding.model.model_id else self.wire(model)).patient

        async def build() -> None:
            await store.hint(BUILD, alone=True)

        async def switched() -> None:
            await store.hint(EMBED)
            await store.hint(LEAVE, alone=True)

        embed = embed_job(default=self.embedding.model, embedder_of=embedder_of, store=store.embeddings, build=build)
        handlers = {
            EMBED: in_turn(index_job(store.words), embed),
            BUILD: build_job(embedder_of=embedder_of, store=store.embeddings, switched=switched),
            LEAVE: leave_job(store.embeddings),
        }
        await switched()  # what an earlier process left
        direct = self.settings.database_direct_url
        address = direct.get_secret_value() if direct else self.dsn

        async def listen() -> asyncpg.Connection[Any]:
            return await connect(address)

        async with jobs.worker(listen, handlers):
            yield


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


def reranker(settings: Settings, chat: ChatModel) -> Reranker | None:
    """Who puts what comes to mind in another order, if the settings want that."""
    if settings.recall_rerank == "off":
        return None
    if settings.llm_api_base_url is None:
        raise SettingsError("RECALL_RERANK=model needs a chat model; set LLM_API_BASE_URL and LLM_MODEL, or unset it")
    return TracedReranker(ModelReranker(chat, max_reply_tokens=settings.max_reply_tokens))


def prices(settings: Settings) -> Prices | None:
    """The chat model's prices as far as they are set; without any, cost is not reckoned."""
    price, output = settings.llm_price_input, settings.llm_price_output
    if price is None and output is None:
        return None
    cached = settings.llm_price_cached
    return Prices(input=price or 0.0, cached=(price or 0.0) if cached is None else cached, output=output or 0.0)


@asynccontextmanager
async def open_app(settings: Settings, *, report: Report, may_change: bool = True) -> AsyncGenerator[App]:
    """All parts wired on an open database, for the block.

    Without `may_change` neither the schema is brought up to date nor an embedding model added.
    """
    card = cards.CardFile(settings.character_card)
    embeddings = Embeddings(settings)
    raw_chat, real = chat_model(settings)
    chat = PatientChat(TracedChat(raw_chat, about=served_at(settings.llm_api_base_url), prices=prices(settings)))
    orders = reranker(settings, chat)
    async with (
        database(settings, report=report) as dsn,
        open_store(dsn, may_migrate=may_change, report=report) as store,
    ):
        embedding = await open_embedding(settings, embeddings, store, may_add=may_change)
        yield App(
            settings=settings,
            dsn=dsn,
            store=store,
            personas=Personas(store.personas, default=card.card, default_persona=card.persona),
            mind=Mind(
                store=TracedStore(store),
                embedder=Patient(embedding.embedder, patience=TURN),
                chat=chat,
                recall=Recall(
                    model=embedding.model,
                    profile=settings.recall_profile,
                    order_budget=settings.prompt_budget // 4,
                ),
                reranker=orders,
                prompt_budget=settings.prompt_budget,
                max_reply_tokens=settings.max_reply_tokens,
                language=settings.llm_response_language,
            ),
            embedding=embedding,
            wire=embeddings.of,
            has_chat_model=real,
        )
