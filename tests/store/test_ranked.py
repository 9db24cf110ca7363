"""Ranking what the database finds, against ranking every message of the chat."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from bot.fitting.pools import Conversation, Line, passage_texts
from bot.llm.local import DIMENSION, NAME, LocalEmbedder
from bot.llm.retries import JOB, Patient
from bot.memory.embed import embed_pending
from bot.memory.rank import ranked, shipped
from bot.memory.recall import as_queries, search_memory
from bot.memory.seeds import choose_words
from bot.model import Lane, NewMessage, Recall, Search
from bot.store import PostgresStore

pytestmark = pytest.mark.on_both_servers

LATER = datetime(2026, 11, 1, tzinfo=UTC)


def sample() -> Sequence[dict[str, Any]]:
    text = files("bot.data").joinpath("Four Hungry People.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def sample_questions() -> Sequence[str]:
    asked = json.loads(files("bot.data").joinpath("sample_questions.json").read_text("utf-8"))
    return [question["question"] for question in asked["questions"]]


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


async def test_a_chat_that_fits_into_the_pool_is_ranked_as_if_every_message_was_looked_at(
    store: PostgresStore, embedder: LocalEmbedder
) -> None:
    messages = sample()
    lines = [
        Line(sent_at=datetime.fromisoformat(m["sent_at"]).astimezone(UTC), sender=m["sender"], text=m["text"])
        for m in messages
    ]
    source = "import:sample"
    chat = await store.chats.open(source, title="sample")
    new = [
        NewMessage(external_id=str(n), sender_id=line.sender, sender=line.sender, sent_at=line.sent_at, text=line.text)
        for n, line in enumerate(lines)
    ]
    await store.messages.record(chat, source, new, read_at=LATER)
    model = await store.embeddings.open(name=NAME, dimension=DIMENSION, threshold=0.3)
    await embed_pending(model=model, embedder=Patient(embedder, patience=JOB), store=store.embeddings)
    # A text without words has no vector; what stands for it here is as far from everything.
    passages = passage_texts(lines)
    given = iter(await embedder.embed([text for text in passages if text], purpose="passage"))
    vectors = np.array([next(given) if text else np.zeros(DIMENSION) for text in passages], dtype=np.float32)
    conversation = Conversation(lines, vectors, model=model)
    questions = sample_questions()[:20]
    asked = await embedder.embed(questions, purpose="query")
    recall = Recall(model=model, profile="ranked").deep(10)
    same: list[float] = []
    for question, vector in zip(questions, asked, strict=True):
        queries = as_queries([question], [vector])
        recalled = await search_memory(queries, lane=Lane(chat), recall=recall, store=store, now=LATER)
        pool = conversation.pool([(question, vector)], now=LATER)
        exhaustive = ranked(
            replace(pool, search=replace(pool.search, recall=recall)), ranker=replace(shipped(), level=-1e9)
        )
        if recalled.hits:
            found = {hit.message.external_id for hit in recalled.hits}
            same.append(len(found & {hit.message.external_id for hit in exhaustive}) / len(found))
    assert len(same) >= 15
    assert np.mean(same) >= 0.9


async def test_what_the_combined_score_finds_is_always_a_candidate(
    store: PostgresStore, embedder: LocalEmbedder
) -> None:
    source = "import:sample"
    chat = await store.chats.open(source, title="sample")
    messages = sample()[:200]
    new = [
        NewMessage(
            external_id=str(n), sender_id=m["sender"], sender=m["sender"], text=m["text"],
            sent_at=datetime.fromisoformat(m["sent_at"]).astimezone(UTC),
        )
        for n, m in enumerate(messages)
    ]  # fmt: skip
    await store.messages.record(chat, source, new, read_at=LATER)
    model = await store.embeddings.open(name=NAME, dimension=DIMENSION, threshold=0.3)
    await embed_pending(model=model, embedder=Patient(embedder, patience=JOB), store=store.embeddings)
    questions = sample_questions()[:10]
    recall = Recall(model=model, profile="ranked", seeds=20)
    for question, vector in zip(questions, await embedder.embed(questions, purpose="query"), strict=True):
        queries = as_queries([question], [vector])
        search = Search(lane=Lane(chat), queries=queries, recall=recall, now=LATER)
        statistics = await store.statistics(search)
        pool = await store.pool(search, statistics, choose_words(search, statistics))
        classic = await search_memory(queries, lane=Lane(chat), recall=Recall(model=model), store=store, now=LATER)
        candidates = {found.message.message_id for found in pool.found}
        assert {hit.message.message_id for hit in classic.hits} <= candidates
        everything = replace(pool, search=replace(search, recall=recall.deep(len(pool.found))))
        carried = {
            hit.message.message_id: hit.combined for hit in ranked(everything, ranker=replace(shipped(), level=-1e9))
        }
        for hit in classic.hits:
            assert carried[hit.message.message_id] == pytest.approx(hit.score)
