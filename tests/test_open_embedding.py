"""Which embedding model a process begins with: what the database says, before what the settings name."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.embedding import Embeddings, open_embedding
from bot.llm.local import NAME
from bot.memory.embed import embed_pending
from bot.model import EmbeddingModel
from bot.settings import Settings
from bot.store import PostgresStore
from tests.fakes.openai_server import EMBEDDINGS, Answer, OpenAIServer, error
from tests.store.test_switch import talk


@pytest.fixture
async def models() -> AsyncIterator[OpenAIServer]:
    async with OpenAIServer() as started:
        yield started


def settings(models: OpenAIServer, model: str, dimension: int | None = None) -> Settings:
    return Settings(
        embedding_api_base_url=models.base_url,
        embedding_model=model,
        embedding_dimension=dimension,
    )


async def begins(store: PostgresStore, given: Settings, *, embeds: bool = False) -> EmbeddingModel:
    """A process begins with these settings: the model that it uses."""
    embedding = await open_embedding(given, Embeddings(given), store)
    if embeds:
        await embed_pending(model=embedding.model, embedder=embedding.patient, store=store.embeddings)
    return embedding.model


async def states(store: PostgresStore) -> dict[str, str]:
    return {each.model.name: each.state for each in await store.embeddings.standings()}


async def test_the_settings_choose_the_first_model(store: PostgresStore, models: OpenAIServer) -> None:
    model = await begins(store, settings(models, "first"))
    assert (model.name, model.dimension) == ("first", 64)
    assert await states(store) == {"first": "in use"}


async def test_another_model_in_the_settings_is_built_up_beside_the_one_in_use(
    store: PostgresStore, models: OpenAIServer
) -> None:
    await talk(store, 3)
    first = await begins(store, settings(models, "first"), embeds=True)
    models.dimensions["second"] = 128
    assert await begins(store, settings(models, "second")) == first
    assert await states(store) == {"first": "in use", "second": "building"}
    again = settings(models, "third")
    assert await begins(store, again) == first
    assert (await states(store))["second"] == "building", "one after the other"


async def test_a_model_that_cannot_be_asked_any_more_gives_way_at_once_and_is_kept(
    store: PostgresStore, models: OpenAIServer
) -> None:
    await talk(store, 3)
    await begins(store, settings(models, "first"), embeds=True)
    models.always(EMBEDDINGS, lambda asked: error(404, "no such model") if asked.body["model"] == "first" else None)
    assert (await begins(store, settings(models, "second"))).name == "second"
    assert await states(store) == {"first": "kept", "second": "in use"}


async def test_a_server_that_answers_by_whatever_model_it_has_is_found_out(
    store: PostgresStore, models: OpenAIServer
) -> None:
    await talk(store, 3)
    await begins(store, settings(models, "first"), embeds=True)
    other = [1.0] * 64
    models.always(EMBEDDINGS, lambda asked: Answer(body={"data": [{"index": 0, "embedding": other}]}))
    assert (await begins(store, settings(models, "second"))).name == "second"


async def test_a_model_that_has_embedded_nothing_gives_way_at_once(store: PostgresStore, models: OpenAIServer) -> None:
    await begins(store, settings(models, "first"))
    assert (await begins(store, settings(models, "second"))).name == "second"
    assert (await begins(store, settings(models, "first"))).name == "first", "and back"


async def test_a_server_that_is_away_changes_nothing(store: PostgresStore, models: OpenAIServer) -> None:
    await talk(store, 3)
    first = await begins(store, settings(models, "first"), embeds=True)
    models.always(EMBEDDINGS, error(503, "busy"))
    assert await begins(store, settings(models, "second")) == first
    assert await begins(store, settings(models, "third", 128)) == first
    assert await states(store) == {"first": "in use", "third": "building"}


async def test_the_bundled_model_is_used_until_a_served_one_is_whole(
    store: PostgresStore, models: OpenAIServer
) -> None:
    await talk(store, 3)
    bundled = await begins(store, Settings(), embeds=True)
    assert bundled.name == NAME
    assert await begins(store, settings(models, "served")) == bundled
    assert await states(store) == {NAME: "in use", "served": "building"}


async def test_settings_that_name_what_gave_way_are_no_wish_to_go_back(
    store: PostgresStore, models: OpenAIServer
) -> None:
    await talk(store, 3)
    await begins(store, settings(models, "first"), embeds=True)
    await begins(store, settings(models, "second"))
    second = await store.embeddings.building()
    assert second is not None
    await embed_pending(
        model=second, embedder=Embeddings(settings(models, "second")).of(second).patient, store=store.embeddings
    )
    assert await store.embeddings.switch(second)
    assert await begins(store, settings(models, "first")) == second
    assert await begins(store, settings(models, "second")) == second
    assert await states(store) == {"first": "kept", "second": "in use"}


async def test_a_dimension_that_was_chosen_is_asked_for_also_when_the_settings_do_not_name_it(
    store: PostgresStore, models: OpenAIServer
) -> None:
    given = settings(models, "first", 64)
    await begins(store, given)
    embedding = await open_embedding(settings(models, "first"), Embeddings(settings(models, "first")), store)
    await embedding.probe()
    assert models.requests(EMBEDDINGS)[-1].body["dimensions"] == 64
