"""A turn takes no longer for a collector that is away, however it is away; and what is lost is counted."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from statistics import median
from zoneinfo import ZoneInfo

import pytest
from opentelemetry.sdk.resources import Resource

from bot import cards
from bot.disclosure import Content
from bot.metric_export import metrics_to
from bot.model import ChatId, Lane, NewMessage, Recall
from bot.store import PostgresStore
from bot.trace_export import QUEUE, deliver_to
from bot.traced import TracedChat, TracedEmbedder, TracedStore
from bot.tracing import Tracing
from bot.turn import Mind, read_message
from tests.fakes.otlp_agent import free_port
from tests.fakes.otlp_receiver import OtlpReceiver
from tests.fakes.ports import DIMENSION, ScriptedChat, WordEmbedder, say

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
TURNS = 200
WARM_UP = 12
"""Turns before these, of which none counts: caches fill, and a collector is found to be away."""


def tracing_to_base(base: str, content: Content = "full") -> Tracing:
    """Tracing beside whatever else there is; metrics go out all the time."""
    resource = Resource.get_empty()
    metrics = metrics_to(f"{base}/v1/metrics", resource, interval=0.2)
    return Tracing(resource, deliver_to(f"{base}/v1/traces"), metrics, content, ())


@pytest.fixture
async def collectors() -> AsyncIterator[Mapping[str, Tracing]]:
    """Tracing to a collector that is up, and to three that are not."""
    async with AsyncExitStack() as stack:
        up, hangs, refuses = [await stack.enter_async_context(OtlpReceiver()) for _ in range(3)]
        hangs.hangs, refuses.status = True, 503
        yield {
            "up": tracing_to_base(up.base),
            "down": tracing_to_base(f"http://127.0.0.1:{free_port()}"),
            "hangs": tracing_to_base(hangs.base),
            "refuses": tracing_to_base(refuses.base),
        }


async def prepared(store: PostgresStore) -> tuple[ChatId, Mind]:
    """A chat with a past, and what a bot in it thinks with."""
    model = await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.3)
    chat = await store.chats.open("import:past", title="Past")
    past = [
        NewMessage(
            external_id=str(n), sender_id="b", sender="Bob", sent_at=NOW - timedelta(hours=99 - n), text=f"talk {n} 🍑"
        )
        for n in range(60)
    ]
    await store.messages.record(chat, "import:past", past, read_at=NOW)
    mind = Mind(
        store=TracedStore(store),
        embedder=TracedEmbedder(WordEmbedder()),
        chat=TracedChat(ScriptedChat(say("noted"))),
        recall=Recall(model=model),
        prompt_budget=6000,
        max_reply_tokens=100,
    )
    return chat, mind


async def test_a_turn_takes_no_longer_for_a_collector_that_is_away(
    collectors: Mapping[str, Tracing], store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat, mind = await prepared(store)
    took: dict[str, list[float]] = defaultdict(list)
    for n in range(WARM_UP + TURNS):
        how, tracing = list(collectors.items())[n % len(collectors)]
        monkeypatch.setattr("bot.tracing._active", tracing)
        now = NOW + timedelta(minutes=n)
        said = NewMessage(
            external_id=f"new {n}", sender_id="a", sender="Ann", sent_at=now, text="do you remember talk 7?"
        )
        await store.messages.record(chat, "terminal", [said])
        began = time.perf_counter()
        await read_message(
            Lane(chat), mind=mind, persona=cards.default(), zone=ZoneInfo("UTC"), now=now, source="terminal"
        )
        if n >= WARM_UP:
            took[how].append(time.perf_counter() - began)
    medians = {how: median(times) for how, times in took.items()}
    print({how: f"{1000 * seconds:.1f} ms" for how, seconds in medians.items()})
    for how, tracing in collectors.items():
        monkeypatch.setattr("bot.tracing._active", tracing)
        await asyncio.to_thread(tracing.shut_down, 5.0 if how == "up" else 0.2)
        spans = tracing.delivered + tracing.lost
        assert len(took[how]) * 8 <= spans <= QUEUE, "every span arrived or is counted as lost"
        assert tracing.lost == (0 if how == "up" else spans)
    assert max(medians.values()) <= 1.2 * medians["up"]
