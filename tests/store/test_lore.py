"""What a chat remembers of a lorebook, on a real database."""

from __future__ import annotations

import asyncio

import pytest

from bot.cards.lorebook import LoreState, Seen
from bot.model import ChatId
from bot.store import PostgresStore

TAVI = "Tavi"


@pytest.fixture
async def chat(store: PostgresStore) -> ChatId:
    return await store.chats.open("terminal", title="Test")


async def remembered(store: PostgresStore, chat: ChatId, persona: str = TAVI) -> LoreState:
    return LoreState.from_json(await store.lore.of(chat, persona))


async def test_a_chat_remembers_nothing_of_a_book_at_first(store: PostgresStore, chat: ChatId) -> None:
    assert await remembered(store, chat) == LoreState()


async def test_what_is_remembered_is_read_back_for_that_chat_and_persona_only(
    store: PostgresStore, chat: ChatId
) -> None:
    state = LoreState({"lantern": Seen(3, 7), "ключ \0 🗝": Seen(1, 1)})
    await store.lore.remember(chat, TAVI, state.to_json())
    assert await remembered(store, chat) == LoreState({"lantern": Seen(3, 7), "ключ  🗝": Seen(1, 1)})
    other = await store.chats.open("import:other", title="Other")
    assert await remembered(store, chat, "Mia") == LoreState()
    assert await remembered(store, other) == LoreState()


async def test_turns_of_two_topics_lose_nothing_of_each_other(store: PostgresStore, chat: ChatId) -> None:
    before = LoreState({"both": Seen(2, 2)})
    await store.lore.remember(chat, TAVI, before.to_json())
    one = LoreState({"both": Seen(2, 9), "one": Seen(9, 9)}).changed_since(before)
    two = LoreState({"both": Seen(2, 8), "two": Seen(8, 8)}).changed_since(before)
    await asyncio.gather(*(store.lore.remember(chat, TAVI, state.to_json()) for state in (one, two)))
    assert await remembered(store, chat) == LoreState({"both": Seen(2, 9), "one": Seen(9, 9), "two": Seen(8, 8)})


async def test_a_turn_that_changed_nothing_writes_nothing(store: PostgresStore, chat: ChatId) -> None:
    trips = store.database.round_trips
    await store.lore.remember(
        chat, TAVI, LoreState({"a": Seen(1, 1)}).changed_since(LoreState({"a": Seen(1, 1)})).to_json()
    )
    assert store.database.round_trips == trips


async def test_entries_that_a_card_no_longer_has_are_forgotten(store: PostgresStore, chat: ChatId) -> None:
    await store.lore.remember(chat, TAVI, {"kept": [1, 1], "gone": [2, 2]})
    await store.lore.forget_others(chat, TAVI, ["kept", "new"])
    assert await remembered(store, chat) == LoreState({"kept": Seen(1, 1)})


async def test_a_chat_that_is_deleted_takes_its_memory_of_books_along(store: PostgresStore, chat: ChatId) -> None:
    await store.lore.remember(chat, TAVI, {"kept": [1, 1]})
    await store.database.pool.execute("DELETE FROM chats WHERE chat_id = $1", chat)
    assert await store.database.pool.fetchval("SELECT count(*) FROM lorebook_state") == 0
