"""`companion recall`: what would come to mind, told in full, and nothing changed by asking."""

from __future__ import annotations

from typing import Any

import asyncpg
import pytest

from bot.model import token_count
from bot.store import PostgresStore
from tests.fakes.openai_server import CHAT, Answer, OpenAIServer, completion
from tests.system.conftest import AWAY, Companion, line

QUESTION = "the spare key hangs behind the boiler"
PAST = [
    line(0, "small talk about the weather"),
    line(1, "the spare key hangs behind the boiler", sender="Bob"),
    line(2, "the spare key hangs behind the door now", sender="Bob", topic="home"),
    line(3, "the spare key hangs on the board now", topic="home"),
    line(60 * 24 * 40, "the spare key hangs behind the boiler again", sender="小雨"),
    line(60 * 24 * 41, "bread, milk and eggs"),
]


def served(server: OpenAIServer, **more: str) -> dict[str, str]:
    """Settings for a served embedding model, in which texts that share words are near."""
    return {"EMBEDDING_API_BASE_URL": server.base_url, "EMBEDDING_MODEL": "stub-embed", **more}


def scored_as_ever(server: OpenAIServer, **more: str) -> dict[str, str]:
    """The same, recalled by similarity and age alone."""
    return served(server, RECALL_PROFILE="combined", **more)


