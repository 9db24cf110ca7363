"""The embedding adapter over real HTTP: one call is one request, and only whole answers are believed."""

from __future__ import annotations

import numpy as np
import pytest

from bot.errors import BadAnswer, DimensionMismatch, ModelUnavailable, RequestRefused, SettingsError
from bot.llm.embeddings import OpenAIEmbedder
from bot.llm.prefixes import usual_prefixes
from tests.fakes.openai_server import EMBEDDINGS, Answer, Asked, OpenAIServer, embeddings, error
from tests.llm.conftest import KEY

TEXTS = ["tea at five", "the train is late", "奶奶做的红烧肉"]


async def test_vectors_are_float32_in_the_order_of_the_texts(embedder: OpenAIEmbedder, api: OpenAIServer) -> None:
    together = await embedder.embed(TEXTS, purpose="passage")
    alone = [(await embedder.embed([text], purpose="passage"))[0] for text in TEXTS]
    assert all(vector.dtype == np.float32 and vector.shape == (8,) for vector in together)
    assert [vector.tolist() for vector in together] == [vector.tolist() for vector in alone]
    assert embedder.dimension == 8


async def test_one_call_is_one_request_that_says_float_and_nothing_null(
    embedder: OpenAIEmbedder, api: OpenAIServer
) -> None:
    await embedder.embed(TEXTS, purpose="query")
    (asked,) = api.asked
    assert asked.body == {"model": "stub", "input": TEXTS, "encoding_format": "float"}
    assert asked.headers["authorization"] == f"Bearer {KEY}"


async def test_nothing_to_embed_asks_nothing(embedder: OpenAIEmbedder, api: OpenAIServer) -> None:
    assert await embedder.embed([], purpose="query") == []
    assert api.asked == []


async def test_half_a_character_is_replaced_and_not_a_crash(embedder: OpenAIEmbedder, api: OpenAIServer) -> None:
    await embedder.embed(["half \ud83d"], purpose="query")
    assert api.asked[0].texts == ["half \ufffd"]


async def test_a_server_that_refuses_the_encoding_format_is_asked_without_it_from_then_on(
    embedder: OpenAIEmbedder, api: OpenAIServer
) -> None:
    def refuse(asked: Asked) -> Answer | None:
        return error(400, "unknown field encoding_format") if "encoding_format" in asked.body else None

    api.always(EMBEDDINGS, refuse)
    await embedder.embed(TEXTS, purpose="query")
    await embedder.embed(TEXTS, purpose="query")
    assert ["encoding_format" in asked.body for asked in api.asked] == [True, False, False]


async def test_the_dimension_is_asked_for_only_when_it_is_configured(api: OpenAIServer) -> None:
    embedder = OpenAIEmbedder(base_url=api.base_url, model="stub", dimension=8)
    await embedder.embed(TEXTS, purpose="query")
    await embedder.aclose()
    assert api.asked[0].body["dimensions"] == 8


@pytest.mark.parametrize(
    "message",
    [
        "This model does not support specifying dimensions.",
        "Model does not support matryoshka representation",
    ],
)
async def test_a_server_that_refuses_dimensions_is_asked_without_them_and_still_checked(
    api: OpenAIServer, message: str
) -> None:
    def refuse(asked: Asked) -> Answer | None:
        return error(400, message) if "dimensions" in asked.body else None

    api.always(EMBEDDINGS, refuse)
    fitting = OpenAIEmbedder(base_url=api.base_url, model="stub", dimension=8)
    assert len(await fitting.embed(TEXTS, purpose="query")) == 3
    other = OpenAIEmbedder(base_url=api.base_url, model="stub", dimension=16)
    with pytest.raises(DimensionMismatch):
        await other.embed(TEXTS, purpose="query")
    await fitting.aclose()
    await other.aclose()


async def test_a_length_that_changes_is_a_mismatch_and_names_both(embedder: OpenAIEmbedder, api: OpenAIServer) -> None:
    await embedder.embed(TEXTS, purpose="query")
    api.dimension = 12
    with pytest.raises(DimensionMismatch, match="12 numbers where 8 were expected"):
        await embedder.embed(TEXTS, purpose="query")


def items(*pairs: tuple[object, object]) -> dict[str, object]:
    return {"data": [{"index": index, "embedding": vector} for index, vector in pairs]}


