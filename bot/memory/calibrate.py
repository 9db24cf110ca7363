"""From which similarity on two texts have to do with each other, as the texts of this database tell it.

Each embedding model has a scale of its own: two texts that have nothing to do with each other are at .05 for one and
at .75 for another. Pairs of messages of different sessions of a chat are nearly all unrelated, so what one of a
hundred of them is above is the model's threshold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bot.model import EmbeddingModel, Passage, Vector
from bot.ports import PatientEmbedder

FEWEST_PAIRS = 1000
"""Unrelated pairs that tell a threshold; with fewer it stays a guess."""
_ASKED, _FOUND, _SHORTEST = 128, 2000, 12
"""Texts that are asked with, those that are compared with each, and characters that a text to ask with has at least."""
_UNRELATED = 99.0
"""Of a hundred unrelated pairs, so many are below the threshold. With the bundled model that is .30 in the sample
chat and .31 in realtalk-a, and .30 was chosen by hand; 99.9 gives .40 and .47, and loses evidence."""
_LOOSEST, _STRICTEST = 0.1, 0.9
_BATCH = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """A message picked to compare with others."""

    passage: Passage
    session: int
    """The stretch of talk that it is part of: a number of its chat."""
    vector: Vector


class SampleStore(Protocol):
    """The part of the database that calibrating uses."""

    async def some(self, model: EmbeddingModel, *, limit: int) -> list[Sample]: ...
    async def set_threshold(self, model: EmbeddingModel, threshold: float) -> None: ...


async def calibrate(model: EmbeddingModel, *, embedder: PatientEmbedder, store: SampleStore) -> None:
    """Set the threshold of a model to which nobody set one, once there are texts enough to tell it."""
    if model.threshold_told:
        return
    threshold = await measured(await store.some(model, limit=_FOUND), embedder=embedder)
    if threshold is not None:
        await store.set_threshold(model, threshold)


async def measured(samples: Sequence[Sample], *, embedder: PatientEmbedder) -> float | None:
    """The threshold that samples tell; None when they are too few. Some of them are embedded as they are asked with."""
    places = [place for place, sample in enumerate(samples) if len(sample.passage.text) >= _SHORTEST]
    places = places[:: max(1, len(places) // _ASKED)][:_ASKED]  # they come in the order of their texts
    pairs = unrelated(samples, places)
    if pairs.sum() < FEWEST_PAIRS:
        return None
    texts = [samples[place].passage.text for place in places]
    asked: list[Vector | None] = []
    for at in range(0, len(texts), _BATCH):
        asked += await embedder.embed(texts[at : at + _BATCH], purpose="query")
    there = [place for place, vector in enumerate(asked) if vector is not None]
    pairs = pairs[there]
    if pairs.sum() < FEWEST_PAIRS:
        return None
    return threshold_of(
        units([vector for vector in asked if vector is not None]), units([sample.vector for sample in samples]), pairs
    )


def unrelated(samples: Sequence[Sample], asked: Sequence[int]) -> npt.NDArray[np.bool_]:
    """(asked, samples): which pairs are of one chat, where alone is searched, but of different sessions there."""
    chats = np.array([sample.passage.chat_id for sample in samples], dtype=np.int64)
    sessions = np.array([sample.session for sample in samples], dtype=np.int64)
    at = np.array(asked, dtype=np.int64)
    return (chats[at, None] == chats) & (sessions[at, None] != sessions)


def threshold_of(asked: npt.NDArray[np.float32], found: npt.NDArray[np.float32], pairs: npt.NDArray[np.bool_]) -> float:
    """The similarity that one of a hundred pairs is above. Rows are unit vectors; `pairs` says which count."""
    similarities = (asked @ found.T)[pairs]
    return float(np.clip(float(np.percentile(similarities, _UNRELATED)), _LOOSEST, _STRICTEST))


def units(vectors: Sequence[Vector]) -> npt.NDArray[np.float32]:
    """Vectors as rows of unit length."""
    table = np.array(vectors, dtype=np.float32)
    return table / np.linalg.norm(table, axis=1, keepdims=True)
