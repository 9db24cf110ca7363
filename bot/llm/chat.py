"""A chat model behind an OpenAI-compatible API.

Sends system and user message and, where the server can, the JSON schema of the answer. What the answer says
is not judged here: text parts are joined, thinking is left out, and parsing is somebody else's work.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import BadAnswer, SettingsError
from bot.invalid import what_is_wrong
from bot.llm.failures import Parameter, ParameterRefused
from bot.llm.server import Server
from bot.llm.texts import parsed, sendable
from bot.model import ModelReply, Prompt, ToolCall, Usage

Form = Literal["json_schema", "json_object", "none"]
"""How a server is told that JSON is wanted, from the strictest on."""
_FORMS: tuple[Form, ...] = ("json_schema", "json_object", "none")
_LIMITS = ("max_tokens", "max_completion_tokens")
"""The old name is the one that local servers know; OpenAI's newer models take only the new one."""


class _Message(BaseModel):
    model_config = ConfigDict(strict=True)

    content: str | list[object] | None = None
    refusal: str | None = None
    tool_calls: object = None


class _Choice(BaseModel):
    model_config = ConfigDict(strict=True)

    message: _Message
    finish_reason: object = None


class _Completion(BaseModel):
    model_config = ConfigDict(strict=True)

    choices: list[_Choice] = Field(min_length=1)
    id: object = None
    model: object = None
    usage: object = None


class OpenAIChat:
    """Implements `ports.ChatModel`. Asking again without what a server refuses belongs to the one attempt."""

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        api_key: str | None = None,
        timeout: float = 120.0,
        settings: str = "LLM",
    ) -> None:
        if not model.strip():
            raise SettingsError(f"{settings}_MODEL is not set; name a model that the server has")
        self._server = Server(base_url=base_url, api_key=api_key, model=model, settings=settings, timeout=timeout)
        self._model = model
        self._form = 0
        """Position in _FORMS of the strictest form that this server may take."""
        self._limit = 0

    @property
    def name(self) -> str:
        """The model's name, as its server calls it."""
        return self._model

    async def complete(self, prompt: Prompt) -> ModelReply:
        """Raises `ModelUnavailable`, `RequestRefused`, `ContextTooLong` or `BadAnswer`."""
        form, limit = self._form, self._limit
        while True:
            try:
                body = await self._server.post("/chat/completions", self._request(prompt, _FORMS[form], _LIMITS[limit]))
            except ParameterRefused as error:
                if "max_tokens" in error.parameters and limit == 0:
                    limit = 1
                elif prompt.schema is not None and self._can_ask_otherwise(error.parameters, form):
                    form += 1
                else:
                    raise
            else:
                if prompt.schema is not None:
                    self._form = max(self._form, form)
                self._limit = max(self._limit, limit)
                return self._reply(body)

    async def aclose(self) -> None:
        """Close its connections."""
        await self._server.aclose()

    @staticmethod
    def _can_ask_otherwise(parameters: frozenset[Parameter], form: int) -> bool:
        return "response_format" in parameters and form + 1 < len(_FORMS)

    def _request(self, prompt: Prompt, form: Form, limit: str) -> dict[str, object]:
        """What is sent: nothing optional that is empty or null."""
        messages = [("system", sendable(prompt.system)), ("user", sendable(prompt.user))]
        request: dict[str, object] = {
            "model": self._model,
            "messages": [{"role": role, "content": text} for role, text in messages if text],
            limit: prompt.max_reply_tokens,
        }
        if prompt.schema is not None and form == "json_schema":
            schema = {"name": "action", "strict": True, "schema": prompt.schema}
            request["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif prompt.schema is not None and form == "json_object":
            request["response_format"] = {"type": "json_object"}
        return request

    def _reply(self, body: str) -> ModelReply:
        try:
            completion = _Completion.model_validate(parsed(body))
        except ValidationError as error:
            raise BadAnswer(f"{self._server.asked} answered with {_shape(error)}") from None
        except ValueError:
            raise BadAnswer(f"{self._server.asked} answered with {_NO_JSON}") from None
        choice = completion.choices[0]
        return ModelReply(
            text=_text(choice.message.content),
            tool_calls=tuple(_tool_calls(choice.message.tool_calls)),
            finish_reason=_word(choice.finish_reason),
            refusal=choice.message.refusal,
            model=_word(completion.model) or self._model,
            response_id=_word(completion.id),
            usage=_usage(completion.usage),
        )


_NO_JSON = "something that is not JSON; is the address that of an OpenAI-compatible API?"


def _shape(error: ValidationError) -> str:
    """What is wrong with an answer: where and of which kind, never with what was in it."""
    return f"no chat completion ({what_is_wrong(error)})"


def _text(content: str | list[object] | None) -> str:
    """The text parts, joined. Thinking, images and what is unknown are left out."""
    if isinstance(content, str):
        return content
    return "".join(_part(part) for part in content or [])


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    told = cast("dict[str, object]", part)
    text = told.get("text")
    return text if told.get("type", "text") in {"text", "output_text"} and isinstance(text, str) else ""


def _tool_calls(calls: object) -> Iterator[ToolCall]:
    for call in cast("list[object]", calls) if isinstance(calls, list) else []:
        function = _mapping(_mapping(call).get("function"))
        name, arguments = function.get("name"), function.get("arguments")
        if isinstance(name, str):
            text = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
            yield ToolCall(name=name, arguments=text)


def _usage(usage: object) -> Usage:
    told = _mapping(usage)
    cached = _count(_mapping(told.get("prompt_tokens_details")).get("cached_tokens"))
    return Usage(
        input_tokens=_count(told.get("prompt_tokens")),
        output_tokens=_count(told.get("completion_tokens")),
        cached_tokens=_count(told.get("prompt_cache_hit_tokens")) if cached is None else cached,
    )


def _mapping(value: object) -> Mapping[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _word(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
