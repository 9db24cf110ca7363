"""What a failed request to an OpenAI-compatible server means, in terms of what can be done about it.

Pure. Messages name the model, the address, the HTTP status and the server's short error code, and what to do
now. They never quote the server: its sentences may repeat the prompt, or the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal, cast

from bot.errors import BadAnswer, ContextTooLong, ModelError, ModelUnavailable, RequestRefused
from bot.llm.texts import is_identifier

Parameter = Literal["response_format", "max_tokens", "encoding_format", "dimensions"]
"""A part of a request that not every server knows, and that can be left out or put otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Whom a request went to, as an error message tells it."""

    model: str
    where: str
    """The server's address, without credentials."""
    settings: str
    """What the names of its settings begin with: LLM, EMBEDDING, …"""

    def __str__(self) -> str:
        return f"model {self.model!r} at {self.where}"


class ParameterRefused(RequestRefused):
    """The server named parts of the request that it may not know; asking without them can work."""

    def __init__(self, message: str, *, status: int, parameters: frozenset[Parameter]) -> None:
        super().__init__(message, status=status)
        self.parameters = parameters


_PARAMETERS: Mapping[Parameter, re.Pattern[str]] = {
    "response_format": re.compile(r"response.?format|json.?object|structured.?output|grammar|schema", re.IGNORECASE),
    "max_tokens": re.compile(r"max_completion_tokens", re.IGNORECASE),
    "encoding_format": re.compile(r"encoding.?format", re.IGNORECASE),
    "dimensions": re.compile(r"dimension|matryoshka", re.IGNORECASE),
}
_NAMING = frozenset({400, 406, 415, 422, 501})
"""Statuses with which servers refuse a part of a request."""
_GRAMMAR_FAILED = re.compile(r"response_format|json_schema|grammar", re.IGNORECASE)
"""With 500: how llama.cpp says that it can make no grammar of a schema."""

_TOO_LONG = re.compile(
    r"context.{0,20}(length|size|window|limit)"
    r"|(maximum|max|exceeded?) (model )?(prompt|token|input) (length|limit|count)"
    r"|(prompt|input|inputs|request|message|text)s?[^.]{0,60}(too (long|large)|longer than)"
    r"|too many (input )?tokens|reduce the length|exceeds? the (maximum )?(number of|limit of) .{0,10}tokens"
    r"|tokens[^.]{0,80}(must be <=|exceeds?|> \d+ maximum)|must have (less|fewer) than \d+ tokens"
    r"|exceeds? (the )?max(imum)? (\w+ )?(length|size|tokens)|max allowed tokens"
    r"|range of input length|max_model_len|request_too_large|string_above_max_length|max_tokens_per_request"
    r"|上下文.{0,6}(长度|超)|超.{0,6}(最大|上下文)?长度|prompt ?超长",
    re.IGNORECASE,
)
"""How llama.cpp, Ollama, vLLM, SGLang, TEI, LM Studio, OpenAI, Anthropic, DeepSeek, Gemini, … say it."""
_TOO_LONG_STATUSES = frozenset({400, 413, 422, 500})
_TOO_LARGE_FOR_THE_RATE = re.compile(r"request too large", re.IGNORECASE)
"""With 429: more than a whole minute's tokens at once. Waiting does not help, a shorter prompt does."""
_NOT_A_NUMBER = re.compile(r"\bnan\b|unsupported value|\binf(inity)?\b|not finite", re.IGNORECASE)
_NO_CREDIT = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance"}
)
_MAY_PASS = frozenset({408, 409, 421, 423, 425, 429})
_NOT_SAID = frozenset({"input", "failed_generation", "stack", "stacktrace", "traceback"})
"""Keys of an error under which servers repeat what they were sent."""
_READ = 8_000
"""Characters of an error that are looked at."""
_SECONDS = re.compile(r"\s*(\d{1,12}(?:\.\d{1,9})?)\s*")


