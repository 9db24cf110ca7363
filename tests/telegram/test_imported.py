"""A chat that is imported from a file and also read live is one chat, whichever comes first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.importer import Imported, import_file
from bot.model import NewMessage
from bot.store import PostgresStore
from bot.store.chats import Export
from bot.store.inbox import Inbox
from tests.fakes import telegram_export
from tests.telegram.intake_rig import Rig, private, rig

ANN, NUMBER = 5_000_000_011, 1_734_567_890
SUPERGROUP, GROUP = -1_001_734_567_890, -4321
SENT_AT = 1_780_000_000
WAITING = """
    SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN (
        SELECT pid FROM pg_stat_activity WHERE datname = current_database()
    )
"""
"""How many wait for a lock in this database."""
TEXTS = {1: "the kettle broke", 2: "who has another?", 3: "I do"}


def exported(number: int, text: str, **more: object) -> telegram_export.Fields:
    """A message in a file."""
    return {
        "id": number,
        "type": "message",
        "date_unixtime": str(SENT_AT + number),
        "from": "Ann",
        "from_id": f"user{ANN}",
        "text": text,
        **more,
    }


def live(update: int, number: int, text: str, *, chat: int = SUPERGROUP, **more: object) -> dict[str, Any]:
    """An update with a message, which is the exported one of the same number."""
    raw = private(update, ANN, text, date=SENT_AT + number)
    kind = "group" if chat == GROUP else "supergroup"
    raw["message"] |= {"message_id": number, "chat": {"id": chat, "type": kind, "title": "Tea"}, **more}
    raw["message"]["from"]["first_name"] = "Ann A."  # a name of now, while a file has those of then
    return raw


@pytest.fixture
async def r(store: PostgresStore) -> AsyncIterator[Rig]:
    async with rig(store) as r:
        yield r


async def imports(store: PostgresStore, folder: Path, *messages: telegram_export.Fields, **header: object) -> int:
    """Import a file with these messages; how many were new."""
    about: telegram_export.Fields = {"name": "Tea", "type": "private_supergroup", "id": NUMBER, **header}
    telegram_export.write_chat(folder / "result.json", about, messages)
    imported = Imported()
    await import_file(folder / "result.json", imported, store=store, into=None)
    return imported.added


async def only_chat(rig: Rig) -> list[tuple[str, str]]:
    """Id and text of all messages, if there is only one chat, and that is read live."""
    [chat] = await rig.store.chats.all()
    assert chat.chat_id in {await rig.chat_at(SUPERGROUP), await rig.chat_at(GROUP)}
    return [(message.external_id, message.text) for message in await rig.messages(chat.chat_id)]


async def test_a_supergroup_imported_before_the_bot_joined_is_read_on_in_the_same_chat(r: Rig, tmp_path: Path) -> None:
    assert await imports(r.store, tmp_path, *(exported(*each) for each in TEXTS.items())) == 3
    reply = {"reply_to_message": live(0, 2, TEXTS[2])["message"]}
    await r.delivers(live(900000001, 3, "I do, as I wrote before"), live(900000002, 4, "take mine", **reply))
    said = [*((str(number), text) for number, text in TEXTS.items()), ("4", "take mine")]
    assert await only_chat(r) == said
    *_, answered, _, last = await r.messages((await r.store.chats.all())[0].chat_id)
    assert last.reply_to == answered.message_id, "an imported message can be answered"
    more = [*(exported(*each) for each in TEXTS.items()), exported(4, "take mine, edited"), exported(5, "thanks")]
    assert await imports(r.store, tmp_path, *more) == 1
    await r.delivers(live(900000003, 5, "thanks"), live(900000004, 6, "bye"))
    assert await only_chat(r) == [*said, ("5", "thanks"), ("6", "bye")]


async def test_a_supergroup_that_is_read_live_is_imported_into_the_same_chat(r: Rig, tmp_path: Path) -> None:
    await r.delivers(live(900000001, 3, TEXTS[3]), live(900000002, 4, "take mine"))
    assert await imports(r.store, tmp_path, *(exported(*each) for each in TEXTS.items())) == 2
    assert await only_chat(r) == [*((str(number), text) for number, text in TEXTS.items()), ("4", "take mine")]
    await r.delivers(live(900000003, 1, TEXTS[1]), live(900000004, 5, "thanks"))
    assert len(await only_chat(r)) == 5


async def test_a_basic_group_imported_before_the_bot_joined_is_the_same_chat_with_ids_of_its_own(
    r: Rig, tmp_path: Path
) -> None:
    group: dict[str, object] = {"type": "private_group", "id": -GROUP}
    assert await imports(r.store, tmp_path, *(exported(*each) for each in TEXTS.items()), **group) == 3
    same_words = live(900000001, 3, TEXTS[3], chat=GROUP)
    same_words["message"]["message_id"] = 77
    other_words = live(900000002, 4, "take mine", chat=GROUP)
    other_words["message"]["message_id"] = 2
    await r.delivers(same_words, other_words)
    assert await only_chat(r) == [*((str(number), text) for number, text in TEXTS.items()), ("2", "take mine")]
    assert await imports(r.store, tmp_path, *(exported(*each) for each in TEXTS.items()), **group) == 0


async def test_a_private_chat_in_a_file_is_another_than_the_one_with_the_bot(r: Rig, tmp_path: Path) -> None:
    await imports(r.store, tmp_path, exported(1, "mum's word"), type="personal_chat", id=ANN)
    await r.delivers(private(900000001, ANN, "hi"))
    assert len(await r.store.chats.all()) == 2
    assert await r.said_in(ANN) == ["hi"]


async def test_of_two_bots_in_an_imported_supergroup_the_first_has_its_past(
    store: PostgresStore, tmp_path: Path
) -> None:
    await imports(store, tmp_path, exported(1, TEXTS[1]))
    past = Export(f"import:telegram:channel:{NUMBER}", shares_message_ids=True)
    first = await store.chats.open(f"telegram:1:{SUPERGROUP}", title="Tea", export=past)
    second = await store.chats.open(f"telegram:2:{SUPERGROUP}", title="Tea", export=past)
    assert first != second
    assert [chat.messages for chat in await store.chats.all()] == [1, 0]
    assert await store.chats.open(f"telegram:1:{SUPERGROUP}", title="Tea", export=past) == first


async def test_of_two_bots_that_come_at_once_one_has_the_past(store: PostgresStore) -> None:
    past = Export(f"import:telegram:channel:{NUMBER}", shares_message_ids=True)
    imported, pool = await store.chats.open(past.source, title="Tea"), store.database.pool
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT FROM chats FOR UPDATE")  # neither can have a new address there yet
        opening = [
            asyncio.create_task(store.chats.open(f"telegram:{bot}:{SUPERGROUP}", title="Tea", export=past))
            for bot in (7, 8)
        ]
        async with asyncio.timeout(10):
            while await pool.fetchval(WAITING) < len(opening):
                pass
    assert (await asyncio.gather(*opening)).count(imported) == 1


async def test_a_big_import_is_adopted_in_parts_and_one_that_was_cut_short_is_gone_on_with(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    past = Export(f"import:telegram:channel:{NUMBER}", shares_message_ids=True)
    chat, live_source = await store.chats.open(past.source, title="Tea"), f"telegram:7:{SUPERGROUP}"
    said = [
        NewMessage(external_id=str(n), sender_id="a", sender="A", sent_at=datetime.fromtimestamp(n, UTC), text="hi")
        for n in range(25)
    ]
    await store.messages.record(chat, past.source, said)
    monkeypatch.setattr("bot.store.chats.PART", 10)
    before = store.database.round_trips
    assert await store.chats.open(live_source, title="Tea", export=past) == chat
    assert store.database.round_trips - before == 3
    await store.database.pool.execute("UPDATE messages SET source = $1 WHERE message_id > 5", past.source)
    assert await store.chats.open(live_source, title="Tea", export=past) == chat
    assert await store.database.pool.fetchval("SELECT count(*) FROM messages WHERE source = $1", live_source) == 25


async def test_two_bots_that_share_a_chat_all_the_same_each_hear_what_is_said(store: PostgresStore) -> None:
    chat = await store.chats.open("telegram:7:-5", title="Tea")
    said = NewMessage(
        external_id="1", sender_id="a", sender="A", sent_at=datetime.fromtimestamp(SENT_AT, UTC), text="hi"
    )
    inbox = Inbox(store.database)
    for bot in (7, 8):
        source = f"telegram:{bot}:-5"
        assert await inbox.take_message(bot, 1, chat_id=chat, source=source, message=said, wake=None)
    assert not await inbox.take_message(7, 2, chat_id=chat, source="telegram:7:-1005", message=said, wake=None)


async def test_what_was_said_to_an_imported_chat_in_the_terminal_stays_what_it_was(
    store: PostgresStore, tmp_path: Path
) -> None:
    await imports(store, tmp_path, exported(1, TEXTS[1]))
    [chat] = await store.chats.all()
    said = NewMessage(
        external_id="1", sender_id="me", sender="Me", sent_at=datetime.fromtimestamp(SENT_AT, UTC), text="hi"
    )
    await store.messages.record(chat.chat_id, "terminal", [said])
    past = Export(f"import:telegram:channel:{NUMBER}", shares_message_ids=True)
    await store.chats.open(f"telegram:1:{SUPERGROUP}", title="Tea", export=past)
    rows = await store.database.pool.fetch("SELECT source FROM messages ORDER BY message_id")
    assert [row["source"] for row in rows] == [f"telegram:1:{SUPERGROUP}", "terminal"]
