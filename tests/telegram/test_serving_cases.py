"""The shared cases that are about what is answered, and what of it is remembered, through the whole bot."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from aiohttp import ClientSession
from aiohttp.test_utils import unused_port

from bot.errors import ModelUnavailable
from bot.model import Prompt, Vector
from bot.ports import Purpose
from bot.store import PostgresStore
from bot.telegram.webhook import HEADER
from tests.fakes.ports import ScriptedChat, WordEmbedder, do, say
from tests.telegram.intake_rig import Rig, at_case_time, case, private, updates_of
from tests.telegram.serving_rig import HeldChat, embedded, serving

ANN, BOB = 5_000_000_011, 5_000_000_012
GROUP_A, GROUP_B = -1009000000001, -1009000000003


def texts(prompts: Sequence[Prompt]) -> list[str]:
    """What the model reads in each beside its character."""
    return [prompt.user for prompt in prompts]


async def private_answers(rig: Rig, number: int, count: int) -> list[str]:
    """Wait for so many answers in the private chat with somebody."""
    person = next((person for person in rig.api.people.values() if person.id == number), None)
    assert person is not None
    return [message.text for message in await rig.api.sent(rig.api.private(person, rig.bot), count)]


def met(rig: Rig, *names: str) -> None:
    """People who have written to the bot before, so that it may write to them. Numbered from Ann's on."""
    for name in names:
        rig.api.private(rig.api.person(name), rig.bot)


async def test_upd_07_a_webhook_is_answered_at_once_and_a_second_delivery_is_recognised(
    store: PostgresStore, dsn: str
) -> None:
    chat, port = HeldChat("hello"), unused_port()
    settings: dict[str, Any] = {
        "telegram_webhook_url": "https://bot.example/hook",
        "telegram_webhook_secret": "s3cret",
        "telegram_webhook_listen": f"127.0.0.1:{port}",
    }
    async with serving(store, dsn, chat=chat, **settings) as r, ClientSession() as session:
        met(r, "Ann")
        await r.api.was_asked("setWebhook", 1)

        async def bring() -> int:
            body, headers = json.dumps(private(900000001, ANN, "hello")), {HEADER: "s3cret"}
            async with session.post(f"http://127.0.0.1:{port}/hook", data=body, headers=headers) as answer:
                return answer.status

        assert await bring() == 200
        await chat.waits.wait()
        assert await bring() == 200  # while the model still thinks
        chat.go_on.set()
        assert await private_answers(r, ANN, 1) == ["noted"]
        assert len(chat.asked) == 1
        assert r.api.requests("getUpdates") == []
    assert len(await store.database.pool.fetch("SELECT FROM outbox")) == 1


class PoisonedEmbedder(WordEmbedder):
    """A server that fails with 500 whenever it sees one word."""

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        if any("poison" in text for text in texts):
            self.asked.append(list(texts))
            raise ModelUnavailable("it fell over", status=500)
        return await super().embed(texts, purpose=purpose)


async def test_upd_09_a_message_that_cannot_be_embedded_holds_nobody_up(store: PostgresStore, dsn: str) -> None:
    embedder = PoisonedEmbedder()
    async with serving(store, dsn, chat=ScriptedChat(say("noted")), embedder=embedder) as r:
        met(r, "Ann", "Bob")
        await r.delivers(private(900000001, ANN, "poison"), private(900000002, BOB, "Mia hi"))
        assert await private_answers(r, BOB, 1) == ["noted"]
        assert await private_answers(r, ANN, 1) == ["noted"]
        await embedded(r, "poison", "Mia hi")
        [without] = await r.rows(
            "SELECT m.text FROM messages m JOIN vectors_1 USING (chat_id, message_id) WHERE embedding IS NULL"
        )
        assert without["text"] == "poison"
        assert await r.said_in(ANN) == ["poison", "noted"]
    tries = sum(any("poison" in text for text in asked) for asked in embedder.asked)
    assert 2 <= tries <= 20


async def test_upd_10_a_turn_that_takes_long_has_nothing_of_another_chat(store: PostgresStore, dsn: str) -> None:
    chat = HeldChat("my garden")
    async with serving(store, dsn, chat=chat) as r:
        met(r, "Ann", "Bob")
        photo = private(900000001, ANN, "")
        del photo["message"]["text"]
        sizes = [{"file_id": "p", "file_unique_id": "p", "width": 90, "height": 90}]
        photo["message"] |= {"photo": sizes, "caption": "my garden"}
        await r.delivers(photo)
        await chat.waits.wait()
        await r.delivers(private(900000002, BOB, "the train is late"))
        assert await private_answers(r, BOB, 1) == ["noted"]
        assert r.api.by_bots(r.api.private(r.api.people[ANN], r.bot)) == []
        chat.go_on.set()
        assert await private_answers(r, ANN, 1) == ["noted"]
    [of_ann, of_bob] = texts(chat.asked)
    assert "my garden" in of_ann
    assert "train" not in of_ann
    assert "Person 5000000012" not in of_ann
    assert "train is late" in of_bob
    assert "garden" not in of_bob
    assert "Person 5000000011" not in of_bob


async def test_db_09_what_one_person_said_in_private_is_not_told_to_another(store: PostgresStore, dsn: str) -> None:
    chat = ScriptedChat(say("noted"))
    of_ann, of_bob = updates_of("DB-09")
    async with serving(store, dsn, chat=chat, clock=at_case_time) as r:
        met(r, "Ann", "Bob")
        await r.delivers(of_ann)
        await private_answers(r, ANN, 1)
        await embedded(r, of_ann["message"]["text"])
        again = {**of_bob["message"], "message_id": 102, "text": "remember: my PIN hint is what?"}
        await r.delivers(of_bob, {"update_id": of_bob["update_id"] + 1, "message": again})
        await private_answers(r, BOB, 1)
    first, *prompts = texts(chat.asked)
    assert "plum" in first
    assert prompts
    assert not [prompt for prompt in prompts if "plum" in prompt or "<Ann>" in prompt]


