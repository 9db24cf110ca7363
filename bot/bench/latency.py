"""How long recall takes in chats of any size, beside recall as it is commonly done, in the same run.

Measured is what a turn waits for between its vectors and its memories: terms, two round trips, ranking. The peer,
classic.sql, gets its vectors ready as well, and what it finds is exact: it is also what our top three are held against.
"""

from __future__ import annotations

import random
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import as_file, files
from itertools import accumulate
from math import ceil
from pathlib import Path
from typing import Any

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from bot.bench.corpus import Material, Said, gather, sizes, talk
from bot.bench.loading import load
from bot.bench.metrics import percentile
from bot.bench.recall import RecallSet
from bot.history import read
from bot.memory.asking import parts
from bot.memory.recall import as_queries, asked_in, search_memory
from bot.memory.seeds import choose_words
from bot.model import ChatId, EmbeddingModel, Lane, MessageId, NewMessage, Profile, Recall, Search
from bot.ports import PatientEmbedder
from bot.store import PostgresStore
from bot.store.queries import statements_of
from bot.store.vectors import table_of, wrap

MESSAGES, CHATS, EMBEDDED, QUERIES = (10_000, 100_000), 200, 5_000, 200
UNREAD = (1, 5, 20)
PROFILES: tuple[Profile, ...] = ("ranked", "combined")
_CLASSIC = 5
"""Bursts that the classic way is measured with: it may take a minute for each."""
_CHECKED = 20
"""Messages at least whose top three are compared."""
_WARM_UP = 6
"""Bursts that are not measured: the server plans a statement anew for the first five."""
_IN_VIEW = 30
_MOST_ASKED = 1_000
_NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
_SAMPLE = "Four Hungry People.jsonl"
_GOLDEN = 0.618_033_988_749_895

