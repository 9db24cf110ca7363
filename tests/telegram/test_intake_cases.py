"""The shared cases that are about what comes in, through the real intake into a real database."""

from __future__ import annotations

import asyncio
import time
import tracemalloc
from datetime import UTC, datetime

import pytest

from bot.model import Lane
from bot.store import PostgresStore
from tests.telegram.intake_rig import (
    ME,
    Rig,
    an_intake,
    at_case_time,
    case,
    client_of,
    fake_telegram,
    now,
    private,
    rig,
    updates_of,
)

GROUP, OLD_GROUP, FORUM, CHANNEL, ANN = -1009000000001, -4000001, -1009000000002, -1009000000009, 5000000011


async def only_chat(rig: Rig, telegram_chat_id: int) -> int:
    chat_id = await rig.chat_at(telegram_chat_id)
    assert chat_id is not None
    return chat_id


async def test_in_01_a_mention_behind_emoji_is_recognised(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        await r.delivers(*updates_of("IN-01"))
        assert await r.said_in(GROUP) == ["😀👩‍👧 @companion_test_bot are you there?"]
        assert await r.wakes() == 1


async def test_in_05_an_anonymous_admin_is_the_group_and_is_answered(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        await r.delivers(*updates_of("IN-05"))
        [message] = await r.messages(await only_chat(r, GROUP))
        assert (message.sender_id, message.sender) == (str(GROUP), "Test group")
        assert await r.wakes() == 1


async def test_in_06_channels_that_speak_are_each_themselves(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        [first] = updates_of("IN-06")
        another = {"id": CHANNEL - 1, "type": "channel", "title": "Another channel"}
        message = {**first["message"], "message_id": 102, "sender_chat": another}
        second = {"update_id": first["update_id"] + 1, "message": message}
        await r.delivers(first, second)
        messages = await r.messages(await only_chat(r, GROUP))
        assert [(message.sender_id, message.sender) for message in messages] == [
            (str(CHANNEL), "Example channel"),
            (str(CHANNEL - 1), "Another channel"),
        ]
        assert await r.wakes() == 0


@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0, 1), (1,), (0,)])
async def test_in_09_an_upgraded_group_stays_the_same_chat(store: PostgresStore, order: tuple[int, ...]) -> None:
    async with rig(store, clock=at_case_time) as r:
        services = updates_of("IN-09")
        before = private(900000001, ANN, "before the upgrade", date=1780000000)
        before["message"]["chat"] = {"id": OLD_GROUP, "type": "group", "title": "Old basic group"}
        await r.delivers(before)
        chat_id = await only_chat(r, OLD_GROUP)
        for number, which in enumerate(order, start=900000020):
            await r.delivers({**services[which], "update_id": number})
        after = private(900000030, ANN, "after it", date=1780000001)
        after["message"]["chat"] = {"id": GROUP, "type": "supergroup", "title": "Test group"}
        after["message"]["message_id"] = before["message"]["message_id"]  # they begin anew in a supergroup
        await r.delivers(after)
        assert await r.chat_at(GROUP) == await r.chat_at(OLD_GROUP) == chat_id
        assert await r.said_in(GROUP) == ["before the upgrade", "after it"]
        assert len(await store.chats.all()) == 1


