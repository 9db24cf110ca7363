"""What a turn costs beside the model and embedding calls: time, SQL round trips, spans, tokens."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from bot import cards
from bot.bench.metrics import percentile
from bot.memory.embed import embed_pending
from bot.memory.recall import Recall
from bot.model import Lane, ModelReply, NewMessage, Prompt, Usage, Vector
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
_NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
_WORDS = ["tea", "coffee", "train", "ticket", "Lyon", "museum", "cat", "piano", "exam", "garden", "soup", "marathon", "bicycle", "letter", "doctor", "birthday", "mountain", "rain", "window", "cousin", "recipe", "keys", "concert", "rent", "passport", "猫", "火车", "生日", "考试", "面条", "下雨", "钥匙", "医生"]


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
            total += np.random.default_rng(hash_of(word)).normal(size=DIMENSION)
        return (total / np.linalg.norm(total)).astype(np.float32)


def hash_of(word: str) -> int:
    """The same number for a word in every process, which Python's own hash is not."""
    return int.from_bytes(word.encode()[:8].ljust(8, b"\0"), "big")


class InstantChat:
    """Answers at once, with one short message; implements `ports.ChatModel`."""

    name = "instant"

    def __init__(self) -> None:
        self.prompt_tokens = 0

    async def complete(self, prompt: Prompt) -> ModelReply:
        self.prompt_tokens += prompt.tokens["all"]
        return ModelReply(
            text='{"action": "send_message", "messages": ["noted"]}',
            finish_reason="stop",
            model="instant",
            usage=Usage(input_tokens=prompt.tokens["all"], output_tokens=12),
        )


async def bench_turn(
    *, store: PostgresStore, settings: Settings, messages: int = MESSAGES, turns: int = TURNS
) -> dict[str, object]:
    """`turns` turns of one unread message each, in a chat of `messages`; the row that contract.md names."""
    embedder, chat_model = InstantEmbedder(), InstantChat()
    model = await store.embeddings.open(name=embedder.name, dimension=DIMENSION, threshold=0.3)
    chat = await store.chats.open("import:bench", title="Bench")
    chooser = random.Random(7)  # noqa: S311 - a benchmark wants the same text each time
    for at in range(0, messages, 500):
        await store.messages.record(
            chat, "import:bench", [_message(n, chooser, of=messages) for n in range(at, min(at + 500, messages))],
            read_at=_NOW,
        )  # fmt: skip
    await embed_pending(model=model, embedder=_patient(embedder), store=store.embeddings)
    await store.database.pool.execute("ANALYZE")
    mind = Mind(
        store=TracedStore(store),
        embedder=_patient(TracedEmbedder(embedder)),
        chat=TracedChat(chat_model),
        recall=Recall(model=model),
        prompt_budget=settings.prompt_budget,
        max_reply_tokens=settings.max_reply_tokens,
    )
    persona = cards.default()
    wall: list[float] = []
    trips: list[int] = []
    for n in range(turns):
        now = _NOW + timedelta(minutes=n)
        said = NewMessage(
            external_id=f"new {n}", sender_id="user1", sender="Ann", sent_at=now, text=_text(chooser)
        )
        await store.messages.record(chat, "terminal", [said])
        before, embedding = store.database.round_trips, embedder.seconds
        started = time.perf_counter()
        await read_message(
            Lane(chat), mind=mind, persona=persona, zone=settings.timezone, now=now, source="terminal"
        )
        wall.append((time.perf_counter() - started - (embedder.seconds - embedding)) * 1000)
        trips.append(store.database.round_trips - before)
    return {
        "messages": messages,
        "turns": turns,
        "turn_ms_p50": round(percentile(wall, 0.5), 3),
        "turn_ms_p95": round(percentile(wall, 0.95), 3),
        "sql_round_trips": max(trips),
        "tokens_a_day": round(chat_model.prompt_tokens / turns * A_DAY),
    }


def _patient(embedder: InstantEmbedder | TracedEmbedder) -> PatientEmbedder:
    from bot.llm.retries import TURN, Patient

    return Patient(embedder, patience=TURN)


def _text(chooser: random.Random) -> str:
    return " ".join(chooser.choices(_WORDS, k=chooser.randint(3, 25)))


def _message(n: int, chooser: random.Random, *, of: int) -> NewMessage:
    sent_at = _NOW - timedelta(days=365) * (1 - n / of)
    sender = n % 5
    return NewMessage(
        external_id=str(n),
        sender_id=f"user{sender}",
        sender=f"Person {sender}",
        sent_at=sent_at,
        text=_text(chooser),
    )
