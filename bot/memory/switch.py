"""From one embedding model to another, while the bot goes on talking.

The new one is built up beside the one in use, by a background job of its own: what is new in a chat never waits for
it. Where it was cut, the next run goes on, since what is to be embedded is what lies beyond the progress of a model.
Once it has all that the other has, it is put in use at one moment for all processes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bot.errors import ModelError, ModelUnavailable, StoreError
from bot.memory.embed import BATCH, EmbedderOf, ModelStore, embed_batch, tell_wholes
from bot.model import EmbeddingModel, Passage, Vector
from bot.ports import PatientEmbedder

BUILD, LEAVE = "build embeddings", "leave embeddings"
"""The names of the background jobs: to build a model up, and to drop what gave way."""
FEWEST = 1000
"""Vectors that a database must have before its own texts tell a model's threshold."""
_ASKED, _FOUND, _SHORTEST = 128, 2000, 12
"""Texts that are asked with, those that are compared with each, and characters that such a text has at least."""
_UNRELATED = 99.0
"""Of a hundred pairs picked at random, so many are below the threshold. With the bundled model that is .30 in the
sample chat and .31 in realtalk-a, and .30 was chosen by hand; 99.9 gives .40 and .47, and loses evidence."""
_LOOSEST, _STRICTEST = 0.1, 0.9
_AGAIN = timedelta(seconds=30)
_UNTIL_MENDED = timedelta(minutes=10)

log = logging.getLogger(__name__)


class SwitchStore(ModelStore, Protocol):
    """The part of the database that changing the model uses."""

    async def index(self, model: EmbeddingModel) -> None: ...
    async def switch(self, model: EmbeddingModel, *, lacking: int = 0) -> bool: ...
    async def some(self, model: EmbeddingModel, *, limit: int) -> list[tuple[Passage, Vector]]: ...
    async def set_threshold(self, model: EmbeddingModel, threshold: float) -> None: ...
    async def drop_left(self) -> bool: ...


async def build_up(model: EmbeddingModel, *, measures: bool, embedder: PatientEmbedder, store: SwitchStore) -> bool:
    """Embed all that a model lacks, index it and put it in use; False when it was given up meanwhile.

    `measures`: its threshold is told by the texts that are there, if they are enough.
    """
    if not await _catch_up(model, embedder=embedder, store=store):
        return False
    await store.index(model)  # over the rows that are there: many times quicker than row by row
    await tell_wholes(model=model, store=store)
    if measures and (threshold := await measured(model, embedder=embedder, store=store)) is not None:
        await store.set_threshold(model, threshold)
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
        await embed_batch(passages, model=model, embedder=embedder, store=store)


async def measured(model: EmbeddingModel, *, embedder: PatientEmbedder, store: SwitchStore) -> float | None:
    """The threshold of a model, as the texts of this database tell it; None when they are too few."""
    some = await store.some(model, limit=_FOUND)
    texts = [passage.text for passage, _ in some]
    places = [place for place, text in enumerate(texts) if len(text) >= _SHORTEST]
    # They come in the order of their texts: every so manieth is as good as any.
    places = places[:: max(1, len(places) // _ASKED)][:_ASKED]
    if len(some) < FEWEST or len(places) < _ASKED // 2:
        return None
    given: list[Vector | None] = []
    for at in range(0, len(places), BATCH):
        given += await embedder.embed([texts[place] for place in places[at : at + BATCH]], purpose="query")
    asked = [(place, vector) for place, vector in zip(places, given, strict=True) if vector is not None]
    if not asked:
        return None
    own = np.array([place for place, _ in asked])
    return threshold_of(_units([vector for _, vector in asked]), _units([vector for _, vector in some]), own=own)


def threshold_of(
    asked: npt.NDArray[np.float32], found: npt.NDArray[np.float32], *, own: npt.NDArray[np.int64]
) -> float:
    """The similarity that one of a hundred pairs of texts picked at random is above.

    Rows are unit vectors. Nearly all such pairs are unrelated; `own` is the row of `found` that is the
    same text as the one asked with, and is left out.
    """
    similarities = asked @ found.T
    similarities[np.arange(len(asked)), own] = np.nan
    return float(np.clip(float(np.nanpercentile(similarities, _UNRELATED)), _LOOSEST, _STRICTEST))


def _units(vectors: Sequence[Vector]) -> npt.NDArray[np.float32]:
    table = np.array(vectors, dtype=np.float32)
    return table / np.linalg.norm(table, axis=1, keepdims=True)


def build_job(
    *,
    embedder_of: EmbedderOf,
    measures: Callable[[EmbeddingModel], bool],
    store: SwitchStore,
    switched: Callable[[], Awaitable[None]],
) -> Callable[[], Awaitable[timedelta | None]]:
    """The background job that builds up whichever model is to be built; `switched` hears of each that is in use."""

    async def run() -> timedelta | None:
        try:
            while (model := await store.building()) is not None:
                if await build_up(model, measures=measures(model), embedder=embedder_of(model), store=store):
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
