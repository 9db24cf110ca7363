"""What the chat adapter makes of a server that fails, over real HTTP."""

from __future__ import annotations

import pytest

from bot.errors import (
    BadAnswer,
    ContextTooLong,
    ModelError,
    ModelUnavailable,
    RequestRefused,
    SettingsError,
)
from bot.llm.chat import OpenAIChat
from tests.fakes.openai_server import CHAT, Answer, OpenAIServer, error
from tests.llm.conftest import KEY
from tests.llm.samples import SCHEMA, prompt

ASKED = prompt("hi", schema=SCHEMA)

NONSENSE: list[object] = [
    "",
    "<!DOCTYPE html><html>please log in</html>",
    "null",
    "[]",
    '"hi"',
    b"\xff\xfe\x00",
    "[" * 100_000,
    {},
    {"choices": None},
    {"choices": []},
    {"choices": [None]},
    {"choices": [{"index": 0}]},
    {"choices": [{"message": None}]},
    {"choices": [{"message": {"content": 42}}]},
    {"choices": {"message": {"content": "hi"}}},
    {"error": {"message": "the model crashed", "type": "server_error"}},
    {"error": "no"},
]


@pytest.mark.parametrize("body", NONSENSE)
async def test_success_with_nonsense_is_a_bad_answer(chat: OpenAIChat, api: OpenAIServer, body: object) -> None:
    api.order(CHAT, Answer(body=body))
    with pytest.raises(BadAnswer):
        await chat.complete(ASKED)
    assert len(api.asked) == 1


UNAVAILABLE = [
    *(Answer(status=status, body={"error": {"message": "later"}}) for status in (408, 409, 429, 500, 503, 529)),
    Answer(status=502, body="<html><h1>502 Bad Gateway</h1></html>"),
    Answer(status=504, body=""),
    Answer(body={"error": {"message": "Provider returned error", "code": 503}}),
    Answer(fault="cut"),
]


@pytest.mark.parametrize("answer", UNAVAILABLE)
async def test_what_may_pass_is_unavailable_and_was_asked_once(
    chat: OpenAIChat, api: OpenAIServer, answer: Answer
) -> None:
    api.order(CHAT, answer)
    with pytest.raises(ModelUnavailable):
        await chat.complete(ASKED)
    assert len(api.asked) == 1


@pytest.mark.parametrize("fault", ["hang", "trickle"])
async def test_a_server_that_never_ends_is_unavailable(api: OpenAIServer, fault: str) -> None:
    chat = OpenAIChat(base_url=api.base_url, model="stub", timeout=0.05)
    api.always(CHAT, Answer(fault="hang" if fault == "hang" else "trickle"))
    with pytest.raises(ModelUnavailable, match=r"did not answer within 0\.05 s"):
        await chat.complete(ASKED)
    await chat.aclose()


async def test_nobody_at_the_address_is_unavailable_and_says_which_setting(api: OpenAIServer) -> None:
    chat = OpenAIChat(base_url="http://127.0.0.1:9/v1", model="stub", api_key=KEY)
    with pytest.raises(ModelUnavailable, match="LLM_API_BASE_URL"):
        await chat.complete(ASKED)
    await chat.aclose()


@pytest.mark.parametrize(
    ("status", "cure"),
    [
        (401, "LLM_API_KEY"),
        (403, "LLM_API_KEY"),
        (402, "credit"),
        (404, "LLM_MODEL and LLM_API_BASE_URL"),
        (422, "LLM_MODEL"),
        (405, "LLM_API_BASE_URL"),
        (501, "LLM_API_BASE_URL"),
        (302, "LLM_API_BASE_URL"),
    ],
)
async def test_a_refusal_names_status_code_and_cure_and_quotes_nobody(
    chat: OpenAIChat, api: OpenAIServer, status: int, cure: str
) -> None:
    told = error(status, f"secret diary of Ann; key {KEY}", code="model_not_found")
    api.order(CHAT, told)
    with pytest.raises(RequestRefused, match=cure) as caught:
        await chat.complete(ASKED)
    shown = f"{caught.value!r} {caught.value} {caught.value.__cause__} {vars(caught.value)}"
    assert caught.value.status == status
    assert f"{status} (model_not_found)" in shown
    assert "Ann" not in shown
    assert KEY not in shown


async def test_no_credit_is_a_refusal_even_when_it_is_told_as_429(chat: OpenAIChat, api: OpenAIServer) -> None:
    api.order(CHAT, error(429, "You exceeded your current quota", code="insufficient_quota"))
    with pytest.raises(RequestRefused, match="credit"):
        await chat.complete(ASKED)


async def test_a_prompt_that_is_too_long_is_told_apart(chat: OpenAIChat, api: OpenAIServer) -> None:
    api.order(CHAT, Answer(status=413, body="<html>Request Entity Too Large</html>"))
    with pytest.raises(ContextTooLong):
        await chat.complete(ASKED)


async def test_no_error_of_any_kind_shows_the_prompt_or_the_key(api: OpenAIServer) -> None:
    chat = OpenAIChat(base_url=api.base_url.replace("//", "//user:pass@"), model="stub", api_key=KEY)
    secret = prompt("hi", system="Ann's secret", user="Ann's secret", schema=SCHEMA)
    echoed = {"error": {"message": f"Ann's secret {KEY}", "input": "Ann's secret", "type": "Ann's secret"}}
    for status in (200, 400, 401, 413, 422, 429, 500, 503):
        api.order(CHAT, Answer(status=status, body=echoed))
        with pytest.raises(ModelError) as caught:
            await chat.complete(secret)
        shown = f"{caught.value} {vars(caught.value)} {caught.value.__cause__}"
        assert "Ann" not in shown
        assert KEY not in shown
        assert "pass" not in shown
    await chat.aclose()


@pytest.mark.parametrize("url", ["", "localhost:11434", "ftp://host/v1", "/v1", "http://"])
def test_what_is_no_address_is_said_at_once(url: str) -> None:
    with pytest.raises(SettingsError, match="LLM_API_BASE_URL"):
        OpenAIChat(base_url=url, model="stub")


@pytest.mark.parametrize("key", ["ключ", "two\nlines"])
def test_what_can_be_no_key_is_said_at_once_without_showing_it(key: str) -> None:
    with pytest.raises(SettingsError, match="LLM_API_KEY") as caught:
        OpenAIChat(base_url="http://127.0.0.1/v1", model="stub", api_key=key)
    assert key not in str(caught.value)


def test_a_model_without_a_name_is_said_at_once() -> None:
    with pytest.raises(SettingsError, match="LLM_MODEL"):
        OpenAIChat(base_url="http://127.0.0.1/v1", model=" ")
