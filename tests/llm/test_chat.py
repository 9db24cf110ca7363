"""The chat adapter over real HTTP."""

from __future__ import annotations

import pytest

from bot.errors import (
    RequestRefused,
)
from bot.llm.chat import OpenAIChat
from bot.model import ToolCall, Usage
from tests.fakes.openai_server import CHAT, HELLO, Answer, Asked, OpenAIServer, completion, error
from tests.llm.conftest import KEY
from tests.llm.samples import SCHEMA, prompt

ASKED = prompt("hi", schema=SCHEMA)


def forms(api: OpenAIServer) -> list[str | None]:
    """How JSON was asked for, request by request."""
    return [asked.body.get("response_format", {}).get("type") for asked in api.requests(CHAT)]


async def test_an_answer_comes_back_with_all_that_the_server_told(chat: OpenAIChat, api: OpenAIServer) -> None:
    reply = await chat.complete(ASKED)
    assert reply.text == HELLO
    assert (reply.finish_reason, reply.model, reply.response_id) == ("stop", "stub", "chatcmpl-1")
    assert reply.usage == Usage(input_tokens=10, output_tokens=5, cached_tokens=4)


async def test_the_request_holds_what_is_needed_and_nothing_that_is_null(chat: OpenAIChat, api: OpenAIServer) -> None:
    await chat.complete(prompt("hi"))
    (asked,) = api.requests(CHAT)
    assert asked.body == {
        "model": "stub",
        "messages": [
            {"role": "system", "content": "You are Mia."},
            {"role": "user", "content": "Answer as JSON."},
        ],
        "max_tokens": 300,
    }
    assert asked.headers["authorization"] == f"Bearer {KEY}"


async def test_the_schema_is_sent_as_a_strict_one(chat: OpenAIChat, api: OpenAIServer) -> None:
    await chat.complete(ASKED)
    (asked,) = api.requests(CHAT)
    assert asked.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "action", "strict": True, "schema": SCHEMA},
    }


async def test_without_a_key_no_authorization_is_sent_whatever_the_environment_holds(
    api: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "somebody-elses")
    chat = OpenAIChat(base_url=api.base_url, model="stub", api_key="")
    await chat.complete(ASKED)
    await chat.aclose()
    (asked,) = api.requests(CHAT)
    assert "authorization" not in asked.headers
    assert "somebody-elses" not in str(asked.headers)


async def test_half_a_character_is_replaced_and_not_a_crash(chat: OpenAIChat, api: OpenAIServer) -> None:
    await chat.complete(prompt("hi", user="half \ud83d and whole \ud83d\ude00"))
    (asked,) = api.requests(CHAT)
    assert asked.body["messages"][1]["content"] == "half \ufffd and whole 😀"


REFUSALS = [
    error(400, "This response_format type is unavailable now"),
    error(400, "This model does not support response format `json_schema`.", param="response_format"),
    Answer(status=400, body={"error": "'response_format.type' must be 'json_schema'"}),
    Answer(status=422, body={"detail": [{"loc": ["body", "response_format", "type"], "msg": "no such"}]}),
    error(501, "structured output is not implemented"),
    error(500, "failed to parse grammar"),
]


@pytest.mark.parametrize("refusal", REFUSALS)
async def test_a_server_without_json_schema_is_asked_for_any_json_and_never_again_for_a_schema(
    chat: OpenAIChat, api: OpenAIServer, refusal: Answer
) -> None:
    api.order(CHAT, refusal)
    assert (await chat.complete(ASKED)).text == HELLO
    await chat.complete(ASKED)
    assert forms(api) == ["json_schema", "json_object", "json_object"]


async def test_a_server_that_knows_no_json_at_all_is_asked_in_words_only(chat: OpenAIChat, api: OpenAIServer) -> None:
    def refuse(asked: Asked) -> Answer | None:
        return error(400, "unknown field response_format") if "response_format" in asked.body else None

    api.always(CHAT, refuse)
    assert (await chat.complete(ASKED)).text == HELLO
    await chat.complete(ASKED)
    assert forms(api) == ["json_schema", "json_object", None, None]


