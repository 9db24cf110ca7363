"""`companion doctor`: whatever is missing is named with its cure, and nothing secret is told."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import urlsplit

import asyncpg

from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer, OpenAIServer
from tests.system.conftest import Companion, Ran, line

FINE = ("character card", "database", "vector extension", "schema", "memory", "embedding model", "chat model", "clock")


def models(server: OpenAIServer, **more: str) -> dict[str, str]:
    return {
        "LLM_API_BASE_URL": server.base_url,
        "LLM_API_KEY": "sk-secret-chat",
        "LLM_MODEL": "stub-chat",
        "EMBEDDING_API_BASE_URL": server.base_url,
        "EMBEDDING_API_KEY": "sk-secret-embed",
        "EMBEDDING_MODEL": "stub-embed",
        **more,
    }


def failed(ran: Ran) -> dict[str, tuple[str, str]]:
    """What is wrong, by the name of the check: detail and cure. Secrets are looked for in all that was told."""
    for secret in ("sk-secret", "hunter2"):
        assert secret not in ran.out + ran.err
    checks: list[dict[str, Any]] = ran.json["checks"]
    assert all(set(check) == {"name", "ok", "detail", "cure"} for check in checks)
    wrong = {check["name"]: (check["detail"], check["cure"]) for check in checks if not check["ok"]}
    assert all(cure for _, cure in wrong.values())
    assert ran.code == (1 if wrong else 0), ran.err
    return wrong


async def test_all_is_fine_when_all_is_there(prepared: Companion) -> None:
    async with OpenAIServer() as server:
        await prepared.remembers(line(1), line(2), **models(server))
        told, plain = await asyncio.gather(
            prepared.run("doctor", "--json", **models(server)), prepared.run("doctor", **models(server))
        )
    assert failed(told) == {}
    assert tuple(check["name"] for check in told.json["checks"]) == FINE
    assert "1 chats, 2 messages; stub-embed (64, in use): 2 embedded, 0 waiting, 0 refused" in plain.out
    assert [row[:4] for row in plain.out.splitlines()] == ["ok  "] * len(FINE)


async def test_without_any_setting_the_bundled_model_embeds_and_the_offline_responder_answers(
    prepared: Companion,
) -> None:
    told = await prepared.run("doctor", "--json")
    assert failed(told) == {}
    details = {check["name"]: check["detail"] for check in told.json["checks"]}
    assert details["embedding model"] == "use-multilingual-v3 will be used, 512 numbers"
    assert details["chat model"] == "none is set: the offline responder answers"


async def test_a_database_that_does_not_answer_is_named_without_its_password(offline: Companion) -> None:
    async with OpenAIServer() as server:
        for address, shown in (
            ("postgresql://nobody:hunter2@127.0.0.1:9/nothing", "127.0.0.1:9/nothing"),
            ("host=127.0.0.1 port=9 password=hunter2", "the address given"),
            (f"postgresql://nobody:hunter2@127.0.0.1:{server.port}/nothing", f"127.0.0.1:{server.port}/nothing"),
        ):
            wrong = failed(await offline.run("doctor", "--json", **models(server), DATABASE_URL=address))
            assert list(wrong) == ["database"]
            detail, cure = wrong["database"]
            assert detail.startswith(f"cannot reach PostgreSQL at {shown}: ")
            assert cure == "start it or correct DATABASE_URL (unset it to use the embedded server)"


async def test_an_old_schema_is_cured_by_migrate(companion: Companion) -> None:
    async with OpenAIServer() as server:
        wrong = failed(await companion.run("doctor", "--json", **models(server)))
        assert list(wrong) == ["schema"]
        assert wrong["schema"][0].startswith("the database lacks 0001 ")
        assert wrong["schema"][1] == "run `companion migrate`"
        assert (await companion.done("migrate")).out.startswith("applied: 0001 ")
        assert (await companion.done("migrate")).out == "the database is up to date\n"
        assert failed(await companion.run("doctor", "--json", **models(server))) == {}


async def test_a_server_without_a_vector_extension_is_told_where_to_get_one(
    companion: Companion, empty_dsn: str
) -> None:
    await hide_extensions(empty_dsn)
    async with OpenAIServer() as server:
        wrong = failed(await companion.run("doctor", "--json", **models(server)))
    assert wrong == {
        "vector extension": (
            "the database has no vector extension",
            "install one of VectorChord, pgvector, pgvecto.rs on its server "
            "(pgvector: https://github.com/pgvector/pgvector#installation), or unset DATABASE_URL "
            "to use the embedded server",
        )
    }
    assert (await companion.run("migrate")).complaint.startswith("the database has no vector extension; ")


async def hide_extensions(dsn: str) -> None:
    """Let the server of a database look as if it had none of our extensions to offer."""
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        "CREATE SCHEMA shadow CREATE VIEW pg_available_extensions AS SELECT * FROM "
        "pg_catalog.pg_available_extensions WHERE name NOT IN ('vchord', 'vector', 'vectors')"
    )
    await connection.execute(f"ALTER DATABASE {urlsplit(dsn).path[1:]} SET search_path = shadow, pg_catalog, public")
    await connection.close()


async def test_a_role_that_may_not_make_our_tables_is_told_what_it_needs(companion: Companion, empty_dsn: str) -> None:
    role = f"weak_{urlsplit(empty_dsn).path[1:]}"
    owner = await asyncpg.connect(empty_dsn)
    await owner.execute(f"CREATE ROLE {role} LOGIN")
    weak = empty_dsn.replace("//companion@", f"//{role}@")
    complaint = (await companion.run("migrate", DATABASE_URL=weak)).complaint
    assert "permission denied" in complaint
    assert "run `companion migrate` once as its owner" in complaint
    await companion.done("migrate")
    async with OpenAIServer() as server:
        wrong = failed(await companion.run("doctor", "--json", **models(server), DATABASE_URL=weak))
    assert list(wrong) == ["schema"]
    assert wrong["schema"][1].startswith("grant the role of DATABASE_URL its rights")
    await owner.execute(f"DROP ROLE {role}")
    await owner.close()


async def test_vectors_of_another_length_than_set_or_than_before_are_no_longer_taken_for_ours(
    prepared: Companion,
) -> None:
    async with OpenAIServer(dimension=128) as server:
        wrong = failed(await prepared.run("doctor", "--json", **models(server, EMBEDDING_DIMENSION="64")))
        expected = (
            "'stub-embed' gave vectors of 128 numbers where 64 were expected",
            "set EMBEDDING_DIMENSION=128, or choose a model that gives 64",
        )
        assert wrong == {"embedding model": expected}
        server.dimension = 64
        await prepared.remembers(line(1), **models(server))
        server.dimension = 128
        assert failed(await prepared.run("doctor", "--json", **models(server))) == {"embedding model": expected}
        server.dimension = 8
        [(detail, _)] = failed(await prepared.run("doctor", "--json", **models(server))).values()
        assert detail == "'stub-embed' gives vectors of 8 numbers, and 64 to 4,096 are possible"


async def test_models_that_are_away_refuse_or_do_not_exist_and_a_bad_card_are_each_named(prepared: Companion) -> None:
    (prepared.folder / "card.json").write_text("{}")
    async with OpenAIServer() as server:
        refused = Answer(status=401, body={"error": {"message": "no such key: sk-secret-chat sk-secret-embed"}})
        server.order(CHAT, refused)
        server.order(EMBEDDINGS, refused)
        wrong = failed(await prepared.run("doctor", "--json", **models(server), CHARACTER_CARD="card.json"))
        assert list(wrong) == ["character card", "embedding model", "chat model"]
        assert wrong["character card"] == (
            "card has none of a card's fields",
            "correct or unset CHARACTER_CARD",
        )
        assert "401" in wrong["embedding model"][0]
        assert "401" in wrong["chat model"][0]
        away = models(server)
    wrong = failed(await prepared.run("doctor", "--json", **away))
    assert list(wrong) == ["embedding model", "chat model"]
    for name, model in (("embedding model", "stub-embed"), ("chat model", "stub-chat")):
        assert wrong[name][0].startswith(f"no connection to model '{model}'")
        assert wrong[name][1].endswith("_API_BASE_URL right?")
    wrong = failed(await prepared.run("doctor", "--json", **{**away, "LLM_MODEL": "", "EMBEDDING_API_BASE_URL": "x"}))
    assert [cure for _, cure in wrong.values()] == [
        "write one such as http://127.0.0.1:11434/v1",
        "name a model that the server has",
    ]