A, B, C = [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]
NONSENSE = {
    "fewer": items((0, A), (1, B)),
    "more": items((0, A), (1, B), (2, C), (3, C)),
    "duplicate": items((0, A), (1, B), (1, C)),
    "gap": items((0, A), (1, B), (3, C)),
    "negative": items((0, A), (1, B), (-1, C)),
    "no index": {"data": [{"embedding": A}, {"embedding": B}, {"embedding": C}]},
    "null index": items((0, A), (1, B), (None, C)),
    "index as text": items((0, A), (1, B), ("2", C)),
    "index as truth": items((0, A), (True, B), (2, C)),
    "ragged": items((0, A), (1, B), (2, [1.0])),
    "empty vectors": items((0, []), (1, []), (2, [])),
    "text in a vector": items((0, A), (1, B), (2, ["0.5", "0.5"])),
    "null in a vector": items((0, A), (1, B), (2, [None, 1.0])),
    "truth in a vector": items((0, A), (1, B), (2, [True, False])),
    "base64": items((0, "AACAPwAAAAA="), (1, "AACAPwAAAAA="), (2, "AACAPwAAAAA=")),
    "nested": items((0, [A]), (1, [B]), (2, [C])),
    "no data": {"object": "list"},
    "null data": {"data": None},
    "error": {"error": {"message": "crashed"}},
    "html": "<html>log in</html>",
    "empty": "",
    "cut": '{"data": [{"index": 0, "embedding": [0.1, 0.',
}


@pytest.mark.parametrize("body", NONSENSE.values(), ids=NONSENSE.keys())
async def test_an_answer_that_is_not_whole_is_refused_as_a_whole(
    embedder: OpenAIEmbedder, api: OpenAIServer, body: object
) -> None:
    api.order(EMBEDDINGS, Answer(body=body))
    with pytest.raises(BadAnswer) as caught:
        await embedder.embed(TEXTS, purpose="query")
    assert not any(text in str(caught.value) for text in TEXTS)
    assert embedder.dimension is None


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e39", "0.0"])
async def test_a_vector_without_a_direction_is_refused_and_its_text_named(
    embedder: OpenAIEmbedder, api: OpenAIServer, number: str
) -> None:
    raw = '{"data":[{"index":2,"embedding":[0,1]},{"index":0,"embedding":[1,0]},{"index":1,"embedding":[0.0,%s]}]}'
    api.order(EMBEDDINGS, Answer(body=raw % number))
    with pytest.raises(BadAnswer) as caught:
        await embedder.embed(TEXTS, purpose="query")
    assert caught.value.texts == (1,)


async def test_whole_numbers_are_numbers_too(embedder: OpenAIEmbedder, api: OpenAIServer) -> None:
    api.order(EMBEDDINGS, Answer(body=embeddings([[1, 0]])))
    (vector,) = await embedder.embed(["x"], purpose="query")
    assert vector.tolist() == [1.0, 0.0]


async def test_errors_have_the_same_meaning_as_for_chats(embedder: OpenAIEmbedder, api: OpenAIServer) -> None:
    api.order(
        EMBEDDINGS,
        Answer(status=503, body="<html>busy</html>", headers={"Retry-After": "7"}),
        error(401, "no", code="invalid_api_key"),
    )
    with pytest.raises(ModelUnavailable) as unavailable:
        await embedder.embed(TEXTS, purpose="query")
    assert unavailable.value.retry_after == 7
    with pytest.raises(RequestRefused, match="EMBEDDING_API_KEY"):
        await embedder.embed(TEXTS, purpose="query")


def test_a_model_without_a_name_is_said_at_once() -> None:
    with pytest.raises(SettingsError, match="EMBEDDING_MODEL"):
        OpenAIEmbedder(base_url="http://127.0.0.1/v1", model="")


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("nomic-embed-text:latest", "search_query: ", "search_document: "),
        ("intfloat/multilingual-e5-large-instruct", "", ""),
        ("e5-mistral-7b", "", ""),
        ("text-embedding-3-small", "", ""),
        ("bge-m3", "", ""),
    ],
)
async def test_a_model_sees_the_prefixes_that_it_was_trained_with(
    api: OpenAIServer, model: str, query: str, passage: str
) -> None:
    embedder = OpenAIEmbedder(base_url=api.base_url, model=model, prefixes=usual_prefixes(model))
    await embedder.embed(["tea?"], purpose="query")
    await embedder.embed(["tea"], purpose="passage")
    await embedder.aclose()
    assert [asked.texts for asked in api.requests(EMBEDDINGS)] == [[f"{query}tea?"], [f"{passage}tea"]]