async def test_a_refusal_for_another_reason_takes_no_form_away(chat: OpenAIChat, api: OpenAIServer) -> None:
    api.order(CHAT, *[error(400, "the schema of things displeases me")] * 3)
    with pytest.raises(RequestRefused):
        await chat.complete(ASKED)
    await chat.complete(ASKED)
    assert forms(api) == ["json_schema", "json_object", None, "json_schema"]


async def test_a_model_that_takes_only_the_new_name_of_the_limit_gets_it(chat: OpenAIChat, api: OpenAIServer) -> None:
    message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    api.order(CHAT, error(400, message, code="unsupported_parameter", param="max_tokens"))
    await chat.complete(ASKED)
    await chat.complete(ASKED)
    limits = [{"max_tokens", "max_completion_tokens"} & asked.body.keys() for asked in api.requests(CHAT)]
    assert limits == [{"max_tokens"}, {"max_completion_tokens"}, {"max_completion_tokens"}]
    assert forms(api) == ["json_schema"] * 3


CONTENTS: list[tuple[object, str]] = [
    ("plain", "plain"),
    (None, ""),
    ([], ""),
    (["a", {"text": "b"}], "ab"),
    ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
    ([{"type": "thinking", "thinking": "plan"}, {"type": "text", "text": "hi"}], "hi"),
    ([{"type": "reasoning", "text": "plan"}, {"type": "output_text", "text": "hi"}], "hi"),
    ([{"type": "thinking", "thinking": [{"type": "text", "text": "plan"}]}], ""),
    ([{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": None}, 7], ""),
]


@pytest.mark.parametrize(("content", "text"), CONTENTS)
async def test_text_parts_are_joined_and_everything_else_is_left_out(
    chat: OpenAIChat, api: OpenAIServer, content: object, text: str
) -> None:
    api.order(CHAT, Answer(body=completion(content, reasoning_content="Ann seems sad")))
    assert (await chat.complete(ASKED)).text == text


async def test_tool_calls_come_with_their_arguments_unparsed(chat: OpenAIChat, api: OpenAIServer) -> None:
    calls = [
        {"id": "1", "type": "function", "function": {"name": "send", "arguments": '{"cut": '}},
        {"id": "2", "type": "function", "function": {"name": "rest", "arguments": {"hours": 1}}},
        {"function": None},
        "nonsense",
    ]
    body = completion(None, finish_reason="tool_calls", tool_calls=calls)
    api.order(CHAT, Answer(body=body))
    reply = await chat.complete(ASKED)
    assert reply.tool_calls == (
        ToolCall(name="send", arguments='{"cut": '),
        ToolCall(name="rest", arguments='{"hours": 1}'),
    )
    assert reply.text == ""


async def test_a_refusal_in_so_many_words_is_passed_on(chat: OpenAIChat, api: OpenAIServer) -> None:
    api.order(CHAT, Answer(body=completion(None, refusal="I cannot help with that.")))
    assert (await chat.complete(ASKED)).refusal == "I cannot help with that."


async def test_strange_usage_and_names_do_not_cost_the_answer(chat: OpenAIChat, api: OpenAIServer) -> None:
    body = {"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": "many"}, "model": 7}
    api.order(CHAT, Answer(body=body), Answer(body=body | {"usage": [1]}))
    for _ in range(2):
        reply = await chat.complete(ASKED)
        assert (reply.text, reply.usage, reply.model, reply.finish_reason) == ("hi", Usage(), "stub", None)


async def test_half_a_character_in_an_answer_costs_that_half_only() -> None:
    async with OpenAIServer() as server:
        server.order(CHAT, Answer(body=r'{"choices": [{"message": {"content": "hey \ud800 you"}}]}'))
        reply = await OpenAIChat(base_url=server.base_url, model="stub").complete(prompt("hi"))
    assert reply.text == "hey \ufffd you"
