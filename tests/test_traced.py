"""What the wrapped ports record, and that they answer and raise what the inner ones do."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from bot.disclosure import Content
from bot.errors import BadAnswer, ModelError, ModelUnavailable, RequestRefused
from bot.model import (
    ChatId,
    EmbeddingModel,
    Found,
    Lane,
    LoreOf,
    Message,
    MessageId,
    ModelReply,
    Outcome,
    Pool,
    Prompt,
    Query,
    Recall,
    Recalled,
    Said,
    Search,
    Statistics,
    ToolCall,
    TurnId,
    TurnRecord,
    Usage,
    Vector,
    View,
    Words,
    vector_sha256,
)
from bot.ports import ChatModel, Embedder, Purpose, Reranker, Store
from bot.traced import TracedChat, TracedEmbedder, TracedReranker, TracedStore, served_at
from bot.tracing import step
from tests.fakes.otlp_receiver import OtlpReceiver, tracing_to

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
LANE = Lane(ChatId(3))
MODEL = EmbeddingModel(model_id=5, name="tiny", dimension=2, threshold=0.3)
SECRET = "the plum jam is behind the third brick"


def message(number: int, text: str = SECRET) -> Message:
    return Message(
        chat_id=LANE.chat_id,
        message_id=MessageId(number),
        external_id=str(number),
        topic="",
        sender_id="7",
        sender="Mila",
        persona=None,
        sent_at=NOW,
        edited_at=None,
        text=text,
        reply_to=None,
        forwarded_from=None,
    )


VIEW = View(recent=(message(1), message(2)), unread=(message(3),), notes=(SECRET,), rests_until=None)
SEARCH = Search(
    lane=LANE,
    queries=(Query(text=SECRET, vector=np.zeros(2, np.float32), terms=("plum",)),),
    recall=Recall(model=MODEL),
    now=NOW,
    exclude=VIEW.in_view,
)
STATISTICS = Statistics(indexed=9, mean_length=4.0, counts={"plum": 2}, embedded=8, vectors=80)
POOL = Pool(
    search=SEARCH,
    statistics=STATISTICS,
    found=tuple(Found(message=message(n), session=8, length=3, in_view=False) for n in (8, 9)),
    terms=("plum",),
    counts=np.ones((2, 1), np.float32),
    similarities=np.array([[0.5, 0.75]]),
    by_words=np.zeros((1, 2), np.bool_),
    by_vector=np.zeros((1, 2), np.bool_),
    hits=((1,),),
    previous=np.array([-1, 0]),
    following=np.array([1, -1]),
    how="scan",
)
PROMPT = Prompt(
    system=f"You are Aika. {SECRET}",
    user=f"Mila: {SECRET}",
    tokens={"history": 9},
    dropped={},
    template="turn/1",
    view=VIEW,
    recalled=Recalled(),
    zone=ZoneInfo("UTC"),
    schema={"type": "object"},
    max_reply_tokens=300,
)
REPLY = ModelReply(
    text=f"I know: {SECRET}",
    tool_calls=(ToolCall(name="look_back", arguments='{"limit": 3'),),
    finish_reason="tool_calls",
    model="gpt-4o-mini-2024",
    response_id="r-1",
    usage=Usage(input_tokens=100, output_tokens=7, cached_tokens=64),
)
RECORD = TurnRecord(
    turn_id=TurnId(UUID(int=4)),
    lane=LANE,
    trace_id="0" * 32,
    started_at=NOW,
    outcome=Outcome.ANSWERED,
    persona="Aika",
    source="terminal",
    inputs={},
    said_at=NOW,
    said=(Said(text=SECRET),),
)


@dataclass
class ScriptedEmbedder:
    """Raises what it is told to, one error a call, and then embeds."""

    errors: list[ModelError] = field(default_factory=list[ModelError])
    name: str = "tiny"

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        if self.errors:
            raise self.errors.pop(0)
        return [np.full(2, len(text), np.float32) for text in texts]


@dataclass
class ScriptedChat:
    """Answers, or raises, the same each time."""

    answer: ModelReply | ModelError
    name: str = "gpt-4o-mini"

    async def complete(self, prompt: Prompt) -> ModelReply:
        if isinstance(self.answer, ModelError):
            raise self.answer
        return self.answer


class ScriptedReranker:
    """Puts the last first, by asking a model."""

    name = "gpt-4o-mini"

    async def order(self, asked: Sequence[str], candidates: Sequence[Message]) -> Sequence[int]:
        await TracedChat(ScriptedChat(REPLY)).complete(PROMPT)
        return [len(candidates) - 1, 0]


class UniqueViolation(Exception):
    """As asyncpg's: the message quotes the row."""

    sqlstate = "23505"


