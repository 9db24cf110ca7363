"""From one embedding model to another, while the bot goes on talking.

The new one is built up beside the one in use, by a background job of its own: what is new in a chat never waits for
it. Where it was cut, the next run goes on, since what is to be embedded is what lies beyond the progress of a model.
Once it has all that the other has, it is put in use at one moment for all processes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Protocol

from bot.errors import ModelError, ModelUnavailable, StoreError
from bot.memory.calibrate import calibrate
from bot.memory.embed import BATCH, EmbedderOf, ModelStore, embed_batch, tell_wholes
from bot.model import EmbeddingModel
from bot.ports import PatientEmbedder

BUILD, LEAVE = "build embeddings", "leave embeddings"
"""The names of the background jobs: to build a model up, and to drop what gave way."""
_AGAIN = timedelta(seconds=30)
_UNTIL_MENDED = timedelta(minutes=10)

log = logging.getLogger(__name__)


class SwitchStore(ModelStore, Protocol):
    """The part of the database that changing the model uses."""

    async def index(self, model: EmbeddingModel) -> None: ...
    async def switch(self, model: EmbeddingModel, *, lacking: int = 0) -> bool: ...
    async def drop_left(self) -> bool: ...


async def build_up(model: EmbeddingModel, *, embedder: PatientEmbedder, store: SwitchStore) -> bool:
    """Embed all that a model lacks, index it and put it in use; False when it was given up meanwhile."""
    if not await _catch_up(model, embedder=embedder, store=store):
        return False
    await store.index(model)  # over the rows that are there: many times quicker than row by row
    await tell_wholes(model=model, store=store)
    await calibrate(model, embedder=embedder, store=store)
    while not await store.switch(model, lacking=BATCH):
        if not await _catch_up(model, embedder=embedder, store=store):
            return False
    return True


async def _catch_up(model: EmbeddingModel, *, embedder: PatientEmbedder, store: SwitchStore) -> bool:
    """Embed all that a model lacks; False when it is not being built any more."""
    while True:
        building = await store.building()
        if building is None or building.model_id != model.model_id:
            return False
        passages = await store.to_embed(model, limit=BATCH)
        if not passages:
            return True
        await store.keep(model, passages, await embed_batch(passages, embedder=embedder))


def build_job(
    *,
    embedder_of: EmbedderOf,
    store: SwitchStore,
    switched: Callable[[], Awaitable[None]],
) -> Callable[[], Awaitable[timedelta | None]]:
    """The background job that builds up whichever model is to be built; `switched` hears of each that is in use."""

    async def run() -> timedelta | None:
        try:
            while (model := await store.building()) is not None:
                if await build_up(model, embedder=embedder_of(model), store=store):
                    log.info("%s is the embedding model in use now", model.name)
                    await switched()
        except ModelUnavailable as error:
            return timedelta(seconds=error.retry_after or 0)
        except (ModelError, StoreError) as error:
            log.warning("the new embedding model waits to be built up: %s", error)
            return _UNTIL_MENDED
        return None

    return run


def leave_job(store: SwitchStore) -> Callable[[], Awaitable[timedelta | None]]:
    """The background job that drops what gave way, once no turn needs it."""

    async def run() -> timedelta | None:
        try:
            return _AGAIN if await store.drop_left() else None
        except StoreError as error:
            log.warning("vectors that nobody needs could not be dropped: %s", error)
            return _UNTIL_MENDED

    return run