async def test_in_11_an_answer_in_general_is_in_no_topic(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        await r.delivers(*updates_of("IN-11"))
        [message] = await r.messages(await only_chat(r, FORUM))
        assert message.topic == ""
        [lane] = await r.rows("SELECT topic FROM lanes")
        assert lane["topic"] == ""


async def test_in_24_a_bad_update_is_put_aside_and_the_others_go_on(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        await r.delivers(*case("IN-24")["input"]["body"]["result"])
        assert await r.said_in(GROUP) == ["ok", "still here?"]
        assert await r.inbox() == {
            900001000: "done",
            900001001: "ignored",
            900001002: "quarantined",
            900001003: "quarantined",
            900001004: "done",
        }
        assert r.intake.quarantined.total() == 2
        assert r.intake.ignored == {"unknown kind": 1}
        kept = await r.rows("SELECT raw->'message'->>'text' AS text FROM inbox WHERE update_id = 900001002")
        assert kept[0]["text"] == "after"


async def test_upd_02_the_same_update_thrice_is_one_message_and_one_turn(store: PostgresStore) -> None:
    async with rig(store) as r:
        same = private(900000500, ANN, "are you there?")
        await r.delivers(same, same, same)
        await r.delivers(same)
        assert await r.said_in(ANN) == ["are you there?"]
        assert await r.wakes() == 1


async def test_upd_04_after_a_downtime_all_is_stored_and_nothing_old_is_answered(store: PostgresStore) -> None:
    backlog = updates_of("UPD-04")
    async with rig(store, clock=lambda: datetime.fromtimestamp(case("UPD-04")["input"]["now"], UTC)) as r:
        await r.delivers(*backlog)
        messages = await r.messages(await only_chat(r, GROUP))
        assert [message.text for message in messages] == [update["message"]["text"] for update in backlog]
        assert [int(message.sent_at.timestamp()) for message in messages] == [
            update["message"]["date"] for update in backlog
        ]
        assert await r.wakes() == 0
        just_now = case("UPD-04")["input"]["now"] - 30
        message = {**backlog[-1]["message"], "message_id": 2101, "date": just_now}
        fresh = {"update_id": 900000114, "message": message}
        await r.delivers(fresh)
        assert await r.wakes() == 1


async def test_db_01_a_nul_is_left_out_of_a_text(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        await r.delivers(*updates_of("DB-01"))
        assert await r.said_in(GROUP) == ["Acme moved to Shenzhen"]


async def test_db_02_half_a_surrogate_pair_is_replaced(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        await r.delivers(*updates_of("DB-02"))
        [message] = await r.messages(await only_chat(r, GROUP))
        assert (message.sender, message.text) == ("B�b", "cut �")
        assert not r.intake.quarantined


async def test_db_02_half_a_pair_as_a_name_of_a_field_or_as_raw_bytes_harms_nobody(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        [update] = updates_of("DB-02")
        odd = {**update, "update_id": 900000119, "message": {**update["message"], "message_id": 102, "k\ud83d": "v"}}
        raw = '{"update_id": 900000120, "message": {"message_id": 103, "date": 1780000000, "text": "raw \ud83d", '
        raw += '"chat": {"id": -1009000000001, "type": "supergroup", "title": "Test group"}}}'
        await r.delivers(odd, raw)
        assert await r.said_in(GROUP) == ["cut �", "raw �"]


async def test_db_05_fifty_first_messages_at_once_make_one_chat(store: PostgresStore) -> None:
    """As from many processes: each with its own intake, none of which has seen the chat before."""
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        intakes = [an_intake(client, store) for _ in range(50)]
        texts = [f"message {number}" for number in range(50)]
        await asyncio.gather(
            *(
                intake.take(private(900000200 + number, ANN, text))
                for number, (intake, text) in enumerate(zip(intakes, texts, strict=True))
            )
        )
        r = Rig(api=api, bot=bot, store=store, intake=intakes[0])
        [chat] = await store.chats.all()
        assert chat.messages == 50
        assert sorted(await r.said_in(ANN)) == sorted(texts)
        assert await r.wakes() == 50


@pytest.mark.parametrize("in_all", [9_600, pytest.param(20_000, marks=pytest.mark.soak)])
async def test_db_08_many_chats_take_no_more_memory_than_some(store: PostgresStore, in_all: int) -> None:
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        intake = an_intake(client, store)
        chats = iter(range(in_all))

        async def some(count: int) -> None:
            for _, number in zip(range(count), chats, strict=False):
                await intake.take(private(900_000_000 + number, 5_100_000_000 + number, "hi", date=1780000000))

        async def many(count: int) -> None:
            await asyncio.gather(*(some(count // 8) for _ in range(8)))

        await many(in_all - 8_000)
        tracemalloc.start()
        await many(4_800)  # from here on every chat at hand is one that is counted
        before, _ = tracemalloc.get_traced_memory()
        await many(3_200)
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        assert len(await store.chats.all()) == in_all
        assert intake.chats_at_hand == 4096
        assert grown < 200_000  # bytes: 62 for each of these chats


async def test_db_11_two_people_who_write_in_private_have_two_contexts(store: PostgresStore) -> None:
    async with rig(store) as r:
        date = int(time.time())
        await r.delivers(private(1, ANN, "I am Ann", date=date), private(2, ANN + 1, "I am Bob", date=date))
        assert await r.said_in(ANN) == ["I am Ann"]
        assert await r.said_in(ANN + 1) == ["I am Bob"]
        lanes = [Lane(chat.chat_id, "") for chat in await store.chats.all()]
        views = [await store.view(lane, limit=30, now=now()) for lane in lanes]
        assert [[message.text for message in view.unread] for view in views] == [["I am Ann"], ["I am Bob"]]


async def test_time_02_messages_are_ordered_by_when_they_were_sent(store: PostgresStore) -> None:
    async with rig(store, clock=at_case_time) as r:
        await r.delivers(*updates_of("TIME-02"))
        chat_id = await only_chat(r, GROUP)
        assert await r.said_in(GROUP) == ["first", "second"]
        view = await store.view(
            Lane(chat_id=(await r.messages(chat_id))[0].chat_id, topic=""), limit=30, now=at_case_time()
        )
        assert [message.text for message in view.unread] == ["first", "second"]


async def test_time_04_the_zone_of_the_host_makes_no_difference(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        async with rig(store, clock=at_case_time) as r:
            sent = private(900000300, ANN, "what time is it?", date=1780000000)
            new = {**sent["message"], "edit_date": 1780000005, "text": "what time is it there?"}
            edited = {"update_id": 900000301, "edited_message": new}
            await r.delivers(sent, edited)
            [message] = await r.messages(await only_chat(r, ANN))
            assert message.sent_at == datetime.fromtimestamp(1780000000, UTC)
            assert message.edited_at == datetime.fromtimestamp(1780000005, UTC)
            assert message.sent_at.utcoffset() is not None
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_cases_are_of_this_bot() -> None:
    assert f"@{ME.username}" in updates_of("IN-01")[0]["message"]["text"]
