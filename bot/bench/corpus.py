"""Chats of any size out of a few thousand real messages: what is said in them, when, and with which vectors.

Uniform random vectors have no neighbours, and an index over them is worth nothing; random words are all equally rare.
So messages are made of two that people wrote: the beginning of one and the end of the other, their vectors mixed alike
and shaken a little. Rare words are less rare than in a real chat as large, since no new ones are made up. Pure but
for `gather`, which embeds.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt

from bot.memory.embed import passage_text
from bot.model import ChatId, MessageId, Passage, Vector
from bot.ports import PatientEmbedder, Purpose

SPAN = timedelta(days=730)
"""Over which a chat is spread."""
NEW = timedelta(days=30)
"""Over which its newest part is spread."""
NEW_SHARE = 0.1
CHUNK = 5_000
"""Messages made at a time."""
_BATCH = 64
_SHORTEST_SESSION, _SESSIONS_A_DAY = 12, 4
"""Messages of a stretch of talk, on average; where so many stretches a day do not hold all, they are longer."""
_PAUSE = 40.0
"""Seconds between two messages of one, on average; less where it would last longer than until the next."""
_MOST_OF_OTHER = 0.5
"""The part of a message that may be another's."""
_SHAKEN = 0.25
"""The length of what is added to a vector of length 1."""
_PIECE = re.compile(r"\s*(?:[\u2e80-\u9fff\uf900-\uffef]|[^\s\u2e80-\u9fff\uf900-\uffef]+)")
"""A word, or a character of a script without spaces, with the space before it."""

Generator = np.random.Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message that somebody wrote."""

    sender: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Material:
    """What chats are made of, and what is asked of them."""

    said: tuple[Said, ...]
    vectors: npt.NDArray[np.float32]
    """(n, dimension), of unit length; those of `said`, embedded as messages are."""
    asked: tuple[str, ...]
    """Texts to search with."""
    asked_vectors: dict[str, Vector | None]
    """Of each of them and of its parts, embedded as queries are."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chunk:
    """Some messages of a chat that follow one another, one entry a message."""

    first: int
    """The number of the first one."""
    said: list[Said]
    sent_at: list[datetime]
    vectors: npt.NDArray[np.float32]


async def gather(
    said: Sequence[Said], asked: Sequence[str], parts: Sequence[str], *, embedder: PatientEmbedder, count: int
) -> Material:
    """`count` messages, embedded: real ones, and behind the last of them such as are made of two; and the queries."""
    chooser = random.Random(7)  # noqa: S311 - a benchmark wants the same text each time
    real = chooser.sample(said, min(count, len(said)))
    made = [_made_of(chooser.choice(real), chooser.choice(real), chooser.random()) for _ in range(count - len(real))]
    each = [*real, *made]
    start, days = datetime.fromisoformat("2024-06-01T12:00:00Z"), SPAN.days
    passages = [
        Passage(
            chat_id=ChatId(1),
            message_id=MessageId(n),
            topic="",
            sender=one.sender,
            sent_at=start + timedelta(days=chooser.randrange(days)),
            text=one.text,
        )
        for n, one in enumerate(each, 1)
    ]
    vectors = await _embedded([passage_text(passage) for passage in passages], embedder=embedder, purpose="passage")
    kept = [(one, vector) for one, vector in zip(each, vectors, strict=True) if vector is not None]
    queries = list(dict.fromkeys([*asked, *parts]))
    return Material(
        said=tuple(one for one, _ in kept),
        vectors=_units(np.array([vector for _, vector in kept], dtype=np.float32)),
        asked=tuple(asked),
        asked_vectors=dict(zip(queries, await _embedded(queries, embedder=embedder, purpose="query"), strict=True)),
    )


def talk(material: Material, *, count: int, now: datetime, seed: int) -> Iterator[Chunk]:
    """A chat of so many messages, in order of time; the same for the same seed."""
    chooser = np.random.default_rng(seed)
    ago = _moments(count, chooser)
    for at in range(0, count, CHUNK):
        size = min(CHUNK, count - at)
        one, other = (chooser.integers(len(material.said), size=size) for _ in range(2))
        share = chooser.uniform(0, _MOST_OF_OTHER, size)
        shaken = chooser.normal(0, _SHAKEN / material.vectors.shape[1] ** 0.5, (size, material.vectors.shape[1]))
        mixed = material.vectors[one] * (1 - share[:, None]) + material.vectors[other] * share[:, None] + shaken
        firsts: list[int] = one.tolist()
        seconds: list[int] = other.tolist()
        yield Chunk(
            first=at + 1,
            said=[
                _made_of(material.said[first], material.said[second], part)
                for first, second, part in zip(firsts, seconds, share.tolist(), strict=True)
            ],
            sent_at=[now - timedelta(seconds=each) for each in ago[at : at + size].tolist()],
            vectors=_units(mixed.astype(np.float32)),
        )


def sizes(total: int, *, chats: int) -> list[int]:
    """How many messages each chat has when the n-th has an n-th of what the first has; one at least."""
    weights = 1 / np.arange(1, chats + 1)
    bounds = np.floor(np.cumsum(weights) / weights.sum() * max(0, total - chats) + 0.5).astype(int)
    return [int(size) + 1 for size in np.diff(bounds, prepend=0)]


def _moments(count: int, chooser: Generator) -> npt.NDArray[np.int64]:
    """Whole seconds before now, falling: stretches of talk, begun at any time, and a part of them lately."""
    length = max(_SHORTEST_SESSION, count / (SPAN.days * _SESSIONS_A_DAY))
    stretches = max(1, round(count / length))
    span, new = SPAN.total_seconds(), NEW.total_seconds()
    starts = np.where(
        chooser.random(stretches) < NEW_SHARE, chooser.uniform(0, new, stretches), chooser.uniform(new, span, stretches)
    )
    starts[0] = span
    pause = min(_PAUSE, 86_400 / _SESSIONS_A_DAY / length)
    of = np.sort(chooser.integers(stretches, size=count))
    pauses = np.cumsum(chooser.exponential(pause, count))
    begins = np.searchsorted(of, of)  # where the stretch of each message begins
    ago = starts[of] - (pauses - pauses[begins])
    return np.sort(np.maximum(60, ago).astype(np.int64))[::-1]


def _made_of(one: Said, other: Said, share: float) -> Said:
    """The beginning of a message and the end of another one, each shortened by what the other gives."""
    pieces, others = _PIECE.findall(one.text), _PIECE.findall(other.text)
    kept, taken = round(len(pieces) * (1 - share)), round(len(others) * share)
    text = "".join([*pieces[: max(1, kept)], *others[len(others) - taken :]]).strip()
    return Said(sender=one.sender, text=text or one.text)


def _units(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


async def _embedded(texts: Sequence[str], *, embedder: PatientEmbedder, purpose: Purpose) -> list[Vector | None]:
    vectors: list[Vector | None] = []
    for at in range(0, len(texts), _BATCH):
        vectors += await embedder.embed(texts[at : at + _BATCH], purpose=purpose)
    return vectors
