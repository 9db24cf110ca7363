"""The way out: in order, once, at a human pace, and no chat at another's expense."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from bot.store import PostgresStore
from bot.store.outbox import Outbox
from bot.telegram.sending import OF_ONE_PLACE
from bot.telegram.speaking import typing_seconds
from tests.fakes.bot_api_faults import flood
from tests.fakes.otlp_receiver import OtlpReceiver, tracing_to
from tests.telegram.outgoing import Outgoing, outgoing


@pytest.fixture
async def out(store: PostgresStore) -> AsyncIterator[Outgoing]:
    async with outgoing(store) as out:
        yield out


async def test_a_chat_reads_its_bubbles_in_order(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two", "three")
    await out.queue(tea, "four")
    async with out.sending():
        await out.api.sent(tea, 4)
    assert out.texts(tea) == ["one", "two", "three", "four"]
    assert await out.states() == ["sent"] * 4


async def test_a_bubble_that_has_to_wait_is_not_overtaken(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two")
    out.api.order(flood(31), to="sendMessage")
    async with out.sending():
        await out.become(["waiting", "waiting"], attempts=1)
    assert out.texts(tea) == []
    await out.time_passes()
    async with out.sending():
        await out.api.sent(tea, 2)
    assert out.texts(tea) == ["one", "two"]


async def test_what_is_sent_is_a_message_of_the_chat(out: Outgoing) -> None:
    ann = out.api.person("Ann")
    forum = out.api.forum("Forum", ann, out.mia)
    topic = await ann.opens(forum, "Tea")
    await out.queue(forum, "Here you are.", topic=str(topic.thread))
    async with out.sending():
        (sent,) = await out.api.sent(forum, 1)
    assert sent.thread == topic.thread
    (row,) = await out.store.database.pool.fetch("SELECT * FROM messages")
    assert (row["persona"], row["sender"], row["text"]) == ("Mia", "Mia", "Here you are.")
    assert (row["source"], row["external_id"]) == (out.source(forum), str(sent.message_id))
    assert (row["topic"], row["sent_at"].timestamp()) == (str(topic.thread), sent.date)
    assert row["read_at"] is not None
    (outbox,) = await out.rows()
    assert (outbox["state"], outbox["sent_id"]) == ("sent", str(sent.message_id))


async def test_general_is_sent_to_without_a_thread(out: Outgoing) -> None:
    forum = out.api.forum("Forum", out.mia)
    await out.queue(forum, "Hi")
    async with out.sending():
        await out.api.sent(forum, 1)
    (asked,) = out.api.requests("sendMessage")
    assert "message_thread_id" not in asked.args


async def test_two_senders_send_each_bubble_once(out: Outgoing) -> None:
    chats = [out.api.group(f"Group {number}", out.mia) for number in range(5)]
    said = [f"{number}" for number in range(6)]
    for chat in chats:
        await out.queue(chat, *said)
    async with out.sending(), out.sending():
        await asyncio.gather(*(out.api.sent(chat, len(said)) for chat in chats))
    assert [out.texts(chat) for chat in chats] == [said] * len(chats)
    assert len(out.api.requests("sendMessage")) == len(chats) * len(said)


async def test_a_flooded_or_hanging_chat_delays_no_other(out: Outgoing) -> None:
    flooded, hanging, fine = (out.api.group(name, out.mia) for name in ("Flooded", "Hanging", "Fine"))
    for chat in (flooded, hanging, fine):
        await out.queue(chat, "one", "two", "three")
    out.api.order(flood(1000), to="sendMessage", chat=flooded)
    hang = out.api.hang("sendMessage", chat=hanging)
    async with out.sending(at_once=2):
        await out.api.sent(fine, 3)
        hang.release()
        await out.api.sent(hanging, 3)
    assert out.texts(flooded) == []
    assert len([asked for asked in out.api.asked if asked.args["chat_id"] == str(flooded.id)]) == 1


async def test_a_topic_that_hangs_delays_no_other_and_keeps_its_order(out: Outgoing) -> None:
    ann = out.api.person("Ann")
    forum = out.api.forum("Forum", ann, out.mia)
    topics = [str((await ann.opens(forum, name)).thread) for name in ("Tea", "Jam")]
    await out.queue(forum, "one", "two", topic=topics[0])
    hang, wake = out.api.hang("sendMessage", chat=forum), asyncio.Event()
    async with out.sending(wake=wake):
        await hang.reached()
        await out.queue(forum, "three", "four", topic=topics[1])
        wake.set()
        await out.api.sent(forum, 2)
        hang.release()
        await out.api.sent(forum, 4)
    assert out.texts(forum) == ["three", "four", "one", "two"]


async def test_no_more_of_one_place_are_under_way_than_come_through_its_gate(out: Outgoing) -> None:
    ann = out.api.person("Ann")
    forum, tea = out.api.forum("Forum", ann, out.mia), out.api.group("Tea", out.mia)
    for number in range(OF_ONE_PLACE + 2):
        await out.queue(forum, "hi", topic=str((await ann.opens(forum, f"{number}")).thread))
    hangs = [out.api.hang("sendMessage", chat=forum) for _ in range(OF_ONE_PLACE)]
    wake = asyncio.Event()
    async with out.sending(wake=wake):
        await asyncio.gather(*(hang.reached() for hang in hangs))
        await out.queue(tea, "hello")
        wake.set()
        await out.api.sent(tea, 1)
        assert len(out.api.requests("sendMessage")) == OF_ONE_PLACE + 1
        for hang in hangs:
            hang.release()
        await out.api.sent(forum, OF_ONE_PLACE + 2)


async def test_a_flood_in_one_topic_is_waited_out_in_all_of_its_chat_by_every_process(out: Outgoing) -> None:
    ann = out.api.person("Ann")
    forum, fine = out.api.forum("Forum", ann, out.mia), out.api.group("Fine", out.mia)
    topics = [str((await ann.opens(forum, name)).thread) for name in ("Tea", "Jam")]
    await out.queue(forum, "one", topic=topics[0])
    out.api.order(flood(1000), to="sendMessage", chat=forum)
    async with out.sending():
        await out.become(["waiting"], attempts=1)
        await out.queue(forum, "two", topic=topics[1])
        async with out.sending():
            await out.queue(fine, "hello")
            await out.api.sent(fine, 1)
    assert out.texts(forum) == []
    assert [row["attempts"] for row in await out.rows()] == [1, 0, 1]
    due_in = await Outbox(out.store.database).due_in(bot_id=out.mia.id)
    assert due_in is not None
    assert 999 < due_in < 1002
    await out.time_passes()
    async with out.sending():
        await out.api.sent(forum, 2)


async def test_what_is_held_for_its_typing_while_another_topic_meets_a_flood_is_not_sent(out: Outgoing) -> None:
    ann = out.api.person("Ann")
    forum, outbox, owner = out.api.forum("Forum", ann, out.mia), Outbox(out.store.database), uuid4()
    await out.queue(forum, "one", topic=str((await ann.opens(forum, "Tea")).thread))
    held = await outbox.next(owner, bot_id=out.mia.id, lease=60)
    assert held is not None
    await outbox.quiet(held.source, seconds=1000)
    assert not await outbox.begin(held, owner, lease=60)
    await out.time_passes()
    assert await outbox.next(owner, bot_id=out.mia.id, lease=60) == held, "nobody held it meanwhile"


@pytest.mark.parametrize("hanging", [40, 150])
async def test_many_chats_that_hang_delay_no_other(out: Outgoing, hanging: int) -> None:
    """More than used to be under way at once, and more than a session of aiogram's has connections by itself."""
    stuck = [out.api.group(f"Stuck {number}", out.mia) for number in range(hanging)]
    for chat in stuck:
        await out.queue(chat, "one")
    hangs = [out.api.hang("sendMessage", chat=chat) for chat in stuck]
    fine, wake = out.api.group("Fine", out.mia), asyncio.Event()
    async with out.sending(wake=wake):
        await out.api.was_asked("sendMessage", hanging)
        await out.queue(fine, "two", "three")
        wake.set()
        await out.api.sent(fine, 2, within=5)
        assert {asked.status for asked in out.api.requests("sendMessage")[:hanging]} == {None}
        for hang in hangs:
            hang.release()
        await asyncio.gather(*(out.api.sent(chat, 1) for chat in stuck))
    assert await out.states() == ["sent"] * (hanging + 2)