@dataclass
class MemoryStore:
    """Gives what the tests know; keeps the turns it was given, each once."""

    turns: list[TurnRecord] = field(default_factory=list[TurnRecord])

    async def view(
        self, lane: Lane, *, limit: int, now: datetime, persona: str | None = None, lore_of: LoreOf | None = None
    ) -> View:
        return VIEW

    async def statistics(self, search: Search) -> Statistics:
        return STATISTICS

    async def pool(self, search: Search, statistics: Statistics, words: Words) -> Pool:
        return replace(POOL, search=search)

    async def before(self, lane: Lane, *, message_id: MessageId, limit: int) -> list[Message]:
        return [message(number) for number in range(message_id - limit, message_id)]

    async def finish_turn(self, record: TurnRecord) -> list[MessageId]:
        if record in self.turns:
            raise UniqueViolation(f"duplicate key. DETAIL: {SECRET}")
        self.turns.append(record)
        return [MessageId(10)]


@pytest.fixture
async def receiver() -> AsyncIterator[OtlpReceiver]:
    async with OtlpReceiver() as receiver:
        yield receiver


async def test_each_attempt_to_embed_is_a_span_with_its_number(receiver: OtlpReceiver) -> None:
    inner = ScriptedEmbedder([ModelUnavailable("429; try later"), RequestRefused("400; too long", status=400)])
    embedder: Embedder = TracedEmbedder(inner, about=served_at("http://127.0.0.1:9/v1"))

    @step
    async def embed_unread() -> list[Vector]:
        for texts in (["one", "three"], ["one", "three"], ["one"]):
            with suppress(ModelError):
                return await embedder.embed(texts, purpose="query")
        raise AssertionError("the third attempt should succeed")

    async with tracing_to(receiver):
        assert [vector.tolist() for vector in await embed_unread()] == [[3.0, 3.0]]
        await embed_unread()
    first, second = receiver.roots()
    assert {(child.name, child.kind) for child in first.children} == {("embeddings tiny", "client")}
    assert [child.attributes["companion.attempt"] for child in first.children] == [1, 2, 3]
    assert [child.attributes.get("error.type") for child in first.children] == [
        "ModelUnavailable",
        "RequestRefused",
        None,
    ]
    assert first.children[1].attributes["http.response.status_code"] == 400
    assert first.children[2].attributes == {
        "gen_ai.operation.name": "embeddings",
        "gen_ai.provider.name": "openai",
        "server.address": "127.0.0.1",
        "server.port": 9,
        "gen_ai.request.model": "tiny",
        "gen_ai.embeddings.dimension.count": 2,
        "companion.attempt": 3,
        "companion.embeddings.inputs": 1,
        "companion.embeddings.purpose": "query",
        "companion.vector.sha256": [vector_sha256(np.full(2, 3, np.float32))],
    }
    assert [child.attributes["companion.attempt"] for child in second.children] == [1]


@pytest.mark.parametrize(
    ("base_url", "provider"),
    [
        ("http://127.0.0.1:11434/v1", "openai"),
        ("https://api.openai.com/v1", "openai"),
        ("https://openrouter.ai/api/v1", "openai"),
        ("https://max.ai/v1", "openai"),
        ("https://groq.com.example.org/v1", "openai"),
        ("https://api.x.ai/v1", "x_ai"),
        ("https://API.Groq.com/openai/v1", "groq"),
        ("https://us-central1-aiplatform.googleapis.com/v1/projects/p", "gcp.vertex_ai"),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", "gcp.gemini"),
        ("https://mine.openai.azure.com/openai/v1", "azure.ai.openai"),
    ],
)
def test_the_provider_is_told_by_the_address_and_openai_is_what_speaks_its_api(base_url: str, provider: str) -> None:
    assert served_at(base_url)["gen_ai.provider.name"] == provider


