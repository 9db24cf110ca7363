from __future__ import annotations

import json
from datetime import timedelta
from typing import cast

import pytest

from bot.actions import ACTIONS, Action, describe, parse, schema
from bot.actions.read_history import PAGE, ReadHistory
from bot.actions.recall import Recall
from bot.actions.send_message import SendMessage
from bot.actions.sleep import Sleep
from bot.actions.stay_silent import StaySilent
from bot.actions.take_break import TakeBreak
from bot.actions.wait import Wait
from bot.model import MessageId, ModelReply, Outcome, Said, token_count
from tests.actions.samples import NOW, SmallScene, message

# What they lead to


async def test_a_message_is_said_bubble_by_bubble_and_the_first_is_the_reply() -> None:
    effect = await SendMessage(messages=("hi", "all good?"), reply_to=12).perform(SmallScene())
    assert effect.outcome is Outcome.ANSWERED
    assert effect.said == (Said(text="hi", reply_to=MessageId(12)), Said(text="all good?"))
    assert not effect.keeps_unread


async def test_the_picture_goes_with_the_first_bubble() -> None:
    effect = await SendMessage(messages=("hi", "all good?"), picture="joy").perform(SmallScene())
    assert effect.said == (Said(text="hi", emotion="joy"), Said(text="all good?"))
    assert effect.on_record()["said"] == [{"text": "hi", "emotion": "joy"}, {"text": "all good?"}]


@pytest.mark.parametrize("number", [11, 99, None])
async def test_only_a_message_that_is_being_answered_is_replied_to(number: int | None) -> None:
    effect = await SendMessage(messages=("hi",), reply_to=number).perform(SmallScene())
    assert effect.said == (Said(text="hi"),)


async def test_silence_says_nothing_and_has_read_everything() -> None:
    effect = await StaySilent().perform(SmallScene())
    assert (effect.outcome, effect.said, effect.keeps_unread) == (Outcome.SILENT, (), False)


@pytest.mark.parametrize("before", [None, 10])
async def test_reading_further_back_finds_a_page_and_the_turn_goes_on(before: int | None) -> None:
    scene = SmallScene()
    effect = await ReadHistory(before=before).perform(scene)
    assert scene.asked == [(before, PAGE)]
    assert effect.outcome is None
    assert effect.found == (message(8), message(9))
    assert "before" in effect.looked_for


async def test_recalling_looks_for_the_query_and_the_turn_goes_on() -> None:
    scene = SmallScene()
    effect = await Recall(query=" green\n tea\x00 ").perform(scene)
    assert scene.asked == ["green tea"]
    assert (effect.outcome, effect.looked_for, effect.found) == (None, "green tea", (message(3, "about tea"),))


async def test_waiting_leaves_all_unread_and_comes_back() -> None:
    effect = await Wait(seconds=45).perform(SmallScene())
    assert effect.outcome is Outcome.WAITING
    assert effect.keeps_unread
    assert effect.due_at == NOW + timedelta(seconds=45)
    assert effect.rests_until is None


async def test_a_break_clears_the_notes_and_says_nothing() -> None:
    effect = await TakeBreak().perform(SmallScene())
    assert (effect.outcome, effect.said, effect.clears_notes) == (Outcome.SILENT, (), True)


async def test_sleep_rests_the_lane_and_leaves_all_unread() -> None:
    effect = await Sleep(seconds=3600).perform(SmallScene())
    assert effect.outcome is Outcome.RESTING
    assert effect.keeps_unread
    assert effect.rests_until == effect.due_at == NOW + timedelta(hours=1)


@pytest.mark.parametrize("given", ["-5", 0, 1e300, float("inf"), "1e9", 10**400, "90 s", True])
def test_no_wait_or_sleep_leaves_its_bounds(given: object) -> None:
    for kind, low, high in ((Wait, 1, 600), (Sleep, 60, 12 * 3600)):
        answer = json.dumps({"action": kind.name, "seconds": given})
        action = parse(ModelReply(text=answer), persona="Mia", participants=[]).action
        assert not isinstance(action, Wait | Sleep) or low <= action.seconds <= high


@pytest.mark.parametrize(
    ("given", "number"),
    [
        (12, 12),
        ("12", 12),
        ("#12", 12),
        ("[12]", 12),
        (12.0, 12),
        ("Ann", None),
        (-1, None),
        (10**30, None),
        ([12], None),
    ],
)
def test_a_message_number_is_read_however_it_is_written(given: object, number: int | None) -> None:
    answer = json.dumps({"action": "send_message", "messages": ["hi"], "reply_to": given})
    action = parse(ModelReply(text=answer), persona="Mia", participants=[]).action
    assert action == SendMessage(messages=("hi",), reply_to=number)


# How the model is told


def test_the_schema_is_one_that_strict_servers_and_grammars_take() -> None:
    answer = schema()
    properties = cast("dict[str, dict[str, object]]", answer["properties"])
    assert answer["type"] == "object"
    assert answer["additionalProperties"] is False
    assert answer["required"] == list(properties)
    assert properties.pop("action") == {"type": "string", "enum": list(ACTIONS)}
    for field in properties.values():
        assert "null" in cast("list[str]", field["type"])
        assert set(field) <= {"type", "items"}
    assert not {"$defs", "$ref", "anyOf", "oneOf"} & set(json.dumps(answer).split('"'))


def test_a_field_that_two_actions_share_is_the_same_in_both() -> None:
    seen: dict[str, object] = {}
    for kind in ACTIONS.values():
        for name, field in kind.model_json_schema().get("properties", {}).items():
            shape = (field.get("type"), str(field.get("anyOf")))
            assert seen.setdefault(name, shape) == shape


def test_the_prompt_names_every_action_and_field_and_stays_short() -> None:
    text, pictured = describe(), describe(pictures=("at rest", "joy"))
    for name, kind in ACTIONS.items():
        assert f"- {name}: " in text
        assert all(f'"{field}"' in pictured for field in kind.model_fields)
    assert token_count(text) < 250
    assert token_count(pictured) < token_count(text) + 25
    assert '"picture": null mostly, or one of your pictures to show with them: "at rest", "joy"\n' in pictured


def test_where_there_are_no_pictures_nothing_is_told_of_them() -> None:
    assert "picture" not in describe() + json.dumps(schema())
    assert "picture" in cast("list[str]", schema(pictures=("joy",))["required"])


def test_the_example_in_the_prompt_is_a_valid_answer() -> None:
    example = describe().rpartition("Example: ")[2]
    parsed = parse(ModelReply(text=example), persona="Mia", participants=["Ann"])
    assert isinstance(parsed.action, SendMessage)
    assert not parsed.repaired


@pytest.mark.parametrize("kind", ACTIONS.values())
def test_an_answer_as_the_schema_has_it_is_read_without_repair(kind: type[Action]) -> None:
    values = {"messages": ["hi"], "query": "tea", "seconds": 60, "before": 3, "reply_to": 12}
    fields = {name: values[name] if name in kind.model_fields else None for name in values}
    parsed = parse(ModelReply(text=json.dumps({"action": kind.name, **fields})), persona="Mia", participants=[])
    assert type(parsed.action) is kind
    assert (parsed.repaired, parsed.problem, parsed.retry) == (False, None, False)


def test_no_two_actions_go_by_one_name() -> None:
    words = [word for kind in ACTIONS.values() for word in (kind.name, *kind.also)]
    assert len(words) == len(set(words))
