"""What differs between the vector extensions, one frozen row each, and a model's table of vectors.

pgvecto.rs in its pgvector-compatible mode understands pgvector's SQL but lays vectors out differently on the
wire, so they travel as text there. VectorChord builds on pgvector's own type. A new extension is a new row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import asyncpg
import numpy as np
from pgvector import Vector as PgVector

from bot.errors import ExtensionMissing
from bot.model import Vector

PLAIN_LIMIT = 1900
"""Numbers a vector may have to lie beside its row (a page holds 8 KiB); a scan need not fetch it from elsewhere."""


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


EXTENSIONS = (
    Extension(
        name="vchord",
        title="VectorChord",
        create="CREATE EXTENSION IF NOT EXISTS vchord CASCADE",
        codec="binary",
    ),
    Extension(
        name="vector",
        title="pgvector",
        create="CREATE EXTENSION IF NOT EXISTS vector",
        codec="binary",
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
        "SELECT name, installed_version IS NOT NULL AS created FROM pg_available_extensions WHERE name = ANY ($1)",
        [extension.name for extension in EXTENSIONS],
    )
    there = {row["name"]: row["created"] for row in rows}
    candidates = [extension for extension in EXTENSIONS if extension.name in there]
    if not candidates:
        raise ExtensionMissing(known=[extension.title for extension in EXTENSIONS])
    return max(candidates, key=lambda extension: bool(there[extension.name]))


def wrap(vectors: Sequence[Vector | None]) -> list[PgVector | None]:
    """Vectors as parameters: asyncpg would take a list of arrays for one array of two dimensions."""
    return [None if vector is None else PgVector(vector) for vector in vectors]


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
