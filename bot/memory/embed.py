"""Gives every message its vector: what a background job and an import do.

The text that is embedded is `[date] Sender: text`: with the date and the sender in it, a third more of what is
asked for is found than with the bare words (see ARCHITECTURE.md). What is asked with is embedded as it is.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from itertools import zip_longest
from typing import Protocol

from bot.errors import ModelError, ModelUnavailable, StoreError
from bot.memory.calibrate import SampleStore, calibrate
from bot.memory.whole import MOST, Grown, Talk, Whole, whole
from bot.model import ChatId, EmbeddingModel, Passage, Vector
from bot.ports import PatientEmbedder
from bot.tracing import step

BATCH, ROUND = 64, 8
"""Texts of one embedding request, and requests whose texts are read from the database at once."""
JOB = "embed"
"""The name of the background job."""
_UNTIL_MENDED = timedelta(minutes=10)

log = logging.getLogger(__name__)


class VectorStore(SampleStore, Protocol):
    """The part of the database that embedding uses."""

    async def pending(self, model: EmbeddingModel) -> int: ...
    async def to_embed(self, model: EmbeddingModel, *, limit: int) -> list[Passage]: ...
    async def keep(
        self, model: EmbeddingModel, passages: Sequence[Passage], vectors: Sequence[Vector | None]
    ) -> None: ...
    async def grown(self, model: EmbeddingModel) -> list[Grown]: ...
    async def newest(self, model: EmbeddingModel, chat_id: ChatId, *, limit: int) -> Talk: ...
    async def keep_whole(self, model: EmbeddingModel, chat: Grown, whole: Whole) -> None: ...


class ModelStore(VectorStore, Protocol):
    """The same, and which model is in use."""

    async def in_use(self) -> EmbeddingModel | None: ...
    async def building(self) -> EmbeddingModel | None: ...


EmbedderOf = Callable[[EmbeddingModel], PatientEmbedder]
"""Who is asked for the vectors of a model."""


def passage_text(passage: Passage) -> str:
    """The text by which a message is found: `[2026-03-05] Anna: We are moving to Lyon`. Empty stays empty."""
    if not passage.text.strip():
        return ""
    return f"[{passage.sent_at:%Y-%m-%d}] {passage.sender}: {passage.text}"


@step("embed_batch")
async def embed_batch(passages: Sequence[Passage], *, embedder: PatientEmbedder) -> list[Vector | None]:
    """The vectors of one batch."""
    texts = [passage_text(passage) for passage in passages]
    asked = list(dict.fromkeys(text for text in texts if text))  # what is said twice a day is asked for once
    given = await embedder.embed(asked, purpose="passage") if asked else ()
    of = dict(zip(asked, given, strict=True))
    return [of.get(text) for text in texts]


async def embed_pending(
    *,
    model: EmbeddingModel,
    embedder: PatientEmbedder,
    store: VectorStore,
    progress: Callable[[int], None] = lambda count: None,
) -> int:
    """Embed all that has no vector yet, batch by batch; how many. `progress` hears of each batch.

    While one batch is kept, which takes the database its time, the next one is embedded.
    """
    done = 0
    while passages := await store.to_embed(model, limit=BATCH * ROUND):
        batches = [passages[at : at + BATCH] for at in range(0, len(passages), BATCH)]
        vectors = await embed_batch(batches[0], embedder=embedder)
        for batch, following in zip_longest(batches, batches[1:]):
            keeping = asyncio.create_task(store.keep(model, batch, vectors))
            try:
                vectors = await embed_batch(following, embedder=embedder) if following else []
            finally:
                await keeping
            done += len(batch)
            progress(done)
    if await tell_wholes(model=model, store=store):
        await calibrate(model, embedder=embedder, store=store)
    return done


async def tell_wholes(*, model: EmbeddingModel, store: VectorStore) -> bool:
    """Tell anew what those chats are like as a whole that grew by a tenth; whether there were any."""
    grown = await store.grown(model)
    for chat in grown:
        talk = await store.newest(model, chat.chat_id, limit=MOST)
        if talk.topics:
            await store.keep_whole(model, chat, await asyncio.to_thread(whole, talk))
    return bool(grown)


def embed_job(
    *, default: EmbeddingModel, embedder_of: EmbedderOf, store: ModelStore, build: Callable[[], Awaitable[None]]
) -> Callable[[], Awaitable[timedelta | None]]:
    """The background job: embeds what is pending; when the service is away, asks to be called again later.

    By the model in use, or `default` while none was chosen. When another is being built, it sees that this goes on.
    """

    async def run() -> timedelta | None:
        try:
            done = None
            while (model := await store.in_use() or default).model_id != done:  # else a switch came in between
                await embed_pending(model=model, embedder=embedder_of(model), store=store)
                done = model.model_id
            if await store.building() is not None:
                await build()
        except ModelUnavailable as error:
            return timedelta(seconds=error.retry_after or 0)
        except (ModelError, StoreError) as error:
            # A wrong key, no credit, another dimension: a person has to mend it; until then it is tried rarely.
            log.warning("messages wait for their vectors: %s", error)
            return _UNTIL_MENDED
        return None

    return run
