"""Recall as a turn does it: statements, not questions, and beside it BM25 over every message, on the same evidence."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from bot.bench.bm25 import Bm25
from bot.bench.returns import Kind, Line, Return, returns
from bot.memory.pack import packed_line
from bot.memory.recall import as_queries, asked_in, search_memory
from bot.model import ChatId, Lane, Message, Recall
from bot.ports import PatientEmbedder
from bot.store import PostgresStore
from bot.turn import RECENT

MOST = 300
"""Statements of one set."""
DEPTHS = (5, 10)
_SEED = 20_260_301


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """One statement, and where its evidence came: the rank from 1, None when it did not."""

    kind: Kind
    rank: int | None
    bm25_rank: int | None
    is_silent: bool
    """Nothing came to mind at all."""


async def bench_turns(
    chats: Sequence[ChatId], *, store: PostgresStore, embedder: PatientEmbedder, recall: Recall, deepest: int
) -> dict[str, object]:
    """The statements of some chats, each as of its time and without what is in view: `{"all": row, "kinds": …}`."""
    talks = [[message async for message in store.messages.read(chat)] for chat in chats]
    drawn = _drawn([returns([_line(message) for message in talk], in_view=RECENT) for talk in talks])
    returned: list[Returned] = []
    for talk, found in zip(talks, drawn, strict=True):
        classic = Bm25([packed_line(message) for message in talk])
        returned += [
            await _returned(each, talk, classic, store=store, embedder=embedder, recall=recall, deepest=deepest)
            for each in found
        ]
    kinds = sorted({each.kind for each in returned})
    return {
        "all": turn_summary(returned),
        "kinds": {kind: turn_summary([each for each in returned if each.kind == kind]) for kind in kinds},
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


async def _returned(
    each: Return,
    talk: Sequence[Message],
    classic: Bm25,
    *,
    store: PostgresStore,
    embedder: PatientEmbedder,
    recall: Recall,
    deepest: int,
) -> Returned:
    statement = talk[each.statement]
    # What was sent in the same second later is not there yet, for a turn.
    until = bisect_right(talk, statement.sent_at, key=lambda message: message.sent_at)
    unseen = range(max(0, each.statement - RECENT + 1), until)
    asked = [part for _, part in asked_in([statement.text], recall=recall)]
    recalled = await search_memory(
        as_queries(asked, await embedder.embed(asked, purpose="query")),
        lane=Lane(statement.chat_id),
        recall=recall,
        store=store,
        now=statement.sent_at,
        exclude=[talk[place].message_id for place in unseen],
    )
    evidence = talk[each.evidence].message_id
    return Returned(
        kind=each.kind,
        rank=_rank(evidence, [hit.message.message_id for hit in recalled.hits]),
        bm25_rank=_rank(each.evidence, classic.ranking(statement.text, before=unseen.start, most=deepest)),
        is_silent=not recalled.hits,
    )


def _rank(one: int, ranking: Sequence[int]) -> int | None:
    return ranking.index(one) + 1 if one in ranking else None


def _drawn(found: Sequence[Sequence[Return]]) -> list[list[Return]]:
    """At most `MOST` of all chats together, the same ones each time."""
    flat = [(chat, each) for chat, of in enumerate(found) for each in of]
    if len(flat) > MOST:
        chooser = random.Random(_SEED)  # noqa: S311 - a benchmark wants the same statements each time
        flat = chooser.sample(flat, MOST)
    return [[each for number, each in flat if number == chat] for chat in range(len(found))]


def _line(message: Message) -> Line:
    return Line(sent_at=message.sent_at, sender=message.sender, text=message.text)
