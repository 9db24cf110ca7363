"""Recording and reading back, on a real database."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import UnknownChat
from bot.model import ChatId, Lane, MessageId, NewMessage, Outcome, Said, TurnId, TurnRecord
from bot.store import PostgresStore
from bot.store.database import statement
from bot.store.text import storable

pytestmark = pytest.mark.on_both_servers

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=1)
TEA = NewMessage(external_id="1", sender_id="user1", sender="Ann", sent_at=NOON, text="I only drink oolong")


def talk(count: int, *, start: datetime = NOON, topic: str = "") -> list[NewMessage]:
    return [
        NewMessage(
            external_id=f"{topic}{n}",
            sender_id=f"user{n % 3}",
            sender=("Ann", "Bob", "小雨")[n % 3],
            sent_at=start + timedelta(minutes=n),
            text=f"line {n}",
            topic=topic,
        )
        for n in range(count)
    ]


@pytest.fixture
async def chat(store: PostgresStore) -> ChatId:
    return await store.chats.open("import:test", title="Test")


async def read_all(store: PostgresStore, chat: ChatId) -> list[str]:
    return [message.text async for message in store.messages.read(chat)]


async def test_a_message_delivered_twice_is_kept_once(store: PostgresStore, chat: ChatId) -> None:
    assert await store.messages.record(chat, "import:test", [TEA]) == [1]
    assert await store.messages.record(chat, "import:test", [TEA]) == []
    assert await read_all(store, chat) == [TEA.text]


async def test_a_message_twice_in_one_batch_is_kept_once(store: PostgresStore, chat: ChatId) -> None:
    assert len(await store.messages.record(chat, "import:test", [TEA, TEA])) == 1
    assert await read_all(store, chat) == [TEA.text]


async def test_the_same_id_from_two_sources_is_two_messages(store: PostgresStore, chat: ChatId) -> None:
    other = replace(TEA, text="something else")
    await store.messages.record(chat, "import:test", [TEA])
    await store.messages.record(chat, "terminal", [other])
    assert sorted(await read_all(store, chat)) == sorted([TEA.text, other.text])


async def test_an_export_that_overlaps_the_live_chat_adds_only_what_is_new(store: PostgresStore, chat: ChatId) -> None:
    live = talk(20)
    exported = [replace(message, external_id=f"export-{message.external_id}") for message in talk(30)]
    await store.messages.record(chat, "telegram:1:-5", live)
    new = await store.messages.record(chat, "import:test", exported, read_at=LATER)
    assert len(new) == 10
    assert await read_all(store, chat) == [message.text for message in talk(30)]


async def test_the_same_words_twice_in_one_second_are_two_messages(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "terminal", [TEA, replace(TEA, external_id="2")])
    assert await read_all(store, chat) == [TEA.text, TEA.text]


async def test_two_writers_at_once_keep_every_message_once(store: PostgresStore, chat: ChatId) -> None:
    messages = talk(200)
    await asyncio.gather(
        *(
            store.messages.record(chat, "import:test", messages[at : at + 40])
            for at in (0, 20, 0, 100, 60, 140, 160, 120, 40, 80)
        )
    )
    assert await read_all(store, chat) == [message.text for message in messages]


async def test_a_reply_points_at_our_number_within_and_across_batches(store: PostgresStore, chat: ChatId) -> None:
    first, second, third = talk(3)
    await store.messages.record(chat, "import:test", [first, replace(second, reply_to_external="0")])
    await store.messages.record(chat, "import:test", [replace(third, reply_to_external="1")])
    replies = [message.reply_to async for message in store.messages.read(chat)]
    assert replies == [None, 1, 2]


async def test_messages_come_back_in_order_of_time_whatever_the_order_of_arrival(
    store: PostgresStore, chat: ChatId
) -> None:
    messages = talk(2500)
    await store.messages.record(chat, "import:test", messages[1200:])
    await store.messages.record(chat, "import:test", messages[:1200])
    assert await read_all(store, chat) == [message.text for message in messages]


async def test_a_text_of_100000_characters_is_kept_whole(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "terminal", [replace(TEA, text="长" * 100_000)])
    assert await read_all(store, chat) == ["长" * 100_000]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(), max_size=200), name=st.text(st.characters(), max_size=40))
async def test_any_text_and_any_name_can_be_kept(store: PostgresStore, text: str, name: str) -> None:
    chat = await store.chats.open(f"import:{uuid4()}", title=name)
    await store.messages.record(chat, "terminal", [replace(TEA, text=text, sender=name)])
    [kept] = [message async for message in store.messages.read(chat)]
    assert (kept.text, kept.sender) == (storable(text), storable(name))


@given(st.text(st.characters()))
def test_a_storable_text_has_no_nul_and_no_lone_surrogate(text: str) -> None:
    assert "\0" not in storable(text)
    storable(text).encode("utf-8")
    assert storable(storable(text)) == storable(text)


def test_a_split_surrogate_pair_is_joined() -> None:
    assert storable("\ud83d\ude00 and \ud83d alone") == "😀 and \ufffd alone"


async def test_the_view_is_the_last_messages_with_the_unread_apart(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "import:test", talk(50), read_at=LATER)
    await store.messages.record(chat, "terminal", [replace(TEA, sent_at=LATER, text="new")])
    view = await store.view(Lane(chat), limit=30, now=LATER)
    assert [message.text for message in view.recent] == [f"line {n}" for n in range(21, 50)]
    assert [message.text for message in view.unread] == ["new"]


async def test_an_unread_message_is_in_view_however_much_came_after_it(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "terminal", [TEA])
    await store.messages.record(chat, "import:test", talk(50, start=LATER), read_at=LATER)
    view = await store.view(Lane(chat), limit=30, now=LATER + timedelta(days=1))
    assert [message.text for message in view.unread] == [TEA.text]


async def test_a_lane_sees_its_own_topic_and_no_other_chat(store: PostgresStore, chat: ChatId) -> None:
    other = await store.chats.open("import:other", title="Other")
    await store.messages.record(chat, "import:test", [*talk(3, topic="a"), *talk(3, topic="b")])
    await store.messages.record(other, "import:other", talk(3))
    view = await store.view(Lane(chat, "a"), limit=30, now=LATER)
    assert {message.topic for message in view.unread} == {"a"}
    whole = await store.view(Lane(chat), limit=30, now=LATER)
    assert {message.chat_id for message in whole.unread} == {chat}
    assert len(whole.unread) == 6


async def test_what_was_read_is_seen_as_of_a_time(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "terminal", talk(10), read_at=LATER)
    view = await store.view(Lane(chat), limit=30, now=NOON + timedelta(minutes=4))
    assert [message.text for message in view.recent] == [f"line {n}" for n in range(5)]


async def test_an_unread_message_is_seen_though_its_clock_is_ahead_of_ours(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "terminal", [TEA])
    view = await store.view(Lane(chat), limit=30, now=NOON - timedelta(seconds=30))
    assert [message.text for message in view.unread] == [TEA.text]


async def test_a_finished_turn_is_kept_once_with_what_was_said(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "terminal", [TEA])
    record = TurnRecord(
        turn_id=TurnId(uuid4()),
        lane=Lane(chat),
        trace_id="0" * 32,
        started_at=LATER,
        outcome=Outcome.ANSWERED,
        persona="Tavi",
        source="terminal",
        inputs={"text": "\0\ud800"},
        read=(MessageId(1),),
        said=(Said(text="Noted."), Said(text="Oolong it is \0", reply_to=MessageId(1))),
        said_at=LATER,
        notes=("looked for tea",),
    )
    assert await store.finish_turn(record) == [2, 3]
    assert await store.finish_turn(record) == []
    view = await store.view(Lane(chat), limit=30, now=LATER)
    assert view.unread == ()
    assert view.notes == ("looked for tea",)
    assert [(m.persona, m.text, m.reply_to) for m in view.recent[1:]] == [
        ("Tavi", "Noted.", None),
        ("Tavi", "Oolong it is ", 1),
    ]


async def test_a_message_that_comes_while_the_turn_runs_stays_unread(store: PostgresStore, chat: ChatId) -> None:
    await store.messages.record(chat, "terminal", talk(1))
    record = TurnRecord(
        turn_id=TurnId(uuid4()),
        lane=Lane(chat),
        trace_id="0" * 32,
        started_at=LATER,
        outcome=Outcome.SILENT,
        persona="Tavi",
        source="terminal",
        inputs={},
        read=(MessageId(1),),
        said_at=LATER,
    )
    await store.messages.record(chat, "terminal", [replace(TEA, external_id="new")])
    await store.finish_turn(record)
    view = await store.view(Lane(chat), limit=30, now=LATER)
    assert [message.text for message in view.unread] == [TEA.text]


async def test_a_chat_opened_by_many_at_once_is_one_chat(store: PostgresStore) -> None:
    ids = await asyncio.gather(*(store.chats.open("import:race", title="Race") for _ in range(8)))
    assert len(set(ids)) == 1
    assert len(await store.chats.all()) == 1


async def test_a_chat_that_is_not_there_is_named(store: PostgresStore) -> None:
    with pytest.raises(UnknownChat, match="no chat 99"):
        await store.chats.get(99)


async def test_no_message_is_looked_for_by_reading_them_all_however_young_the_table(store: PostgresStore) -> None:
    # A plan made while the table is empty is kept for the length of an import, and has to hold to its end.
    async with store.database.pool.acquire() as connection:
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE record AS {statement('record_messages')}")
        nothing = ", '{}'" * 11
        plan = await connection.fetch(f"EXPLAIN EXECUTE record (1, 'x', NULL{nothing})")
    lines = [row[0] for row in plan]
    assert any("Index" in line and "on messages" in line for line in lines)
    assert not [line for line in lines if "Seq Scan on messages" in line]


async def test_ids_that_differ_by_a_nul_alone_are_two_messages(store: PostgresStore, chat: ChatId) -> None:
    other = replace(TEA, external_id="1\0")
    assert await store.messages.record(chat, "import:test", [TEA, other]) == [1, 2]
