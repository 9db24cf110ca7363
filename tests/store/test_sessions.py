"""Sessions: stretches of talk in a topic without half an hour of silence, right however messages came."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.memory.index import index_pending
from bot.model import ChatId, NewMessage
from bot.store import PostgresStore, open_store, words
from bot.store.inbox import Inbox
from bot.store.migrate import migrate
from tests.store.saved import connected, load, save, silent
from tests.store.test_postings import in_order

pytestmark = pytest.mark.on_both_servers

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
PAUSE = timedelta(minutes=30)


@pytest.fixture
async def chat(store: PostgresStore) -> ChatId:
    return await store.chats.open("telegram:7:1", title="T")


def message(name: object, *, minute: float, topic: str = "") -> NewMessage:
    sent_at = NOW + timedelta(minutes=minute)
    return NewMessage(
        external_id=str(name), sender_id="user1", sender="Ann", sent_at=sent_at, text=f"line {name}", topic=topic
    )


async def told(store: PostgresStore, chat: ChatId) -> dict[int, int | None]:
    rows = await store.database.pool.fetch("SELECT message_id, session FROM messages WHERE chat_id = $1", chat)
    return {row["message_id"]: row["session"] for row in rows}


async def brute_force(store: PostgresStore, chat: ChatId) -> dict[int, int]:
    """The sessions of a chat, told one message after the other."""
    rows = await store.database.pool.fetch(
        "SELECT message_id, topic, sent_at FROM messages WHERE chat_id = $1 ORDER BY sent_at, message_id", chat
    )
    sessions: dict[int, int] = {}
    last: dict[str, tuple[datetime, int]] = {}
    for number, topic, sent_at in rows:
        before = last.get(topic)
        session = before[1] if before and sent_at - before[0] <= PAUSE else number
        sessions[number], last[topic] = session, (sent_at, session)
    return sessions


async def unsorted(store: PostgresStore) -> bool:
    return bool(await store.words.unsorted())


minutes = st.one_of(st.integers(0, 300), st.sampled_from([0, 30, 60, 61, 90]))
batches = st.lists(st.lists(st.tuples(minutes, st.sampled_from(["", "a"])), min_size=1, max_size=6), max_size=6)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches, st.booleans(), st.sampled_from([1, 3, 10_000]))
async def test_sessions_are_right_once_they_were_sorted(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, drawn: list[list[tuple[int, str]]], between: bool, part: int
) -> None:
    monkeypatch.setattr(words, "PART", part)
    chat = await store.chats.open(f"import:{uuid4()}", title="T")
    for number, batch in enumerate(drawn):
        said = [message(f"{number}.{n}", minute=minute, topic=topic) for n, (minute, topic) in enumerate(batch)]
        await store.messages.record(chat, "import:x", said)
        if between:
            await index_pending(store.words)
    await index_pending(store.words)
    assert not await unsorted(store)
    assert await told(store, chat) == await brute_force(store, chat)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(minutes, st.sampled_from(["", "a"])), max_size=20), st.integers(1, 8))
async def test_what_comes_in_its_order_needs_no_sorting(
    store: PostgresStore, drawn: list[tuple[int, str]], size: int
) -> None:
    chat = await store.chats.open(f"import:{uuid4()}", title="T")
    said = [message(n, minute=minute, topic=topic) for n, (minute, topic) in enumerate(sorted(drawn))]
    for at in range(0, len(said), size):
        await store.messages.record(chat, "import:x", said[at : at + size])
    assert await told(store, chat) == await brute_force(store, chat)
    assert not await unsorted(store)


async def take(store: PostgresStore, chat: ChatId, update: int, said: NewMessage) -> None:
    await Inbox(store.database).take_message(7, update, chat_id=chat, source="telegram:7:1", message=said, wake=None)


async def test_half_an_hour_is_still_the_same_talk(store: PostgresStore, chat: ChatId) -> None:
    for n, minute in enumerate([0, 30, 60.1, 60.2], 1):
        await take(store, chat, n, message(n, minute=minute))
    assert await told(store, chat) == {1: 1, 2: 1, 3: 3, 4: 3}


async def test_topics_have_their_own_talk(store: PostgresStore, chat: ChatId) -> None:
    for n in range(1, 7):
        await take(store, chat, n, message(n, minute=n, topic="ab"[n % 2]))
    assert await told(store, chat) == {1: 1, 2: 2, 3: 1, 4: 2, 5: 1, 6: 2}


async def test_a_message_that_comes_late_joins_what_it_stands_between(store: PostgresStore, chat: ChatId) -> None:
    for n, minute in enumerate([0, 50], 1):
        await take(store, chat, n, message(n, minute=minute))
    assert not await unsorted(store)
    await take(store, chat, 3, message(3, minute=25))
    assert await unsorted(store)
    await index_pending(store.words)
    assert await told(store, chat) == {1: 1, 2: 1, 3: 1}


async def test_writers_side_by_side_end_in_right_sessions(store: PostgresStore, chat: ChatId) -> None:
    async def write(worker: int) -> None:
        for n in range(12):
            number = worker * 100 + n
            await take(store, chat, number, message(number, minute=n * 31 + worker))
            if n % 4 == 0:
                await index_pending(store.words)

    await asyncio.gather(*(write(worker) for worker in range(5)))
    await index_pending(store.words)
    assert await told(store, chat) == await brute_force(store, chat)


async def test_one_who_waited_for_another_does_not_go_by_what_he_saw_before(store: PostgresStore, chat: ChatId) -> None:
    async with store.database.pool.acquire() as connection:
        async with connection.transaction():
            await connection.execute("SELECT FROM chats FOR NO KEY UPDATE")
            both = [asyncio.create_task(take(store, chat, n, message(n, minute=n))) for n in (1, 2)]
            waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
            while await store.database.pool.fetchval(waiting) < 2:
                pass  # each look is a round trip
        await asyncio.gather(*both)
    await index_pending(store.words)
    assert await told(store, chat) == await brute_force(store, chat)


async def test_what_is_right_is_not_written_again(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "import:x", [message(n, minute=n) for n in range(20)])
    place = "SELECT array_agg(ctid::text ORDER BY message_id) FROM messages"
    before = await store.database.pool.fetchval(place)
    await store.database.pool.execute("UPDATE chats SET sessions_from = '-infinity'")
    await index_pending(store.words)
    assert await store.database.pool.fetchval(place) == before


async def test_messages_from_before_there_were_sessions_get_theirs(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "import:x", [message(n, minute=n * 20 % 71) for n in range(20)])
    await store.database.pool.execute("UPDATE messages SET session = NULL")
    await store.database.pool.execute("UPDATE chats SET sessions_from = '-infinity'")
    await index_pending(store.words)
    assert await told(store, chat) == await brute_force(store, chat)


async def test_a_backup_from_before_there_were_words_and_sessions_gets_both(
    empty_dsn: str, dsn: str, tmp_path: Path
) -> None:
    file = tmp_path / "old.companion"
    async with connected(empty_dsn) as connection:
        await migrate(connection, report=silent, through=2)
        await connection.execute("INSERT INTO chats (title, last_message_id) VALUES ('T', 30)")
        await connection.execute(
            "INSERT INTO messages (chat_id, message_id, source, external_id, sender, sent_at, text)"
            " SELECT 1, n, 'x', n, 'Ann', $1::timestamptz + n * 17 % 90 * interval '1 minute', 'tea ' || n"
            " FROM generate_series(1, 30) AS n",
            NOW,
        )
    await save(empty_dsn, file)
    await load(dsn, file)
    async with open_store(dsn, may_migrate=False, report=silent) as store:
        await index_pending(store.words)
        await in_order(store, ChatId(1))
        assert await told(store, ChatId(1)) == await brute_force(store, ChatId(1))


async def test_a_backup_carries_words_and_sessions_along(
    store: PostgresStore, chat: ChatId, dsn: str, empty_dsn: str, tmp_path: Path
) -> None:
    await store.messages.record(chat, "import:x", [message(n, minute=n * 20) for n in range(20)])
    file = tmp_path / "all.companion"
    await save(dsn, file)
    await load(empty_dsn, file)
    async with open_store(empty_dsn, may_migrate=False, report=silent) as restored:
        assert await restored.words.index_some() == 0
        assert await restored.words.unsorted() == []
        await in_order(restored, chat)
