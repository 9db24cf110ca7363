"""The shared cases about what a chat model answers, read by id, as they stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.actions import Parsed
from bot.actions.stay_silent import StaySilent
from tests.actions.samples import read, said

CASES = Path(__file__).parents[2].parent / "shared" / "telegram" / "cases.json"

pytestmark = pytest.mark.skipif(not CASES.exists(), reason=f"the shared cases are not at {CASES}")


def case(case_id: str) -> Parsed:
    """A shared case, parsed. Lists of parts are flattened as the adapter in bot/llm does: text parts joined."""
    cases: list[dict[str, Any]] = json.loads(CASES.read_text(encoding="utf-8"))
    choice = next(each for each in cases if each["id"] == case_id)["input"]["response"]["choices"][0]
    answer = choice["message"]
    content: str | list[dict[str, str]] = answer["content"] or ""
    if not isinstance(content, str):
        content = "".join(part["text"] for part in content if part["type"] == "text")
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in answer.get("tool_calls", ())]
    return read(content, finish=choice["finish_reason"], calls=calls, refusal=answer.get("refusal"))


def test_llm_01_a_content_filter_is_a_refusal_and_not_asked_again() -> None:
    parsed = case("LLM-01")
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "refused", False)


def test_llm_03_of_a_list_of_parts_the_text_is_said() -> None:
    assert said(case("LLM-03")) == ("hi",)


def test_llm_04_reasoning_is_not_said() -> None:
    assert said(case("LLM-04")) == ("hey, all good?",)


def test_llm_05_unclosed_reasoning_ends_where_the_final_answer_begins() -> None:
    assert said(case("LLM-05")) == ("Sure!",)


def test_llm_08_no_messages_is_silence() -> None:
    parsed = case("LLM-08")
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), None, False)


def test_llm_10_an_unknown_action_is_silence_and_not_asked_again() -> None:
    parsed = case("LLM-10")
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "unknown_action", False)


def test_llm_12_the_first_valid_object_wins_and_its_braces_survive() -> None:
    assert said(case("LLM-12")) == ("a { brace",)


def test_llm_13_half_a_sentence_is_not_said() -> None:
    parsed = case("LLM-13")
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "truncated", True)


def test_llm_14_a_call_that_broke_off_is_dropped() -> None:
    parsed = case("LLM-14")
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "truncated", True)


def test_llm_17_a_loop_is_said_once() -> None:
    parsed = case("LLM-17")
    assert said(parsed) == ("Done. Truly done.",)
    assert parsed.problem == "looping"


def test_llm_18_other_peoples_turns_are_cut_off() -> None:
    parsed = case("LLM-18")
    assert said(parsed) == ("hi Ann!",)
    assert parsed.problem == "foreign_speaker_cut"


def test_llm_19_no_words_are_put_into_anns_mouth() -> None:
    assert said(case("LLM-19")) == ("sure!",)