async def test_db_10_what_was_said_in_one_group_is_not_recalled_in_another(store: PostgresStore, dsn: str) -> None:
    chat = ScriptedChat(say("noted"))
    secret, question = updates_of("DB-10")
    async with serving(store, dsn, chat=chat, clock=at_case_time) as r:
        ann = r.api.person("Ann")
        groups = [r.api.supergroup(name, ann, r.bot) for name in ("A", "unused", "B")]
        assert [groups[0].id, groups[2].id] == [GROUP_A, GROUP_B]
        await r.delivers(secret)
        await embedded(r, secret["message"]["text"])
        close = {**question["message"], "message_id": 900, "text": "Mia will Bob be promoted? do not tell"}
        await r.delivers({**question, "message": {**question["message"], "message_id": 899}})
        await r.api.sent(groups[2], 1)
        await r.delivers({"update_id": question["update_id"] + 1, "message": close})
        await r.api.sent(groups[2], 2)
        assert r.api.by_bots(groups[0]) == []
    assert len(chat.asked) == 2
    assert not [prompt for prompt in texts(chat.asked) if "will be promoted" in prompt]


async def test_db_01_a_nul_that_a_model_writes_is_left_out_of_all_that_is_kept(store: PostgresStore, dsn: str) -> None:
    answered = case("DB-01")["input"]["llm"]["response"]["choices"][0]["message"]["content"]
    assert "\0" in answered
    plain, acting = answered, do("send_message", messages=["\0fine", "by\0e"], reply_to="#\0 1", note="re\0member")
    [told] = updates_of("DB-01")
    number, message = told["update_id"], told["message"]
    first = {**message, "text": f"Mia, {message['text']}"}
    again = {**message, "message_id": 102, "text": "Mia, anything \0else?"}
    async with serving(store, dsn, chat=ScriptedChat(plain, acting), clock=at_case_time) as r:
        group = r.api.supergroup("Test group", r.api.person("Ann"), r.bot)
        assert group.id == GROUP_A
        await r.delivers({"update_id": number, "message": first})
        assert [message.text for message in await r.api.sent(group, 1)] == ["ok"]
        await r.delivers({"update_id": number + 1, "message": again})
        assert [message.text for message in await r.api.sent(group, 3)] == ["ok", "fine", "bye"]
        assert await r.rows("SELECT FROM turns WHERE outcome = 'answered' AND inputs <> '{}'") == [(), ()]
    # An answer and what is said meanwhile are numbered in either order: Telegram's word that it was sent
    # may come later than the next update.
    said = {row["text"] for row in await store.database.pool.fetch("SELECT text FROM messages")}
    assert said == {"Mia, Acme moved to Shenzhen", "ok", "Mia, anything else?", "fine", "bye"}
    assert [row["state"] for row in await store.database.pool.fetch("SELECT state FROM outbox")] == ["sent"] * 3


async def test_time_03_the_prompt_tells_the_chats_own_time_on_both_sides_of_a_change(
    store: PostgresStore, dsn: str
) -> None:
    chat = ScriptedChat(say("noted"))
    time = datetime(2026, 3, 8, 6, 59, tzinfo=UTC)
    async with serving(store, dsn, chat=chat, clock=lambda: time) as r:
        met(r, "Ann")
        chat_id = await store.chats.open(f"telegram:{r.bot.id}:{ANN}", title="Ann")
        await store.database.pool.execute("UPDATE chats SET timezone = 'America/New_York' WHERE chat_id = $1", chat_id)
        await r.delivers(private(900000001, ANN, "what time is it?", date=int(time.timestamp())))
        await private_answers(r, ANN, 1)
        time = datetime(2026, 3, 8, 7, 1, tzinfo=UTC)
        await r.delivers(private(900000002, ANN, "and now?", date=int(time.timestamp())))
        await private_answers(r, ANN, 2)
    before, after = (prompt.user for prompt in chat.asked)
    assert "Sunday 2026-03-08 01:59 (America/New_York, UTC-05:00)" in before
    assert "[2026-03-08 01:59]" in before
    assert "Sunday 2026-03-08 03:01 (America/New_York, UTC-04:00)" in after
    assert "[2026-03-08 03:01]" in after


async def test_in_24_of_a_batch_with_bad_updates_the_good_ones_are_answered_and_it_does_not_come_again(
    store: PostgresStore, dsn: str
) -> None:
    batch = json.loads(json.dumps(case("IN-24")["input"]["body"]["result"]))
    batch[4]["message"]["text"] = "Mia, still here?"
    async with serving(store, dsn, chat=ScriptedChat(say("yes")), clock=at_case_time) as r:
        ann = r.api.person("Ann")
        group = r.api.supergroup("Test group", ann, r.bot)
        await r.delivers(*batch)
        assert [message.text for message in await r.api.sent(group, 1)] == ["yes"]
        confirming = [asked.args.get("offset") for asked in r.api.requests("getUpdates")]
        assert [offset for offset in confirming if offset] == ["900001005"]
        states = await r.inbox()
        assert [states[900001000 + n] for n in range(5)] == ["done", "ignored", "quarantined", "quarantined", "done"]
