"""Embedding models side by side: which there are, what they still have to embed, and what a chat is like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import asyncpg
import numpy as np

from bot.errors import QueryFailed
from bot.memory.calibrate import Sample
from bot.memory.whole import Grown, Talk, Whole
from bot.model import ChatId, EmbeddingModel, ModelState, Passage, Standing, Vector
from bot.store.database import Database, Queries
from bot.store.vectors import check_length, create_indexes, create_table, table_of, why_no_index, wrap

LONGEST_TURN = 600.0
"""Seconds after a switch in which a turn that holds no lane, as in the terminal, may still search by the old model."""
_LOCKED = "55P03"
"""PostgreSQL's code for a lock that was waited for long enough."""
_MODEL = tuple(field.name for field in fields(EmbeddingModel))
_PASSAGE = tuple(field.name for field in fields(Passage))


class Embeddings:
    """The family of `embedding_models`, `embedding_progress` and the tables of vectors."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(
        self,
        *,
        name: str,
        dimension: int,
        threshold: float,
        threshold_told: bool = False,
        asks_dimension: bool = False,
        query_prefix: str = "",
        passage_prefix: str = "",
        indexed: bool = True,
    ) -> EmbeddingModel:
        """The row, table and indexes of a model, made when they are missing. With many vectors to come, index later."""
        row = (name, dimension, threshold, threshold_told, asks_dimension, query_prefix, passage_prefix)
        opened = None
        while opened is None:  # made, or dropped, by another process at just this moment: the next look finds how it is
            opened = await self._open(row)
        if indexed:
            await self.index(opened)
        return opened

    async def _open(self, wanted: tuple[object, ...]) -> EmbeddingModel | None:
        async with self._database.transaction() as queries:
            row = await queries.fetch_one("open_model", *wanted)
            there = {each["model_id"] for each in await queries.fetch("models_there")}
            if row is None or row["model_id"] not in there:
                return None
            # Row and table are there together or not at all: whoever finds the row goes to the table.
            await queries.make(table_of(row["model_id"]), create_table(row["model_id"], row["dimension"]))
        return _as_model(row)

    async def index(self, model: EmbeddingModel) -> None:
        """The indexes of a model, made when they are missing, while others write."""
        indexes = create_indexes(model.model_id, model.dimension, self._database.extension, concurrently=True)
        for index, definition in indexes.items():
            await self._database.make_index(index, definition)

    async def all(self) -> list[EmbeddingModel]:
        """Every model that has a table of vectors here."""
        return [each.model for each in await self.standings()]

    async def standings(self) -> list[Standing]:
        """What each model is to the bot now."""
        return [
            Standing(model=_as_model(row), state=row["state"], since=row["since"], instead_of=tuple(row["instead_of"]))
            for row in await self._database.fetch("list_models", None)
        ]

    async def in_use(self) -> EmbeddingModel | None:
        """The model that turns search by; None: none was chosen yet."""
        return await _in_state(self._database, "in use")

    async def building(self) -> EmbeddingModel | None:
        """The model that is to be in use once it has embedded what that one has."""
        return await _in_state(self._database, "building")

    async def use_first(self, model: EmbeddingModel) -> EmbeddingModel:
        """Put a model in use if none is; the one that is in use now."""
        async with self._database.transaction() as queries:
            await queries.fetch("lock_models")
            await queries.fetch("first_model", model.model_id)
            return await _in_state(queries, "in use") or model

    async def build(self, model: EmbeddingModel, *, keeps_old: bool) -> bool:
        """From now on the background job builds this model up, and no other; False when it is in use, or gone."""
        async with self._database.transaction() as queries:
            await queries.fetch("lock_models")
            await queries.fetch("give_up_building", model.model_id)
            return bool(await queries.fetch("build_model", model.model_id, keeps_old))

    async def give_up(self) -> None:
        """No model is built up any more."""
        async with self._database.transaction() as queries:
            await queries.fetch("lock_models")
            await queries.fetch("give_up_building", None)

    async def switch(self, model: EmbeddingModel, *, lacking: int = 0, as_it_is: bool = False) -> bool:
        """Put the model that is being built in use, if it is whole, at one moment for all; else False.

        It may lack a few messages that came just now, if the one in use lacks them too. `as_it_is`: whole or not,
        for when the one in use cannot be asked any more.
        """
        async with self._database.transaction() as queries:
            await queries.fetch("lock_models")
            building = await _in_state(queries, "building")
            if building is None or building.model_id != model.model_id:
                return False
            whole = await queries.fetch_one("is_whole", model.model_id, lacking)
            if not as_it_is and (whole is None or not whole["whole"]):
                return False
            old = await queries.fetch_one("retire_model", model.model_id)
            before: list[str] = []
            if old is not None:
                # One that cannot be asked may be wished for again, by a setting that names it.
                before = [*old["instead_of"], *([] if as_it_is else [old["known_as"]])]
            return bool(await queries.fetch("use_model", model.model_id, before))

    async def drop_left(self, *, longest_turn: float = LONGEST_TURN) -> bool:
        """Drop the vectors that no turn needs any more; whether there are some that one may still need."""
        waits = False
        for row in await self._database.fetch("leaving_models", longest_turn):
            try:
                dropped = row["free"] and await self._drop(row["model_id"])
            except QueryFailed as error:
                if error.sqlstate != _LOCKED:
                    raise
                dropped = False
            waits |= not dropped
        return waits

    async def _drop(self, model_id: int) -> bool:
        async with self._database.transaction() as queries:
            await queries.fetch("limit_lock_wait")
            if await queries.fetch("forget_model", model_id):
                await queries.fetch("drop_vectors", vectors=table_of(model_id))
        return True

    async def set_threshold(self, model: EmbeddingModel, threshold: float, *, again: bool = False) -> None:
        """From which similarity on two texts have to do with each other; `again`: also if that was told before."""
        await self._database.fetch("set_threshold", model.model_id, threshold, again)

    async def some(self, model: EmbeddingModel, *, limit: int) -> list[Sample]:
        """Messages with their vectors, picked at random, but the same ones each time; no text twice."""
        rows = await self._database.fetch("some_vectors", limit, vectors=table_of(model.model_id))
        return [
            Sample(
                session=row["session"],
                vector=row["embedding"],
                passage=Passage(**{name: row[name] for name in _PASSAGE}),
            )
            for row in rows
        ]

    def why_no_index(self, model: EmbeddingModel) -> str | None:
        """Why the vectors of a model are not indexed here; None: they are, or will be."""
        return why_no_index(model.dimension, self._database.extension)

    async def index_kind(self, model: EmbeddingModel) -> str | None:
        """How the vectors of a model are indexed; None: not, or not yet."""
        row = await self._database.fetch_one("index_of_vectors", f"{table_of(model.model_id)}_near")
        return row["kind"] if row is not None and row["whole"] else None

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
        """Keep the vectors of passages as `to_embed` gave them; None marks a text the model will never take.

        What was edited meanwhile is not kept, and will be given again.
        """
        check_length(model, vectors)
        await self._database.fetch(
            "keep_vectors",
            model.model_id,
            [passage.chat_id for passage in passages],
            [passage.message_id for passage in passages],
            [passage.topic for passage in passages],
            [passage.sent_at for passage in passages],
            [passage.text for passage in passages],
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


def _as_model(row: asyncpg.Record) -> EmbeddingModel:
    return EmbeddingModel(**{name: row[name] for name in _MODEL})


async def _in_state(queries: Queries, state: ModelState) -> EmbeddingModel | None:
    row = await queries.fetch_one("list_models", state)
    return None if row is None else _as_model(row)
