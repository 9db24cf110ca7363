"""Turns of a persona with pictures run again: the choice that there was then is on record."""

from __future__ import annotations

import asyncio

from bot import cards
from bot.model import ChatId
from bot.replay.case import Case
from bot.replay.from_trace import cases_of
from bot.replay.merge import merged
from bot.replay.otlp import read_trace
from bot.replay.rerun import rerun
from bot.store import PostgresStore
from bot.tracing import set_up
from tests.cards.samples import moody
from tests.fakes.ports import do
from tests.fakes.tempo import FakeTempo
from tests.replay.conftest import Talk, cases_in_database
from tests.replay.fifty import Scene
from tests.replay.test_fifty_turns import Echo, Silent, differences

SCENES = [
    Scene(said=["show me"], answers=[do("send_message", messages=["Look!", "Well?"], picture="JOY")]),
    Scene(said=["and now"], answers=[do("recall", query="key"), do("send_message", messages=["Hm."], picture="rage")]),
    Scene(said=["nice picture"], answers=[do("send_message", messages=["Is it?"], picture="at rest")]),
]


async def recorded_turns(store: PostgresStore) -> tuple[list[Case], list[Case]]:
    """The scenes played: by their rows, and by their traces."""
    async with FakeTempo() as tempo:
        talk = await Talk.begin(store)
        talk.persona = moody("joy", "at rest")
        tracing = set_up(service="companion", version="1", content="full", endpoint=tempo.endpoint)
        try:
            for scene in SCENES:
                await talk.play(scene)
        finally:
            await asyncio.to_thread(tracing.shut_down)
        traces = [case for body in tempo.bodies for case in cases_of(read_trace(body, where="tempo"))]
    return await cases_in_database(store), traces


async def test_turns_with_pictures_are_the_same_when_they_run_again(store: PostgresStore) -> None:
    rows, traces = await recorded_turns(store)
    by_turn = {case.turn_id: case for case in traces}
    cases = [*rows, *traces, *(merged(by_turn[case.turn_id], case) for case in rows)]
    reports = [
        await rerun(case, mode, persona=moody("joy", "at rest"), chat=Echo(case))
        for case in cases
        for mode in ("recorded", "frozen", "render")
    ]
    assert len(reports) == 27
    assert differences(reports) == []
    said = [step.effect.get("said") for case in rows for step in case.steps]
    joy, nothing, bare, rest = said
    assert joy == [{"text": "Look!", "emotion": "joy"}, {"text": "Well?"}]
    assert (nothing, bare, rest) == (None, [{"text": "Hm."}], [{"text": "Is it?", "emotion": "at rest"}])
    assert rows[1].steps[1].parsed["problem"] == "unknown_picture"
    seen = [message async for message in store.messages.read(ChatId(rows[0].chat_id or 0)) if message.persona]
    assert [(message.text, message.emotion) for message in seen] == [
        ("Look!", "joy"),
        ("Well?", None),
        ("Hm.", None),
        ("Is it?", "at rest"),
    ]


async def test_what_was_chosen_is_known_without_the_card_and_other_pictures_are_another_prompt(
    store: PostgresStore,
) -> None:
    rows, traces = await recorded_turns(store)
    reports = [await rerun(case, "recorded", persona=cards.default(), chat=Silent()) for case in (*rows, *traces)]
    assert differences(reports) == []
    fewer = await rerun(rows[0], "render", persona=moody("joy"), chat=Echo(rows[0]))
    assert fewer.first_difference == "card"
    assert [stage.stage for stage in fewer.stages if stage.same is False] == ["card", "render"]