async def rows(dsn: str) -> dict[str, int]:
    """How many rows each table has, those of the job queue too."""
    connection = await asyncpg.connect(dsn)
    tables = await connection.fetch(
        "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables "
        "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    )
    counting = "SELECT count(*) FROM "
    counted = {table["name"]: await connection.fetchval(counting + table["name"]) for table in tables}
    await connection.close()
    return counted


def texts(recalled: Any) -> list[str]:
    return [memory["text"] for memory in recalled["memories"]]


async def test_memories_are_told_best_first_with_the_parts_of_their_score_and_nothing_is_changed(
    prepared: Companion, dsn: str
) -> None:
    async with OpenAIServer(dimension=256) as server:
        env = scored_as_ever(server)
        chat = await prepared.remembers(*PAST, **env)
        before = await rows(dsn)
        asked = ["recall", QUESTION, "--chat", chat, "--at", "2026-02-16T12:00:00+02:00", "--json"]
        recalled = (await prepared.done(*asked, **env)).json
        assert set(recalled) == {"memories", "tokens", "ms", "profile"}
        assert recalled["profile"] == "combined"
        assert 0 < recalled["ms"] < 60_000
        memories = recalled["memories"]
        assert texts(recalled) == [PAST[4]["text"], PAST[1]["text"], PAST[2]["text"]], "young before like, where close"
        assert [memory["score"] for memory in memories] == sorted((m["score"] for m in memories), reverse=True)
        for memory in memories:
            assert set(memory) >= {"kind", "id", "sent_at", "sender", "text", "score", "parts"}
            parts = memory["parts"]
            assert memory["score"] == pytest.approx(1.2 * parts["similarity"] + 0.2 * parts["time_relevance"])
            assert set(parts) == {"similarity", "time_relevance"}
        assert [memory["parts"]["time_relevance"] for memory in memories] == [pytest.approx(28 / 30), 0, 0]
        assert memories[0]["parts"]["similarity"] < memories[1]["parts"]["similarity"]
        assert (memories[1]["sender"], memories[1]["sent_at"]) == ("Bob", "2026-01-05T10:01:00+00:00")
        shown = [f"[{memory['sent_at'][:10]}] {memory['sender']}: {memory['text']}" for memory in memories]
        assert recalled["tokens"] == sum(map(token_count, shown))
        plain = (await prepared.done(*asked[:-1], **env)).out.splitlines()
        assert [row.split("  ")[1] for row in plain] == [
            f"#{memory['id']} {words}" for memory, words in zip(memories, shown, strict=True)
        ]
        assert await rows(dsn) == before


async def test_ranked_memories_tell_what_each_sign_adds_to_their_score(prepared: Companion) -> None:
    async with OpenAIServer(dimension=256) as server:
        chat = await prepared.remembers(*PAST, **served(server))
        asked = ["recall", f"{QUESTION}?", "--chat", chat, "--at", "2026-03-01", "--json", "-k", "4"]
        recalled = (await prepared.done(*asked, **served(server))).json
        assert recalled["profile"] == "ranked"
        assert len(recalled["memories"]) == 4
        assert texts(recalled)[0] in {PAST[1]["text"], PAST[4]["text"]}
        for memory in recalled["memories"]:
            parts = memory["parts"]
            combined = 1.2 * parts["similarity"] + 0.2 * parts["time_relevance"]
            assert parts["combined"] == pytest.approx(combined)
            signs = parts.keys() - {"similarity", "time_relevance", "combined"}
            assert signs >= {"words", "covered", "meaning", "nearness", "session", "date"}
            assert memory["score"] == pytest.approx(sum(parts[sign] for sign in signs))
        score = [memory["score"] for memory in recalled["memories"]]
        assert score == sorted(score, reverse=True)


async def test_how_many_as_of_when_within_which_topic_and_budget_can_be_asked(prepared: Companion) -> None:
    async with OpenAIServer(dimension=256) as server:
        env = scored_as_ever(server)
        chat = await prepared.remembers(*PAST, **env)

        async def recall(*more: str) -> Any:
            asked = ["recall", QUESTION, "--chat", chat, "--at", "2026-03-01", "--json", *more]
            return (await prepared.done(*asked, **env)).json

        assert len(texts(await recall("-k", "1"))) == 1
        assert texts(await recall("-k", "50", "--topic", "home")) == [PAST[2]["text"], PAST[3]["text"]]
        assert texts(await recall("--at", "2026-01-05T10:01:30Z")) == [PAST[1]["text"]]
        budgeted = await recall("--budget", "20")
        assert texts(budgeted) == [PAST[4]["text"]]
        assert budgeted["tokens"] <= 20
        nothing = await prepared.done("recall", " ", "--chat", chat, **env)
        assert (nothing.out, nothing.err) == ("", "nothing comes to mind (nothing to search with)\n")


async def test_what_cannot_be_recalled_from_is_said_in_one_line_and_changes_nothing(
    prepared: Companion, dsn: str, store: PostgresStore
) -> None:
    async with OpenAIServer(dimension=256) as server:
        chat = await prepared.remembers(*PAST, **served(server))
        before = await rows(dsn)
        unknown = await prepared.run("recall", "tea", "--chat", "99", **served(server))
        assert unknown.complaint == "there is no chat 99; `companion import FILE` adds one and prints its number"
        other = await prepared.run("recall", "tea", "--chat", chat, **AWAY)
        assert other.complaint.startswith("nothing is embedded by 'nobody-there' yet; ")
        server.dimension = 128
        shorter = await prepared.run("recall", "tea", "--chat", chat, **served(server))
        assert shorter.complaint.startswith("'stub-embed' gave vectors of 128 numbers where 256 were expected; ")
        assert await rows(dsn) == before


async def test_a_model_of_another_length_embeds_all_again_in_its_own_table_and_only_that_is_searched(
    prepared: Companion, store: PostgresStore
) -> None:
    async with OpenAIServer(dimension=64) as server:
        await prepared.remembers(*PAST, **served(server))
        server.dimension = 128
        longer = scored_as_ever(server, EMBEDDING_DIMENSION="128")
        await prepared.done("embed", "switch", "stub-embed", "--dimension", "128", "--keep", **longer)
        chat = await prepared.remembers(*PAST, **longer)
        models = {model.dimension: model for model in await store.embeddings.all()}
        assert {size: await store.embeddings.counts(model) for size, model in models.items()} == {
            64: (len(PAST), 0),
            128: (len(PAST), 0),
        }
        await store.database.pool.execute(f"DELETE FROM vectors_{models[128].model_id} WHERE message_id <> 6")  # noqa: S608
        recalled = (
            await prepared.done("recall", "bread and milk", "--chat", chat, "--json", "-k", "50", **longer)
        ).json
        assert texts(recalled) == ["bread, milk and eggs"]
        server.dimension = 64
        shorter = scored_as_ever(server, EMBEDDING_DIMENSION="64")
        await prepared.done("embed", "switch", "stub-embed", "--dimension", "64", **shorter)
        recalled = (await prepared.done("recall", QUESTION, "--chat", chat, "--json", **shorter)).json
        assert QUESTION in texts(recalled)


async def test_what_a_model_put_in_order_is_told_and_so_is_why_it_did_not(prepared: Companion) -> None:
    async with OpenAIServer(dimension=256) as server:
        env = served(server, LLM_API_BASE_URL=server.base_url, LLM_MODEL="stub-chat", RECALL_RERANK="model")
        chat = await prepared.remembers(*PAST, **env)
        asked = ["recall", QUESTION, "--chat", chat, "-k", "2", "--json"]
        server.order(CHAT, Answer(body=completion('{"order": [3, 2, 1]}')), Answer(body=completion("None of these.")))
        ordered, kept = [(await prepared.done(*asked, **env)).json for _ in range(2)]
        before = ordered["reranked"]["before"]
        assert [memory["id"] for memory in ordered["memories"]] == [before[2], before[1]]
        assert (ordered["reranked"]["kept"], kept["reranked"]["kept"]) == (None, "BadAnswer")
        assert [memory["id"] for memory in kept["memories"]] == before[:2]
        assert len(server.requests(CHAT)) == 2
        plain = (await prepared.done(*asked, **{**env, "RECALL_RERANK": "off"})).json
        assert "reranked" not in plain
        assert len(server.requests(CHAT)) == 2


async def test_an_order_by_a_model_without_a_model_is_refused_in_one_line(prepared: Companion) -> None:
    refused = await prepared.run("recall", QUESTION, "--chat", "1", RECALL_RERANK="model", **AWAY)
    assert "RECALL_RERANK=model needs a chat model" in refused.complaint