def failure(asked: Asked, *, status: int, headers: Mapping[str, str], body: str, now: datetime) -> ModelError:
    """What an answer with an error status means."""
    told = _parsed(body)
    said = " ".join(_strings(told))[:_READ]
    code = _code(told)
    what = f"{asked} answered {status}" + (f" ({code})" if code else "")
    if _is_too_long(status, said):
        return ContextTooLong(f"{what}: what it was sent is longer than it can take", status=status)
    if status == 402 or code in _NO_CREDIT:
        return RequestRefused(f"{what}: the account has no credit; top it up", status=status)
    if status == 500 and _NOT_A_NUMBER.search(said):
        return RequestRefused(f"{what}: it failed on a text and gave no number", status=status)
    if code == "json_validate_failed":
        return BadAnswer(f"{what}: the model did not manage the JSON that it was asked for")
    parameters = _named(status, said)
    if parameters:
        return ParameterRefused(
            f"{what}: no {' and '.join(sorted(parameters))} as sent; {_cure(status, asked)}",
            status=status,
            parameters=parameters,
        )
    if status in _MAY_PASS or (status >= 500 and status != 501):
        wait = retry_after(headers, now=now)
        again = f" and asks to wait {wait:g} s" if wait else ""
        return ModelUnavailable(f"{what}{again}; it may work later", retry_after=wait, status=status)
    return RequestRefused(f"{what}; {_cure(status, asked)}", status=status)


def failure_inside(asked: Asked, *, headers: Mapping[str, str], body: str, now: datetime) -> ModelError | None:
    """What a body says that came with 200 but holds an error (OpenRouter does so); None: no error."""
    if '"error"' not in body:
        return None
    told = _parsed(body)
    error = _inside(told, "error")
    if not error:
        return None
    inner = _inside(error, "code")
    status = int(inner) if isinstance(inner, int | str) and str(inner).isdecimal() else 0
    if 400 <= status < 600:
        return failure(asked, status=status, headers=headers, body=body, now=now)
    code = _code(told)
    return BadAnswer(f"{asked} answered with an error instead of a result" + (f" ({code})" if code else ""))


def retry_after(headers: Mapping[str, str], *, now: datetime) -> float | None:
    """Seconds that a server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date.

    A date is reckoned from the server's own `date`, since clocks differ. None when nothing sensible is said.
    """
    if milliseconds := _SECONDS.fullmatch(headers.get("retry-after-ms", "")):
        return float(milliseconds[1]) / 1000
    value = headers.get("retry-after", "")
    if seconds := _SECONDS.fullmatch(value):
        return float(seconds[1])
    until = _http_date(value)
    if until is None:
        return None
    return max((until - (_http_date(headers.get("date", "")) or now)).total_seconds(), 0.0)


def _http_date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _is_too_long(status: int, said: str) -> bool:
    if status == 413:
        return True
    if status == 429:
        return bool(_TOO_LARGE_FOR_THE_RATE.search(said))
    return status in _TOO_LONG_STATUSES and bool(_TOO_LONG.search(said))


def _named(status: int, said: str) -> frozenset[Parameter]:
    """Which parts of the request an error is about, as far as they can be left out."""
    if status == 500:
        return frozenset({"response_format"}) if _GRAMMAR_FAILED.search(said) else frozenset()
    if status not in _NAMING:
        return frozenset()
    return frozenset(name for name, pattern in _PARAMETERS.items() if pattern.search(said))


def _cure(status: int, asked: Asked) -> str:
    match status:
        case 401 | 403:
            return f"check {asked.settings}_API_KEY"
        case 400 | 422:
            return f"it does not take such a request; check {asked.settings}_MODEL"
        case _:
            return f"check {asked.settings}_MODEL and {asked.settings}_API_BASE_URL (most end in /v1)"


def _parsed(body: str) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body[:_READ]


def _strings(told: object, depth: int = 6) -> Iterator[str]:
    """All words of an error, keys too: FastAPI and others name a refused parameter there."""
    if isinstance(told, str):
        yield told
    elif depth and isinstance(told, dict):
        for key, value in cast("dict[str, object]", told).items():
            if key not in _NOT_SAID:
                yield key
                yield from _strings(value, depth - 1)
    elif depth and isinstance(told, list):
        for value in cast("list[object]", told):
            yield from _strings(value, depth - 1)


def _code(told: object) -> str | None:
    """The server's short word for what is wrong, when it has one."""
    error = _inside(told, "error")
    words = (
        *(_inside(error, key) for key in ("code", "type")),
        *(_inside(told, key) for key in ("code", "type", "error")),
    )
    return next((word for word in words if isinstance(word, str) and is_identifier(word)), None)


def _inside(value: object, key: str) -> object:
    return cast("dict[str, object]", value).get(key) if isinstance(value, dict) else None
