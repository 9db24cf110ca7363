"""Evidence recall on sets of conversations with questions: the whole way of recall, no model called."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

from pydantic import AwareDatetime, BaseModel, Field, ValidationError

from bot.bench.metrics import SMALL_TALK, Answered, packed_tokens, summary
from bot.bench.turns import bench_turns
from bot.errors import BotError
from bot.invalid import what_is_wrong
from bot.memory.embed import embed_pending
from bot.memory.recall import as_queries, asked_in, search_memory
from bot.model import ChatId, Lane, NewMessage, Query, Recall, Vector
from bot.ports import PatientEmbedder
from bot.store import PostgresStore

DEEPEST = 100
"""Hits asked for: enough for 1,200 tokens of short messages, and for every depth measured."""
_QUERY_BATCH = 64


class RecallSetError(BotError):
    """A recall set cannot be read."""


class _SetMessage(BaseModel):
    id: str
    sent_at: AwareDatetime
    sender: str
    text: str


class _SetQuestion(BaseModel):
    question: str
    asked_at: AwareDatetime
    kind: str
    evidence: Annotated[list[str], Field(min_length=1)]


class _SetConversation(BaseModel):
    id: str
    messages: list[_SetMessage]
    questions: list[_SetQuestion]


class RecallSet(BaseModel):
    """A file of memory/recall/, as contract.md describes it."""

    name: str
    conversations: list[_SetConversation]


def load_set(path: Path) -> RecallSet:
    """A recall set from its file; raise `RecallSetError` saying what is wrong with it."""
    try:
        return RecallSet.model_validate(json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise RecallSetError(f"cannot read {path}: {error.strerror}") from None
    except ValidationError as error:
        raise RecallSetError(f"{path} is not a recall set: {what_is_wrong(error)}") from None
    except ValueError:
        raise RecallSetError(f"{path} is not whole JSON") from None


async def bench_recall(
    recall_set: RecallSet,
    *,
    store: PostgresStore,
    embedder: PatientEmbedder,
    recall: Recall,
    report: Callable[[str], None],
    turns: bool = False,
) -> dict[str, object]:
    """Each conversation as one chat, every question as of its time: `{"all": row, "kinds": {kind: row}}`.

    With `turns` statements that come back to something are measured as well, beside BM25: `"turns"`, of the same shape.
    """
    chats: list[ChatId] = []
    for conversation in recall_set.conversations:
        chats.append(await _load(recall_set.name, conversation, store=store))
        report(f"{recall_set.name}: {conversation.id}: {len(conversation.messages):,} messages")
    await embed_pending(model=recall.model, embedder=embedder, store=store.embeddings)
    answered: list[Answered] = []
    unanswerable: list[int] = []
    for n, (chat, conversation) in enumerate(zip(chats, recall_set.conversations, strict=True)):
        lane = Lane(chat)
        asked = await _asked([question.question for question in conversation.questions], recall, embedder=embedder)
        for question, queries in zip(conversation.questions, asked, strict=True):
            started = time.perf_counter()
            recalled = await search_memory(queries, lane=lane, recall=recall, store=store, now=question.asked_at)
            answered.append(
                Answered(
                    kind=question.kind,
                    evidence=frozenset(question.evidence),
                    hits=recalled.hits,
                    milliseconds=(time.perf_counter() - started) * 1000,
                )
            )
        last = max(message.sent_at for message in conversation.messages)
        unanswerable += await _packed_for_nothing(
            lane, _foreign(recall_set, n), now=last, store=store, embedder=embedder, recall=recall
        )
    kinds = sorted({item.kind for item in answered})
    return {
        "all": summary(answered, unanswerable_tokens=unanswerable),
        "kinds": {
            kind: summary([item for item in answered if item.kind == kind], unanswerable_tokens=()) for kind in kinds
        },
        **(
            {"turns": await bench_turns(chats, store=store, embedder=embedder, recall=recall, deepest=DEEPEST)}
            if turns
            else {}
        ),
    }


async def _load(name: str, conversation: _SetConversation, *, store: PostgresStore) -> ChatId:
    source = f"import:{name}:{conversation.id}"
    chat = await store.chats.open(source, title=conversation.id)
    messages = [
        NewMessage(external_id=m.id, sender_id=m.sender, sender=m.sender, sent_at=m.sent_at, text=m.text)
        for m in conversation.messages
    ]
    for at in range(0, len(messages), 500):
        await store.messages.record(chat, source, messages[at : at + 500], read_at=messages[-1].sent_at)
    return chat


async def _embed(texts: Sequence[str], *, embedder: PatientEmbedder) -> list[Vector | None]:
    vectors: list[Vector | None] = []
    for at in range(0, len(texts), _QUERY_BATCH):
        vectors += await embedder.embed(texts[at : at + _QUERY_BATCH], purpose="query")
    return vectors


async def _asked(texts: Sequence[str], recall: Recall, *, embedder: PatientEmbedder) -> list[tuple[Query, ...]]:
    """Each text as it is searched with."""
    asked = asked_in(texts, recall=recall)
    given = await _embed([part for _, part in asked], embedder=embedder)
    of: list[list[int]] = [[] for _ in texts]
    for at, (number, _) in enumerate(asked):
        of[number].append(at)
    return [as_queries([asked[at][1] for at in each], [given[at] for at in each]) for each in of]


def _foreign(recall_set: RecallSet, n: int) -> list[str]:
    """Small talk, and questions whose answers lie in another conversation."""
    others = [c for m, c in enumerate(recall_set.conversations) if m != n]
    return [*SMALL_TALK, *(question.question for c in others for question in c.questions[:20])]


async def _packed_for_nothing(
    lane: Lane,
    texts: Sequence[str],
    *,
    now: datetime,
    store: PostgresStore,
    embedder: PatientEmbedder,
    recall: Recall,
) -> list[int]:
    """Tokens packed for texts that nothing in the chat answers."""
    packed: list[int] = []
    for queries in await _asked(texts, recall, embedder=embedder):
        recalled = await search_memory(queries, lane=lane, recall=recall, store=store, now=now)
        packed.append(packed_tokens(recalled.hits))
    return packed
