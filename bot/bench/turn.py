"""What a turn costs beside the model and embedding calls: time, SQL round trips, spans, tokens."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import numpy.typing as npt

from bot import cards, tracing
from bot.bench.metrics import percentile
from bot.memory.embed import embed_pending
from bot.model import ChatId, Lane, ModelReply, NewMessage, Prompt, Recall, Usage, Vector
from bot.ports import PatientEmbedder, Purpose
from bot.settings import Settings
from bot.store import PostgresStore
from bot.traced import TracedChat, TracedEmbedder, TracedStore
from bot.turn import Mind, read_message

MESSAGES = 10_000
TURNS = 200
A_DAY = 1_000
"""Messages of a busy group's day."""
DIMENSION = 512
LOOK_UPS = 2
"""Of a long turn: as many as there are before a turn has to answer."""
_LOOK_UP = '{"action": "recall", "query": "train ticket Lyon 生日"}'
_NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
_WORDS = [
    "tea",
    "coffee",
    "train",
    "ticket",
    "Lyon",
    "museum",
    "cat",
    "piano",
    "exam",
    "garden",
    "soup",
    "marathon",
    "bicycle",
    "letter",
    "doctor",
    "birthday",
    "mountain",
    "rain",
    "window",
    "cousin",
    "recipe",
    "keys",
    "concert",
    "rent",
    "passport",
    "猫",
    "火车",
    "生日",
    "考试",
    "面条",
    "下雨",
    "钥匙",
    "医生",
]


class InstantEmbedder:
    """Vectors by hash of a text's words, at once; implements both embedder ports. Counts its own seconds."""

    name = "instant"

    def __init__(self) -> None:
        self.seconds = 0.0

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        started = time.perf_counter()
        vectors = [self._vector(text) for text in texts]
        self.seconds += time.perf_counter() - started
        return vectors

    @staticmethod
    def _vector(text: str) -> Vector:
        total = np.full(DIMENSION, 1e-3)
        for word in text.split():
            total += _direction(word)
        return (total / np.linalg.norm(total)).astype(np.float32)


@cache
def _direction(word: str) -> npt.NDArray[np.float64]:
    return np.random.default_rng(hash_of(word)).normal(size=DIMENSION)


def hash_of(word: str) -> int:
    """The same number for a word in every process, which Python's own hash is not."""
    return int.from_bytes(word.encode()[:8].ljust(8, b"\0"), "big")


class InstantChat:
    """Answers at once, with one short message; implements `ports.ChatModel`."""

    name = "instant"

    def __init__(self) -> None:
        self.prompt_tokens = 0
        self.look_ups = 0
        """How often it looks something up before it answers next."""

    async def complete(self, prompt: Prompt) -> ModelReply:
        self.prompt_tokens += prompt.tokens["all"]
        looks = self.look_ups > 0
        self.look_ups -= looks
        return ModelReply(
            text=_LOOK_UP if looks else '{"action": "send_message", "messages": ["noted"]}',
            finish_reason="stop",
            model="instant",
            usage=Usage(input_tokens=prompt.tokens["all"], output_tokens=12),
        )


