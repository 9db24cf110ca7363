"""`companion embed`: what goes wrong is said in a line and changes nothing, whatever happens half-way goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Set

import pytest

from bot.store import PostgresStore, open_store
from tests.fakes.openai_server import EMBEDDINGS, Answer, Asked, OpenAIServer
from tests.system.conftest import Companion, line

PAST = [line(n, f"line number {n}") for n in range(70)]


@pytest.fixture
async def models() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer(dimension=64) as started:
        started.dimensions = {"small": 64, "middle": 128, "large": 256}
        yield started


def served(models: OpenAIServer, name: str = "small") -> dict[str, str]:
    return {"EMBEDDING_API_BASE_URL": models.base_url, "EMBEDDING_MODEL": name}


def asked(models: OpenAIServer, name: str) -> list[str]:
    """The messages that a model was asked to embed."""
    texts = [text for each in models.requests(EMBEDDINGS) if each.body["model"] == name for text in each.texts]
    return [text for text in texts if "line number" in text]


def is_batch(asked: Asked, names: Set[str]) -> bool:
    """Whether several texts are to be embedded by one of these models."""
    return asked.body["model"] in names and len(asked.texts) > 1


def refuses_batches(models: OpenAIServer, names: Set[str]) -> None:
    """These models answer one text at a time, and are away for more, as long as they are among the names."""
    models.always(EMBEDDINGS, lambda asked: Answer(status=503) if is_batch(asked, names) else None)


async def states(store: PostgresStore) -> dict[str, str]:
    return {each.model.name: each.state for each in await store.embeddings.standings()}


async def test_what_cannot_be_switched_to_is_said_in_one_line_and_changes_nothing(
    prepared: Companion, store: PostgresStore, models: OpenAIServer
) -> None:
    env = served(models)
    await prepared.remembers(*PAST, **env)
    before = await store.embeddings.standings()
    models.always(EMBEDDINGS, lambda asked: Answer(status=503) if asked.body["model"] == "away" else None)
    for args, complaint in (
        (("away",), "503"),
        (("middle", "--dimension", "256"), "'middle' gave vectors of 128 numbers where 256 were expected; "),
        (("small", "--query-prefix", "ask: "), "the vectors of small that are here were made with other prefixes; "),
        (("use-multilingual-v3", "--dimension", "64"), "'use-multilingual-v3' gave vectors of 512 numbers"),
    ):
        assert complaint in (await prepared.run("embed", "switch", *args, **env)).complaint
    assert await store.embeddings.standings() == before
    wrong = await prepared.run("embed", "switch", "small", "--dimension", "63", **env)
    assert (wrong.code, "63 is not within 64 to 4,096" in wrong.err) == (2, True)


async def test_two_terminals_ask_for_two_models_and_the_later_one_is_built(
    prepared: Companion, store: PostgresStore, models: OpenAIServer
) -> None:
    env = served(models)
    await prepared.remembers(*PAST, **env)
    refuses_batches(models, away := {"middle"})
    first = asyncio.create_task(prepared.run("embed", "switch", "middle", **env))
    async with asyncio.timeout(60):
        while not any(is_batch(each, {"middle"}) for each in models.requests(EMBEDDINGS)):
            await store.messages.count()  # each look is a round trip
    later = [asyncio.create_task(prepared.run("embed", "switch", "large", "--keep", **env)) for _ in range(2)]
    async with asyncio.timeout(60):
        while "large" not in await states(store):
            pass  # each look is a round trip
    away.clear()  # what it has in hand is over soon, in vain
    assert "another model was asked for meanwhile" in (await first).complaint
    # What it had in hand is found again after half a minute.
    await store.database.pool.execute("UPDATE jobs.pgqueuer SET heartbeat = now() - interval '1 minute'")
    ran = [await each for each in later]
    assert {each.out for each in ran} == {"large (256 numbers) is the embedding model in use\n"}
    assert await states(store) == {"small": "kept", "middle": "leaving", "large": "in use"}
    assert len(asked(models, "large")) == len(PAST), "no text is embedded twice"

    back = await prepared.done("embed", "switch", "small", **env)
    assert back.out == "small (64 numbers) is the embedding model in use\n"
    assert len(asked(models, "small")) == len(PAST), "what was kept has only to catch up"
    assert await states(store) == {"small": "in use", "middle": "leaving", "large": "leaving"}


async def test_a_backup_from_the_middle_of_a_switch_is_restored_and_goes_on(
    prepared: Companion, companion: Companion, store: PostgresStore, models: OpenAIServer
) -> None:
    env, file = served(models), prepared.folder / "half.zip"
    await prepared.remembers(*PAST, **env)
    told = await prepared.done("embed", "switch", "middle", "--no-wait", **env)
    assert told.out == "middle (128 numbers) is being built up: 70 messages to go\n"
    half = await store.embeddings.building()
    assert half is not None
    some = await store.embeddings.to_embed(half, limit=30)
    await store.embeddings.keep(half, some, [None for _ in some])
    await prepared.done("backup", file)
    await companion.done("restore", file)
    status = (await companion.done("embed", "status", "--json", **env)).json["models"]
    assert [(each["name"], each["state"], each["pending"]) for each in status] == [
        ("small", "in use", 0),
        ("middle", "building", 40),
    ]
    async with open_store(companion.env["DATABASE_URL"], may_migrate=False, report=print) as restored:
        await companion.done("embed", "switch", "middle", **env)
        assert await states(restored) == {"small": "leaving", "middle": "in use"}
