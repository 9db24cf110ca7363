"""Fifty turns run again: from the database, from Tempo, whole and cut, in every mode; nothing differs."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import NoReturn

from bot import cards
from bot.errors import DatabaseUnreachable
from bot.model import ModelReply, Prompt
from bot.replay.case import Case, damage, reply_of
from bot.replay.report import Report
from bot.replay.rerun import rerun
from bot.replay.retrieve import retrieve
from bot.replay.sources import Sources
from bot.replay.tempo import open_tempo
from bot.store import PostgresStore
from tests.fakes.tempo import FakeTempo
from tests.replay.conftest import cases_in_database, memory_of
from tests.replay.fifty import fifty

TURNS = '{ name =~ "invoke_agent.*" }'
FAILED = sum(scene.fails for scene in fifty())
"""Turns that never came to an end, and so are in their traces only."""


class Echo:
    """A chat model that answers what it answered then; implements `ports.ChatModel`."""

    name = "scripted"

    def __init__(self, case: Case) -> None:
        self._answers = [reply_of(step.answer.whole) for step in case.steps if step.answer.whole is not None]

    async def complete(self, prompt: Prompt) -> ModelReply:
        return self._answers.pop(0)


class Silent:
    """A chat model that must not be asked."""

    name = "silent"

    async def complete(self, prompt: Prompt) -> NoReturn:
        raise AssertionError("the model was asked")


def differences(reports: list[Report]) -> list[object]:
    return [
        (report.case.turn_id, stage.as_json(), report.causes)
        for report in reports
        for stage in report.stages
        if stage.same is not True
    ]


async def no_store() -> NoReturn:
    raise DatabaseUnreachable(where="nowhere", reason="there is none")


async def from_tempo(fake: FakeTempo, store: PostgresStore | None, *, mode: str = "recorded") -> list[Case]:
    """All turns by the ids of their traces; without a store, by them alone."""

    async def given() -> PostgresStore:
        return store if store is not None else await no_store()

    now = datetime.now(UTC)
    async with open_tempo(fake.base) as tempo:
        sources = Sources(tempo=tempo, store=given)
        cases: list[Case] = []
        for trace_id in await tempo.search(TURNS, since=now - timedelta(hours=1), until=now + timedelta(minutes=1)):
            async for case in sources.each(trace_id, mode):  # pyright: ignore[reportArgumentType]
                assert isinstance(case, Case)
                cases.append(case)
        return cases


async def test_every_kind_of_turn_is_among_the_fifty(recorded: PostgresStore) -> None:
    rows = await recorded.database.pool.fetch("SELECT outcome, inputs ->> 'actions' AS actions FROM turns")
    assert len(rows) + FAILED >= 50
    assert {row["outcome"] for row in rows} == {"answered", "silent", "waiting", "resting"}
    assert len({row["actions"] for row in rows}) >= 8


async def test_by_the_database_alone_all_answers_lead_to_what_they_led_to(recorded: PostgresStore) -> None:
    cases = await cases_in_database(recorded)
    reports = [await rerun(case, "recorded", persona=cards.default(), chat=Silent()) for case in cases]
    assert differences(reports) == []
    assert all(report.complete for report in reports)
    assert Counter(stage.stage for report in reports for stage in report.stages)["act"] >= 50


async def test_by_tempo_alone_all_answers_lead_to_what_they_led_to(tempo: FakeTempo) -> None:
    cases = await from_tempo(tempo, None)
    reports = [await rerun(case, "recorded", persona=cards.default(), chat=Silent()) for case in cases]
    assert len(cases) == len(list(fifty()))
    assert differences(reports) == []
    assert all(report.complete for report in reports)
    assert sum(case.outcome == "failed" for case in cases) == FAILED


async def test_prompts_are_rendered_and_answered_as_they_were(tempo: FakeTempo, recorded: PostgresStore) -> None:
    for cases in (await from_tempo(tempo, None, mode="render"), await cases_in_database(recorded)):
        ended = [case for case in cases if case.outcome != "failed"]
        reports = [await rerun(case, "render", persona=cards.default(), chat=Echo(case)) for case in ended]
        assert differences(reports) == []
        assert all(report.complete for report in reports)


async def test_a_prompt_of_which_only_the_hash_was_kept_is_asked_again_word_for_word(
    tempo: FakeTempo, recorded: PostgresStore
) -> None:
    by_row = await cases_in_database(recorded)
    assert all(step.user.text is None for case in by_row for step in case.steps)
    by_trace = {case.turn_id: case for case in await from_tempo(tempo, None, mode="frozen")}
    for case in by_row:
        asked: list[Prompt] = []

        class Listening(Echo):
            async def complete(self, prompt: Prompt) -> ModelReply:
                asked.append(prompt)  # noqa: B023
                return await super().complete(prompt)

        report = await rerun(case, "frozen", persona=cards.default(), chat=Listening(case))
        assert differences([report]) == []
        whole = by_trace[case.turn_id]
        assert [prompt.user for prompt in asked] == [step.user.whole for step in whole.steps]


async def test_recall_finds_and_ranks_what_it_did_though_the_chat_went_on(recorded: PostgresStore) -> None:
    memory = await memory_of(recorded)
    reports = [await retrieve(case, memory) for case in await cases_in_database(recorded)]
    assert differences(reports) == []
    assert sum(len(report.stages[0].before) > 0 for report in reports) > 10  # pyright: ignore[reportArgumentType]


async def test_what_tempo_cut_is_filled_in_from_the_database(recorded: PostgresStore, tempo: FakeTempo) -> None:
    tempo.longest = 2048
    whole = await from_tempo(tempo, recorded, mode="render")
    reports = [
        await rerun(case, "render", persona=cards.default(), chat=Echo(case))
        for case in whole
        if case.outcome != "failed"
    ]
    assert differences(reports) == []


async def test_what_tempo_cut_is_named_with_how_much_survived(tempo: FakeTempo) -> None:
    tempo.longest = 2048
    for case in await from_tempo(tempo, None, mode="render"):
        cut = damage(case, "render")
        assert {need.kept.why for need in cut} == {"cut in the trace"}
        assert all(2045 <= need.kept.survived <= 2048 < (need.kept.size or 0) for need in cut)
        report = await rerun(case, "render", persona=cards.default(), chat=Silent())
        assert (report.first_difference, report.complete) == (None, False)
        assert 0 < report.as_json()["survived"] < 1  # pyright: ignore[reportOperatorIssue]
