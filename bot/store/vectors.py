"""What differs between the vector extensions, one frozen row each, and a model's table of vectors.

pgvecto.rs in its pgvector-compatible mode understands pgvector's SQL but lays vectors out differently on the
wire, so they travel as text there. VectorChord has pgvector's own type, and an index of its own. A new extension
is a new row. Those two rows are written from their documentation (tests/store/test_extensions.py quotes it).

An index that is filtered by chat only behind its search finds too little, unless it can go on searching: pgvector's
can from 0.8 on. Where it cannot, or vectors are too long for it, there is none, and every vector of a chat is read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import asyncpg
import numpy as np
from pgvector import Vector as PgVector

from bot.errors import DimensionMismatch, ExtensionMissing
from bot.model import EmbeddingModel, Vector

PLAIN_LIMIT = 1900
"""Numbers a vector may have to lie beside its row (a page holds 8 KiB); a scan need not fetch it from elsewhere."""

_SettingsOf = tuple[tuple[str, str], ...]
"""Names and values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """How vectors of one length are indexed, and how the index is asked."""

    method: str
    column: str
    operators: str
    distance: str
    """What the nearest are ordered by; `v` is the table, `q` the query."""
    settings: _SettingsOf

    def asked(self, width: int) -> tuple[list[str], list[str]]:
        """Names and values of what to set for a search that keeps so many vectors in mind."""
        return [name for name, _ in self.settings], [value.format(width=width) for _, value in self.settings]


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexing:
    """The index of an extension: which vectors it takes, and how it is asked."""

    method: str
    since: tuple[int, ...]
    """The version of the extension from which on its index goes on searching until enough passed the filters."""
    limit: int
    """Numbers a vector may have to be indexed as it is."""
    half_limit: int = 0
    """As numbers of half the length; 0: the extension has no such, or none is needed."""
    options: str = ""
    """What the index is made with."""
    settings: _SettingsOf = ()
    """Set for a search alone; `{width}` stands for how many vectors the index keeps in mind meanwhile."""

    def index(self, dimension: int) -> Index | None:
        """How vectors of a length are indexed; None: not at all."""
        half = f"halfvec({int(dimension)})"
        if dimension <= self.limit:
            return Index(
                method=self.method,
                column="embedding",
                operators="vector_cosine_ops",
                distance="v.embedding <=> q.vector",
                settings=self.settings,
            )
        if dimension <= self.half_limit:
            return Index(
                method=self.method,
                column=f"(embedding::{half})",
                operators="halfvec_cosine_ops",
                distance=f"(v.embedding::{half}) <=> q.vector::{half}",
                settings=self.settings,
            )
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """How one extension is created and spoken to."""

    name: str
    """As in pg_available_extensions."""
    title: str
    create: str
    codec: Literal["binary", "text"]
    """How a vector travels between asyncpg and the server."""
    indexing: Indexing
    schema: str | None = None
    """The schema of its types and operators, where it insists on one of its own."""
    settings: _SettingsOf = ()
    """Session settings that every connection needs."""
    version: tuple[int, ...] = ()
    """As the server has it; empty before that was looked up."""

    def index(self, dimension: int) -> Index | None:
        """How vectors of a length are indexed here; None: not at all."""
        return self.indexing.index(dimension) if self.version >= self.indexing.since else None


EXTENSIONS = (
    Extension(
        name="vchord",
        title="VectorChord",
        create="CREATE EXTENSION IF NOT EXISTS vchord CASCADE",
        codec="binary",
        # Made without lists, it has no rows to learn from and needs no probes: it looks at all there is, in short form.
        # Whoever has millions can make it anew with lists and probes. Before 0.5.2, prefilter missed rows once changed.
        indexing=Indexing(
            method="vchordrq",
            since=(0, 5, 2),
            limit=16_000,
            settings=(("vchordrq.prefilter", "on"),),
        ),
    ),
    Extension(
        name="vector",
        title="pgvector",
        create="CREATE EXTENSION IF NOT EXISTS vector",
        codec="binary",
        indexing=Indexing(
            method="hnsw",
            since=(0, 8),
            limit=2000,
            half_limit=4000,
            # By default 64: then 7 of 100 times the best three of 100,000 are not those that a scan finds, with this 3.
            options=" WITH (ef_construction = 128)",
            settings=(
                ("hnsw.ef_search", "{width}"),
                ("hnsw.iterative_scan", "relaxed_order"),
                ("hnsw.max_scan_tuples", "200000"),
                ("hnsw.scan_mem_multiplier", "8"),
            ),
        ),
    ),
    Extension(
        name="vectors",
        title="pgvecto.rs",
        create="CREATE EXTENSION IF NOT EXISTS vectors",
        codec="text",
        schema="vectors",
        settings=(("vectors.pgvector_compatibility", "on"), ("search_path", '"$user", public, vectors')),
        # Its compatible mode understands `SET hnsw.ef_search`, but not set_config with that name.
        indexing=Indexing(
            method="hnsw",
            since=(0, 2),
            limit=65_535,
            settings=(("vectors.hnsw_ef_search", "{width}"),),
        ),
    ),
)
"""In the order of preference when a server has several."""


