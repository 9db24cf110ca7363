"""The whole bot as a process: Telegram, a model server and a collector on this machine, and a real database."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cards.samples import card_chunk, charx, png
from tests.fakes.openai_server import CHAT, Answer, Asked
from tests.system.conftest import Companion
from tests.system.world import answer, around, asked_in, ends
from tests.telegram.persona_rig import a_card, sends_card


async def test_a_mention_is_answered_from_500_messages_ago_and_a_private_chat_beside_it_shares_nothing(
    companion: Companion,
) -> None:
    async with around(companion) as world:
        api, mia = world.api, world.mia
        ann, bob = api.person("Ann"), api.person("Bob")
        tea = api.supergroup("Tea", ann, bob, mia)
        process = await world.starts()
        await bob.says(tea, "the spare key hangs behind the boiler")
        for n in range(500):
            await (ann if n % 2 else bob).says(tea, f"small talk number {n}")
        await api.confirmed(mia)
        while (await world.query("SELECT count(*) FROM vectors_1"))[0][0] < 501:
            pass  # each look is a round trip
        world.models.always(CHAT, lambda asked: _answers(asked))
        await ann.says(tea, "@mia_bot the spare key hangs behind the boiler, does it not?")
        [said] = await api.sent(tea, 1)
        assert said.text == "Behind the boiler."
        await ann.says(mia, "the spare key hangs behind the boiler, does it not?")
        [private] = await api.sent(api.private(ann, mia), 1)
        assert private.text == "I do not know."
        err = await ends(process)
        assert mia.token not in err
        assert "boiler" not in err
        [group_prompt, private_prompt] = asked_in(world.models)
        assert "<Bob> the spare key hangs behind the boiler" in group_prompt
        assert "Bob" not in private_prompt
        told = world.spans.roots()
        turn = next(root for root in told if root.name == "process telegram")
        [agent] = turn.children
        assert agent.name == "invoke_agent Tavi"
        assert [child.name for child in agent.children][-3:] == [
            "execute_tool send_message",
            "INSERT turns",
            "send telegram",
        ]
        assert mia.token not in repr(told)
        assert "boiler" not in repr(told)


def _answers(asked: Asked) -> Answer:
    """A model that knows just what its prompt says."""
    prompt: str = asked.body["messages"][-1]["content"]
    past = prompt.partition("# New messages")[0]
    return answer("Behind the boiler." if "boiler" in past else "I do not know.")


async def test_what_is_said_to_others_is_kept_and_not_answered(companion: Companion) -> None:
    async with around(companion) as world:
        api, mia = world.api, world.mia
        ann, bob = api.person("Ann"), api.person("Bob")
        tea = api.supergroup("Tea", ann, bob, mia)
        process = await world.starts()
        await ann.says(tea, "Bob, are you there?")
        await ann.says(mia, "hello")
        await api.sent(api.private(ann, mia), 1)
        await ends(process)
        assert api.by_bots(tea) == []
        assert len(world.models.requests(CHAT)) == 1
        rows = await world.query("SELECT text FROM messages WHERE text LIKE 'Bob,%'")
        assert len(rows) == 1


async def test_a_bot_killed_before_it_answered_answers_once_when_it_is_back(companion: Companion) -> None:
    async with around(companion) as world:
        api, mia = world.api, world.mia
        ann = api.person("Ann")
        world.models.order(CHAT, Answer(fault="hang"))
        process = await world.starts()
        await ann.says(mia, "hello?")
        while not world.models.requests(CHAT):
            await api.was_asked("getUpdates", len(api.requests("getUpdates")))
            await world.query("SELECT 1")
        process.kill()
        await process.wait()
        await world.leases_run_out()
        again = await world.starts()
        [said] = await api.sent(api.private(ann, mia), 1)
        assert said.text == "hello"
        await ends(again)
        assert len(api.by_bots(api.private(ann, mia))) == 1
        states: list[Any] = [row["state"] for row in await world.query("SELECT state FROM outbox")]
        assert states == ["sent"]


async def test_a_card_sent_in_a_chat_is_who_the_bot_is_there_and_elsewhere_it_is_the_operators_as_its_file_is_now(
    companion: Companion, tmp_path: Path
) -> None:
    own = tmp_path / "own.json"
    own.write_bytes(a_card("Juno", description="Mends clocks.", first_mes="Tick."))
    async with around(companion, more={"CHARACTER_CARD": str(own)}) as world:
        api, mia = world.api, world.mia
        ann, bob, eve = api.person("Ann"), api.person("Bob"), api.person("Eve")
        process = await world.starts()
        await sends_card(world, eve, mia, charx({"card.json": b" " * (50 << 20)}))
        await sends_card(world, ann, mia, png(card_chunk(json.loads(a_card()))))
        [_, greeting] = await api.sent(api.private(ann, mia), 2)
        assert greeting.text == "Welcome to the greenhouse, Ann. I am Mirelle."
        await bob.says(mia, "who are you?")
        await api.sent(api.private(bob, mia), 1)
        own.write_bytes(a_card("Juno", description="Tunes pianos.", first_mes="Tick."))
        await bob.says(mia, "and now?")
        await api.sent(api.private(bob, mia), 2)
        await ann.says(mia, "and you?")
        await api.sent(api.private(ann, mia), 3)
        [refusal] = await api.sent(api.private(eve, mia), 1)
        assert refusal.text.endswith("no card is that large.")
        assert mia.commands
        err = await ends(process)
        assert "greenhouse" not in err
        assert mia.token not in err
        heard = [json.dumps(request.body["messages"]) for request in world.models.requests(CHAT)]
        known = ("Mends clocks", "Tunes pianos", "grows orchids")
        assert [[what in prompt for what in known] for prompt in heard] == [
            [True, False, False],
            [False, True, False],
            [False, False, True],
        ]
        [turn] = await world.query("SELECT turn_id FROM turns WHERE persona = 'Mirelle' AND outcome = 'answered'")
        again = await companion.done("replay", str(turn["turn_id"]), "--mode", "render", "--json", **world.env)
        assert {stage["stage"]: stage["same"] for stage in again.json["stages"]}["card"] is True


@pytest.mark.parametrize("missing", ["TELEGRAM_BOT_TOKEN"])
async def test_what_is_missing_is_named(companion: Companion, missing: str) -> None:
    ran = await companion.run("run")
    assert (ran.code, missing in ran.err) == (1, True)


@pytest.mark.parametrize("behind", [20, 100])
async def test_a_computer_whose_clock_is_behind_forgets_nothing_that_was_just_said(
    companion: Companion, behind: int
) -> None:
    async with around(companion, clock=lambda: time.time() + behind) as world:
        api, mia = world.api, world.mia
        ann = api.person("Ann")
        process = await world.starts()
        world.models.order(CHAT, answer("Pleased to meet you."))
        await ann.says(mia, "my name is Quartz")
        await api.sent(api.private(ann, mia), 1)
        await ann.says(mia, "what is my name?")
        await api.sent(api.private(ann, mia), 2)
        await ends(process)
        asked = asked_in(world.models)[-1]
        assert "my name is Quartz" in asked
        assert "Pleased to meet you." in asked
        assert await world.query("SELECT FROM messages WHERE read_at < sent_at") == []
