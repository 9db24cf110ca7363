"""What the intake does with everything that is not simply a message."""

from __future__ import annotations

import pytest

from bot.attention import Wake
from bot.store import PostgresStore
from bot.telegram.values import Came
from tests.telegram.intake_rig import Rig, an_intake, client_of, fake_telegram, private, rig

ANN = 5_000_000_011


async def test_an_edit_replaces_the_text_and_begins_an_unsent_turn_anew(store: PostgresStore) -> None:
    async with rig(store) as r:
        ann = r.api.person("Ann")
        message = await ann.says(r.bot, "helo")
        await ann.edits(message, "hello")
        await r.api.confirmed(r.bot)
        assert await r.said_in(ann.id) == ["hello"]
        assert await r.wakes() == 2


async def test_an_edit_that_comes_before_its_message_is_that_message(store: PostgresStore) -> None:
    async with rig(store) as r:
        message = private(900000002, ANN, "helo")["message"]
        edit = {**message, "text": "hello", "edit_date": message["date"] + 1}
        await r.delivers({"update_id": 900000001, "edited_message": edit})
        assert (await r.said_in(ANN), await r.wakes()) == (["hello"], 0)
        await r.delivers({"update_id": 900000002, "message": message})
        assert (await r.said_in(ANN), await r.wakes()) == (["hello"], 1)


async def test_being_added_and_removed_is_taken_and_begins_no_chat(store: PostgresStore) -> None:
    async with rig(store) as r:
        ann = r.api.person("Ann")
        group = r.api.supergroup("Tea", ann)
        await ann.adds(r.bot, group)
        await ann.removes(r.bot, group)
        await r.api.confirmed(r.bot)
        assert set((await r.inbox()).values()) == {"done", "ignored"}
        assert await store.chats.all() == []


async def test_what_was_quarantined_twice_is_counted_once(store: PostgresStore) -> None:
    async with rig(store) as r:
        bad = private(900000001, ANN, "hi")
        bad["message"]["text"] = ["hi"]
        await r.delivers(bad)
        await r.delivers(bad, private(900000002, ANN, "hi"))
        assert r.intake.quarantined == {"malformed": 1}


async def test_an_update_too_deep_to_be_kept_is_put_aside_without_what_it_holds(store: PostgresStore) -> None:
    async with rig(store) as r:
        await r.delivers('{"update_id": 900000001, "message": ' + "[" * 700 + "]" * 700 + "}")
        await r.delivers(private(900000002, ANN, "hi"))
        assert await r.inbox() == {900000001: "quarantined", 900000002: "done"}
        assert [row["raw"] for row in await r.rows("SELECT raw FROM inbox")] == [None, None]


async def test_a_fault_of_our_own_costs_one_update(store: PostgresStore) -> None:
    def faulty(came: Came) -> Wake | None:
        if came.message.text == "surprise":
            raise KeyError(came.message.text)
        return None

    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        intake = an_intake(client, store, attention=faulty)
        for number, text in enumerate(("one", "surprise", "two"), start=900000001):
            await intake.take(private(number, ANN, text))
        r = Rig(api=api, bot=bot, store=store, intake=intake)
        assert await r.said_in(ANN) == ["one", "two"]
        assert intake.quarantined == {"handler: KeyError": 1}


async def test_a_supergroup_that_spoke_before_its_upgrade_was_told_stays_a_chat_of_its_own(
    store: PostgresStore, caplog: pytest.LogCaptureFixture
) -> None:
    async with rig(store) as r:
        ann = r.api.person("Ann")
        group = r.api.group("Tea", ann, r.bot)
        await ann.says(group, "before")
        await r.api.confirmed(r.bot)
        early = private(r.bot.updates.next_id, ann.id, "early")
        early["message"]["chat"] = {"id": -1_009_000_000_001, "type": "supergroup", "title": "Tea"}
        await r.delivers(early)
        supergroup = await ann.upgrades(group)
        await ann.says(supergroup, "after")
        await r.api.confirmed(r.bot)
        assert await r.said_in(group.id) == ["before"]
        assert sorted(await r.said_in(supergroup.id)) == ["after", "early"]
        assert "they stay two" in caplog.text


@pytest.mark.parametrize("new_first", [False, True])
async def test_an_upgrade_as_telegram_does_it_loses_nothing(store: PostgresStore, new_first: bool) -> None:
    async with rig(store) as r:
        ann = r.api.person("Ann")
        group = r.api.group("Tea", ann, r.bot)
        await ann.says(group, "before")
        supergroup = await ann.upgrades(group, new_first=new_first)
        await ann.says(supergroup, "after")
        await r.api.confirmed(r.bot)
        assert await r.said_in(supergroup.id) == ["before", "after"]