Top = tuple[int, ...]
"""The numbers of the best three messages, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chat:
    """A chat that was loaded."""

    chat_id: ChatId
    messages: int

    @property
    def in_view(self) -> tuple[MessageId, ...]:
        """What the prompt shows anyway."""
        return tuple(MessageId(n) for n in range(max(1, self.messages - _IN_VIEW + 1), self.messages + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Burst:
    """Unread messages of a chat."""

    chat: _Chat
    texts: tuple[str, ...]


async def material_of(sets: Sequence[RecallSet], *, embedder: PatientEmbedder, count: int) -> Material:
    """What chats are made of: the sample chat that ships and, if given, sets of conversations with questions."""
    with as_file(files("bot.data") / _SAMPLE) as path:
        said = [Said(sender=item.sender, text=item.text) for item in _messages(path)]
    asked = [one.text for one in said]
    for recall_set in sets:
        for conversation in recall_set.conversations:
            said += [Said(sender=message.sender, text=message.text) for message in conversation.messages]
            asked += [question.question for question in conversation.questions]
    chooser = random.Random(7)  # noqa: S311 - a benchmark asks the same each time
    chosen = chooser.sample(asked, min(_MOST_ASKED, len(asked)))
    pieces = [part for text in chosen for part in parts(text)]
    return await gather(said, chosen, pieces, embedder=embedder, count=count)


async def bench_latency(
    *,
    store: PostgresStore,
    model: EmbeddingModel,
    material: Material,
    messages: int,
    chats: int = 1,
    queries: int = QUERIES,
    report: Callable[[str], None] = lambda _: None,
) -> list[dict[str, object]]:
    """Recall in `chats` chats of so many messages in all, of skewed sizes; contract.md's rows, in an empty database.

    A burst of unread messages comes to a chat as often as the chat is large.
    """
    chat_sizes = sizes(messages, chats=chats)
    report(f"{messages:,} messages in {chats} chats: loading")
    started = time.perf_counter()
    loaded = await load(
        store,
        model,
        {f"import:bench {n}": talk(material, count=size, now=_NOW, seed=n) for n, size in enumerate(chat_sizes, 1)},
        read_at=_NOW,
        report=report,
    )
    report(f"loaded in {time.perf_counter() - started:.0f} s")
    made = [_Chat(chat_id=chat, messages=size) for chat, size in zip(loaded, chat_sizes, strict=True)]
    rows: list[dict[str, object]] = []
    async with store.database.pool.acquire() as connection:
        peer = _Peer(connection, model, material)
        for unread in UNREAD:
            bursts = list(_bursts(made, material, unread=unread, count=_WARM_UP + queries))
            checked = bursts[_WARM_UP:][: max(_CLASSIC, ceil(_CHECKED / unread))]
            await peer.recall(bursts[0])
            classic = [await _timed(peer, burst) for burst in checked]
            for profile in PROFILES:
                recall = Recall(model=model, profile=profile)
                times, ways = await _measured(bursts, recall, store=store, material=material)
                same = [
                    top == await peer.top(burst.chat, text)
                    for burst in checked
                    for text, top in (await _tops(burst, recall, store=store, material=material)).items()
                ]
                p50, classic_p50 = percentile(times, 0.5), percentile(classic, 0.5)
                rows.append(
                    {
                        "chats": chats,
                        "messages": messages,
                        "unread": unread,
                        "profile": profile,
                        "how": "+".join(sorted(ways)),
                        "p50_ms": round(p50, 2),
                        "p95_ms": round(percentile(times, 0.95), 2),
                        "classic_p50_ms": round(classic_p50, 2),
                        "ratio": round(classic_p50 / p50, 2),
                        "same_top3": round(sum(same) / max(1, len(same)), 4),
                    }
                )
                report(str(rows[-1]))
    return rows


class _Peer:
    """Recall as it is commonly done, on a connection of its own."""

    def __init__(self, connection: PoolConnectionProxy[Any], model: EmbeddingModel, material: Material) -> None:
        self._connection, self._model, self._material = connection, model, material
        self._hits = _statements()["classic_hits"].replace("{vectors}", table_of(model.model_id))
        self._tops: dict[tuple[ChatId, str], Top] = {}

    async def recall(self, burst: _Burst) -> None:
        """A statement for each message, two more for each of its hits."""
        for text in burst.texts:
            hits = await self._nearest(burst.chat, text)
            for hit in hits:
                place = burst.chat.chat_id, hit["topic"], hit["sent_at"], hit["message_id"]
                for side in ("classic_before", "classic_after"):
                    await self._connection.fetch(_statements()[side], *place)

    async def top(self, chat: _Chat, text: str) -> Top:
        """The best three, exactly."""
        key = chat.chat_id, text
        if key not in self._tops:
            await self._nearest(chat, text)
        return self._tops[key]

    async def _nearest(self, chat: _Chat, text: str) -> list[asyncpg.Record]:
        vector = wrap([self._material.asked_vectors[text]])[0]
        hits = await self._connection.fetch(
            self._hits, chat.chat_id, _NOW, list(chat.in_view), vector, self._model.threshold
        )
        self._tops[chat.chat_id, text] = tuple(hit["message_id"] for hit in hits)
        return hits


async def _timed(peer: _Peer, burst: _Burst) -> float:
    started = time.perf_counter()
    await peer.recall(burst)
    return (time.perf_counter() - started) * 1000


async def _measured(
    bursts: Sequence[_Burst], recall: Recall, *, store: PostgresStore, material: Material
) -> tuple[list[float], set[str]]:
    """Milliseconds of each burst behind the first ones, and how was searched."""
    times: list[float] = []
    ways: set[str] = set()
    for burst in bursts:
        pieces = _pieces(burst, recall)
        vectors = [material.asked_vectors[piece] for piece in pieces]
        started = time.perf_counter()
        recalled = await search_memory(
            as_queries(pieces, vectors),
            lane=Lane(burst.chat.chat_id),
            recall=recall,
            store=store,
            now=_NOW,
            exclude=burst.chat.in_view,
        )
        times.append((time.perf_counter() - started) * 1000)
        ways.add(recalled.how)
    return times[_WARM_UP:], ways


async def _tops(burst: _Burst, recall: Recall, *, store: PostgresStore, material: Material) -> dict[str, Top]:
    """Our best three by the combined score for each text that is searched for; `ranked` has them among others."""
    pieces = _pieces(burst, recall)
    search = Search(
        lane=Lane(burst.chat.chat_id),
        queries=as_queries(pieces, [material.asked_vectors[piece] for piece in pieces]),
        recall=recall,
        now=_NOW,
        exclude=burst.chat.in_view,
    )
    statistics = await store.statistics(search)
    pool = await store.pool(search, statistics, choose_words(search, statistics))
    return {
        piece: tuple(pool.found[place].message.message_id for place in places)
        for piece, places in zip(pieces, pool.hits, strict=True)
    }


def _pieces(burst: _Burst, recall: Recall) -> list[str]:
    return [piece for _, piece in asked_in(burst.texts, recall=recall)]


def _bursts(chats: Sequence[_Chat], material: Material, *, unread: int, count: int) -> Iterator[_Burst]:
    """Bursts in chats as often as these are large, so spread that the first few are like all of them."""
    known = material.asked_vectors
    asked = [text for text in material.asked if all(known[piece] is not None for piece in (text, *parts(text)))]
    bounds = list(accumulate(chat.messages for chat in chats))
    chooser = random.Random(unread)  # noqa: S311 - a benchmark asks the same each time
    for n in range(count):
        at = bisect_right(bounds, n * _GOLDEN % 1 * bounds[-1])
        yield _Burst(chat=chats[at], texts=tuple(chooser.sample(asked, min(unread, len(asked)))))


def _messages(path: Path) -> Iterator[NewMessage]:
    with read(path) as reader:
        for item in reader:
            if isinstance(item, NewMessage):
                yield item


@cache
def _statements() -> dict[str, str]:
    return dict(statements_of((files("bot.bench") / "classic.sql").read_text("utf-8")))
