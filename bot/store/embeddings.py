"""Embedding models side by side: which there are, what they still have to embed, and what a chat is like."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.memory.whole import Grown, Talk, Whole
from bot.model import ChatId, EmbeddingModel, Passage, Vector
from bot.store.database import Database
from bot.store.vectors import check_length, create_indexes, create_table, table_of, wrap


class Embeddings:
    """The family of `embedding_models`, `embedding_progress` and the tables of vectors."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, *, name: str, dimension: int, threshold: float) -> EmbeddingModel:
        """The row, table and indexes of a model, made when they are missing."""
        row = await self._database.fetch_one("open_model", name, dimension, threshold)
        if row is None:  # made by another process between the two halves of the statement
            row = await self._database.fetch_one("open_model", name, dimension, threshold)
        assert row is not None  # noqa: S101
        model = EmbeddingModel(**row)
        await self._database.make(table_of(model.model_id), create_table(model.model_id, model.dimension))
        indexes = create_indexes(model.model_id, model.dimension, self._database.extension)
        for index, definition in indexes.items():
            await self._database.make(index, definition)
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
        check_length(model, vectors)
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

    async def grown(self, model: EmbeddingModel) -> list[Grown]:
        """The chats that grew by a tenth since it was told what their vectors are like as a whole."""
        return [Grown(**row) for row in await self._database.fetch("grown_chats", model.model_id)]

    async def newest(self, model: EmbeddingModel, chat_id: ChatId, *, limit: int) -> Talk:
        """The newest vectors of a chat."""
        rows = await self._database.fetch("newest_vectors", chat_id, limit, vectors=table_of(model.model_id))
        return Talk(
            topics=tuple(row["topic"] for row in rows),
            vectors=np.array([row["embedding"] for row in rows], dtype=np.float32).reshape(len(rows), model.dimension),
        )

    async def keep_whole(self, model: EmbeddingModel, chat: Grown, whole: Whole) -> None:
        """Keep what the vectors of a chat are like as a whole."""
        await self._database.fetch(
            "keep_chat_vectors",
            model.model_id,
            chat.chat_id,
            chat.through,
            whole.centroid.tolist(),
            whole.coherence,
        )
