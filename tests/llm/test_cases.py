"""The inputs that broke bots like ours, by their id, over real HTTP through the real adapters.

EMB-02 is the store's, and what becomes of a text after the model is the parser's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bot.errors import (
    BadAnswer,
    ContextTooLong,
    DimensionMismatch,
    ModelError,
    ModelUnavailable,
    RequestRefused,
)
from bot.llm.batches import CONTROL
from bot.llm.chat import OpenAIChat
from bot.llm.embeddings import OpenAIEmbedder
from bot.llm.retries import JOB, TURN, Patience, Patient, PatientChat
from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer, Asked, OpenAIServer, embeddings
from tests.llm.patient import Sleeper
from tests.llm.samples import case, prompt


@pytest.fixture
def sleeper() -> Sleeper:
    return Sleeper()


def answer(told: dict[str, Any]) -> Answer:
    """What the case says that the server answers."""
    return Answer(
        status=told["status"],
        headers=told.get("headers", {}),
        body=told["raw_body"] if "raw_body" in told else told["response"],
    )


def patient(embedder: OpenAIEmbedder, patience: Patience, sleeper: Sleeper) -> Patient:
    return Patient(embedder, patience=patience, sleep=sleeper, random=lambda: 1.0)


async def test_emb_01_vectors_of_another_length_are_an_error_and_nothing_is_returned(
    api: OpenAIServer, sleeper: Sleeper
) -> None:
    told = case("EMB-01")["input"]
    api.always(EMBEDDINGS, answer(told))
    dimension = told["config"]["EMBEDDING_DIMENSION"]
    embedder = OpenAIEmbedder(base_url=api.base_url, model="stub", dimension=dimension)
    for patience in (TURN, JOB):
        with pytest.raises(DimensionMismatch, match="4 numbers where 8 were expected"):
            await patient(embedder, patience, sleeper).embed(["hi"], purpose="passage")
    await embedder.aclose()
    assert sleeper.slept == []


@pytest.mark.parametrize("size", [1, 2, 3, 64])
@pytest.mark.parametrize("patience", [TURN, JOB])
async def test_emb_03_a_text_that_gives_nan_loses_only_itself(
    api: OpenAIServer, embedder: OpenAIEmbedder, sleeper: Sleeper, size: int, patience: Patience
) -> None:
    told = case("EMB-03")["input"]
    bad = told["match_input"]

    def fail(asked: Asked) -> Answer | None:
        return answer(told) if bad in asked.texts else None

    api.always(EMBEDDINGS, fail)
    texts = [bad if number == size // 2 else f"text {number}" for number in range(size)]
    found = await patient(embedder, patience, sleeper).embed(texts, purpose="passage")
    assert [vector is None for vector in found] == [text == bad for text in texts]
    assert sleeper.slept == []
    assert sum(bad in asked.texts for asked in api.asked) <= 7


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "failed to encode response: json: unsupported value: NaN", "type": "api_error"}},
        {"error": "embedding contains NaN values"},
        "unsupported value: +Inf",
    ],
)
async def test_emb_03_other_ways_to_say_nan(
    api: OpenAIServer, embedder: OpenAIEmbedder, sleeper: Sleeper, body: object
) -> None:
    api.always(EMBEDDINGS, lambda asked: Answer(status=500, body=body) if "importance" in asked.texts else None)
    found = await patient(embedder, JOB, sleeper).embed(["a", "importance"], purpose="passage")
    assert [vector is None for vector in found] == [False, True]


async def test_emb_06_items_out_of_order_are_paired_by_index(api: OpenAIServer, embedder: OpenAIEmbedder) -> None:
    api.order(EMBEDDINGS, answer(case("EMB-06")["input"]))
    found = await embedder.embed(["a", "b", "c"], purpose="passage")
    assert np.array_equal(np.stack(found), np.eye(3, dtype=np.float32))


@pytest.mark.parametrize("texts", [["a", "b"], ["a", "b", "c"]])
async def test_emb_07_a_doubled_index_is_believed_in_nothing_and_each_text_is_asked_singly(
    api: OpenAIServer, embedder: OpenAIEmbedder, sleeper: Sleeper, texts: list[str]
) -> None:
    told = answer(case("EMB-07")["input"])
    api.always(EMBEDDINGS, lambda asked: told if len(asked.texts) > 1 else None)
    with pytest.raises(BadAnswer):
        await embedder.embed(texts, purpose="passage")
    found = await patient(embedder, JOB, sleeper).embed(texts, purpose="passage")
    singly = [(await embedder.embed([text], purpose="passage"))[0] for text in texts]
    assert all(vector is not None and np.array_equal(vector, one) for vector, one in zip(found, singly, strict=True))


@pytest.mark.parametrize("kept", [0, 1, 2])
async def test_emb_07_fewer_items_than_texts_are_believed_in_nothing(
    api: OpenAIServer, embedder: OpenAIEmbedder, sleeper: Sleeper, kept: int
) -> None:
    api.always(EMBEDDINGS, Answer(body=embeddings([[1.0, 0.5]] * kept)))
    with pytest.raises(BadAnswer):
        await embedder.embed(["a", "b", "c"], purpose="passage")


@pytest.mark.parametrize("header", ["seconds", "date", "milliseconds"])
async def test_emb_11_a_job_waits_the_minute_and_a_turn_goes_on_at_once(
    api: OpenAIServer, embedder: OpenAIEmbedder, header: str
) -> None:
    told = answer(case("EMB-11")["input"])
    headers = {
        "seconds": told.headers,
        "date": {
            "Date": "Thu, 05 Mar 2026 09:12:00 GMT",
            "Retry-After": "Thu, 05 Mar 2026 09:13:00 GMT",
        },
        "milliseconds": {"Retry-After-Ms": "60000", "Retry-After": "90"},
    }[header]
    busy = Answer(status=told.status, headers=headers, body=told.body)
    turn, job = Sleeper(), Sleeper()
    api.order(EMBEDDINGS, busy)
    with pytest.raises(ModelUnavailable) as caught:
        await patient(embedder, TURN, turn).embed(["hi"], purpose="query")
    assert (caught.value.retry_after, turn.slept, len(api.asked)) == (60, [], 1)
    api.order(EMBEDDINGS, busy, busy)
    (vector,) = await patient(embedder, JOB, job).embed(["hi"], purpose="passage")
    assert vector is not None
    assert job.slept == [60, 60]


async def test_emb_11_however_long_a_server_wishes_a_job_is_not_kept_for_ever(
    api: OpenAIServer, embedder: OpenAIEmbedder, sleeper: Sleeper
) -> None:
    told = answer(case("EMB-11")["input"])
    api.always(EMBEDDINGS, Answer(status=429, headers={"Retry-After": "86400"}, body=told.body))
    with pytest.raises(ModelUnavailable) as caught:
        await patient(embedder, JOB, sleeper).embed(["hi"], purpose="passage")
    assert (caught.value.retry_after, sleeper.slept, len(api.asked)) == (86400, [], 1)


@pytest.mark.parametrize("status", [402, 401, 403, 404])
@pytest.mark.parametrize("patience", [TURN, JOB])
async def test_emb_12_what_money_or_a_key_must_cure_fails_once(
    api: OpenAIServer, embedder: OpenAIEmbedder, sleeper: Sleeper, status: int, patience: Patience
) -> None:
    told = answer(case("EMB-12")["input"])
    api.always(EMBEDDINGS, Answer(status=status, body=told.body))
    with pytest.raises(RequestRefused) as caught:
        await patient(embedder, patience, sleeper).embed([f"text {n}" for n in range(64)], purpose="passage")
    assert (caught.value.status, len(api.asked), sleeper.slept) == (status, 1, [])


async def test_emb_13_no_encoding_format_of_null_or_base64_is_ever_sent(
    api: OpenAIServer, embedder: OpenAIEmbedder, sleeper: Sleeper
) -> None:
    told = case("EMB-13")["input"]

    def strict(asked: Asked) -> Answer | None:
        return None if asked.body.get("encoding_format", "float") == "float" else answer(told)

    api.always(EMBEDDINGS, strict)
    (vector,) = await patient(embedder, JOB, sleeper).embed(["hi"], purpose="passage")
    assert vector is not None
    assert len(api.asked) == 1


async def test_emb_13_a_server_that_refuses_the_key_altogether_gets_none(
    api: OpenAIServer, embedder: OpenAIEmbedder
) -> None:
    told = answer(case("EMB-13")["input"])
    api.always(EMBEDDINGS, lambda asked: told if "encoding_format" in asked.body else None)
    assert len(await embedder.embed(["hi"], purpose="passage")) == 1


async def test_llm_01_a_filtered_answer_is_told_as_that_and_not_asked_for_again(
    api: OpenAIServer, chat: OpenAIChat, sleeper: Sleeper
) -> None:
    api.always(CHAT, answer(case("LLM-01")["input"]))
    reply = await PatientChat(chat, sleep=sleeper).complete(prompt("hi"))
    assert (reply.text, reply.refusal, reply.finish_reason) == ("", None, "content_filter")
    assert len(api.asked) == 1


async def test_llm_03_of_thinking_and_text_only_the_text_is_kept(api: OpenAIServer, chat: OpenAIChat) -> None:
    api.always(CHAT, answer(case("LLM-03")["input"]))
    reply = await chat.complete(prompt("hi"))
    assert reply.text == '{"action":"send_message","content":"hi"}'


async def test_llm_22_a_prompt_too_long_is_asked_once_and_said_to_be_too_long(
    api: OpenAIServer, chat: OpenAIChat, sleeper: Sleeper
) -> None:
    api.always(CHAT, answer(case("LLM-22")["input"]))
    with pytest.raises(ContextTooLong):
        await PatientChat(chat, sleep=sleeper).complete(prompt("hi"))
    assert (len(api.asked), sleeper.slept) == (1, [])


async def test_no_request_of_any_case_shows_its_texts_in_an_error(api: OpenAIServer, embedder: OpenAIEmbedder) -> None:
    for name in ("EMB-03", "EMB-07", "EMB-11", "EMB-12"):
        api.order(EMBEDDINGS, answer(case(name)["input"]))
        with pytest.raises(ModelError) as caught:
            await embedder.embed(["importance", "b", "c"], purpose="passage")
        assert "importance" not in str(caught.value)
    assert not any(CONTROL in asked.texts for asked in api.asked)
