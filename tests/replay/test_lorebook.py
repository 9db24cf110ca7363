"""Turns of a persona with a lorebook run again: the same entries come of what the chat remembered then, not of now."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from bot.cards import Persona, load
from bot.prompts.variables import read
from bot.replay.case import Case, Kept
from bot.replay.from_trace import cases_of
from bot.replay.merge import merged
from bot.replay.otlp import read_trace
from bot.replay.rerun import rerun
from bot.store import PostgresStore
from bot.tracing import set_up
from tests.fakes.ports import do, say
from tests.fakes.tempo import FakeTempo
from tests.replay.conftest import Talk, cases_in_database
from tests.replay.fifty import Scene
from tests.replay.test_fifty_turns import Echo, differences

BOOK = [
    {"id": "sticky", "keys": ["lantern"], "content": "The lantern is cracked.", "extensions": {"sticky": 3}},
    {"id": "once", "keys": ["storm"], "content": "@@dont_activate_after_match\nThe first storm. {{roll:100}}"},
    {"id": "chance", "constant": True, "content": "@@depth 1\n@@probability 50\n{{random:tea,soup}} {{pick:a,b}}"},
    {"id": "third", "constant": True, "content": "@@activate_only_every 3\nIt is the third time."},
]
SCENES = [
    Scene(said=["is the lantern lit?"], answers=[say("It is.")]),
    Scene(said=["a storm!"], answers=[do("recall", query="spare key"), say("Hold on.")]),
    Scene(said=["another storm"], answers=[say("Yes.")]),
    Scene(said=["hm", "well"], answers=[do("stay_silent")]),
    Scene(said=["storm and lantern"], answers=[say("Both.")]),
]


def keeper(entries: Sequence[object] = BOOK) -> Persona:
    data = {"name": "Mia", "description": "{{user}} and {{char}}", "character_book": {"entries": entries}}
    return load(json.dumps({"spec": "chara_card_v3", "spec_version": "3.0", "data": data}).encode()).persona()


async def recorded_turns(store: PostgresStore) -> tuple[list[Case], list[Case]]:
    """The scenes played: by their rows, and by their traces."""
    async with FakeTempo() as tempo:
        talk = await Talk.begin(store)
        talk.persona = keeper()
        tracing = set_up(service="companion", version="1", content="full", endpoint=tempo.endpoint)
        try:
            for scene in SCENES:
                await talk.play(scene)
        finally:
            await asyncio.to_thread(tracing.shut_down)
        traces = [case for body in tempo.bodies for case in cases_of(read_trace(body, where="tempo"))]
    return await cases_in_database(store), traces


async def test_turns_with_a_lorebook_are_the_same_when_they_run_again(store: PostgresStore) -> None:
    rows, traces = await recorded_turns(store)
    assert len(rows) == len(SCENES)
    by_turn = {case.turn_id: case for case in traces}
    reports = [
        await rerun(case, mode, persona=keeper(), chat=Echo(case))
        for case in (*rows, *(merged(by_turn[case.turn_id], case) for case in rows))
        for mode in ("recorded", "frozen", "render")
    ]
    assert differences(reports) == []
    variables = [read(step.variables.whole or "") for case in rows for step in case.steps]
    pasts = [each.view.lore for each in variables if each.view.lore]
    assert [past.replies for past in pasts] == [0, 1, 1, 2, 3, 3]
    assert [sorted(past.state) for past in pasts] == [[], *2 * [["sticky"]], *3 * [["once", "sticky"]]]


async def test_another_memory_of_the_book_makes_another_prompt(store: PostgresStore) -> None:
    rows, _ = await recorded_turns(store)
    case, step = rows[2], rows[2].steps[0]
    forgetful = (step.variables.whole or "").replace('"once":', '"other":')
    changed = case.model_copy(
        update={"steps": (step.model_copy(update={"variables": Kept(text=forgetful)}), *case.steps[1:])}
    )
    report = await rerun(changed, "render", persona=keeper(), chat=Echo(changed))
    assert report.first_difference in ("pack", "render")
