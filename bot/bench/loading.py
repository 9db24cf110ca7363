"""Puts made-up chats into an empty scratch database by COPY, as recording and embedding them would have left them.

Recording a million messages one statement at a time takes hours. tests/bench/test_latency.py holds what is written
here against what the store writes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from asyncpg.pool import PoolConnectionProxy

from bot.bench.corpus import Chunk
from bot.memory.embed import tell_wholes
from bot.model import ChatId, EmbeddingModel, MessageId, Passage
from bot.store import PostgresStore, catalog
from bot.store.catalog import quoted
from bot.store.text import storable
from bot.store.vectors import create_indexes, table_of, wrap
from bot.store.words import stored_days, stored_terms

_SILENCE = timedelta(minutes=30)
"""Behind which a session begins, as sql/queries/messages.sql has it."""
_LONGEST = 6 * 3600.0
"""Seconds that one statement may take."""
_NODE = 700
"""Bytes of a vector's links in an HNSW index while it is built, about."""
_MOST_MEMORY = 4 * 1024 * 1024
"""KiB for building an index; of what does not fit, every vector is put in its place on disk, many times as slow."""


@dataclass(slots=True)
class _Words:
    """The postings of a chat, one entry each in three lists, until they are written in the order of their key."""

    numbers: dict[str, int] = field(default_factory=dict[str, int])
    term: list[int] = field(default_factory=list[int])
    message: list[int] = field(default_factory=list[int])
    tf: list[int] = field(default_factory=list[int])
    sent_at: list[datetime] = field(default_factory=list[datetime])
    """One entry a message, as the next."""
    length: list[int] = field(default_factory=list[int])

    def add(self, number: int, terms: Sequence[str], days: Sequence[str], sent_at: datetime) -> None:
        """The terms of the message with this number; messages come in the order of their numbers, from 1."""
        self.sent_at.append(sent_at)
        self.length.append(len(terms))
        for term, tf in Counter([*terms, *days]).items():
            self.term.append(self.numbers.setdefault(term, len(self.numbers)))
            self.message.append(number)
            self.tf.append(tf)

    def postings(self, chat: ChatId) -> Iterator[tuple[object, ...]]:
        """Rows, in the order of their key, so that the index only ever grows at its end."""
        names = list(self.numbers)
        place = np.empty(len(names), dtype=np.int32)
        place[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        order: list[int] = np.argsort(place[np.array(self.term, dtype=np.int64)], kind="stable").tolist()
        for at in order:
            number = self.message[at]
            yield (
                chat, names[self.term[at]], number, "", self.sent_at[number - 1], self.tf[at], self.length[number - 1],
            )  # fmt: skip

    def counts(self, chat: ChatId) -> Iterator[tuple[object, ...]]:
        """In how many messages each term is."""
        names = list(self.numbers)
        for term, count in Counter(self.term).items():
            yield chat, names[term], count


async def load(
    store: PostgresStore,
    model: EmbeddingModel,
    talks: Mapping[str, Iterable[Chunk]],
    *,
    read_at: datetime,
    report: Callable[[str], None] = lambda _: None,
) -> list[ChatId]:
    """Write chats by their sources, all messages read and embedded; then make the indexes and ANALYZE.

    The foreign keys and the index of the vectors are away meanwhile: nobody else may use the database.
    """
    indexes = create_indexes(model.model_id, model.dimension, store.database.extension)
    async with store.database.pool.acquire() as connection:
        schema = str(await connection.fetchval("SELECT current_schema()"))
        keys = await catalog.foreign_keys(connection, schema)
        for key in keys:
            await connection.execute(f"ALTER TABLE {quoted(schema, key.table)} DROP CONSTRAINT {quoted(key.name)}")
        for name in indexes:
            await connection.execute(f"DROP INDEX IF EXISTS {quoted(schema, name)}")
        chats = [
            await _load_chat(store, connection, model, source, talk, read_at=read_at) for source, talk in talks.items()
        ]
        report("making the indexes")
        count = await connection.fetchval(f"SELECT count(*) FROM {quoted(schema, table_of(model.model_id))}")  # noqa: S608
        memory = min(_MOST_MEMORY, 65_536 + count * (4 * model.dimension + _NODE) // 1024)
        await connection.execute("SELECT set_config('maintenance_work_mem', $1, false)", f"{memory}kB")
        for key in keys:
            await connection.execute(
                f"ALTER TABLE {quoted(schema, key.table)} ADD CONSTRAINT {quoted(key.name)} {key.definition}",
                timeout=_LONGEST,
            )
        for definition in indexes.values():
            await connection.execute(definition, timeout=_LONGEST)
        await connection.execute("RESET maintenance_work_mem")
        await connection.execute("VACUUM ANALYZE", timeout=_LONGEST)
    await tell_wholes(model=model, store=store.embeddings)
    return chats


async def _load_chat(
    store: PostgresStore,
    connection: PoolConnectionProxy[Any],
    model: EmbeddingModel,
    source: str,
    talk: Iterable[Chunk],
    *,
    read_at: datetime,
) -> ChatId:
    chat = await store.chats.open(source, title=source)
    words, last, session, through = _Words(), None, 0, 0
    for chunk in talk:
        messages: list[tuple[object, ...]] = []
        for number, (said, sent_at) in enumerate(zip(chunk.said, chunk.sent_at, strict=True), chunk.first):
            if last is None or sent_at > last + _SILENCE:
                session = number
            last, through = sent_at, number
            terms = stored_terms(said.text)
            words.add(number, terms, stored_days(said.text, sent_at), sent_at)
            sender = storable(said.sender)
            messages.append(
                (chat, number, source, str(number), "", sender, sender, sent_at, storable(said.text), read_at,
                 len(terms), session)
            )  # fmt: skip
        await _copy(
            connection, "messages", messages,
            "chat_id", "message_id", "source", "external_id", "topic", "sender_id", "sender", "sent_at", "text",
            "read_at", "terms", "session",
        )  # fmt: skip
        await _load_vectors(store, connection, model, chat, chunk)
    await _copy(
        connection, "postings", words.postings(chat),
        "chat_id", "term", "message_id", "topic", "sent_at", "tf", "length",
    )  # fmt: skip
    await _copy(connection, "term_counts", words.counts(chat), "chat_id", "term", "messages")
    await connection.execute(
        "UPDATE chats SET last_message_id = $2, indexed_messages = $2, indexed_terms = $3 WHERE chat_id = $1",
        chat, through, sum(words.length),
    )  # fmt: skip
    await connection.execute(
        "INSERT INTO embedding_progress (model_id, chat_id, through) VALUES ($1, $2, $3) "
        "ON CONFLICT (model_id, chat_id) DO UPDATE SET through = EXCLUDED.through",
        model.model_id, chat, through,
    )  # fmt: skip
    return chat


async def _load_vectors(
    store: PostgresStore, connection: PoolConnectionProxy[Any], model: EmbeddingModel, chat: ChatId, chunk: Chunk
) -> None:
    if store.database.extension.codec == "text":  # which COPY in binary has no words for
        passages = [
            Passage(
                chat_id=chat, message_id=MessageId(n), topic="", sender=said.sender, sent_at=sent_at, text=said.text
            )
            for n, (said, sent_at) in enumerate(zip(chunk.said, chunk.sent_at, strict=True), chunk.first)
        ]
        await store.embeddings.keep(model, passages, list(chunk.vectors))
        return
    rows = (
        (chat, number, "", sent_at, vector)
        for number, (sent_at, vector) in enumerate(
            zip(chunk.sent_at, wrap(list(chunk.vectors)), strict=True), chunk.first
        )
    )
    await _copy(
        connection, table_of(model.model_id), rows, "chat_id", "message_id", "topic", "sent_at", "embedding"
    )  # fmt: skip


async def _copy(
    connection: PoolConnectionProxy[Any], table: str, rows: Iterable[tuple[object, ...]], *columns: str
) -> None:
    await connection.copy_records_to_table(table, records=rows, columns=columns, timeout=_LONGEST)