@contextmanager
def _collector() -> Generator[str]:
    """A collector on this machine that takes every span and keeps none: its address for traces."""

    class Sink(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library calls it
            return None

    with ThreadingHTTPServer(("127.0.0.1", 0), Sink) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/traces"
        server.shutdown()


@dataclass(slots=True)
class _Measured:
    """What turns took, one entry a turn."""

    wall: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    """Of the thread that runs the turn; sending spans off is another thread's."""
    trips: list[int] = field(default_factory=list[int])
    spans: int = 0


@dataclass(slots=True)
class _Both:
    """Turns of one kind, traced and not."""

    plain: _Measured = field(default_factory=_Measured)
    traced: _Measured = field(default_factory=_Measured)

    @property
    def traced_cpu_ms(self) -> float:
        """What tracing takes of the caller's processor, of a turn."""
        return round(percentile(self.traced.cpu, 0.5) - percentile(self.plain.cpu, 0.5), 3)

    @property
    def spans(self) -> int:
        """Of a turn."""
        return round(self.traced.spans / len(self.traced.wall))


async def bench_turn(
    *, store: PostgresStore, settings: Settings, messages: int = MESSAGES, turns: int = TURNS
) -> dict[str, object]:
    """Turns of one unread message each in a chat of `messages`, every other one traced; contract.md's row.

    Times are wall milliseconds without the model's and the embedder's own. As many turns again look things up first:
    what tracing costs is told of these, too, since they have the most spans.
    """
    embedder, chat_model = InstantEmbedder(), InstantChat()
    model = await store.embeddings.open(name=embedder.name, dimension=DIMENSION, threshold=0.3)
    chooser = random.Random(7)  # noqa: S311 - a benchmark wants the same text each time
    chat = await _fill(store, messages, chooser)
    await embed_pending(model=model, embedder=patient(embedder), store=store.embeddings)
    await store.database.pool.execute("ANALYZE")
    mind = Mind(
        store=TracedStore(store),
        embedder=patient(TracedEmbedder(embedder)),
        chat=TracedChat(chat_model),
        recall=Recall(model=model, profile="ranked"),
        prompt_budget=settings.prompt_budget,
        max_reply_tokens=settings.max_reply_tokens,
    )
    short, long = _Both(), _Both()
    asked = 0
    with _collector() as endpoint:
        for n in range(2 * turns):
            both, traced, before = (long if n // 2 % 2 else short), bool(n % 2), chat_model.prompt_tokens
            chat_model.look_ups = LOOK_UPS if both is long else 0
            measured, address = (both.traced, endpoint) if traced else (both.plain, None)
            handle = tracing.set_up(service="bench", version="0", content=settings.trace_content, endpoint=address)
            await _turn(n, chat, mind, store, embedder, chooser, settings, measured)
            handle.shut_down()
            measured.spans += handle.delivered
            asked += chat_model.prompt_tokens - before if both is short else 0
    return {
        "messages": messages,
        "turns": turns,
        "turn_ms_p50": round(percentile(short.traced.wall, 0.5), 3),
        "turn_ms_p95": round(percentile(short.traced.wall, 0.95), 3),
        "traced_cpu_ms": short.traced_cpu_ms,
        "sql_round_trips": max(short.traced.trips),
        "spans": short.spans,
        "tokens_a_day": round(asked / turns * A_DAY),
        "long_traced_cpu_ms": long.traced_cpu_ms,
        "long_spans": long.spans,
    }


async def _fill(store: PostgresStore, messages: int, chooser: random.Random) -> ChatId:
    chat = await store.chats.open("import:bench", title="Bench")
    for at in range(0, messages, 500):
        batch = [_message(n, chooser, of=messages) for n in range(at, min(at + 500, messages))]
        await store.messages.record(chat, "import:bench", batch, read_at=_NOW)
    return chat


async def _turn(
    n: int,
    chat: ChatId,
    mind: Mind,
    store: PostgresStore,
    embedder: InstantEmbedder,
    chooser: random.Random,
    settings: Settings,
    measured: _Measured,
) -> None:
    """One turn about one new message, and what it took."""
    now = _NOW + timedelta(minutes=n)
    said = NewMessage(external_id=f"new {n}", sender_id="user1", sender="Ann", sent_at=now, text=some_words(chooser))
    await store.messages.record(chat, "terminal", [said])
    trips, embedding = store.database.round_trips, embedder.seconds
    wall, cpu = time.perf_counter(), time.thread_time()
    await read_message(
        Lane(chat), mind=mind, persona=cards.default(), zone=settings.timezone, now=now, source="terminal"
    )
    apart = embedder.seconds - embedding
    measured.wall.append((time.perf_counter() - wall - apart) * 1000)
    measured.cpu.append((time.thread_time() - cpu - apart) * 1000)
    measured.trips.append(store.database.round_trips - trips)


def patient(embedder: InstantEmbedder | TracedEmbedder) -> PatientEmbedder:
    """As turns and jobs want it."""
    from bot.llm.patience import TURN
    from bot.llm.retries import Patient

    return Patient(embedder, patience=TURN)


def some_words(chooser: random.Random) -> str:
    """A text as long as those of a chat, of words that mean nothing together."""
    return " ".join(chooser.choices(_WORDS, k=chooser.randint(3, 25)))


def _message(n: int, chooser: random.Random, *, of: int) -> NewMessage:
    sent_at = _NOW - timedelta(days=365) * (1 - n / of)
    sender = n % 5
    return NewMessage(
        external_id=str(n),
        sender_id=f"user{sender}",
        sender=f"Person {sender}",
        sent_at=sent_at,
        text=some_words(chooser),
    )
