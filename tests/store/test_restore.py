"""Loading a backup: exactly what was saved, or nothing at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import BackupError
from bot.store import open_store, queries
from bot.store.migrate import migrate, pending
from bot.store.text import storable
from tests.servers import OLDER, Servers, made
from tests.store.saved import connected, contents, fill, load, save, shape, silent

LATER = """
    CREATE TYPE mood AS ENUM ('calm', 'sad');
    CREATE SEQUENCE tickets;
    CREATE TABLE people (
        person      int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name        text NOT NULL,
        mood        mood NOT NULL DEFAULT 'calm',
        loud        text GENERATED ALWAYS AS (upper(name)) STORED,
        ticket      bigint NOT NULL DEFAULT nextval('tickets'),
        best_friend int REFERENCES people,
        house       int
    );
    CREATE TABLE houses (house serial PRIMARY KEY, owner int NOT NULL REFERENCES people DEFERRABLE INITIALLY DEFERRED);
    ALTER TABLE people ADD CONSTRAINT people_live_in FOREIGN KEY (house) REFERENCES houses ON DELETE SET NULL;
    CREATE TABLE counted (what text PRIMARY KEY, n int NOT NULL);
    INSERT INTO counted VALUES ('messages', 0);
    CREATE FUNCTION count_message() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN UPDATE counted SET n = n + 1 WHERE what = ''messages''; RETURN NEW; END';
    CREATE TRIGGER count_messages AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION count_message();
    CREATE VIEW sad_people AS SELECT * FROM people WHERE mood = 'sad';
    ALTER TABLE messages RENAME COLUMN forwarded_from TO forwarded;
"""
"""A migration with everything that could stand in the way of a restore."""

LATER_ROWS = """
    INSERT INTO people (name, mood) VALUES ('Ann', 'sad'), ('Bob', 'calm');
    UPDATE people SET best_friend = 3 - person;
    INSERT INTO houses (owner) VALUES (2), (1);
    UPDATE people SET house = person;
"""
LATER_MESSAGE = """
    INSERT INTO messages (chat_id, message_id, source, external_id, sender, sent_at, text)
    VALUES (1, 900, 'terminal', '900', 'Ann', now(), 'hello');
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the backup is."""
    return tmp_path / "everything.companion"


@pytest.fixture
def program_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Calling it makes this program a later version, with one more migration."""

    def grow() -> None:
        shutil.copytree(queries.sql_folder(), folder := tmp_path / "sql")
        number = len(queries.migrations()) + 1
        (folder / "migrations" / f"{number:04d}_later.sql").write_text(LATER)
        monkeypatch.setattr(queries, "sql_folder", lambda: folder)

    return grow


async def bring_up_to_date(dsn: str) -> None:
    async with connected(dsn) as connection:
        await migrate(connection, report=silent)


async def test_an_empty_database_becomes_the_one_that_was_saved(dsn: str, empty_dsn: str, file: Path) -> None:
    await fill(dsn)
    await save(dsn, file)
    rows = await load(empty_dsn, file)
    assert await contents(empty_dsn) == await contents(dsn)
    assert await shape(empty_dsn) == await shape(dsn)
    assert rows == {name: len(lines) for name, lines in (await contents(dsn)).items()}
    async with connected(empty_dsn) as connection:
        assert await pending(connection) == []
        assert await connection.fetchval("SELECT count(*) FROM pg_stats WHERE tablename = 'messages'") > 0


async def test_what_was_saved_goes_to_an_older_server_and_back(
    dsn: str, empty_dsn: str, servers: Servers, file: Path, tmp_path: Path
) -> None:
    await fill(dsn)
    await save(dsn, file)
    async with made(servers.address(OLDER)) as older:
        await load(older, file)
        assert await contents(older) == await contents(dsn)
        await save(older, tmp_path / "from the older")
    await load(empty_dsn, tmp_path / "from the older")
    assert await contents(empty_dsn) == await contents(dsn)
    assert await shape(empty_dsn) == await shape(dsn)


