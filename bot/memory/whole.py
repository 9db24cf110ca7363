"""What a chat's vectors are like as a whole: where they lie, and how much neighbours have to do with each other.

Ranking reckons with both: what is near to everything says little, and a neighbour's score says something only where
people keep to a subject. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bot.model import ChatId, Vector

MOST = 5_000
"""Vectors of a chat that are reckoned with: its newest."""
FULL_COHERENCE = 0.08
"""By how much neighbours are nearer to each other than any two messages where people keep to a subject."""
ROOM, LEAST_ROOM = 0.45, 1e-6
"""Between the similarity of any two messages and 1: where less is left, that excess is stretched to so much, as
nearness is in ranking. The bundled model leaves .45 to .80, multilingual-e5-small .06 to .18."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """A chat that is to be told anew."""

    chat_id: ChatId
    through: int
    """How far it is embedded."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Talk:
    """Vectors of a chat, topic by topic in order of time."""

    topics: tuple[str, ...]
    vectors: npt.NDArray[np.float32]
    """(n, dimension), not necessarily of unit length."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Whole:
    """What a chat is like as a whole."""

    centroid: Vector
    """The mean of its unit vectors."""
    coherence: float
    """Within [0, 1]; 0 where neighbours have no more to do with each other than any two messages."""


def whole(talk: Talk) -> Whole:
    """What the vectors of a chat, one at least, are like as a whole."""
    lengths = np.linalg.norm(talk.vectors, axis=1, keepdims=True)
    units = talk.vectors / np.where(lengths > 0, lengths, 1)
    centroid = units.mean(axis=0)
    topics = np.array(talk.topics)
    follow = topics[1:] == topics[:-1]
    if not follow.any():
        return Whole(centroid=centroid, coherence=0.0)
    nearness = float(np.einsum("nd,nd->n", units[1:][follow], units[:-1][follow]).mean())
    of_any_two = float(centroid @ centroid)
    stretch = ROOM / min(ROOM, max(LEAST_ROOM, 1 - of_any_two))
    excess = stretch * (nearness - of_any_two)
    return Whole(centroid=centroid, coherence=min(1.0, max(0.0, excess / FULL_COHERENCE)))
