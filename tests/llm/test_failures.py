"""What an error status means."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ContextTooLong, ModelError, ModelUnavailable
from bot.llm.failures import Asked, failure, retry_after

NOW = datetime(2026, 3, 5, 9, 12, tzinfo=UTC)
ASKED = Asked(model="stub", where="http://host/v1", settings="LLM")


def meaning(status: int, body: object) -> ModelError:
    text = body if isinstance(body, str) else json.dumps(body)
    return failure(ASKED, status=status, headers={}, body=text, now=NOW)


TOO_LONG = [
    (400, "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."),
    (400, "'max_tokens' is too large: 900. This model's maximum context length is 512 tokens"),
    (400, "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it"),
    (500, "the request exceeds the available context size. try increasing the context size"),
    (500, "Context size has been exceeded."),
    (500, "input is too large to process. increase the physical batch size"),
    (400, "Requested tokens (2285) exceed context window of 2048"),
    (400, "the input length exceeds the context length"),
    (400, "The input (5000 tokens) is longer than the model's context length (4096 tokens)."),
    (
        400,
        "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with "
        "context length of only 32768 tokens, which is not enough.",
    ),
    (400, "prompt is too long: 213462 tokens > 200000 maximum"),
    (400, "Input is too long for requested model."),
    (400, "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)"),
    (400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens"),
    (400, "Please reduce the length of the messages or completion."),
    (400, "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"),
    (400, "Your input exceeds the context window of this model."),
    (400, "Invalid request: Your request exceeded model token limit: 8192"),
    (422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000"),
    (413, "Input validation error: `inputs` must have less than 512 tokens. Given: 600"),
    (400, "Input text exceeds maximum length of 8192 tokens"),
    (400, "too many tokens: size limit exceeded"),
    (400, "Range of input length should be [1, 30720]"),
    (413, "Request too large for model `llama-3` on tokens per minute (TPM): Limit 6000, Requested 9000"),
    (429, "Request too large for gpt-4 in organization org-1 on tokens per min (TPM)"),
    (400, "输入超过最大上下文长度"),
]


@pytest.mark.parametrize(("status", "message"), TOO_LONG)
def test_every_usual_way_to_say_too_long_is_understood(status: int, message: str) -> None:
    for body in ({"error": {"message": message}}, {"error": message}, {"message": message}, message):
        assert isinstance(meaning(status, body), ContextTooLong), body


@pytest.mark.parametrize("key", ["code", "type"])
@pytest.mark.parametrize("word", ["context_length_exceeded", "exceed_context_size_error"])
def test_a_code_for_too_long_is_enough(key: str, word: str) -> None:
    assert isinstance(meaning(400, {"error": {"message": "no", key: word}}), ContextTooLong)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Invalid 'messages[0].role'"),
        (401, "Incorrect API key provided"),
        (429, "Rate limit reached for tokens per minute"),
        (503, "The server is overloaded or not ready yet"),
        (500, "Internal server error"),
    ],
)
def test_nothing_else_is_taken_for_too_long(status: int, message: str) -> None:
    assert not isinstance(meaning(status, {"error": {"message": message}}), ContextTooLong)


seconds = st.integers(min_value=0, max_value=10**6)


@given(seconds=seconds)
def test_seconds_milliseconds_and_dates_say_the_same(seconds: int) -> None:
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    ours = {"retry-after": date}
    theirs = {"retry-after": date, "date": format_datetime(NOW, usegmt=True)}
    assert retry_after({"retry-after": str(seconds)}, now=NOW) == seconds
    assert retry_after({"retry-after-ms": str(seconds * 1000)}, now=NOW) == seconds
    assert retry_after(ours, now=NOW) == seconds
    assert retry_after(theirs, now=NOW + timedelta(hours=5)) == seconds


@given(seconds=seconds)
def test_a_date_that_has_passed_means_no_wait(seconds: int) -> None:
    past = format_datetime(NOW - timedelta(seconds=seconds), usegmt=True)
    assert retry_after({"retry-after": past}, now=NOW) == 0


@given(value=st.text(max_size=40), date=st.text(max_size=40))
def test_whatever_a_header_says_the_wait_is_none_or_a_finite_number(value: str, date: str) -> None:
    wait = retry_after({"retry-after": value, "retry-after-ms": value, "date": date}, now=NOW)
    assert wait is None or 0 <= wait < 10**13


@pytest.mark.parametrize("value", ["", "soon", "-5", "nan", "inf", "1e9", "Fri, 99 Foo 2026 25:61:00 GMT"])
def test_what_says_nothing_sensible_is_no_wish(value: str) -> None:
    assert retry_after({"retry-after": value}, now=NOW) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(status=st.integers(300, 599), body=json_values, raw=st.text())
def test_any_status_with_any_body_means_something(status: int, body: object, raw: str) -> None:
    for told in ({"error": body}, {"detail": body}, body, raw):
        error = meaning(status, told)
        assert isinstance(error, ModelError)
        assert f" {status}" in str(error)


@given(words=st.text(min_size=2).filter(lambda text: not text.isascii() or " " in text))
def test_no_sentence_of_a_body_gets_into_the_message(words: str) -> None:
    marked = f"¶{words}¶"
    for status in (400, 401, 404, 413, 429, 500, 503):
        body = {"error": {"message": marked, "code": marked, "type": marked, "param": marked}, marked: marked}
        assert "¶" not in str(meaning(status, body))


def test_a_deeply_nested_body_is_no_trouble() -> None:
    assert isinstance(meaning(503, "[" * 200_000), ModelUnavailable)