async def test_no_more_are_under_way_than_told(out: Outgoing) -> None:
    chats = [out.api.group(f"Group {number}", out.mia) for number in range(4)]
    for chat in chats:
        await out.queue(chat, "Hi")
    hang = out.api.hang("sendMessage", times=4)
    async with out.sending(at_once=2):
        await out.api.was_asked("sendMessage", 2)
        await out.become(["sending", "sending", "waiting", "waiting"])
        hang.release()
        await asyncio.gather(*(out.api.sent(chat, 1) for chat in chats))


async def test_typing_is_shown_for_a_while_before_the_message(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    async with out.sending(pace=1.0):
        await out.api.sent(tea, 1)
    first, second = out.api.asked
    assert (first.method, second.method) == ("sendChatAction", "sendMessage")
    assert second.at - first.at > 0.5


async def test_without_pace_there_is_no_typing(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    async with out.sending(pace=0.0):
        await out.api.sent(tea, 1)
    assert out.api.requests("sendChatAction") == []


def test_a_person_types_longer_texts_for_longer_within_bounds() -> None:
    assert [typing_seconds("x" * length, pace=1) for length in (1, 50, 5000)] == [0.6, 2.0, 6.0]
    assert typing_seconds("x" * 50, pace=0.5) == 1.0


async def test_what_comes_later_is_sent_when_the_sender_is_woken(out: Outgoing) -> None:
    tea, wake = out.api.group("Tea", out.mia), asyncio.Event()
    async with out.sending(wake=wake):
        for said in range(1, 6):
            await out.queue(tea, f"{said}")
            wake.set()
            await out.api.sent(tea, said)
    assert out.texts(tea) == ["1", "2", "3", "4", "5"]


async def test_our_own_limits_keep_within_telegrams(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    out.api.flood.enabled = True
    await out.queue(tea, "one", "two", "three")
    async with out.sending(per_chat=1.0, in_all=30.0):
        await out.api.sent(tea, 3)
    assert [asked.status for asked in out.api.requests("sendMessage")] == [200, 200, 200]


async def test_a_send_is_part_of_its_turns_trace_and_tells_no_text_or_token(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    turn = f"00-{uuid4().hex}-{uuid4().hex[:16]}-01"
    await out.queue(tea, "mum's word", traceparent=turn)
    out.api.order(flood(0), to="sendMessage")
    async with OtlpReceiver() as receiver:
        async with tracing_to(receiver, content="off"), out.sending():
            await out.become(["waiting"], attempts=1)
            await out.time_passes()
            await out.become(["sent"])
        failed, sent = receiver.spans()
        assert not [body for body in receiver.bodies if b"mum's" in body or out.mia.token.encode() in body]
    assert (failed.name, failed.status, failed.attributes["companion.attempt"]) == ("send telegram", "error", 1)
    assert failed.attributes["error.type"]
    assert (sent.kind, sent.status, sent.attributes["companion.attempt"]) == ("client", "unset", 2)
    assert (sent.trace_id, sent.parent_id) == (turn.split("-")[1], turn.split("-")[2])
    assert sent.attributes["telegram.message.id"] == out.api.by_bots(tea)[0].message_id
