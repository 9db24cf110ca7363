"""What differs between the vector extensions, one frozen row each, and a model's table of vectors.

pgvecto.rs in its pgvector-compatible mode understands pgvector's SQL but lays vectors out differently on the
wire, so they travel as text there. VectorChord builds on pgvector's own type, and so has its indexes. A new extension
is a new row.

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
ITERATES_FROM = (0, 8)
"""The version of pgvector from which on its HNSW goes on searching until enough passed the filters."""
FULL_LIMIT, HALF_LIMIT = 2000, 4000
"""Numbers a vector may have to be indexed as it is, and as numbers of half the length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """How one extension is created and spoken to."""

    name: str
    """As in pg_available_extensions."""
    title: str
    create: str
    codec: Literal["binary", "text"]
    """How a vector travels between asyncpg and the server."""
    schema: str | None = None
    """The schema of its types and operators, where it insists on one of its own."""
    settings: tuple[tuple[str, str], ...] = ()
    """Session settings that every connection needs."""
    index_of: str | None = None
    """The extension whose HNSW index it has; None: it is only ever scanned."""
    version: tuple[int, ...] = ()
    """Of `index_of`, as the server has it; empty before that was looked up."""

    def index(self, dimension: int) -> Index | None:
        """How vectors of a length are indexed here; None: not at all."""
        if self.version < ITERATES_FROM or dimension > HALF_LIMIT:
            return None
        if dimension <= FULL_LIMIT:
            return Index(column="embedding", operators="vector_cosine_ops", distance="v.embedding <=> q.vector")
        half = f"halfvec({int(dimension)})"
        return Index(
            column=f"(embedding::{half})",
            operators="halfvec_cosine_ops",
            distance=f"(v.embedding::{half}) <=> q.vector::{half}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """An HNSW index, and how it is asked."""

    column: str
    operators: str
    distance: str
    """What the nearest are ordered by; `v` is the table, `q` the query."""


EXTENSIONS = (
    Extension(
        name="vchord",
        title="VectorChord",
        create="CREATE EXTENSION IF NOT EXISTS vchord CASCADE",
        codec="binary",
        index_of="vector",
    ),
    Extension(
        name="vector",
        title="pgvector",
        create="CREATE EXTENSION IF NOT EXISTS vector",
        codec="binary",
        index_of="vector",
    ),
    Extension(
        name="vectors",
        title="pgvecto.rs",
        create="CREATE EXTENSION IF NOT EXISTS vectors",
        codec="text",
        schema="vectors",
        settings=(("vectors.pgvector_compatibility", "on"), ("search_path", "public, vectors")),
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
    versioned = there.get(chosen.index_of) if chosen.index_of else None
    return replace(chosen, version=as_version(versioned["version"])) if versioned else chosen


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
    if extension.index_of is None:
        return f"with {extension.title} all vectors of a chat are read: its index cannot go on searching within one"
    if extension.version < ITERATES_FROM:
        wanted, there = (".".join(map(str, version)) for version in (ITERATES_FROM, extension.version))
        return f"an index that goes on searching takes pgvector {wanted}, and this server has {there}"
    return f"{extension.title} indexes vectors of up to {HALF_LIMIT:,} numbers"


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
        made[f"{table}_near"] = f"{create} {table}_near ON {table} USING hnsw ({index.column} {index.operators})"
    return made
