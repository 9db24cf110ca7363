"""An OpenAI-compatible server: chat completions and embeddings, over real HTTP.

It keeps what it was asked, and its answers can be ordered: a status, headers, any body, a hang, a cut
connection. Unless ordered otherwise it answers every chat with the same action, and embeds texts as bags of
their words, so that similar texts are similar. It is strict where real servers are: null where a value belongs,
an empty text or an unknown encoding format is refused.

In a process of its own (`python -m tests.fakes.openai_server --port N`) it prints its address, takes orders
as JSON at POST /orders, tells at GET /asked what it was asked, and forgets both at DELETE /asked.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, cast

import numpy as np
from aiohttp import web

Json: TypeAlias = Any
CHAT = "/chat/completions"
EMBEDDINGS = "/embeddings"
HELLO = '{"action": "send_message", "messages": ["hello"]}'


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request."""

    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: dict[str, Json]

    @property
    def texts(self) -> list[str]:
        """What was to be embedded."""
        given = self.body.get("input", [])
        return [given] if isinstance(given, str) else given


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent back, or how nothing is."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: Json = None
    """Text and bytes are sent as they are, everything else as JSON."""
    fault: Literal["hang", "cut", "trickle"] | None = None
    """Never answer; close the connection; begin and never end."""

    def response(self) -> web.Response:
        """As aiohttp sends it."""
        if isinstance(self.body, bytes | str):
            raw = self.body if isinstance(self.body, bytes) else self.body.encode()
            kind = "text/html" if raw.lstrip().startswith(b"<") else "application/json"
        else:
            raw, kind = json.dumps(self.body).encode(), "application/json"
        return web.Response(status=self.status, body=raw, headers={"Content-Type": kind, **self.headers})


Order: TypeAlias = Answer | Callable[[Asked], Answer | None]
"""An answer for one request, or what decides it; None leaves it to the next order, or to the default."""


