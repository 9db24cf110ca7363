"""What replay is for: a change in one place is named as what it is, and no other place is blamed before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest

from bot import cards
from bot.actions import Parsed, parse
from bot.actions.send_message import SendMessage
from bot.memory import pack as packing
from bot.memory import rank
from bot.memory.rank import Ranker, shipped
from bot.model import Hit, ModelReply, Prompt
from bot.prompts import render, templates
from bot.replay.case import Case, Mode
from bot.replay.rerun import rerun
from bot.replay.retrieve import retrieve
from bot.store import PostgresStore
from tests.fakes.ports import say
from tests.replay.conftest import cases_in_database, memory_of
from tests.replay.test_fifty_turns import Echo, Silent


async def firsts(cases: Sequence[Case], mode: Mode) -> set[str | None]:
    """The first difference of each turn."""
    reports = [
        await rerun(case, mode, persona=cards.default(), chat=Silent() if mode == "recorded" else Echo(case))
        for case in cases
    ]
    return {report.first_difference for report in reports}


async def test_a_change_in_the_parser_is_named(recorded: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def shouting(reply: ModelReply, **known: Any) -> Parsed:
        parsed = parse(reply, **known)
        if not isinstance(parsed.action, SendMessage):
            return parsed
        loud = tuple(text.upper() for text in parsed.action.messages)
        return replace(parsed, action=parsed.action.model_copy(update={"messages": loud}))

    cases = await cases_in_database(recorded)
    monkeypatch.setattr("bot.actions.parse", shouting)
    assert await firsts(cases, "recorded") == {None, "parse"}


async def test_a_change_in_what_an_action_does_is_named(
    recorded: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = await cases_in_database(recorded)
    perform = SendMessage.perform

    async def twice(self: SendMessage, scene: object) -> object:
        effect = await perform(self, scene)  # pyright: ignore[reportArgumentType]
        return replace(effect, said=(*effect.said, *effect.said))

    monkeypatch.setattr(SendMessage, "perform", twice)
    assert await firsts(cases, "recorded") == {None, "act"}


async def test_a_change_in_the_template_is_named(recorded: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [case for case in await cases_in_database(recorded) if case.steps]

    def kinder(name: str) -> str:
        return (files("bot.prompts") / f"{name}.md").read_text("utf-8") + "\nBe kind.\n"

    monkeypatch.setattr(templates, "template", kinder)
    monkeypatch.setattr(render, "template", kinder)
    templates.version_of.cache_clear()
    try:
        assert await firsts(cases, "render") == {"template"}
        assert await firsts(cases, "recorded") == {None}
    finally:
        templates.version_of.cache_clear()


async def test_a_change_in_how_a_message_is_shown_is_named(
    recorded: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [case for case in await cases_in_database(recorded) if case.steps]

    def quoted(text: str) -> str:
        return f"«{text}»"

    monkeypatch.setattr(render, "one_line", quoted)
    assert await firsts(cases, "render") == {"render"}


async def test_another_card_is_named(recorded: PostgresStore) -> None:
    other = replace(cards.default(), character=cards.Character(description="Somebody else."), sha256="0" * 64)
    for case in (await cases_in_database(recorded))[:5]:
        report = await rerun(case, "render", persona=other, chat=Echo(case))
        assert report.first_difference == "card"
        assert [stage.same for stage in report.stages if stage.stage == "template"] == [True] * len(case.steps)


async def test_another_ranking_is_named(recorded: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = await memory_of(recorded)
    cases = [case for case in await cases_in_database(recorded) if _found(case) and _profile(case) == "ranked"]
    asked, told = (
        replace(scales, weights={name: -weight for name, weight in scales.weights.items()})
        for scales in (shipped().asked, shipped().told)
    )
    monkeypatch.setattr("bot.memory.recall.shipped", lambda: Ranker(asked=asked, told=told))
    reports = [await retrieve(case, memory) for case in cases]
    assert {report.first_difference for report in reports} == {"rank"}


async def test_another_packing_is_named(recorded: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = await memory_of(recorded)
    cases = [case for case in await cases_in_database(recorded) if _found(case) and _profile(case) == "ranked"]

    def all_but_the_last(hits: Sequence[Hit], *, budget: int) -> tuple[Hit, ...]:
        return packing.pack(hits, budget=budget)[:-1]

    monkeypatch.setattr(rank, "pack", all_but_the_last)
    assert {(await retrieve(case, memory)).first_difference for case in cases} == {"pack"}


async def test_messages_that_are_not_found_any_more_are_named(recorded: PostgresStore) -> None:
    memory = await memory_of(recorded)
    cases = [case for case in await cases_in_database(recorded) if _found(case)]
    await recorded.database.pool.execute("DELETE FROM postings; DELETE FROM vectors_1;")
    assert {(await retrieve(case, memory)).first_difference for case in cases} == {"retrieve"}


async def test_another_answer_of_the_model_is_named(recorded: PostgresStore) -> None:
    class Other:
        name = "other"

        async def complete(self, prompt: Prompt) -> ModelReply:
            return ModelReply(text=say("Something else."), finish_reason="stop")

    cases = [case for case in await cases_in_database(recorded) if case.steps]
    for mode in ("frozen", "render"):
        for case in cases:
            report = await rerun(case, mode, persona=cards.default(), chat=Other())
            assert report.first_difference == "model"
            [model] = [stage for stage in report.stages if stage.stage == "model" and stage.same is False]
            assert "Something else." in str(model.after)


def _found(case: Case) -> bool:
    hits = (case.recall or {}).get("hits")
    return bool(hits)


def _profile(case: Case) -> object:
    return (case.recall or {}).get("profile")
