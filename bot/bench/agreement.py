"""How much of what ranking would choose in a very large chat is among the candidates that the store finds.

A set's conversations are planted in a made-up chat. Each question is asked twice: as a turn asks it, and with every
message of the chat as a candidate, in memory. The same ranker orders both, so what differs is what was not found.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby, islice

import numpy as np
import numpy.typing as npt

from bot.bench.corpus import CHUNK, Chunk, Material, Said, talk
from bot.bench.loading import load
from bot.bench.metrics import percentile
from bot.bench.recall import RecallSet
from bot.fitting.pools import Conversation, Line, passage_texts
from bot.memory.rank import ranked, shipped
from bot.memory.recall import as_queries, search_memory
from bot.memory.window import SILENCE
from bot.model import EmbeddingModel, Lane, Recall, Vector
from bot.ports import PatientEmbedder
from bot.store import PostgresStore

DEPTH = 10
"""Hits that are compared."""
_BATCH = 64

One = tuple[Said, datetime, npt.NDArray[np.float32]]
"""A message and its vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    question: str
    now: datetime


async def bench_agreement(
    recall_set: RecallSet,
    *,
    store: PostgresStore,
    model: EmbeddingModel,
    material: Material,
    embedder: PatientEmbedder,
    messages: int,
    questions: int,
    report: Callable[[str], None] = lambda _: None,
) -> dict[str, object]:
    """The share of the ten best of all messages that a turn finds too, in an empty database."""
    sessions = await _sessions(recall_set, embedder=embedder)
    now = max(session[-1][1] for session in sessions) + timedelta(days=1)
    made = (
        one for chunk in talk(material, count=messages, now=now, seed=1)
        for one in zip(chunk.said, chunk.sent_at, chunk.vectors, strict=True)
    )  # fmt: skip
    everything = list(planted(made, sessions))
    report(f"{len(everything):,} messages, {sum(map(len, sessions)):,} of them planted: loading")
    [chat] = await load(store, model, {"import:planted": _chunks(everything)}, read_at=now, report=report)
    conversation = Conversation(
        [Line(sent_at=sent_at, sender=said.sender, text=said.text) for said, sent_at, _ in everything],
        np.array([vector for _, _, vector in everything]),
        model=model,
    )
    chosen = _chosen(recall_set, questions, now=now)
    vectors = await _embedded([one.question for one in chosen], embedder=embedder)
    recall = Recall(model=model, profile="ranked").deep(DEPTH)
    ranker = replace(shipped(), level=float("-inf"))
    shared: list[float] = []
    times: list[float] = []
    for asked, vector in zip(chosen, vectors, strict=True):
        if vector is None:
            continue
        started = time.perf_counter()
        recalled = await search_memory(
            as_queries([asked.question], [vector]), lane=Lane(chat), recall=recall, store=store, now=asked.now
        )
        times.append((time.perf_counter() - started) * 1000)
        if recalled.searched is None or not recalled.hits:
            continue  # held back as unanswerable: there is nothing to compare
        pool = conversation.pool([(asked.question, vector)], now=asked.now)
        pool = replace(
            pool,
            search=replace(pool.search, recall=recall),
            statistics=await store.statistics(recalled.searched),
        )
        best = {int(hit.message.message_id) for hit in ranked(pool, ranker=ranker)}
        shared.append(len(best & {int(hit.message.message_id) for hit in recalled.hits}) / max(1, len(best)))
        report(f"{len(shared)} of {len(chosen)}: {np.mean(shared):.3f}")
    return {
        "messages": len(everything),
        "questions": len(shared),
        "agreement@10": round(float(np.mean(shared)), 4) if shared else None,
        "ms_p50": round(percentile(times, 0.5), 2),
    }


def planted(made: Iterator[One], sessions: Sequence[Sequence[One]]) -> Iterator[One]:
    """The made-up messages in order of time, and among them the sessions, each in one piece."""
    waiting = sorted(sessions, key=lambda session: session[0][1])
    through: datetime | None = None
    for one in made:
        while waiting and waiting[0][0][1] <= one[1]:
            session = waiting.pop(0)
            for planted_one in session:
                through = max(through or planted_one[1], planted_one[1])
                yield planted_one[0], through, planted_one[2]
        sent_at = one[1] if through is None else max(through, one[1])
        yield one[0], sent_at, one[2]
    for session in waiting:
        yield from session


async def _sessions(recall_set: RecallSet, *, embedder: PatientEmbedder) -> list[list[One]]:
    """The set's conversations, cut where they fell silent."""
    sessions: list[list[One]] = []
    for conversation in recall_set.conversations:
        lines = [Line(sent_at=m.sent_at, sender=m.sender, text=m.text) for m in conversation.messages]
        lines.sort(key=lambda line: line.sent_at)
        vectors = await _embedded(passage_texts(lines), embedder=embedder, passages=True)
        last: datetime | None = None
        for line, vector in zip(lines, vectors, strict=True):
            if vector is None:
                continue
            if last is None or line.sent_at - last > SILENCE:
                sessions.append([])
            last = line.sent_at
            sessions[-1].append((Said(sender=line.sender, text=line.text), line.sent_at, vector))
    return sessions


def _chunks(everything: Sequence[One]) -> Iterator[Chunk]:
    rest, first = iter(everything), 1
    while part := list(islice(rest, CHUNK)):
        said, sent_at, vectors = zip(*part, strict=True)
        yield Chunk(first=first, said=list(said), sent_at=list(sent_at), vectors=np.array(vectors))
        first += len(part)


def _chosen(recall_set: RecallSet, count: int, *, now: datetime) -> list[_Asked]:
    """Questions of all kinds, as many of each as of the others as far as there are any."""
    chooser = random.Random(7)  # noqa: S311 - a benchmark asks the same each time
    each = [question for conversation in recall_set.conversations for question in conversation.questions]
    each.sort(key=lambda question: (question.kind, question.question))
    kinds = [list(of_kind) for _, of_kind in groupby(each, key=lambda question: question.kind)]
    for of_kind in kinds:
        chooser.shuffle(of_kind)
    turns = max(map(len, kinds), default=0)
    ordered = [of_kind[turn] for turn in range(turns) for of_kind in kinds if turn < len(of_kind)]
    return [_Asked(question=question.question, now=now) for question in ordered[:count]]


async def _embedded(texts: Sequence[str], *, embedder: PatientEmbedder, passages: bool = False) -> list[Vector | None]:
    vectors: list[Vector | None] = []
    for at in range(0, len(texts), _BATCH):
        vectors += await embedder.embed(texts[at : at + _BATCH], purpose="passage" if passages else "query")
    return vectors
