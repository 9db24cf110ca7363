"""Recall as a turn does it: statements, not questions, and beside it BM25 over every message, on the same evidence.

And how much comes to mind where there may be nothing to come back to: for any statement, and for small talk.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import TypeVar

from bot.bench.bm25 import Bm25
from bot.bench.metrics import SMALL_TALK, packed_tokens
from bot.bench.returns import Kind, Line, Return, returns
from bot.memory.asking import asks
from bot.memory.pack import packed_line
from bot.memory.recall import as_queries, asked_in, search_memory
from bot.model import ChatId, Lane, Message, MessageId, Recall, Recalled
from bot.ports import PatientEmbedder
from bot.store import PostgresStore
from bot.turn import RECENT

MOST = 300
"""Statements of one set."""
ORDINARY = 200
"""Statements of one set that come back to nothing by the rule."""
DEPTHS = (5, 10)
_SEED = 20_260_301
_Drawn = TypeVar("_Drawn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """One statement, and where its evidence came: the rank from 1, None when it did not."""

    kind: Kind
    rank: int | None
    bm25_rank: int | None
    is_silent: bool
    """Nothing came to mind at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """A chat, and what its turns recall with."""

    talk: Sequence[Message]
    store: PostgresStore
    embedder: PatientEmbedder
    recall: Recall

    async def recalled(self, place: int) -> Recalled:
        """What comes to mind for one of its messages, as of its time and without what is in view."""
        said = self.talk[place]
        return await self.reminded(
            said.text, now=said.sent_at, exclude=[self.talk[there].message_id for there in self.in_view(place)]
        )

    async def reminded(self, text: str, *, now: datetime, exclude: Sequence[MessageId] = ()) -> Recalled:
        """What comes to mind for a text."""
        asked = [part for _, part in asked_in([text], recall=self.recall)]
        return await search_memory(
            as_queries(asked, await self.embedder.embed(asked, purpose="query")),
            lane=Lane(self.talk[0].chat_id),
            recall=self.recall,
            store=self.store,
            now=now,
            exclude=exclude,
        )

    def in_view(self, place: int) -> range:
        """Places of what a turn sees, the message included."""
        # What was sent in the same second later is not there yet, for a turn.
        until = bisect_right(self.talk, self.talk[place].sent_at, key=lambda message: message.sent_at)
        return range(max(0, place - RECENT + 1), until)


async def bench_turns(
    chats: Sequence[ChatId], *, store: PostgresStore, embedder: PatientEmbedder, recall: Recall, deepest: int
) -> dict[str, object]:
    """The statements of some chats, each as of its time: `{"all": row, "kinds": …, "ordinary": …, "small_talk": …}`."""
    talks = [[message async for message in store.messages.read(chat)] for chat in chats]
    scenes = [_Scene(talk=talk, store=store, embedder=embedder, recall=recall) for talk in talks]
    found = [returns([_line(message) for message in talk], in_view=RECENT) for talk in talks]
    returned: list[Returned] = []
    for scene, drawn in zip(scenes, _drawn(found, most=MOST), strict=True):
        classic = Bm25([packed_line(message) for message in scene.talk])
        returned += [await _returned(each, scene, classic, deepest=deepest) for each in drawn]
    ordinary = [_ordinary(talk, of) for talk, of in zip(talks, found, strict=True)]
    usual = [
        await scene.recalled(place)
        for scene, drawn in zip(scenes, _drawn(ordinary, most=ORDINARY), strict=True)
        for place in drawn
    ]
    idle = [await scene.reminded(text, now=scene.talk[-1].sent_at) for scene in scenes for text in SMALL_TALK]
    kinds = sorted({each.kind for each in returned})
    return {
        "all": turn_summary(returned),
        "kinds": {kind: turn_summary([each for each in returned if each.kind == kind]) for kind in kinds},
        "ordinary": idle_summary(usual),
        "small_talk": idle_summary(idle),
    }


def turn_summary(returned: Sequence[Returned]) -> dict[str, float]:
    """The row of a set, or of one kind of its statements; how many there are is all that is told of none."""
    row: dict[str, float] = {"statements": len(returned)}
    if not returned:
        return row
    for name, ranks in (
        ("turn", [each.rank for each in returned]),
        ("bm25", [each.bm25_rank for each in returned]),
    ):
        for depth in DEPTHS:
            row[f"{name}_recall@{depth}"] = fmean(rank is not None and rank <= depth for rank in ranks)
        row[f"{name}_mrr"] = fmean(1 / rank if rank else 0.0 for rank in ranks)
    row["turn_silent"] = fmean(each.is_silent for each in returned)
    return {name: round(value, 4) for name, value in row.items()}


def idle_summary(recalled: Sequence[Recalled]) -> dict[str, float]:
    """How many of some texts bring anything to mind, and how many tokens that is, packed."""
    row: dict[str, float] = {"statements": len(recalled)}
    if recalled:
        tokens = [packed_tokens(each.hits) for each in recalled]
        row |= {"reminded": fmean(count > 0 for count in tokens), "tokens": fmean(tokens)}
    return {name: round(value, 4) for name, value in row.items()}


async def _returned(each: Return, scene: _Scene, classic: Bm25, *, deepest: int) -> Returned:
    statement = scene.talk[each.statement]
    recalled = await scene.recalled(each.statement)
    evidence = scene.talk[each.evidence].message_id
    return Returned(
        kind=each.kind,
        rank=_rank(evidence, [hit.message.message_id for hit in recalled.hits]),
        bm25_rank=_rank(
            each.evidence,
            classic.ranking(statement.text, before=scene.in_view(each.statement).start, most=deepest),
        ),
        is_silent=not recalled.hits,
    )


def _rank(one: int, ranking: Sequence[int]) -> int | None:
    return ranking.index(one) + 1 if one in ranking else None


def _ordinary(talk: Sequence[Message], found: Sequence[Return]) -> list[int]:
    """Places of statements that come back to nothing, where there is something out of view."""
    come_back = {each.statement for each in found}
    return [place for place in range(RECENT, len(talk)) if place not in come_back and not asks(talk[place].text)]


def _drawn(found: Sequence[Sequence[_Drawn]], *, most: int) -> list[list[_Drawn]]:
    """At most so many of all chats together, the same ones each time."""
    flat = [(chat, each) for chat, of in enumerate(found) for each in of]
    if len(flat) > most:
        chooser = random.Random(_SEED)  # noqa: S311 - a benchmark wants the same statements each time
        flat = chooser.sample(flat, most)
    return [[each for number, each in flat if number == chat] for chat in range(len(found))]


def _line(message: Message) -> Line:
    return Line(sent_at=message.sent_at, sender=message.sender, text=message.text)
