"""Real answers of Tempo 3.0.3, of a bot that is not ours: whole ones, and ones that were cut at 2,048 bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import cards
from bot.model import ModelReply, Prompt
from bot.replay.case import damage, prompt_of
from bot.replay.rerun import rerun
from bot.replay.sources import cases_in
from tests.conftest import SHARED
from tests.replay.test_fifty_turns import Echo, Silent

SAMPLES = SHARED / "tracing" / "samples"
WHOLE = ("live-tempo303-trace-v1.json", "live-tempo303-trace-v2.json")
CUT = ("live-default2048-trace-v1.json", "live-default2048-trace-v2.pb")

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the traces beside the project are not there")


@pytest.mark.parametrize("name", [*WHOLE, *CUT])
async def test_what_the_bot_did_is_read_and_done_again(name: str) -> None:
    [case] = cases_in(SAMPLES / name)
    assert (case.persona, case.chat_model) == ("aika", "gpt-4o-mini")
    report = await rerun(case, "recorded", persona=cards.default(), chat=Silent())
    [act] = report.stages
    assert (act.stage, act.same, act.before) == ("act", True, {"name": "send_message"})
    assert report.complete is (name in WHOLE)


@pytest.mark.parametrize("name", WHOLE)
async def test_a_whole_prompt_is_asked_again_word_for_word(name: str) -> None:
    asked: list[Prompt] = []

    class Listening(Echo):
        async def complete(self, prompt: Prompt) -> ModelReply:
            asked.append(prompt)
            return await super().complete(prompt)

    [case] = cases_in(SAMPLES / name)
    report = await rerun(case, "frozen", persona=cards.default(), chat=Listening(case))
    assert (report.first_difference, report.complete) == (None, True)
    [prompt] = asked
    assert prompt.system.startswith("Ты — Аика.")
    assert "помнишь про" in prompt.user


@pytest.mark.parametrize("name", CUT)
async def test_a_cut_prompt_is_not_asked_and_is_told_by_how_much_survived(name: str) -> None:
    [case] = cases_in(SAMPLES / name)
    cut = damage(case, "frozen")
    assert {(need.kept.why, need.kept.survived) for need in cut} == {("cut in the trace", 2047)}
    report = await rerun(case, "frozen", persona=cards.default(), chat=Silent())
    assert (report.first_difference, report.complete, report.ran) == (None, False, False)
    assert "\ufffd" not in (case.steps[0].user.text or "")


def test_both_shapes_and_both_encodings_tell_the_same() -> None:
    v1, v2 = (cases_in(SAMPLES / name)[0] for name in WHOLE)
    assert v1 == v2
    as_json, as_protobuf = (cases_in(SAMPLES / name)[0] for name in CUT)
    assert as_json == as_protobuf


def test_a_cut_prompt_is_no_json() -> None:
    [case] = cases_in(SAMPLES / CUT[0])
    with pytest.raises(ValueError, match="Unterminated string"):
        prompt_of(case.steps[0].system.text or "")


def test_the_samples_are_all_read() -> None:
    assert {path.name for path in Path(SAMPLES).glob("*trace*")} == {*WHOLE, *CUT}
