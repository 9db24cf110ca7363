"""A busy evening in many groups at once: how many messages one process takes in, and how soon it answers.

The real intake polls, as fast as it can, a Telegram that always has a hundred more updates, without the HTTP around
them. Beside it run the turns that mentions ask for and the embedding of what came, with an embedder and a chat model
that answer at once. Nothing is sent: an answer counts once it is in the outbox. Its time begins when the intake comes
to the update, so that how long the updates before it took, as there are always more, is not in it.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from resource import RUSAGE_SELF, getpagesize, getrusage
from typing import Any
from uuid import uuid4

from pydantic import SecretStr

from bot import cards
from bot.attention import Wake, heed
from bot.bench.metrics import percentile
from bot.bench.turn import DIMENSION, InstantChat, InstantEmbedder, patient, some_words
from bot.lanes import LaneWorker
from bot.memory.embed import embed_pending
from bot.model import EmbeddingModel, Held, Recall
from bot.serving import LaneTurnStore, WatchedInbox
from bot.settings import Settings
from bot.store import PostgresStore
from bot.store.lanes import Lanes
from bot.telegram.called import CalledHere
from bot.telegram.client import TelegramClient
from bot.telegram.intake import Intake
from bot.telegram.values import Came, Me, source_of
from bot.traced import TracedChat, TracedEmbedder, TracedStore
from bot.turn import Mind, read_message

CHATS, MESSAGES = 50, 20_000
MENTIONS = 0.02
"""The share of messages that are addressed to the bot."""
_PEOPLE = 8
"""In each chat."""
_BATCH = 100
"""Updates at once, as from Telegram."""
_WARM_UP = 0.1
"""The share of messages after which memory is looked at for the first time."""
_ME = Me(bot_id=7_000_000_001, username="bench_bot", name="Bench")


@dataclass(kw_only=True)
class _Evening:
    """What is measured while it goes on."""

    asked_at: dict[str, float] = field(default_factory=dict[str, float])
    """When the first mention came that is not answered yet, by address."""
    waited: list[float] = field(default_factory=list[float])
    """Seconds from an update to an answer in the outbox."""


class _Telegram(TelegramClient):
    """Gives a hundred updates whenever it is asked, until there are no more."""

    def __init__(self, updates: Iterator[dict[str, Any]], *, look_at: int) -> None:
        """After so many updates, memory is looked at."""
        super().__init__(SecretStr(f"{_ME.bot_id}:bench"))
        self._updates, self._look_at, self._given = updates, look_at, 0
        self.memory = _megabytes()
        self.over = asyncio.Event()
        """All have been given, and taken."""

    async def updates(self, *, offset: int | None, timeout: int, kinds: Sequence[str]) -> list[Any]:
        batch = list(islice(self._updates, _BATCH))
        if not batch:
            self.over.set()
            await asyncio.Event().wait()
        if self._given <= self._look_at:
            self.memory = _megabytes()
        self._given += len(batch)
        return batch


async def bench_evening(
    *, store: PostgresStore, settings: Settings, chats: int = CHATS, messages: int = MESSAGES
) -> dict[str, object]:
    """Messages as fast as they are taken, in `chats` groups by turns; contract.md's row, without human pauses."""
    evening = _Evening()
    embedder, lanes, owner = InstantEmbedder(), Lanes(store.database), uuid4()
    model = await store.embeddings.open(name=embedder.name, dimension=DIMENSION, threshold=0.3)
    mind = Mind(
        store=TracedStore(store),
        embedder=patient(TracedEmbedder(embedder)),
        chat=TracedChat(InstantChat()),
        recall=Recall(model=model, profile="ranked"),
        prompt_budget=settings.prompt_budget,
        max_reply_tokens=settings.max_reply_tokens,
    )

    async def turn(held: Held) -> None:
        held_mind = replace(mind, store=LaneTurnStore(mind.store, lanes=lanes, held=held))
        now = datetime.now(UTC)
        done = await read_message(
            held.lane, mind=held_mind, persona=cards.default(), zone=settings.timezone, now=now, source=held.source
        )
        asked_at = evening.asked_at.pop(held.source, None)
        if done.said and asked_at is not None:
            evening.waited.append(time.perf_counter() - asked_at)

    lane_due, to_embed, stop = asyncio.Event(), asyncio.Event(), asyncio.Event()

    def attention(came: Came) -> Wake | None:
        wake = heed(came.addressing, pace=0)
        if wake is not None:
            evening.asked_at.setdefault(source_of(_ME.bot_id, came.place.telegram_chat_id), time.perf_counter())
        return wake

    called = CalledHere(store.personas, default=lambda: "").at

    async with _Telegram(_updates(chats, messages), look_at=int(messages * _WARM_UP)) as client:
        intake = Intake(
            client=client,
            inbox=WatchedInbox(store, lane_due=lane_due, ordered=asyncio.Event(), to_embed=to_embed, hurried=True),
            chats=store.chats,
            me=_ME,
            aliases=called,
            attention=attention,
        )
        worker = LaneWorker(lanes=lanes, turn=turn, owner=owner, wake=lane_due)
        turns = asyncio.create_task(worker.run(stop), name="turns")
        embedding = asyncio.create_task(_embed(store, model, embedder, to_embed), name="embedding")
        started = time.perf_counter()
        polling = asyncio.create_task(intake.run(stop), name="intake")
        await client.over.wait()
        seconds = time.perf_counter() - started
        while await lanes.due_in() is not None:
            pass  # each look is a round trip, meanwhile the last turns go on
        at_the_end = _megabytes()
        stop.set()
        await asyncio.gather(polling, turns)
        embedding.cancel()
        await asyncio.wait([embedding])
    return {
        "chats": chats,
        "messages": await store.messages.count(),
        "messages_per_s": round(messages / seconds, 1),
        "update_to_outbox_ms_p95": round(percentile(evening.waited, 0.95) * 1000, 1),
        "turns": len(evening.waited),
        "rss_mb_start": round(client.memory, 1),
        "rss_mb_end": round(at_the_end, 1),
    }


async def _embed(store: PostgresStore, model: EmbeddingModel, embedder: InstantEmbedder, due: asyncio.Event) -> None:
    """Give what came its vectors, beginning at most once a second, as `companion run` does."""
    while True:
        await due.wait()
        due.clear()
        await embed_pending(model=model, embedder=patient(embedder), store=store.embeddings)
        await asyncio.sleep(1)


def _updates(chats: int, messages: int) -> Generator[dict[str, Any]]:
    """Updates as getUpdates gives them."""
    chooser = random.Random(7)  # noqa: S311 - a benchmark wants the same text each time
    for n in range(messages):
        chat, person = chooser.randrange(chats), chooser.randrange(_PEOPLE)
        mentions = chooser.random() < MENTIONS
        number, name = -1_009_000_000_001 - chat, f"@{_ME.username}"
        text = some_words(chooser)
        entity = {"type": "mention", "offset": 0, "length": len(name)}
        message = {
            "message_id": n + 1,
            "date": int(time.time()),
            "chat": {"id": number, "type": "supergroup", "title": f"Group {chat}"},
            "from": {"id": 5_000_000_000 + chat * _PEOPLE + person, "is_bot": False, "first_name": f"Person {person}"},
            "text": f"{name} {text}" if mentions else text,
            **({"entities": [entity]} if mentions else {}),
        }
        yield {"update_id": 900_000_001 + n, "message": message}


def _megabytes() -> float:
    """Memory of this process that is in use now; where the system does not say, the most it ever was."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * getpagesize() / 2**20
    return getrusage(RUSAGE_SELF).ru_maxrss / 2**20
