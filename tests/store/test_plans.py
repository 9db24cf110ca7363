"""How PostgreSQL goes about what every turn asks, once it plans for no chat in particular: by an index."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from bot.store import PostgresStore
from bot.store.database import statement

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
BIG, QUIET = 1, "quiet"
"""A chat of 20,000 messages in 100 topics, half of them unread, and a topic of it with 20."""


FILLED = """
    INSERT INTO chats (chat_id, title, last_message_id) SELECT n, 'c', 20020 FROM generate_series(1, 50) n;
    INSERT INTO messages (chat_id, message_id, source, external_id, topic, sender, sent_at, text, read_at)
    SELECT 1, n, 's', n::text, (n % 100)::text, 'Ann', '2026-03-05'::timestamptz - interval '1 s' * (20000 - n), 'x',
           CASE WHEN n <= 10000 THEN now() END
    FROM generate_series(1, 20000) n;
    INSERT INTO messages (chat_id, message_id, source, external_id, topic, sender, sent_at, text, read_at)
    SELECT 1, 20000 + n, 's', 'q' || n, 'quiet', 'Ann', '2025-01-01', 'x', now() FROM generate_series(1, 20) n;
    INSERT INTO messages (chat_id, message_id, source, external_id, sender, sent_at, text, read_at)
    SELECT 2 + n % 40, n, 's', n::text, 'Ann', '2026-03-01', 'x', now() FROM generate_series(1, 20000) n;
    INSERT INTO turns
    SELECT 1, md5(n::text)::uuid, '', 't', 'T', now(), 'x', '{}' FROM generate_series(1, 5000) n;
    INSERT INTO outbox (chat_id, turn_id, n, source, topic, persona, text, state)
    SELECT 1, md5(n::text)::uuid, 1, 'telegram:7:1', '', 'T', 'x', CASE WHEN n % 2 = 0 THEN 'sent' ELSE 'waiting' END
    FROM generate_series(1, 5000) n;
    ANALYZE;
"""


@pytest.fixture
async def busy(store: PostgresStore) -> PostgresStore:
    await store.database.pool.execute(FILLED)
    return store


async def plan(store: PostgresStore, query: str, *args: object) -> str:
    """What is done for a query, by a plan for no values in particular; nothing of it is kept."""
    async with store.database.pool.acquire() as connection:
        transaction = connection.transaction()
        await transaction.start()
        await connection.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE asked AS {statement(query)}")
        execute = f"EXECUTE asked ({', '.join(map(_literal, args))})"
        rows: list[Any] = await connection.fetch(f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, BUFFERS OFF) {execute}")
        await connection.execute("DEALLOCATE asked")
        await transaction.rollback()
    return "\n".join(row[0] for row in rows)


def _literal(value: object) -> str:
    return "NULL" if value is None else "'{}'" if value == [] else f"'{value}'"


def removed(plan: str) -> int:
    """Rows that were read for nothing."""
    lines = [line for line in plan.splitlines() if "Rows Removed by" in line]
    return sum(int(line.rpartition(":")[2]) for line in lines)


@pytest.mark.parametrize("topic", [QUIET, "7", "not there"])
async def test_what_is_in_view_of_a_topic_is_found_by_its_index(busy: PostgresStore, topic: str) -> None:
    found = await plan(busy, "view_lane", BIG, topic, 30, NOW, "Tavi", False, "Tavi")
    assert "using messages_by_topic_and_time" in found or "on messages_by_topic_and_time" in found
    assert "on messages_unread" in found or "using messages_unread" in found
    assert "Seq Scan on messages" not in found
    assert removed(found) < 500, found


async def test_what_is_in_view_of_a_whole_chat_is_found_without_reading_it(busy: PostgresStore) -> None:
    found = await plan(busy, "view_lane", BIG, None, 30, NOW, "Tavi", False, "Tavi")
    assert "Seq Scan on messages" not in found
    assert removed(found) < 500, found


@pytest.mark.parametrize(("topic", "index"), [(QUIET, "messages_by_topic_and_time"), (None, "messages_by_time")])
async def test_what_was_said_before_is_found_by_an_index(busy: PostgresStore, topic: str | None, index: str) -> None:
    found = await plan(busy, "messages_before", BIG, topic, 20_020, 30)
    assert f"using {index} on messages" in found
    assert removed(found) < 100, found


async def test_reading_a_topic_looks_at_what_is_unread_there_alone(busy: PostgresStore) -> None:
    claim, none = uuid4(), list[str]()
    args: list[object] = [BIG, QUIET, uuid4(), "t", "T", NOW, "silent", "{}", 30_000, none, None, None, "s"]
    found = await plan(busy, "finish_turn", *args, QUIET, none, none, NOW, none, "{}", "{}", none, none)
    assert removed(found) < 100, found
    await busy.database.pool.execute(
        "INSERT INTO lanes (chat_id, topic, claim, generation) VALUES (1, $1, $2, 1)", QUIET, claim
    )
    found = await plan(busy, "finish_lane_turn", *args, none, none, claim, 1, None, None, False, "{}", "{}", none)
    assert removed(found) < 100, found


async def test_what_somebody_died_over_is_found_without_reading_all_that_was_said(busy: PostgresStore) -> None:
    found = await plan(busy, "give_up_lost", "telegram:7:")
    assert "outbox_sending" in found
    assert removed(found) == 0
    assert removed(await plan(busy, "give_up_stale", "telegram:7:", 60.0)) == 0
    assert "outbox_by_age" in await plan(busy, "forget_bubbles", 604_800.0)
