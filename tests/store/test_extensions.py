"""The vector extensions that no server here has: what is said to them is what their documentation says.

Each quote is of the page named beside it, of pgvecto.rs up to 0.4 and VectorChord up to 1.1. Where our row differs from
pgvector's, a quote says why. What can be tried without them is: the wire format of pgvecto.rs, and types in a schema
of their own.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import NamedTuple

import asyncpg
import numpy as np
import pytest

from bot.memory.recall import combined
from bot.memory.seeds import choose_words
from bot.model import EmbeddingModel
from bot.store import PostgresStore
from bot.store import recall as pooling
from bot.store.database import Database, connect, statement
from bot.store.migrate import migrate
from bot.store.vectors import EXTENSIONS, Extension, as_version, create_indexes, create_table, from_text, speak
from tests.servers import execute
from tests.store.test_near import INDEX, SCAN, fill, pool_of, search_for, vectors_of

PGVECTOR, VECTORCHORD, PGVECTO_RS = (
    next(extension for extension in EXTENSIONS if extension.name == name) for name in ("vector", "vchord", "vectors")
)


class Quote(NamedTuple):
    """What a page says."""

    page: str
    says: str


def shape(definition: str) -> tuple[str, ...]:
    """What a CREATE INDEX comes down to: method, column, operator class and options, whatever the names."""
    found = re.fullmatch(r"CREATE INDEX .*?ON \w+ USING (\w+) \((\S+) (\w+)\)(.*?);?", definition)
    assert found is not None, definition
    method, column, operators, options = found.groups()
    return method, "embedding" if column in {"val", "embedding"} else column, operators, options


def near(extension: Extension, version: str, dimension: int) -> str | None:
    """How the vectors of model 7 are indexed."""
    return create_indexes(7, dimension, replace(extension, version=as_version(version))).get("vectors_7_near")


class TestVectorChord:
    CREATED = Quote(
        "github.com/tensorchord/pgvecto.rs-docs/blob/main/src/vectorchord/getting-started/overview.md",
        "CREATE EXTENSION IF NOT EXISTS vchord CASCADE;",
    )
    DEPENDS = Quote(
        "github.com/tensorchord/pgvecto.rs-docs/blob/main/src/vectorchord/getting-started/overview.md",
        "VectorChord depends on pgvector, including the vector representation. Since you can use them directly, your"
        " application can be easily migrated without pain!",
    )
    INDEXED = Quote(
        "docs.vectorchord.ai/vectorchord/usage/indexing.html",
        "CREATE INDEX ON items USING vchordrq (embedding vector_l2_ops);",
    )
    OPERATORS = Quote(
        "github.com/tensorchord/pgvecto.rs-docs/blob/main/src/vectorchord/usage/indexing.md",
        "| cosine distance (`<=>`) | `vector_cosine_ops` | `halfvec_cosine_ops` |",
    )
    ASKED = Quote(
        "docs.vectorchord.ai/vectorchord/usage/indexing.html",
        "SELECT * FROM items WHERE id % 7 <> 0 ORDER BY embedding <-> '[3,1,2]' LIMIT 10;",
    )
    GOES_ON = Quote(
        "docs.vectorchord.ai/vectorchord/usage/prefilter.html",
        "To retrieve 10 vectors that satisfy the filter condition, the index returned approximately 970 rows.",
    )
    PREFILTER = Quote("docs.vectorchord.ai/vectorchord/usage/prefilter.html", "SET vchordrq.prefilter = on;")
    PREFILTER_PAYS = Quote(
        "docs.vectorchord.ai/vectorchord/usage/prefilter.html",
        "So prefilter is only recommended when the filter is strict (eliminating many rows) and cheap (computational"
        " cost is much lower than computing vector distances).",
    )
    PREFILTER_MENDED = Quote(
        "github.com/tensorchord/VectorChord/releases/tag/0.5.2",
        "Fix MVCC violation if either build.rerank_in_table or vchordrq.prefilter is enabled.",
    )
    NO_PROBES = Quote(
        "docs.vectorchord.ai/vectorchord/usage/search.html", "If lists = [], then probes must be an empty list."
    )
    LENGTH = Quote(
        "github.com/tensorchord/pgvecto.rs-docs/blob/main/src/vectorchord/getting-started/overview.md",
        "There is a limitation at pgvector of 16,000 dimensions now.",
    )

    def test_it_is_created_with_pgvector_whose_types_it_uses(self) -> None:
        assert f"{VECTORCHORD.create};" == self.CREATED.says
        assert (VECTORCHORD.codec, VECTORCHORD.schema) == (PGVECTOR.codec, PGVECTOR.schema)

    def test_its_index_is_its_own_for_cosine_distance_and_without_lists(self) -> None:
        ours, theirs = near(VECTORCHORD, "1.1.1", 512), self.INDEXED.says.replace("vector_l2_ops", "vector_cosine_ops")
        assert (
            ours
            == "CREATE INDEX IF NOT EXISTS vectors_7_near ON vectors_7 USING vchordrq (embedding vector_cosine_ops)"
        )
        assert shape(ours) == shape(theirs)
        assert "`vector_cosine_ops`" in self.OPERATORS.says

    def test_it_takes_whatever_pgvectors_type_can_hold(self) -> None:
        assert "16,000" in self.LENGTH.says
        assert [near(VECTORCHORD, "1.1.1", length) is not None for length in (2001, 4096, 16_000, 16_001)] == [
            True, True, True, False,
        ]  # fmt: skip

    def test_it_is_asked_to_filter_first_and_for_no_probes(self) -> None:
        index = replace(VECTORCHORD, version=(1, 1, 1)).index(512)
        assert index is not None
        [[name], [value]] = index.asked(200)
        assert f"SET {name} = {value};" == self.PREFILTER.says

    @pytest.mark.parametrize(("version", "indexed"), [("0.5.1", False), ("0.5.2", True), ("1.1.1", True)])
    def test_it_is_only_scanned_where_prefilter_misses_rows(self, version: str, *, indexed: bool) -> None:
        assert (near(VECTORCHORD, version, 512) is not None) is indexed


class TestPgvectoRs:
    CREATED = Quote(
        "github.com/tensorchord/pgvecto.rs-docs/blob/main/src/getting-started/installation.md",
        "CREATE EXTENSION vectors;",
    )
    SEARCH_PATH = Quote(
        "github.com/tensorchord/pgvecto.rs-docs/blob/main/src/getting-started/installation.md",
        """psql -U postgres -c 'ALTER SYSTEM SET search_path TO "$user", public, vectors'""",
    )
    COMPATIBLE = Quote(
        "docs.vectorchord.ai/usage/compatibility.html",
        "It can be enabled by `SET vectors.pgvector_compatibility = on`.",
    )
    NATIVELY = Quote(
        "docs.vectorchord.ai/usage/compatibility.html", "`CREATE TABLE` commands, e.g. `CREATE TABLE t (val vector(3))`"
    )
    INDEXED = Quote(
        "docs.vectorchord.ai/usage/compatibility.html",
        "CREATE INDEX hnsw_cos_index ON t USING hnsw (val vector_cosine_ops);",
    )
    WIDTH = Quote("docs.vectorchord.ai/usage/search.html", "SET LOCAL vectors.hnsw_ef_search=40;")
    COMPATIBLE_IN_SET_ALONE = Quote(
        "github.com/tensorchord/pgvecto.rs/blob/main/src/index/compatibility.rs",
        "let is_variable_set = pgrx::is_a(utility_statement, pgrx::pg_sys::NodeTag::T_VariableSetStmt);",
    )
    WIDEST = Quote(
        "docs.vectorchord.ai/usage/compatibility.html",
        "| hnsw.ef_search | integer (`[1, 65535]`)   | `100`   | Search scope of HNSW.",
    )
    GOES_ON = Quote(
        "github.com/tensorchord/pgvecto.rs-docs/blob/main/src/faqs/comparison-pgvector.md",
        "Introduces VBASE method for vector search and relational query (e.g. Single-Vector TopK + Filter + Join).",
    )
    LENGTH = Quote(
        "github.com/tensorchord/pgvecto.rs-docs/blob/main/src/getting-started/overview.md",
        "`vector(n)` is a valid data type only if 1 ≤ n ≤ 65535.",
    )
    OPERATOR = Quote("docs.vectorchord.ai/usage/search.html", "| <=>   | cosine distance            |")
    WIRE = Quote(
        "github.com/tensorchord/pgvecto.rs/blob/main/src/datatype/binary_vecf32.rs",
        "pgrx::pg_sys::pq_sendbytes(&mut buf, (&dims) as *const u16 as _, 2);",
    )
    PRINTED = Quote(
        "github.com/tensorchord/pgvecto.rs/blob/main/src/datatype/text_vecf32.rs",
        'buffer.push_str(format!(", {}", x).as_str());',
    )

    def test_it_is_created_under_its_own_name(self) -> None:
        assert PGVECTO_RS.create.replace("IF NOT EXISTS ", "") + ";" == self.CREATED.says

    def test_every_connection_is_compatible_and_finds_its_schema(self) -> None:
        settings = dict(PGVECTO_RS.settings)
        assert (
            f"`SET vectors.pgvector_compatibility = {settings['vectors.pgvector_compatibility']}`"
            in self.COMPATIBLE.says
        )
        assert f"SET search_path TO {settings['search_path']}'" in self.SEARCH_PATH.says
        assert PGVECTO_RS.schema == "vectors"

    def test_its_table_and_index_are_pgvectors(self) -> None:
        assert "vector(512)," in create_table(7, 512)
        ours = near(PGVECTO_RS, "0.4.0", 512)
        assert near(PGVECTOR, "0.8.6", 512) == f"{ours}{PGVECTOR.indexing.options}"
        assert ours is not None
        assert shape(ours) == shape(self.INDEXED.says)

    def test_it_takes_twice_and_more_of_what_pgvector_takes_as_it_is(self) -> None:
        assert "65535" in self.LENGTH.says
        operators = [shape(near(PGVECTO_RS, "0.4.0", length) or "")[2] for length in (2000, 2001, 65_535)]
        assert operators == ["vector_cosine_ops"] * 3
        assert near(PGVECTO_RS, "0.4.0", 65_536) is None

    def test_how_wide_it_searches_is_set_by_the_name_that_it_has_itself(self) -> None:
        index = replace(PGVECTO_RS, version=(0, 4, 0)).index(512)
        assert index is not None
        [[name], [value]] = index.asked(40)
        assert f"SET LOCAL {name}={value};" == self.WIDTH.says
        assert pooling.WIDEST <= 65_535

    def test_vectors_travel_as_text_since_its_wire_format_is_another(self) -> None:
        assert PGVECTO_RS.codec == "text"
        assert np.array_equal(from_text("[1, -0.5, 1e-7]"), np.array([1, -0.5, 1e-7], np.float32))


@pytest.mark.parametrize("extension", EXTENSIONS, ids=[extension.title for extension in EXTENSIONS])
def test_the_nearest_are_asked_for_as_every_page_shows_it(extension: Extension) -> None:
    shown = re.search(r"ORDER BY embedding <\S+> \S+ LIMIT \d+", TestVectorChord.ASKED.says)
    assert shown is not None  # a column, an operator and a value, ascending, with a limit: an index needs it so
    index = replace(extension, version=(9,)).index(512)
    assert index is not None
    assert "`<=>`" in TestVectorChord.OPERATORS.says
    assert "<=>" in TestPgvectoRs.OPERATOR.says
    text = statement("recall_pool", vectors="vectors_7", near="near_by_index", distance=index.distance)
    assert re.search(r"ORDER BY v\.embedding <=> q\.vector\s+LIMIT ", text)
    assert not re.search(r"hnsw|vchord|vectors\.|halfvec", text)  # what differs is in the rows


@pytest.fixture
async def apart(empty_dsn: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PostgresStore]:
    """A store that speaks to pgvector as to pgvecto.rs: as text, with the type in a schema `vectors`."""
    monkeypatch.setattr(pooling, "INDEX_COST", INDEX)
    extension = replace(PGVECTO_RS, version=(0, 4, 0))
    await execute(empty_dsn, "CREATE SCHEMA vectors; CREATE EXTENSION vector SCHEMA vectors")
    connection = await connect(empty_dsn)
    await migrate(connection, report=lambda _: None)
    await connection.close()

    async def prepare(new: asyncpg.Connection[asyncpg.Record]) -> None:
        await speak(new, extension)

    async def keep(_: asyncpg.Connection[asyncpg.Record]) -> None:
        return None

    async with asyncpg.create_pool(empty_dsn, min_size=1, max_size=2, init=prepare, reset=keep) as pool:
        yield PostgresStore(Database(pool, extension))


async def test_vectors_as_text_in_a_schema_of_their_own_are_kept_and_found(
    apart: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    model: EmbeddingModel = await apart.embeddings.open(name="test", dimension=64, threshold=0.3)
    chat = await fill(apart, model, 300, days=100)
    search = search_for(chat, model, *vectors_of(5, seed=5))
    statistics = await apart.statistics(search)
    indexed = await apart.pool(search, statistics, choose_words(search, statistics))
    assert indexed.how == "index"
    monkeypatch.setattr(pooling, "INDEX_COST", SCAN)
    scanned = await pool_of(apart, search)
    assert scanned.how == "scan"
    assert [hit.message for hit in combined(indexed)] == [hit.message for hit in combined(scanned)] != []