async def test_new_rows_are_numbered_behind_those_that_were_restored(dsn: str, empty_dsn: str, file: Path) -> None:
    await fill(dsn)  # chat 3 was deleted again; its number is not given twice
    async with connected(dsn) as connection:
        await connection.execute("INSERT INTO embedding_models VALUES (70, 'by hand', 64, 0)")
    await save(dsn, file)
    await load(empty_dsn, file)
    async with open_store(empty_dsn, may_migrate=False, report=silent) as store:
        assert await store.chats.open("import:new", title="New") == 4
        assert (await store.embeddings.open(name="new", dimension=64, threshold=0)).model_id == 71
        assert [model.name for model in await store.embeddings.all()] == ["small", "large", "by hand", "new"]


async def test_a_database_that_was_only_looked_at_is_still_empty(dsn: str, server: str, file: Path) -> None:
    await fill(dsn)
    await save(dsn, file)
    async with made(server) as other:
        await bring_up_to_date(other)
        async with open_store(other, may_migrate=False, report=silent) as store:
            await store.embeddings.open(name="another model under the same number", dimension=256, threshold=0.5)
        await load(other, file)
        assert await contents(other) == await contents(dsn)
        assert await shape(other) == await shape(dsn)


@given(texts=st.lists(st.text().map(storable), min_size=1, max_size=30))
@settings(max_examples=15, deadline=None)
async def test_any_text_comes_back_as_it_was(
    server: str, template: str, tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    file = tmp_path_factory.mktemp("texts") / "file"
    async with made(server, template) as one, made(server) as two:
        async with connected(one) as connection:
            await connection.executemany("INSERT INTO chats (title, timezone) VALUES ($1, $1)", [(t,) for t in texts])
        await save(one, file)
        await load(two, file)
        async with connected(two) as connection:
            rows = await connection.fetch("SELECT title, timezone FROM chats ORDER BY chat_id")
    assert [tuple(row) for row in rows] == [(text, text) for text in texts]


async def test_what_others_keep_in_the_database_is_left_alone(dsn: str, server: str, file: Path) -> None:
    await fill(dsn)
    await save(dsn, file)
    theirs = """
        CREATE TABLE theirs (id serial PRIMARY KEY, what text);
        INSERT INTO theirs (what) VALUES ('precious');
        CREATE FUNCTION their_work() RETURNS int LANGUAGE sql AS 'SELECT 7';
        CREATE SCHEMA elsewhere; CREATE TABLE elsewhere.chats AS SELECT 1 AS one;
    """
    async with made(server) as other, connected(other) as connection:
        await bring_up_to_date(other)
        await connection.execute(theirs)
        await load(other, file)
        assert await connection.fetchval("SELECT what FROM theirs WHERE id = their_work() - 6") == "precious"
        assert await connection.fetchval("INSERT INTO theirs (what) VALUES ('more') RETURNING id") == 2
        assert await connection.fetchval("SELECT one FROM elsewhere.chats") == 1
        assert (await contents(other))["messages"] == (await contents(dsn))["messages"]


async def test_a_view_on_our_tables_stands_in_the_way_and_is_kept(dsn: str, server: str, file: Path) -> None:
    await save(dsn, file)
    async with made(server) as other, connected(other) as connection:
        await bring_up_to_date(other)
        await connection.execute("CREATE VIEW report AS SELECT count(*) AS messages FROM messages")
        with pytest.raises(BackupError, match="DependentObjectsStillExist"):
            await load(other, file)
        assert await connection.fetchval("SELECT messages FROM report") == 0


async def test_a_table_of_others_in_a_backup_is_left_out(dsn: str, empty_dsn: str, file: Path) -> None:
    async with connected(dsn) as connection:
        await connection.execute('CREATE TABLE "the""irs; --" AS SELECT 1 AS one')
    await save(dsn, file)
    heard: list[str] = []
    rows = await load(empty_dsn, file, report=heard.append)
    assert any(line.startswith("leaving out 'the\"irs; --' (1 rows)") for line in heard)
    assert 'the"irs; --' not in rows
    assert 'the"irs; --' not in await contents(empty_dsn)


async def test_an_older_backup_is_brought_up_to_date(
    dsn: str, empty_dsn: str, file: Path, program_grows: Callable[[], None]
) -> None:
    await fill(dsn)
    await save(dsn, file)
    program_grows()
    await load(empty_dsn, file)
    await bring_up_to_date(dsn)
    assert await contents(empty_dsn) == await contents(dsn)
    assert await shape(empty_dsn) == await shape(dsn)


async def test_an_older_backup_goes_into_an_empty_database_that_is_newer(
    dsn: str, server: str, file: Path, program_grows: Callable[[], None]
) -> None:
    await fill(dsn)
    await save(dsn, file)
    program_grows()
    async with made(server) as other:
        await bring_up_to_date(other)
        await load(other, file)
        await bring_up_to_date(dsn)
        assert await contents(other) == await contents(dsn)
        assert await shape(other) == await shape(dsn)


async def test_an_old_schema_is_saved_as_it_is(
    dsn: str, empty_dsn: str, file: Path, program_grows: Callable[[], None]
) -> None:
    await fill(dsn)
    program_grows()
    await save(dsn, file)
    await load(empty_dsn, file)
    await bring_up_to_date(dsn)
    assert await contents(empty_dsn) == await contents(dsn)


async def test_whatever_a_later_migration_makes_comes_along(
    dsn: str, server: str, file: Path, program_grows: Callable[[], None]
) -> None:
    await fill(dsn)
    program_grows()
    await bring_up_to_date(dsn)
    async with connected(dsn) as connection:
        await connection.execute(LATER_ROWS + LATER_MESSAGE)
    await save(dsn, file)
    async with made(server) as other:
        await bring_up_to_date(other)
        await load(other, file)
        assert await contents(other) == await contents(dsn)
        assert await shape(other) == await shape(dsn)
        async with connected(other) as connection:
            await connection.execute("UPDATE messages SET message_id = 901, external_id = '901' WHERE message_id = 900")
            await connection.execute(LATER_MESSAGE)
            assert await connection.fetchval("SELECT n FROM counted") == 2
            rows = await connection.fetch("INSERT INTO people (name) VALUES ('Cid') RETURNING person, ticket, loud")
            assert [tuple(row) for row in rows] == [(3, 3, "CID")]
            assert await connection.fetchval("INSERT INTO houses (owner) VALUES (3) RETURNING house") == 3
            with pytest.raises(asyncpg.ForeignKeyViolationError):
                await connection.execute("INSERT INTO houses (owner) VALUES (77)")


async def test_a_backup_of_a_newer_program_is_refused(
    dsn: str, empty_dsn: str, file: Path, program_grows: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    program_grows()
    await bring_up_to_date(dsn)
    await save(dsn, file)
    monkeypatch.undo()
    with pytest.raises(BackupError, match=r"newer than this program .*install '1\.2\.3', which made it, or a later"):
        await load(empty_dsn, file)
    assert await contents(empty_dsn) == {}


async def test_a_backup_made_with_another_migration_is_refused(
    dsn: str, empty_dsn: str, file: Path, program_grows: Callable[[], None], tmp_path: Path
) -> None:
    program_grows()
    await bring_up_to_date(dsn)
    await save(dsn, file)
    [later] = (tmp_path / "sql" / "migrations").glob("*_later.sql")
    later.write_text(LATER + "-- and more\n")
    with pytest.raises(BackupError, match=r"another migration .*restore it with the version that made it, '1\.2\.3'"):
        await load(empty_dsn, file)
    assert await contents(empty_dsn) == {}
