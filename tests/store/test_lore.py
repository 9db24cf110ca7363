"""What a chat remembers of a lorebook, on a real database: read with what a turn sees, kept with what it leaves."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from bot.cards.lorebook import LoreState, Seen
from bot.model import ChatId, Lane, LoreChange, LoreOf, LorePast, NewMessage, Outcome, Said, TurnId, TurnRecord
from bot.store import PostgresStore
from bot.store.lanes import Lanes

TAVI = "Tavi"
NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


@pytest.fixture
async def chat(store: PostgresStore) -> ChatId:
    return await store.chats.open("terminal", title="Test")


def turn(
    chat: ChatId, lore: LoreChange | None, *, topic: str | None = None, persona: str = TAVI, said: tuple[str, ...] = ()
) -> TurnRecord:
    return TurnRecord(
        turn_id=TurnId(uuid4()),
        lane=Lane(chat, topic),
        trace_id="0" * 32,
        started_at=NOW,
        outcome=Outcome.ANSWERED if said else Outcome.SILENT,
        persona=persona,
        source="terminal",
        inputs={},
        said=tuple(Said(text=text) for text in said),
        said_at=NOW,
        lore=lore,
    )


async def past(store: PostgresStore, chat: ChatId, persona: str = TAVI, *, replies: bool = False) -> LorePast:
    view = await store.view(Lane(chat), limit=30, now=NOW, lore_of=LoreOf(persona, replies))
    assert view.lore is not None
    return view.lore


async def remembered(store: PostgresStore, chat: ChatId, persona: str = TAVI) -> LoreState:
    return LoreState.from_json((await past(store, chat, persona)).state)


def change(before: LoreState, after: LoreState) -> LoreChange:
    found = after.changed_since(before)
    assert found is not None
    return found


async def test_a_chat_remembers_nothing_of_a_book_at_first(store: PostgresStore, chat: ChatId) -> None:
    assert await past(store, chat) == LorePast(state={}, count=0, replies=None)


async def test_nothing_is_read_of_a_book_that_is_not_there(store: PostgresStore, chat: ChatId) -> None:
    await store.finish_turn(turn(chat, LoreChange(remembered={"a": [1, 1]}, forgotten=())))
    assert (await store.view(Lane(chat), limit=30, now=NOW)).lore is None


async def test_what_is_remembered_is_read_back_for_that_chat_and_persona_only(
    store: PostgresStore, chat: ChatId
) -> None:
    state = LoreState({"lantern": Seen(3, 7), "ключ \0 🗝": Seen(1, 1)})
    await store.finish_turn(turn(chat, change(LoreState(), state)))
    assert await remembered(store, chat) == LoreState({"lantern": Seen(3, 7), "ключ  🗝": Seen(1, 1)})
    other = await store.chats.open("import:other", title="Other")
    assert await remembered(store, chat, "Mia") == LoreState()
    assert await remembered(store, other) == LoreState()


async def test_the_clock_is_the_number_of_messages_and_answers_are_counted_by_turn(
    store: PostgresStore, chat: ChatId
) -> None:
    said = [NewMessage(external_id=str(n), sender_id="a", sender="Ann", sent_at=NOW, text="hi") for n in range(3)]
    await store.messages.record(chat, "terminal", said)
    await store.finish_turn(turn(chat, None, said=("one", "two")))
    await store.finish_turn(turn(chat, None, said=("I am another",), persona="Mia"))
    await store.finish_turn(turn(chat, None))
    assert await past(store, chat, replies=True) == LorePast(state={}, count=6, replies=1)
    assert (await past(store, chat)).replies is None


async def test_turns_of_two_topics_lose_nothing_of_each_other(store: PostgresStore, chat: ChatId) -> None:
    before = LoreState({"both": Seen(2, 2)})
    await store.finish_turn(turn(chat, change(LoreState(), before)))
    one = change(before, LoreState({"both": Seen(2, 9), "one": Seen(9, 9)}))
    two = change(before, LoreState({"both": Seen(2, 8), "two": Seen(8, 8)}))
    await asyncio.gather(
        *(store.finish_turn(turn(chat, lore, topic=topic)) for lore, topic in ((one, "1"), (two, "2")))
    )
    assert await remembered(store, chat) == LoreState({"both": Seen(2, 9), "one": Seen(9, 9), "two": Seen(8, 8)})


async def test_entries_that_a_card_no_longer_has_are_forgotten(store: PostgresStore, chat: ChatId) -> None:
    old, new = LoreState({"kept": Seen(1, 1), "gone": Seen(2, 2)}), LoreState({"kept": Seen(1, 1), "new": Seen(4, 4)})
    await store.finish_turn(turn(chat, change(LoreState(), old)))
    await store.finish_turn(turn(chat, change(old, new)))
    assert await remembered(store, chat) == new


async def test_a_turn_that_is_kept_already_changes_nothing(store: PostgresStore, chat: ChatId) -> None:
    once = turn(chat, LoreChange(remembered={"a": [1, 1]}, forgotten=()))
    await store.finish_turn(once)
    await store.finish_turn(turn(chat, LoreChange(remembered={}, forgotten=("a",))))
    await store.finish_turn(once)
    assert await remembered(store, chat) == LoreState()


async def test_a_held_lane_keeps_it_too_but_not_once_it_has_to_begin_anew(store: PostgresStore, chat: ChatId) -> None:
    lanes, lore = Lanes(store.database), LoreChange(remembered={"a": [1, 1]}, forgotten=())
    await store.database.pool.execute(
        "INSERT INTO lanes (chat_id, topic, source, due_at) VALUES ($1, '', 's', now())", chat
    )
    held = await lanes.claim(uuid4(), lease=60)
    assert held is not None
    await store.database.pool.execute("UPDATE lanes SET generation = generation + 1")
    assert not await lanes.finish(held, turn(chat, lore, topic=""), traceparent=None)
    assert await remembered(store, chat) == LoreState()
    await store.database.pool.execute("UPDATE lanes SET generation = generation - 1")
    assert await lanes.finish(held, turn(chat, lore, topic=""), traceparent=None)
    assert await remembered(store, chat) == LoreState({"a": Seen(1, 1)})


async def test_a_chat_that_is_deleted_takes_its_memory_of_books_along(store: PostgresStore, chat: ChatId) -> None:
    await store.finish_turn(turn(chat, LoreChange(remembered={"a": [1, 1]}, forgotten=())))
    await store.database.pool.execute("DELETE FROM chats WHERE chat_id = $1", chat)
    assert await store.database.pool.fetchval("SELECT count(*) FROM lorebook_state") == 0
