"""The ports, each wrapped once in the composition root: one CLIENT span a call (of what speaks through another port,
an INTERNAL one).

The wrapped port answers and raises exactly what the inner one does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from opentelemetry import trace

from bot import telemetry_names as names
from bot.model import (
    Lane,
    LoreOf,
    Message,
    MessageId,
    ModelReply,
    Pool,
    Prompt,
    Search,
    Statistics,
    TurnRecord,
    Usage,
    Vector,
    View,
    Words,
    vector_sha256,
)
from bot.ports import ChatModel, Embedder, Purpose, Reranker, Store
from bot.tracing import Recording, span

_PORTS: Final[Mapping[str, int]] = {"http": 80, "https": 443}
OURSELVES: Final = "companion"
"""Provides what is not asked of any server: the bundled embedding model, and the answers without a chat model."""
_PROVIDERS: Final[Mapping[str, str]] = {
    "aiplatform.googleapis.com": "gcp.vertex_ai",
    "amazonaws.com": "aws.bedrock",
    "anthropic.com": "anthropic",
    "cohere.ai": "cohere",
    "cohere.com": "cohere",
    "deepseek.com": "deepseek",
    "generativelanguage.googleapis.com": "gcp.gemini",
    "groq.com": "groq",
    "ml.cloud.ibm.com": "ibm.watsonx.ai",
    "mistral.ai": "mistral_ai",
    "openai.azure.com": "azure.ai.openai",
    "perplexity.ai": "perplexity",
    "services.ai.azure.com": "azure.ai.inference",
    "x.ai": "x_ai",
}
"""Those that the GenAI conventions have a word for, by how the names of their hosts end."""
_OPENAI_COMPATIBLE: Final = "openai"
"""What else speaks that API: the conventions want the format's name, and the address says whose server it is."""


def served_at(base_url: str | None) -> dict[str, object]:
    """Who answers requests to an OpenAI-compatible API, by attribute name; None: no server, but this program."""
    if base_url is None:
        return {names.GEN_AI_PROVIDER_NAME: OURSELVES}
    parts = urlsplit(base_url.strip())
    host = parts.hostname or ""
    known = (provider for ending, provider in _PROVIDERS.items() if re.search(rf"(^|[.-]){re.escape(ending)}$", host))
    return {
        names.GEN_AI_PROVIDER_NAME: next(known, _OPENAI_COMPATIBLE),
        names.SERVER_ADDRESS: host,
        names.SERVER_PORT: parts.port or _PORTS.get(parts.scheme),
    }


class _Attempts:
    """Numbers the requests made within one parent span, from 1.

    Whoever retries need not know of it, and a batch taken apart counts on: a number says "the n-th request
    of this step", not "the n-th try of this text". Outside of any span there is nothing to count within.
    """

    def __init__(self) -> None:
        self._made: WeakKeyDictionary[trace.Span, int] = WeakKeyDictionary()

    def next(self) -> int | None:
        """The number of the request that is about to be made."""
        parent = trace.get_current_span()
        if not parent.get_span_context().is_valid:
            return None
        self._made[parent] = number = self._made.get(parent, 0) + 1
        return number


class TracedEmbedder:
    """An `Embedder` with an `embeddings {model}` span an attempt: wrap it before patience is added."""

    def __init__(self, inner: Embedder, *, about: Mapping[str, object] | None = None) -> None:
        """`about`: what else is true of every request, by attribute name: who serves it, as `served_at` tells."""
        self._inner: Final = inner
        self._about = about or {}
        self._attempts = _Attempts()

    @property
    def name(self) -> str:
        """The model's name, as its server or package calls it."""
        return self._inner.name

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        """As the inner one."""
        asked = {
            names.GEN_AI_OPERATION_NAME: "embeddings",
            names.GEN_AI_REQUEST_MODEL: self.name,
            names.COMPANION_ATTEMPT: self._attempts.next(),
            names.COMPANION_EMBEDDINGS_INPUTS: len(texts),
            names.COMPANION_EMBEDDINGS_PURPOSE: purpose,
            **self._about,
        }
        with span(f"embeddings {self.name}", kind="client", attributes=asked) as here:
            vectors = await self._inner.embed(texts, purpose=purpose)
            if vectors:
                here.note({names.GEN_AI_EMBEDDINGS_DIMENSION_COUNT: len(vectors[0])})
            if purpose == "query":  # the events of `embed_unread` name the same: so it shows which attempt served which
                here.note({names.COMPANION_VECTOR_SHA256: [vector_sha256(vector) for vector in vectors]})
            return vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost."""

    input: float
    cached: float
    output: float

    def cost(self, usage: Usage) -> float | None:
        """What a request cost; None when the server did not count."""
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = usage.cached_tokens or 0
        fresh = max(0, usage.input_tokens - cached)
        return (fresh * self.input + cached * self.cached + usage.output_tokens * self.output) / 1e6


class TracedChat:
    """A `ChatModel` with a `chat {model}` span an attempt."""

    def __init__(
        self,
        inner: ChatModel,
        *,
        about: Mapping[str, object] | None = None,
        prices: Prices | None = None,
    ) -> None:
        """`about`: what else is true of every request, by attribute name: who serves it, as `served_at` tells."""
        self._inner: Final = inner
        self._prices = prices
        self._about = about or {}
        self._attempts = _Attempts()

    @property
    def name(self) -> str:
        """The model's name, as its server calls it."""
        return self._inner.name

    async def complete(self, prompt: Prompt) -> ModelReply:
        """As the inner one."""
        asked = {
            names.GEN_AI_OPERATION_NAME: "chat",
            names.GEN_AI_REQUEST_MODEL: self.name,
            names.GEN_AI_REQUEST_MAX_TOKENS: prompt.max_reply_tokens,
            names.GEN_AI_OUTPUT_TYPE: "text" if prompt.schema is None else "json",
            names.COMPANION_ATTEMPT: self._attempts.next(),
            **self._about,
        }
        with span(f"chat {self.name}", kind="client", attributes=asked) as here:
            here.note_content({names.GEN_AI_INPUT_MESSAGES: _input_messages(prompt)})
            reply = await self._inner.complete(prompt)
            here.note(
                {
                    names.GEN_AI_RESPONSE_ID: reply.response_id,
                    names.GEN_AI_RESPONSE_MODEL: reply.model or None,
                    names.GEN_AI_RESPONSE_FINISH_REASONS: [reply.finish_reason] if reply.finish_reason else None,
                    names.GEN_AI_USAGE_INPUT_TOKENS: reply.usage.input_tokens,
                    names.GEN_AI_USAGE_OUTPUT_TOKENS: reply.usage.output_tokens,
                    names.GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS: reply.usage.cached_tokens,
                    names.COMPANION_COST: self._prices.cost(reply.usage) if self._prices else None,
                }
            )
            here.note_content({names.GEN_AI_OUTPUT_MESSAGES: output_messages(reply)})
            return reply