def test_an_address_is_told_without_user_password_and_path() -> None:
    assert served_at(" http://ann:hunter2@Models.example:8080/v1?key=k ") == {
        "gen_ai.provider.name": "openai",
        "server.address": "models.example",
        "server.port": 8080,
    }
    assert served_at(None) == {"gen_ai.provider.name": "companion"}


async def test_attempts_at_the_same_time_are_numbered_too(receiver: OtlpReceiver) -> None:
    embedder = TracedEmbedder(ScriptedEmbedder())

    @step
    async def embed_halves() -> None:
        await asyncio.gather(*(embedder.embed([text], purpose="passage") for text in "ab"))

    async with tracing_to(receiver):
        await embed_halves()
    assert [child.attributes["companion.attempt"] for child in receiver.root().children] == [1, 2]


async def test_an_attempt_outside_of_any_step_has_no_number(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        assert await TracedEmbedder(ScriptedEmbedder()).embed([], purpose="passage") == []
    assert "companion.attempt" not in receiver.root().attributes


async def test_a_chat_span_tells_request_answer_and_usage(receiver: OtlpReceiver) -> None:
    chat: ChatModel = TracedChat(ScriptedChat(REPLY), about=served_at("https://api.example.org/v1"))
    async with tracing_to(receiver):
        assert await chat.complete(PROMPT) is REPLY
    seen = receiver.root()
    told = dict(seen.attributes)
    asked = json.loads(told.pop("gen_ai.input.messages"))
    answered = json.loads(told.pop("gen_ai.output.messages"))
    hashes = [name for name in told if name.endswith((".sha256", ".bytes"))]
    assert (seen.name, seen.kind) == ("chat gpt-4o-mini", "client")
    assert {name: value for name, value in told.items() if name not in hashes} == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "server.address": "api.example.org",
        "server.port": 443,
        "gen_ai.request.model": "gpt-4o-mini",
        "gen_ai.request.max_tokens": 300,
        "gen_ai.output.type": "json",
        "gen_ai.response.id": "r-1",
        "gen_ai.response.model": "gpt-4o-mini-2024",
        "gen_ai.response.finish_reasons": ["tool_calls"],
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 7,
        "gen_ai.usage.cache_read.input_tokens": 64,
    }
    assert asked == [
        {"role": "system", "parts": [{"type": "text", "content": PROMPT.system}]},
        {"role": "user", "parts": [{"type": "text", "content": PROMPT.user}]},
    ]
    assert answered == [
        {
            "role": "assistant",
            "parts": [
                {"type": "text", "content": REPLY.text},
                {"type": "tool_call", "name": "look_back", "arguments": '{"limit": 3'},
            ],
            "finish_reason": "tool_calls",
        }
    ]


async def test_a_chat_that_fails_keeps_its_question_and_says_why(receiver: OtlpReceiver) -> None:
    chat = TracedChat(ScriptedChat(BadAnswer("the server answered no JSON")))
    async with tracing_to(receiver):
        with pytest.raises(BadAnswer):
            await chat.complete(PROMPT)
    seen = receiver.root()
    assert seen.attributes["error.type"] == "BadAnswer"
    assert (seen.status, seen.description) == ("error", "the server answered no JSON")
    assert SECRET in seen.attributes["gen_ai.input.messages"]
    assert "gen_ai.output.messages" not in seen.attributes


async def test_a_refusal_is_told_with_the_answer(receiver: OtlpReceiver) -> None:
    reply = ModelReply(text="", refusal="I would rather not", finish_reason="content_filter")
    async with tracing_to(receiver):
        await TracedChat(ScriptedChat(reply)).complete(PROMPT)
    answered = json.loads(receiver.root().attributes["gen_ai.output.messages"])
    assert answered[0]["parts"] == [{"type": "refusal", "content": "I would rather not"}]


