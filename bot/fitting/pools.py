"""A conversation as pools of all its messages, without a database: what ranking is fitted on, and compared with."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bot.memory.embed import passage_text
from bot.memory.whole import Talk, whole
from bot.memory.window import SILENCE
from bot.memory.words import frequencies, terms
from bot.model import (
    ChatId,
    EmbeddingModel,
    Found,
    Lane,
    Message,
    MessageId,
    Passage,
    Pool,
    Query,
    Recall,
    Search,
    Statistics,
    Vector,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One message of a conversation, as a recall set has it."""

    sent_at: datetime
    sender: str
    text: str


class Conversation:
    """All of one chat, in order of time."""

    def __init__(self, lines: Sequence[Line], vectors: npt.NDArray[np.float32], *, model: EmbeddingModel) -> None:
        """`vectors` (n, dimension) are those of the passages of the lines."""
        self._lines, self._vectors, self._model = lines, vectors, model
        self._counts = [frequencies(line.text) for line in lines]
        self._lengths = [counts.total() for counts in self._counts]
        self._chat: Counter[str] = Counter()
        for counts in self._counts:
            self._chat.update(counts.keys())

    @cached_property
    def _units(self) -> npt.NDArray[np.float32]:
        return self._vectors / np.maximum(np.linalg.norm(self._vectors, axis=1, keepdims=True), 1e-12)

    @cached_property
    def _found(self) -> tuple[Found, ...]:
        found: list[Found] = []
        session = 0
        for place, line in enumerate(self._lines):
            if not place or line.sent_at - self._lines[place - 1].sent_at > SILENCE:
                session = place + 1
            message = Message(
                chat_id=ChatId(1), message_id=MessageId(place + 1), external_id=str(place), topic="",
                sender_id=line.sender, sender=line.sender, persona=None, sent_at=line.sent_at, edited_at=None,
                text=line.text, reply_to=None, forwarded_from=None,
            )  # fmt: skip
            found.append(Found(message=message, session=session, length=self._lengths[place], in_view=False))
        return tuple(found)

    @cached_property
    def _whole(self) -> tuple[Vector, float]:
        told = whole(Talk(topics=("",) * len(self._lines), vectors=self._vectors))
        return told.centroid, told.coherence

    @cached_property
    def _times(self) -> list[datetime]:
        return [line.sent_at for line in self._lines]

    def pool(self, asked: Sequence[tuple[str, Vector]], *, now: datetime, in_view: int = 0) -> Pool:
        """All that was said by `now` and is out of view, for queries with their vectors."""
        queries = tuple(Query(text=text, vector=vector, terms=tuple(terms(text))) for text, vector in asked)
        n = max(0, bisect_right(self._times, now) - in_view)
        known = tuple(dict.fromkeys(term for query in queries for term in query.terms if self._chat[term]))
        matrix = np.array([query.vector for query in queries])
        units = matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-12)
        places = np.arange(n)
        centroid, coherence = self._whole
        return Pool(
            search=Search(lane=Lane(ChatId(1)), queries=queries, recall=Recall(model=self._model), now=now),
            statistics=Statistics(
                indexed=len(self._lines),
                mean_length=max(1.0, sum(self._lengths) / max(1, len(self._lengths))),
                counts={term: self._chat[term] for query in queries for term in query.terms},
                embedded=len(self._lines),
                vectors=len(self._lines),
                coherence=coherence,
                centroid=centroid,
            ),
            found=self._found[:n],
            terms=known,
            counts=np.array([[counts[term] for term in known] for counts in self._counts[:n]], dtype=np.float32),
            similarities=(units @ self._units[:n].T).astype(np.float64),
            by_words=np.zeros((len(queries), n), dtype=np.bool_),
            by_vector=np.zeros((len(queries), n), dtype=np.bool_),
            hits=((),) * len(queries),
            previous=places - 1,
            following=np.where(places + 1 < n, places + 1, -1),
            how="scan",
        )


def passage_texts(lines: Sequence[Line]) -> list[str]:
    """What is embedded of each line."""
    return [
        passage_text(
            Passage(chat_id=ChatId(1), message_id=MessageId(n), topic="", sender=line.sender, sent_at=line.sent_at,
                    text=line.text)
        )
        for n, line in enumerate(lines)
    ]  # fmt: skip