class TracedReranker:
    """A `Reranker` with a `rerank {model}` span a call; what is asked of the model's server is a span below it."""

    def __init__(self, inner: Reranker) -> None:
        self._inner: Final = inner

    @property
    def name(self) -> str:
        """The model's name, as its server calls it."""
        return self._inner.name

    async def order(self, asked: Sequence[str], candidates: Sequence[Message]) -> Sequence[int]:
        """As the inner one."""
        before = [candidate.message_id for candidate in candidates]
        told = {names.GEN_AI_REQUEST_MODEL: self.name, names.COMPANION_RERANK_BEFORE_IDS: before}
        with span(f"rerank {self.name}", attributes=told) as here:
            order = await self._inner.order(asked, candidates)
            here.note({names.COMPANION_RERANK_AFTER_IDS: [before[place] for place in order]})
            return order


class TracedStore:
    """A `Store` with one span a method, named for its statement as the database conventions want it."""

    def __init__(self, inner: Store) -> None:
        self._inner: Final = inner

    async def view(
        self, lane: Lane, *, limit: int, now: datetime, persona: str | None = None, lore_of: LoreOf | None = None
    ) -> View:
        """As the inner one."""
        with _statement("SELECT", "messages") as here:
            view = await self._inner.view(lane, limit=limit, now=now, persona=persona, lore_of=lore_of)
            here.note({names.DB_RESPONSE_RETURNED_ROWS: len(view.in_view)})
            here.tell(view)
            return view

    async def statistics(self, search: Search) -> Statistics:
        """As the inner one."""
        with _statement("SELECT", "term_counts") as here:
            statistics = await self._inner.statistics(search)
            here.tell(statistics)
            return statistics

    async def pool(self, search: Search, statistics: Statistics, words: Words) -> Pool:
        """As the inner one."""
        with _statement("SELECT", f"vectors_{search.recall.model.model_id}") as here:
            pool = await self._inner.pool(search, statistics, words)
            here.note({names.DB_RESPONSE_RETURNED_ROWS: len(pool.found)})
            here.tell(pool)
            return pool

    async def before(self, lane: Lane, *, message_id: MessageId, limit: int) -> list[Message]:
        """As the inner one."""
        with _statement("SELECT", "messages") as here:
            messages = await self._inner.before(lane, message_id=message_id, limit=limit)
            here.note({names.DB_RESPONSE_RETURNED_ROWS: len(messages)})
            return messages

    async def finish_turn(self, record: TurnRecord) -> list[MessageId]:
        """As the inner one."""
        with finishing(record) as here:
            said = await self._inner.finish_turn(record)
            here.note({names.DB_RESPONSE_RETURNED_ROWS: len(said)})
            return said


def finishing(record: TurnRecord) -> Recording:
    """The span of the statement that keeps a turn, wherever what it says goes."""
    told = {names.COMPANION_TURN_ID: record.turn_id, names.COMPANION_TURN_OUTCOME: record.outcome}
    return _statement("INSERT", "turns", told)


def _statement(operation: str, table: str, about: Mapping[str, object] | None = None) -> Recording:
    summary = f"{operation} {table}"
    asked = {
        **(about or {}),
        names.DB_SYSTEM_NAME: "postgresql",
        names.DB_OPERATION_NAME: operation,
        names.DB_COLLECTION_NAME: table,
        names.DB_QUERY_SUMMARY: summary,
    }
    return span(summary, kind="client", attributes=asked)


def _input_messages(prompt: Prompt) -> str:
    """The prompt in the shape of the GenAI conventions, system part first."""
    parts = (("system", prompt.system), ("user", prompt.user))
    return _json([{"role": role, "parts": [_text(text)]} for role, text in parts if text])


def output_messages(reply: ModelReply) -> str:
    """The answer in the shape of the GenAI conventions."""
    parts = [_text(reply.text)] if reply.text else []
    parts += [{"type": "tool_call", "name": call.name, "arguments": call.arguments} for call in reply.tool_calls]
    if reply.refusal:
        parts.append({"type": "refusal", "content": reply.refusal})
    return _json([{"role": "assistant", "parts": parts, "finish_reason": reply.finish_reason}])


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "content": text}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
