"""What Telegram or the network refuse, through the real sender: what becomes of it, and of what waits behind it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from bot.errors import TelegramUnauthorized
from bot.store import PostgresStore
from bot.telegram.failures import MOST_ATTEMPTS
from tests.fakes.bot_api_faults import CUT_AFTER, CUT_BEFORE, Fault, flood, page, refusal
from tests.fakes.otlp_agent import free_port
from tests.telegram.outgoing import PATIENCE, Outgoing, bot_at, outgoing


@pytest.fixture
async def out(store: PostgresStore) -> AsyncIterator[Outgoing]:
    async with outgoing(store) as out:
        yield out


@pytest.mark.parametrize("fault", [CUT_BEFORE, CUT_AFTER, page(502), page(200)], ids=["before", "after", "502", "200"])
async def test_what_may_have_been_sent_is_not_sent_again_and_the_chat_goes_on(out: Outgoing, fault: Fault) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two")
    out.api.order(fault, to="sendMessage")
    async with out.sending():
        await out.become(["unknown", "sent"])
    assert [asked.args["text"] for asked in out.api.requests("sendMessage")] == ["one", "two"]


async def test_what_was_refused_for_now_is_sent_later(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    out.api.order(refusal(500, "Internal Server Error"), to="sendMessage")
    async with out.sending():
        await out.become(["waiting"], attempts=1)
        await out.time_passes()
        await out.become(["sent"])
    assert out.texts(tea) == ["one"]


async def test_a_telegram_that_cannot_be_reached_is_tried_again_for_a_while(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    async with bot_at(f"http://127.0.0.1:{free_port()}", out.mia.token) as nowhere, out.sending(bot=nowhere):
        await out.become(["waiting"], attempts=1)
        (row,) = await out.rows()
        assert 0 < row["due_in"] < 3
        await out.store.database.pool.execute("UPDATE outbox SET attempts = $1", MOST_ATTEMPTS - 1)
        await out.time_passes()
        await out.become(["failed"], attempts=MOST_ATTEMPTS)
    (row,) = await out.rows()
    assert "cannot reach Telegram" in row["problem"]


async def test_who_blocks_the_bot_is_left_in_peace(out: Outgoing) -> None:
    ann, bob = out.api.person("Ann"), out.api.person("Bob")
    private, other = out.api.private(ann, out.mia), out.api.private(bob, out.mia)
    await out.queue(private, "one", "two")
    await out.queue(private, "three")
    await out.queue(other, "Hi Bob")
    await ann.blocks(out.mia)
    async with out.sending():
        await out.become(["failed", "failed", "failed", "sent"])
    assert len([asked for asked in out.api.asked if asked.args["chat_id"] == str(private.id)]) == 1


async def test_a_group_that_silenced_or_removed_the_bot_gets_no_more_requests(out: Outgoing) -> None:
    ann = out.api.person("Ann")
    silent, gone = out.api.supergroup("Silent", ann, out.mia), out.api.group("Gone", ann, out.mia)
    await ann.restricts(out.mia, silent)
    await ann.removes(out.mia, gone)
    for chat in (silent, gone):
        await out.queue(chat, "one", "two")
    async with out.sending():
        await out.become(["failed"] * 4)
    assert len(out.api.asked) == 2


async def test_a_closed_topic_does_not_silence_the_others_nor_move_there(out: Outgoing) -> None:
    ann = out.api.person("Ann")
    forum = out.api.forum("Forum", ann, out.mia)
    closed, opened = await ann.opens(forum, "Closed"), await ann.opens(forum, "Open")
    await ann.closes(closed)
    await out.queue(forum, "one", topic=str(closed.thread))
    await out.queue(forum, "two", topic="99")
    await out.queue(forum, "three", topic=str(opened.thread))
    async with out.sending():
        await out.become(["failed", "failed", "sent"])
    assert [(message.text, message.thread) for message in out.api.by_bots(forum)] == [("three", opened.thread)]


async def test_a_flood_that_typing_meets_closes_the_chats_gate(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two")
    out.api.order(flood(40), to="sendChatAction")
    async with out.sending(pace=1.0):
        await out.become(["waiting", "waiting"], attempts=1)
    first, _ = await out.rows()
    assert 39 < first["due_in"] < 42
    assert out.api.requests("sendMessage") == []
    await out.time_passes()
    async with out.sending(pace=1.0):
        await out.api.sent(tea, 1)
        assert len(out.api.requests("sendChatAction")) == 1, "what met a flood is not typed again"


async def test_whatever_else_typing_meets_the_message_is_sent(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two", "three")
    for fault in (page(502), CUT_BEFORE, refusal(400, "Bad Request")):
        out.api.order(fault, to="sendChatAction")
    async with out.sending(pace=1.0):
        await out.api.sent(tea, 3)
    assert out.texts(tea) == ["one", "two", "three"]


async def test_a_wrong_token_stops_the_sender_and_loses_nothing(
    out: Outgoing, caplog: pytest.LogCaptureFixture
) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    token = f"{out.mia.id}:AA{'x' * 33}"
    async with bot_at(out.api.base_url, token) as stranger:
        with pytest.raises(TelegramUnauthorized) as raised, caplog.at_level(logging.DEBUG):
            async with asyncio.timeout(PATIENCE):
                await out.sender(bot=stranger).run(asyncio.Event())
    assert await out.states() == ["waiting"]
    assert token not in f"{raised.value}{caplog.text}"


async def test_no_log_holds_a_text_or_the_token(out: Outgoing, caplog: pytest.LogCaptureFixture) -> None:
    groups = [out.api.group(f"Group {number}", out.mia) for number in range(5)]
    faults = (page(502), CUT_AFTER, refusal(400, "Bad Request: mum's word"), refusal(403, "Forbidden"), flood(9))
    for chat, fault in zip(groups, faults, strict=True):
        await out.queue(chat, "mum's word")
        out.api.order(fault, to="sendMessage", chat=chat)
    with caplog.at_level(logging.DEBUG):
        async with out.sending():
            await out.become(["unknown", "unknown", "failed", "failed", "waiting"])
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("bot.")]
    assert ours
    assert not [line for line in ours if "mum" in line or out.mia.token in line]


@pytest.mark.parametrize("text", ["", " \n", "\ufeff"])
async def test_what_shows_nothing_fails_and_stops_nothing(out: Outgoing, text: str) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, text, "two")
    out.api.order(refusal(400, "Bad Request: message text is empty"), to="sendMessage", times=text == "\ufeff")
    async with out.sending():
        await out.become(["failed", "sent"])
    assert out.texts(tea) == ["two"]


@pytest.mark.parametrize("place", ["x", "", "1:2"])
async def test_what_is_no_place_in_telegram_fails(out: Outgoing, place: str) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", source=f"telegram:{out.mia.id}:{place}")
    async with out.sending():
        await out.become(["failed"])
    assert out.api.asked == []


async def test_a_flood_of_absurd_length_is_waited_out_for_a_day_at_most(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    absurd = f'{{"ok":false,"error_code":429,"description":"x","parameters":{{"retry_after":{"9" * 400}}}}}'
    for method in ("sendMessage", "sendChatAction"):
        await out.queue(tea, "one")
        out.api.order(page(429, absurd), to=method)
        async with out.sending(pace=0.0 if method == "sendMessage" else 1.0):
            await out.become(["waiting"], attempts=1)
        (row,) = await out.rows()
        assert 86_000 < row["due_in"] < 86_500
        await out.store.database.pool.execute("TRUNCATE outbox, quiet_places")