async def test_an_order_is_a_span_around_the_models_own_with_ids_before_and_after(receiver: OtlpReceiver) -> None:
    reranker: Reranker = TracedReranker(ScriptedReranker())
    async with tracing_to(receiver, content="redacted"):
        assert await reranker.order([SECRET], [message(4), message(6), message(9)]) == [2, 0]
    seen = receiver.root()
    assert (seen.name, seen.kind) == ("rerank gpt-4o-mini", "internal")
    assert seen.attributes == {
        "gen_ai.request.model": "gpt-4o-mini",
        "companion.rerank.before.ids": [4, 6, 9],
        "companion.rerank.after.ids": [9, 4],
    }
    assert [child.name for child in seen.children] == ["chat gpt-4o-mini"]
    assert SECRET.encode() not in b"".join(receiver.bodies)


async def use_all_of_it(store: Store) -> None:
    view = await store.view(LANE, limit=30, now=NOW)
    statistics = await store.statistics(SEARCH)
    pool = await store.pool(SEARCH, statistics, Words(terms=("plum",)))
    before = await store.before(LANE, message_id=MessageId(5), limit=2)
    said = await store.finish_turn(RECORD)
    assert (view, statistics, said) == (VIEW, STATISTICS, [10])
    assert pool.found == POOL.found
    assert [each.message_id for each in before] == [3, 4]


async def test_each_statement_of_the_store_is_a_span(receiver: OtlpReceiver) -> None:
    async with tracing_to(receiver):
        await use_all_of_it(TracedStore(MemoryStore()))
    spans = receiver.roots()
    assert [(seen.name, seen.kind) for seen in spans] == [
        ("SELECT messages", "client"),
        ("SELECT term_counts", "client"),
        ("SELECT vectors_5", "client"),
        ("SELECT messages", "client"),
        ("INSERT turns", "client"),
    ]
    view, statistics, pool, _, finish = spans
    assert view.attributes == {
        "db.system.name": "postgresql",
        "db.operation.name": "SELECT",
        "db.collection.name": "messages",
        "db.query.summary": "SELECT messages",
        "db.response.returned_rows": 3,
        "companion.recent.ids": [1, 2],
        "companion.unread.ids": [3],
        "companion.turn.waited": False,
    }
    assert (statistics.attributes["companion.recall.indexed"], statistics.attributes["companion.recall.embedded"]) == (
        9,
        8,
    )
    assert (pool.attributes["companion.recall.how"], pool.attributes["companion.recall.pool"]) == ("scan", 2)
    assert [seen.attributes["db.response.returned_rows"] for seen in (view, *spans[2:])] == [3, 2, 2, 1]
    assert finish.attributes["companion.turn.id"] == "00000000-0000-0000-0000-000000000004"
    assert finish.attributes["companion.turn.outcome"] == "answered"


@pytest.mark.parametrize("content", ["redacted", "off"])
async def test_no_port_lets_a_text_out_unless_traces_are_full(receiver: OtlpReceiver, content: Content) -> None:
    store = TracedStore(MemoryStore())
    async with tracing_to(receiver, content=content):
        await TracedEmbedder(ScriptedEmbedder()).embed([SECRET], purpose="query")
        await TracedChat(ScriptedChat(REPLY)).complete(PROMPT)
        await use_all_of_it(store)
        with pytest.raises(UniqueViolation):
            await store.finish_turn(RECORD)
    assert SECRET.encode() not in b"".join(receiver.bodies)
    failed = receiver.spans()[-1]
    assert failed.attributes["db.response.status_code"] == "23505"
    assert failed.description == "tests.test_traced.UniqueViolation"
    chat = receiver.spans()[1].attributes
    assert (chat.get("gen_ai.output.messages") is None) is (content == "off")
    assert chat["gen_ai.output.messages.bytes"] == 218
