"""Turns of a persona with pictures: what the model may choose, what is kept of it, and what others are spared."""

from __future__ import annotations

from tests.cards.samples import moody
from tests.fakes.ports import ScriptedChat, do, say
from tests.test_turn import Stage, stage

__all__ = ["stage"]


async def test_a_picture_takes_no_further_round_trip_and_is_seen_in_every_later_prompt(stage: Stage) -> None:
    stage.persona = moody("joy", "at rest")
    await stage.tell("the spare key")
    before = stage.store.database.round_trips
    turn = await stage.turn(ScriptedChat(do("send_message", messages=["It hangs.", "There."], picture="at rest")))
    assert stage.store.database.round_trips - before == 4
    assert [said.emotion for said in turn.said] == ["at rest", None]
    await stage.tell("which picture was that?")
    model = ScriptedChat(do("read_history"), say("hm"))
    await stage.turn(model)
    assert ["<Mia (you)> (picture: at rest) It hangs." in prompt.user for prompt in model.asked] == [True, True]
    assert "(picture:" not in "".join(row for row in model.asked[0].user.splitlines() if "There." in row)


async def test_a_persona_without_pictures_is_told_nothing_of_them(stage: Stage) -> None:
    stage.persona = moody()
    await stage.tell("show me")
    model = ScriptedChat(do("send_message", messages=["No."], picture="joy"))
    turn = await stage.turn(model)
    assert "picture" not in f"{model.asked[0].system}{model.asked[0].user}{model.asked[0].schema}"
    assert [said.emotion for said in turn.said] == [None]
