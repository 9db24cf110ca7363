"""The whole bot in one process: a fake Telegram, a chat model and an embedder of the test's own, a real database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot import cards
from bot.app import App
from bot.embedding import Embedding
from bot.llm.patience import JOB, TURN
from bot.llm.retries import Patient
from bot.model import ModelReply, Prompt, Recall
from bot.personas import Personas
from bot.ports import ChatModel
from bot.serving import DRAIN, GRACE, Serving
from bot.settings import Settings
from bot.store import PostgresStore
from bot.turn import Mind
from tests.fakes.ports import DIMENSION, WordEmbedder, say
from tests.telegram.intake_rig import ME, Rig, an_intake, client_of, fake_telegram, now

MIA = replace(cards.default_card(), name=ME.name)
"""Who the bot is unless a chat is given another card."""


class HeldChat:
    """Says "noted" at once, but waits with what is about a word until it is let go."""

    name = "held"

    def __init__(self, word: str) -> None:
        self._word = word
        self.asked: list[Prompt] = []
        self.waits, self.go_on = asyncio.Event(), asyncio.Event()

    async def complete(self, prompt: Prompt) -> ModelReply:
        self.asked.append(prompt)
        if self._word in prompt.user:
            self.waits.set()
            await self.go_on.wait()
        return ModelReply(text=say("noted"), finish_reason="stop")


async def _at_once(_: float) -> None:
    return None


@asynccontextmanager
async def serving(
    store: PostgresStore,
    dsn: str,
    *,
    chat: ChatModel,
    embedder: WordEmbedder | None = None,
    clock: Callable[[], datetime] = now,
    drain: float = DRAIN,
    grace: float = GRACE,
    card: Callable[[], cards.Card] = lambda: MIA,
    **settings: Any,
) -> AsyncGenerator[Rig]:
    """A bot that serves while the block runs, called Mia unless it has another card; nothing in it pauses.

    For its bounds see `Serving`.
    """
    raw = embedder or WordEmbedder()
    model = await store.embeddings.open(name=raw.name, dimension=DIMENSION, threshold=0.3)
    embedding = Embedding(
        model=model, embedder=raw, patient=Patient(raw, patience=JOB, sleep=_at_once), is_served=False
    )
    app = App(
        settings=Settings(pace=0, **settings),
        dsn=dsn,
        store=store,
        personas=Personas(store.personas, default=card, default_persona=lambda: card().persona()),
        mind=Mind(
            store=store,
            embedder=Patient(raw, patience=TURN, sleep=_at_once),
            chat=chat,
            recall=Recall(model=model),
            prompt_budget=6000,
            max_reply_tokens=100,
        ),
        embedding=embedding,
        wire=lambda _: embedding,
        has_chat_model=True,
    )
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        stop = asyncio.Event()
        task = asyncio.create_task(Serving(app, client, clock=clock, drain=drain, grace=grace).run(stop))
        try:
            yield Rig(api=api, bot=bot, store=store, intake=an_intake(client, store))
        finally:
            stop.set()
            await task


async def embedded(rig: Rig, *texts: str) -> None:
    """Wait until messages with these texts have a vector, or never will."""
    query = "SELECT count(*) FROM messages JOIN vectors_1 USING (chat_id, message_id) WHERE text = ANY ($1)"
    while (await rig.rows(query, list(texts)))[0][0] < len(texts):
        pass  # each look is a round trip
