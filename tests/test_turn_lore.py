"""A persona's lorebook through whole turns: what sticks, what happens once, and what a turn that fails leaves."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bot import cards
from bot.errors import ModelUnavailable
from bot.model import Outcome, Prompt
from bot.store import PostgresStore, open_store
from tests.fakes.ports import ScriptedChat, do, say
from tests.test_turn import Stage, stage

__all__ = ["stage"]

STICKY: dict[str, Any] = {
    "id": "lantern",
    "keys": ["lantern"],
    "content": "The lantern is cracked.",
    "extensions": {"sticky": 3},
}
ONCE: dict[str, Any] = {"id": "storm", "keys": ["storm"], "content": "@@dont_activate_after_match\nThe first storm."}


def keeper(*entries: dict[str, Any], **book: Any) -> cards.Persona:
    data = {"name": "Mia", "character_book": {"entries": entries, "scan_depth": 1, **book}}
    card = {"spec": "chara_card_v3", "spec_version": "3.0", "data": data}
    return cards.load(json.dumps(card).encode()).persona()


@pytest.fixture
async def again(dsn: str) -> AsyncIterator[PostgresStore]:
    """The database as another process sees it."""
    async with open_store(dsn, may_migrate=False, report=print) as opened:
        yield opened


async def asked(stage: Stage, text: str, *answers: Any) -> Prompt:
    """What the model is asked when somebody says this."""
    await stage.tell(text)
    chat_model = ScriptedChat(*(answers or [say("hm")]))
    await stage.turn(chat_model)
    return chat_model.asked[-1]


async def test_what_sticks_does_so_over_a_restart_and_no_longer_than_it_should(
    stage: Stage, again: PostgresStore
) -> None:
    stage.persona = keeper(STICKY)
    assert "cracked" in (await asked(stage, "light the lantern")).system
    stage.store, stage.mind = again, replace(stage.mind, store=again)
    assert "cracked" in (await asked(stage, "hm")).system  # two messages on: the bot's own is one
    assert "cracked" not in (await asked(stage, "hm")).system


async def test_what_happens_once_happens_once_in_each_chat(stage: Stage) -> None:
    stage.persona = keeper(ONCE)
    told = [("first storm" in (await asked(stage, "a storm")).system) for _ in range(2)]
    stage.chat = await stage.store.chats.open("import:other", title="Other")
    told += [("first storm" in (await asked(stage, "a storm")).system) for _ in range(2)]
    assert told == [True, False, True, False]


async def test_a_turn_that_fails_and_is_begun_anew_finds_the_same_entries(stage: Stage) -> None:
    chance = {"constant": True, "content": "@@probability 50\nchance {{roll:1000000}}", "id": "chance"}
    stage.persona = keeper(ONCE, *({**chance, "id": f"chance {n}"} for n in range(8)))
    await stage.tell("a storm")
    failing = ScriptedChat(ModelUnavailable("no answer"))
    with pytest.raises(ModelUnavailable):
        await stage.turn(failing)
    chat_model = ScriptedChat(say("hm"))
    await stage.turn(chat_model)
    assert "first storm" in chat_model.asked[0].system
    assert chat_model.asked[0].system == failing.asked[0].system
    assert 0 < chat_model.asked[0].system.count("chance ") < 8


async def test_the_steps_of_a_turn_are_told_the_same_and_a_turn_that_waits_remembers_nothing(stage: Stage) -> None:
    stage.persona = keeper(ONCE)
    await stage.tell("a storm")
    waiting = ScriptedChat(do("recall", query="key"), do("wait", seconds=5))
    assert (await stage.turn(waiting)).outcome is Outcome.WAITING
    prompts = [*waiting.asked, await asked(stage, "that storm, you know")]
    assert ["first storm" in prompt.system for prompt in prompts] == [True, True, True]


async def test_entries_of_a_book_that_changed_are_forgotten(stage: Stage) -> None:
    stage.persona = keeper(ONCE)
    assert "first storm" in (await asked(stage, "a storm")).system
    stage.persona = keeper(STICKY)
    await asked(stage, "hm")
    stage.persona = keeper(ONCE)
    assert "first storm" in (await asked(stage, "a storm")).system


async def test_answers_are_counted_for_a_book_that_asks(stage: Stage) -> None:
    stage.persona = keeper({"constant": True, "content": "@@activate_only_after 2\nWe have met."})
    told = ["We have met" in (await asked(stage, "hm", say("a", "b"))).system for _ in range(3)]
    assert told == [False, False, True]


async def test_a_lorebook_takes_no_further_round_trip(stage: Stage) -> None:
    stage.persona = keeper(ONCE, STICKY)
    await stage.tell("the storm took the lantern")
    before = stage.store.database.round_trips
    await stage.turn(ScriptedChat(say("ok")))
    assert stage.store.database.round_trips - before == 4
