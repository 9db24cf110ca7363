"""Embedding models side by side: which there are, what they still have to embed, and the search in their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from bot.errors import DimensionMismatch
from bot.model import EmbeddingModel, Hit, Message, Passage, Search, Vector
from bot.store.database import Database
from bot.store.rows import as_message
from bot.store.text import storable_or_none
from bot.store.vectors import create_table, table_of, wrap

SECONDS_A_DAY = 86_400


class Embeddings:
    """The family of `embedding_models`, `embedding_progress` and the tables of vectors."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, *, name: str, dimension: int, threshold: float) -> EmbeddingModel:
        """The row and table of a model, made when it is new."""
        row = await self._database.fetch_one("open_model", name, dimension, threshold)
        if row is None:  # made by another process between the two halves of the statement
            row = await self._database.fetch_one("open_model", name, dimension, threshold)
        assert row is not None  # noqa: S101
        model = EmbeddingModel(**row)
        await self._database.make_table(table_of(model.model_id), create_table(model.model_id, model.dimension))
        return model

    async def all(self) -> list[EmbeddingModel]:
        """Every model that was ever used here."""
        return [EmbeddingModel(**row) for row in await self._database.fetch("list_models")]

    async def pending(self, model: EmbeddingModel) -> int:
        """How many messages have no vector of this model yet."""
        row = await self._database.fetch_one("count_to_embed", model.model_id)
        return 0 if row is None else row[0]

    async def counts(self, model: EmbeddingModel) -> tuple[int, int]:
        """How many texts are embedded by this model, and how many it refused."""
        row = await self._database.fetch_one("count_vectors", vectors=table_of(model.model_id))
        return (0, 0) if row is None else (row["embedded"], row["refused"])

    async def to_embed(self, model: EmbeddingModel, *, limit: int) -> list[Passage]:
        """The next messages without a vector."""
        rows = await self._database.fetch("to_embed", model.model_id, limit)
        return [Passage(**row) for row in rows]

    async def keep(self, model: EmbeddingModel, passages: Sequence[Passage], vectors: Sequence[Vector | None]) -> None:
        """Keep the vectors of passages as `to_embed` gave them; None marks a text the model will never take."""
        _check(model, vectors)
        await self._database.fetch(
            "keep_vectors",
            model.model_id,
            [passage.chat_id for passage in passages],
            [passage.message_id for passage in passages],
            [passage.topic for passage in passages],
            [passage.sent_at for passage in passages],
            wrap(vectors),
            vectors=table_of(model.model_id),
        )

    async def search(self, search: Search) -> list[Hit]:
        """The best messages for each vector by combined score, each with its window. One round trip."""
        recall = search.recall
        _check(recall.model, search.vectors)
        rows = await self._database.fetch(
            "search_messages",
            search.lane.chat_id,
            storable_or_none(search.lane.topic),
            wrap(search.vectors),
            search.now,
            list(search.exclude),
            recall.model.threshold,
            recall.weights.similarity,
            recall.weights.time,
            recall.weights.horizon_days * SECONDS_A_DAY,
            recall.hits,
            recall.window,
            vectors=table_of(recall.model.model_id),
        )
        hits: list[Hit] = []
        for (query, number), group in groupby(rows, key=lambda row: (row["n"], row["hit"])):
            lines = list(group)
            around: list[Message] = [as_message(row) for row in lines]
            hits.append(
                Hit(
                    message=next(message for message in around if message.message_id == number),
                    similarity=lines[0]["similarity"],
                    time_relevance=lines[0]["time_relevance"],
                    score=lines[0]["score"],
                    query=query - 1,
                    window=tuple(message for message in around if message.message_id != number),
                )
            )
        return hits


def _check(model: EmbeddingModel, vectors: Sequence[Vector | None]) -> None:
    """Raise `DimensionMismatch` for a vector that is not as long as those of the model's table."""
    for vector in vectors:
        if vector is not None and len(vector) != model.dimension:
            raise DimensionMismatch(model=model.name, got=len(vector), want=model.dimension)