class OpenAIServer:
    """`async with OpenAIServer() as server: ... server.base_url`."""

    def __init__(self, *, dimension: int = 64, port: int = 0) -> None:
        self.dimension = dimension
        self.dimensions: dict[str, int] = {}
        """Those of models that give another one, by their names."""
        self.port = port
        self.asked: list[Asked] = []
        self.chat_text = HELLO
        """What every chat is answered with."""
        self._once: dict[str, deque[Answer]] = {CHAT: deque(), EMBEDDINGS: deque()}
        self._always: dict[str, list[Order]] = {CHAT: [], EMBEDDINGS: []}
        self._closing = asyncio.Event()
        self._runner: web.AppRunner | None = None

    @property
    def base_url(self) -> str:
        """What goes into LLM_API_BASE_URL and EMBEDDING_API_BASE_URL."""
        return f"http://127.0.0.1:{self.port}/v1"

    def order(self, path: str, *answers: Answer) -> None:
        """These answers to the next requests, one each, before anything else."""
        self._once[path].extend(answers)

    def always(self, path: str, order: Order) -> None:
        """This answer from now on, where it applies."""
        self._always[path].insert(0, order)

    def requests(self, path: str) -> list[Asked]:
        """What was asked there, in order."""
        return [asked for asked in self.asked if asked.path == path]

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=1 << 26)
        for path in (CHAT, EMBEDDINGS):
            app.router.add_post(f"/v1{path}", self._serve)
        app.router.add_get("/v1/models", self._models)
        app.router.add_post("/orders", self._take_orders)
        app.router.add_get("/asked", self._tell)
        app.router.add_delete("/asked", self._forget)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = cast("tuple[str, int]", self._runner.addresses[0])[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.set()
        if self._runner:
            await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix("/v1")
        headers = {name.lower(): value for name, value in request.headers.items()}
        asked = Asked(path=path, headers=headers, body=json.loads(await request.text()))
        self.asked.append(asked)
        answer = self._answer(asked)
        if answer.fault is None:
            return answer.response()
        if answer.fault == "cut":
            assert request.transport
            request.transport.close()
            return web.Response()
        stream = web.StreamResponse(status=answer.status, headers=answer.headers)
        if answer.fault == "trickle":
            await stream.prepare(request)
            await stream.write(b"{")
        await self._closing.wait()
        return stream

    def _answer(self, asked: Asked) -> Answer:
        if self._once[asked.path]:
            return self._once[asked.path].popleft()
        for order in self._always[asked.path]:
            answer = order if isinstance(order, Answer) else order(asked)
            if answer:
                return answer
        return self._chat(asked) if asked.path == CHAT else self._embed(asked)

    def _chat(self, asked: Asked) -> Answer:
        return _refusal(asked) or Answer(body=completion(self.chat_text))

    def _embed(self, asked: Asked) -> Answer:
        refusal = _refusal(asked)
        if refusal:
            return refusal
        if not all(text.strip() for text in asked.texts):
            return error(400, "'$.input' is invalid: an empty text", param="input")
        dimension = self.dimensions.get(asked.body["model"], self.dimension)
        return Answer(body=embeddings([bag_of_words(text, dimension) for text in asked.texts]))

    async def _models(self, request: web.Request) -> web.Response:
        return Answer(body={"object": "list", "data": [{"id": "stub", "object": "model"}]}).response()

    async def _take_orders(self, request: web.Request) -> web.Response:
        """`[{"path": "/embeddings", "status": 429, "headers": {}, "body": …, "always": false}, …]`."""
        for told in json.loads(await request.text()):
            path, always = told.pop("path"), told.pop("always", False)
            self.always(path, Answer(**told)) if always else self.order(path, Answer(**told))
        return web.Response(status=204)

    async def _tell(self, request: web.Request) -> web.Response:
        return web.json_response([{"path": asked.path, "body": asked.body} for asked in self.asked])

    async def _forget(self, request: web.Request) -> web.Response:
        self.asked.clear()
        for path in (CHAT, EMBEDDINGS):
            self._once[path].clear()
            self._always[path].clear()
        return web.Response(status=204)


def completion(content: Json, *, finish_reason: Json = "stop", **message: Json) -> Json:
    """A chat completion as OpenAI sends it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_780_000_000,
        "model": "stub",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {
            "prompt_tokens": 10,
            "completion_tokens": 5,
            "total_tokens": 15,
            "prompt_tokens_details": {"cached_tokens": 4},
        },
    }


def embeddings(vectors: Sequence[Sequence[float]]) -> Json:
    """A list of embeddings as OpenAI sends it."""
    return {
        "object": "list",
        "model": "stub",
        "data": [
            {"object": "embedding", "index": index, "embedding": list(vector)} for index, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": 8, "total_tokens": 8},
    }


def error(status: int, message: str, **more: Json) -> Answer:
    """An error as OpenAI sends it."""
    return Answer(status=status, body={"error": {"message": message, "type": "invalid_request_error", **more}})


def bag_of_words(text: str, dimension: int) -> list[float]:
    """A unit vector: each word, and each Chinese, Japanese or Korean character, adds its own direction."""
    words = re.findall(
        r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+",
        text.lower(),
    )
    vector = np.zeros(dimension)
    for word in words or [text]:
        seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        vector += np.random.default_rng(seed).standard_normal(dimension)
    return [float(number) for number in vector / np.linalg.norm(vector)]


def _refusal(asked: Asked) -> Answer | None:
    """What strict servers refuse."""
    null = next((name for name, value in asked.body.items() if value is None), None)
    if null:
        return Answer(status=422, body={"detail": [{"loc": ["body", null], "msg": "none is not allowed"}]})
    if asked.body.get("encoding_format", "float") != "float":
        return Answer(status=422, body={"detail": "encoding_format"})
    return None


async def _run(port: int, dimension: int) -> None:
    async with OpenAIServer(port=port, dimension=dimension) as server:
        print(server.base_url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serve until stopped; print the address once it can be asked."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dimension", type=int, default=64)
    given = parser.parse_args()
    try:
        asyncio.run(_run(given.port, given.dimension))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
