"""Memories in a model's order: what it is shown, and what is made of its answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BadAnswer, ModelUnavailable, RequestRefused
from bot.llm.chat import OpenAIChat
from bot.llm.rerank import ModelReranker, order_in
from bot.llm.retries import PatientChat
from bot.prompts.order import render_order
from tests.fakes.openai_server import CHAT, Answer, OpenAIServer, completion
from tests.fakes.values import message, names, texts
from tests.llm.patient import Sleeper

CANDIDATES = [message(n, f"line {n}") for n in (40, 50, 60)]


def reranker(chat: OpenAIChat, timeout: float = 20) -> ModelReranker:
    return ModelReranker(PatientChat(chat, sleep=Sleeper()), max_reply_tokens=300, timeout=timeout)


async def order_of(chat: OpenAIChat) -> list[int]:
    return await reranker(chat).order(["where is the key?"], CANDIDATES)


async def test_the_order_that_the_model_gives_is_taken(chat: OpenAIChat, api: OpenAIServer) -> None:
    api.order(CHAT, Answer(body=completion('{"order": [3, 1, 2]}')))
    assert await order_of(chat) == [2, 0, 1]
    [asked] = api.requests(CHAT)
    assert asked.body["response_format"]["type"] == "json_schema"
    shown = asked.body["messages"][1]["content"]
    assert "- where is the key?" in shown.splitlines()
    assert "#2 [2026-03-05] <Ann> line 50" in shown.splitlines()


ORDERS = [
    ("[3, 1, 2]", [2, 0, 1]),
    ('{"order": ["#3", "#1"]}', [2, 0]),
    ('```json\n{"order": [2, 2, 9, 0, 1]}\n```', [1, 0]),
    ("<think>the key: 1 2 3</think>#2, #3", [1, 2]),
    ("1. #3\n2. #1", [2, 0]),
    ("Message [3] says it, then [1].", [2, 0]),
    ("The order is 2 > 3 > 1.", [1, 2, 0]),
    ("3 -> 1", [2, 0]),
    ("3", [2]),
    ('Of [1, 2] I am unsure. {"order": [3, 2, 1]}', [2, 1, 0]),
]


@pytest.mark.parametrize(("text", "places"), ORDERS)
async def test_an_order_is_read_however_it_is_written(
    chat: OpenAIChat, api: OpenAIServer, text: str, places: list[int]
) -> None:
    api.order(CHAT, Answer(body=completion(text)))
    assert await order_of(chat) == places


NO_ORDERS = [
    Answer(body=completion("I would say that none of these 3 helps.")),
    Answer(body=completion('{"order": []}')),
    Answer(body=completion('{"order": [7, 8]}')),
    Answer(body=completion("On 2026-01-05 at 10:30.")),
    Answer(body=completion("9" * 5000)),
    Answer(body=completion(None)),
    Answer(body=completion(None, refusal="I cannot.")),
    Answer(body=completion('{"order": [3, 1', finish_reason="length")),
    Answer(body=completion("<think>3, 1, 2")),
    Answer(body="[" * 1000),
]


@pytest.mark.parametrize("answer", NO_ORDERS)
async def test_an_answer_without_an_order_is_a_bad_answer_and_is_not_asked_for_again(
    chat: OpenAIChat, api: OpenAIServer, answer: Answer
) -> None:
    api.order(CHAT, answer)
    with pytest.raises(BadAnswer):
        await order_of(chat)
    assert len(api.requests(CHAT)) == 1


async def test_a_server_that_is_away_for_a_moment_is_asked_again_and_one_that_refuses_is_not(
    chat: OpenAIChat, api: OpenAIServer
) -> None:
    api.order(CHAT, Answer(status=503), Answer(body=completion("[2, 1]")))
    assert await order_of(chat) == [1, 0]
    api.order(CHAT, Answer(status=401, body={"error": {"code": "invalid_api_key"}}))
    with pytest.raises(RequestRefused):
        await order_of(chat)
    assert len(api.requests(CHAT)) == 3


async def test_a_model_that_takes_too_long_is_given_up(chat: OpenAIChat, api: OpenAIServer) -> None:
    api.order(CHAT, Answer(fault="hang"))
    with pytest.raises(ModelUnavailable, match=r"within 0\.05 s"):
        await reranker(chat, timeout=0.05).order(["where?"], CANDIDATES)


@given(text=st.text() | st.text("[]{}#0123456789,->、 \n\"'.:"), count=st.integers(0, 40))
def test_whatever_a_model_writes_each_place_is_there_and_comes_once(text: str, count: int) -> None:
    places = order_in(text, count)
    assert len(set(places)) == len(places)
    assert set(places) <= set(range(count))


@given(
    places=st.integers(2, 30).flatmap(lambda count: st.permutations(range(count))),
    strangers=st.lists(st.integers(100, 9999), max_size=5),
)
def test_a_whole_order_is_read_back_as_it_was_given(places: list[int], strangers: list[int]) -> None:
    numbers = [*strangers, *(place + 1 for place in places), *strangers, places[0] + 1]
    assert order_in(json.dumps({"order": numbers}), len(places)) == places
    assert order_in(", ".join(f"#{number}" for number in numbers), len(places)) == places
    assert order_in("\n".join(map(str, numbers)), len(places)) == places


@given(asked=st.lists(texts, max_size=3), drawn=st.lists(st.tuples(texts, names), max_size=5))
def test_no_text_makes_a_line_of_its_own(asked: list[str], drawn: list[tuple[str, str]]) -> None:
    candidates = [message(n, text, sender=name) for n, (text, name) in enumerate(drawn)]
    prompt = render_order(asked, candidates, max_reply_tokens=100)
    lines = [line for line in prompt.user.splitlines() if line]
    heading = lines.index("# Past messages")
    assert lines[0] == "# New messages"
    assert all(line.startswith("-") for line in lines[1:heading])
    assert len(lines[1:heading]) == len(asked)
    assert [line.partition(" ")[0] for line in lines[heading + 1 :]] == [f"#{n + 1}" for n in range(len(drawn))]
