"""The shared cases about sending, read by id, through the real sender."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.model import MessageId, NewMessage
from bot.store import PostgresStore
from bot.telegram.split import split_for_telegram
from tests.fakes.bot_api_faults import CUT_AFTER, Fault, refusal
from tests.telegram.outgoing import Outgoing, outgoing

CASES = Path(__file__).parents[2].parent / "shared" / "telegram" / "cases.json"

pytestmark = pytest.mark.skipif(not CASES.exists(), reason=f"the shared cases are not at {CASES}")


@pytest.fixture
async def out(store: PostgresStore) -> AsyncIterator[Outgoing]:
    async with outgoing(store) as out:
        yield out


def case(case_id: str) -> dict[str, Any]:
    cases: list[dict[str, Any]] = json.loads(CASES.read_text(encoding="utf-8"))
    return next(each for each in cases if each["id"] == case_id)["input"]


def model_said(given: dict[str, Any]) -> str:
    return given["response"]["choices"][0]["message"]["content"]


def telegram_says(given: dict[str, Any]) -> Fault:
    told = given["response"]
    # The fake puts "Bad Request: " before what it is told.
    words = told["description"].removeprefix("Bad Request: ")
    return refusal(told["error_code"], words, **told.get("parameters", {}))


async def said_in_private(out: Outgoing, text: str) -> list[str]:
    """What a person reads of what the model said."""
    chat = out.api.private(out.api.person("Ann"), out.mia)
    parts = split_for_telegram(text)
    await out.queue(chat, *parts)
    async with out.sending():
        await out.api.sent(chat, len(parts))
    assert await out.states() == ["sent"] * len(parts)
    return out.texts(chat)


async def test_send_01_markup_is_sent_as_it_stands(out: Outgoing) -> None:
    text = model_said(case("SEND-01")["llm"])
    assert await said_in_private(out, text) == [text]
    (asked,) = out.api.requests("sendMessage")
    assert not {"parse_mode", "entities"} & asked.args.keys()


async def test_send_03_a_long_answer_comes_in_parts_and_in_order(out: Outgoing) -> None:
    text = model_said(case("SEND-03")["llm"])
    read = await said_in_private(out, text)
    assert len(read) > 1
    assert all(len(part.encode("utf-16-le")) <= 2 * 4096 for part in read)
    assert " ".join(read).split() == text.split()


async def test_send_04_no_sign_is_cut_in_two(out: Outgoing) -> None:
    text = model_said(case("SEND-04"))
    read = await said_in_private(out, text)
    assert read == [text.removesuffix("🎩tail"), "🎩tail"]


async def test_send_10_half_a_sign_is_left_out(out: Outgoing) -> None:
    assert await said_in_private(out, model_said(case("SEND-10"))) == ["Here  done"]


@pytest.mark.parametrize("words", ["", "in other words", "message to reply not found"])
async def test_send_15_a_message_whose_reply_target_is_gone_is_sent_all_the_same(out: Outgoing, words: str) -> None:
    ann = out.api.person("Ann")
    tea = out.api.group("Tea", ann, out.mia)
    asked = await ann.says(tea, "Tea?")
    chat_id = await out.store.chats.open(out.source(tea), title="Tea")
    date = datetime.fromtimestamp(asked.date, UTC)
    heard = NewMessage(external_id=str(asked.message_id), sender_id="1", sender="Ann", sent_at=date, text="Tea?")
    (number,) = await out.store.messages.record(chat_id, out.source(tea), [heard])
    await out.queue(tea, "Yes!", "Please.", reply_to=MessageId(number))
    out.api.order(refusal(400, words) if words else telegram_says(case("SEND-15")), to="sendMessage")
    async with out.sending():
        first, second = await out.api.sent(tea, 2)
    assert (first.text, first.reply_to, second.text, second.reply_to) == ("Yes!", None, "Please.", asked)
    for request in out.api.requests("sendMessage"):
        reply = request.args.get("reply_parameters")
        assert reply is None or json.loads(reply)["allow_sending_without_reply"] is True
    assert await out.states() == ["sent", "sent"]


async def test_send_16_an_upgraded_group_is_followed_and_told_once(out: Outgoing) -> None:
    told = case("SEND-16")["response"]
    ann = out.api.person("Ann")
    old = out.api.group("Tea", ann, out.mia)
    chat_id = await out.queue(old, "one", "two")
    new = await ann.upgrades(old)
    assert new.id == told["parameters"]["migrate_to_chat_id"]
    async with out.sending():
        await out.api.sent(new, 2)
    assert (out.texts(old), out.texts(new)) == ([], ["one", "two"])
    assert await out.store.chats.open(out.source(new), title="Tea") == chat_id
    assert [(row["state"], row["source"]) for row in await out.rows()] == [("sent", out.source(new))] * 2
    kept = await out.store.database.pool.fetch("SELECT text, source FROM messages ORDER BY message_id")
    assert [tuple(row) for row in kept] == [("one", out.source(new)), ("two", out.source(new))]
    assert await out.store.database.pool.fetch("SELECT FROM inbox") == [], "no update told of it"


async def test_send_21_a_flood_is_waited_out_and_the_answer_sent_once(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one")
    out.api.order(telegram_says(case("SEND-21")), to="sendMessage")
    async with out.sending():
        await out.become(["waiting"], attempts=1)
        (row,) = await out.rows()
        assert 30 < row["due_in"] < 33
        await out.time_passes()
        await out.become(["sent"])
    assert (out.texts(tea), len(out.api.requests("sendMessage"))) == (["one"], 2)


async def test_send_26_not_modified_is_no_failure_and_nothing_is_sent_again(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two")
    out.api.order(telegram_says(case("SEND-26")), to="sendMessage")
    async with out.sending():
        await out.api.sent(tea, 1)
    assert out.texts(tea) == ["two"]
    assert "failed" not in await out.states()
    assert len(out.api.requests("sendMessage")) == 2


async def test_send_27_a_request_cut_after_it_was_written_is_unknown_and_not_repeated(out: Outgoing) -> None:
    assert case("SEND-27")["kind"] == "scenario"
    tea = out.api.group("Tea", out.mia)
    await out.queue(tea, "one", "two")
    out.api.order(CUT_AFTER, to="sendMessage")
    async with out.sending():
        await out.api.sent(tea, 2)
    assert out.texts(tea) == ["one", "two"]
    assert await out.states() == ["unknown", "sent"]
