"""How much waits, as PostgreSQL tells it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.model import EmbeddingModel, NewMessage
from bot.store import PostgresStore
from bot.store.backlog import backlog

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


async def model(store: PostgresStore) -> EmbeddingModel:
    return await store.embeddings.open(name="tiny", dimension=64, threshold=0.3)


def message(n: int) -> NewMessage:
    return NewMessage(external_id=str(n), sender_id="a", sender="Ann", sent_at=NOW + timedelta(seconds=n), text="tea")


async def test_of_an_empty_database_nothing_waits(store: PostgresStore) -> None:
    found = await backlog(store.database, await model(store))
    assert set(found.waiting.values()) == {0}
    assert set(found.age.values()) == {0.0}


async def test_each_kind_is_counted_with_the_age_of_the_first(store: PostgresStore) -> None:
    chat = await store.chats.open("import:tea", title="Tea")
    await store.messages.record(chat, "terminal", [message(1), message(2)])
    await store.messages.record(chat, "import:tea", [message(3)], read_at=NOW)
    execute = store.database.pool.execute
    for topic, due, lease, rests in (
        ("due", "1 minute", None, None),
        ("waits", "-1 minute", None, None),
        ("has its turn", "1 minute", "1 minute", None),
        ("rests", "1 minute", None, "1 minute"),
        ("has rested", "1 hour", None, "-30 seconds"),
    ):
        await execute(
            "INSERT INTO lanes (chat_id, topic, source, due_at, lease_until, rests_until)"
            " VALUES ($1, $2, 'telegram:1:2', now() - $3::text::interval, now() + $4::text::interval,"
            " now() + $5::text::interval)",
            chat, topic, due, lease, rests,
        )  # fmt: skip
    await execute(
        "INSERT INTO inbox (bot_id, update_id, state, received_at) VALUES (1, 1, 'quarantined', now()),"
        " (1, 2, 'done', now()), (1, 3, 'quarantined', now() - interval '2 hours')"
    )
    found = await backlog(store.database, await model(store))
    assert found.waiting == {"turns": 2, "unread": 2, "quarantined": 1, "outbox": 0, "embedding": 3}
    assert 60 <= found.age["turns"] < 120