async def find_extension(connection: asyncpg.Connection[Any]) -> Extension:
    """The extension to use: one already created, else one that could be; raise `ExtensionMissing` if none."""
    rows = await connection.fetch(
        "SELECT name, installed_version IS NOT NULL AS created, coalesce(installed_version, default_version) AS version"
        " FROM pg_available_extensions WHERE name = ANY ($1)",
        [extension.name for extension in EXTENSIONS],
    )
    there = {row["name"]: row for row in rows}
    candidates = [extension for extension in EXTENSIONS if extension.name in there]
    if not candidates:
        raise ExtensionMissing(known=[extension.title for extension in EXTENSIONS])
    chosen = max(candidates, key=lambda extension: bool(there[extension.name]["created"]))
    return replace(chosen, version=as_version(there[chosen.name]["version"]))


def as_version(text: str) -> tuple[int, ...]:
    """A version as it is compared: "0.8.6" is (0, 8, 6)."""
    return tuple(int(part) for part in re.findall(r"\d+", text))


def wrap(vectors: Sequence[Vector | None]) -> list[PgVector | None]:
    """Vectors as parameters: asyncpg would take a list of arrays for one array of two dimensions."""
    return [None if vector is None else PgVector(vector) for vector in vectors]


def check_length(model: EmbeddingModel, vectors: Sequence[Vector | None]) -> None:
    """Raise `DimensionMismatch` for a vector that is not as long as those of the model's table."""
    for vector in vectors:
        if vector is not None and len(vector) != model.dimension:
            raise DimensionMismatch(model=model.name, got=len(vector), want=model.dimension)


def to_text(vector: PgVector) -> str:
    """A vector as the extensions print and read it: `[1,0.5]`."""
    return vector.to_text()


def from_text(text: str) -> Vector:
    """The opposite of `to_text`."""
    return np.array(text.strip("[]").split(","), dtype=np.float32)


def to_binary(vector: PgVector) -> bytes:
    """pgvector's binary layout."""
    return vector.to_binary()


def from_binary(data: bytes) -> Vector:
    """The opposite of `to_binary`."""
    return PgVector.from_binary(data).to_numpy()


async def speak(connection: asyncpg.Connection[Any], extension: Extension) -> None:
    """Teach one connection the extension's settings and its `vector` type, as numpy arrays."""
    for name, value in extension.settings:
        await connection.execute("SELECT set_config($1, $2, false)", name, value)
    schema = extension.schema or await connection.fetchval(
        "SELECT n.nspname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace "
        "WHERE t.typname = 'vector' AND t.typtype = 'b'"
    )
    if extension.codec == "binary":
        await connection.set_type_codec(
            "vector", schema=schema, encoder=to_binary, decoder=from_binary, format="binary"
        )
    else:
        await connection.set_type_codec("vector", schema=schema, encoder=to_text, decoder=from_text, format="text")


def table_of(model_id: int) -> str:
    """The name of a model's table of vectors."""
    return f"vectors_{int(model_id)}"


def create_table(model_id: int, dimension: int) -> str:
    """DDL of a model's table. Topic and time are repeated here so that a search reads one table only."""
    table, storage = table_of(model_id), "PLAIN" if dimension <= PLAIN_LIMIT else "EXTERNAL"
    return f"""
        CREATE TABLE IF NOT EXISTS {table} (
            chat_id    bigint NOT NULL,
            message_id bigint NOT NULL,
            topic      text NOT NULL,
            sent_at    timestamptz NOT NULL,
            embedding  vector({int(dimension)}),        -- NULL: the model will never take this text
            PRIMARY KEY (chat_id, message_id),
            FOREIGN KEY (chat_id, message_id) REFERENCES messages ON DELETE CASCADE
        );
        ALTER TABLE {table} ALTER COLUMN embedding SET STORAGE {storage};
    """


def why_no_index(dimension: int, extension: Extension) -> str | None:
    """Why vectors of a length have no index here, so that all of a chat's are read; None: they can have one."""
    if extension.index(dimension) is not None:
        return None
    indexing, there = extension.indexing, ".".join(map(str, extension.version))
    if extension.version < indexing.since:
        wanted = ".".join(map(str, indexing.since))
        return f"an index that goes on searching takes {extension.title} {wanted}, and this server has {there}"
    most = max(indexing.limit, indexing.half_limit)
    return f"{extension.title} indexes vectors of up to {most:,} numbers"


def create_indexes(
    model_id: int, dimension: int, extension: Extension, *, concurrently: bool = False
) -> Mapping[str, str]:
    """DDL of the indexes of a model's table by their names; apart, since they are best made when the rows are there.

    `concurrently`: while others write, which goes in no transaction.
    """
    table = table_of(model_id)
    create = f"CREATE INDEX {'CONCURRENTLY ' if concurrently else ''}IF NOT EXISTS"
    made = {f"{table}_by_time": f"{create} {table}_by_time ON {table} (chat_id, sent_at)"}
    index = extension.index(dimension)
    if index is not None:
        near, indexed = f"{table}_near", f"{index.column} {index.operators}"
        made[near] = f"{create} {near} ON {table} USING {index.method} ({indexed}){extension.indexing.options}"
    return made
