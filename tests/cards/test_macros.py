"""Macros: names are data, chance is fixed by its seed, and no text is a bomb."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards.macros import MOST_ADDED, MOST_DICE, MOST_MACROS, MacroValues, expand, expand_for_scan, without_comments

NAMES = st.text(max_size=30) | st.sampled_from(
    [
        "{{char}}",
        "{{user}}",
        "{{original}}",
        "<user>",
        "a,b",
        "x::y",
        "}}",
        "{{",
        "{{random:a,b}}",
        "\\1",
        "user",
        "// x",
    ]
)
PIECES = st.sampled_from(
    ["{{", "}}", "{{char}}", "{{user}}", "<bot>", "{{random:", "{{pick:a,", "{{roll:2d6}}", "{{reverse:", "{{// ", ",",
     "::", "{{trim}}", "\n", "{{newline}}", "{{comment:", "{{hidden_key:", "text", "{", "}", "\\,", "猫"]
)  # fmt: skip
TEMPLATES = st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=60)


def values(user: str = "Robin", turn: str = "") -> MacroValues:
    return MacroValues(char="Miri", user=user, turn_seed=turn, stable_seed="chat")


@given(NAMES)
def test_a_name_is_shown_as_it_is_whatever_it_looks_like(name: str) -> None:
    assert expand("{{user}}", values(name)) == name
    assert expand("<USER>, {{char}}", values(name)) == f"{name}, Miri"
    assert expand("{{reverse:{{user}}}}", values(name)) == name[::-1]


@given(NAMES)
def test_a_name_is_never_a_macro_an_option_or_the_name_of_a_macro(name: str) -> None:
    assert expand("{{{{user}}}}", values(name)) == "{{" + name + "}}"
    assert expand("{{ {{user}}:a,b }}", values(name)) == "{{ " + name + ":a,b }}"
    assert expand("{{random:{{user}},{{user}}}}", values(name)) == name.strip()
    assert expand("{{random::{{user}}::{{user}}}}", values(name)) == name.strip()


@given(TEMPLATES, NAMES)
def test_any_text_is_expanded_the_same_twice(template: str, name: str) -> None:
    assert expand(template, values(name, "a")) == expand(template, values(name, "a"))


@given(st.text(alphabet=st.characters(exclude_characters="{}<>"), max_size=200))
def test_a_text_without_macros_stays_as_it_is(text: str) -> None:
    assert expand(text, values()) == text
    assert without_comments(text) == text


@given(st.lists(st.text("abc ", min_size=1, max_size=5), min_size=1, max_size=6), st.text(max_size=10))
def test_a_choice_is_one_of_its_options(options: list[str], seed: str) -> None:
    wanted = {option.strip() for option in options}
    assert expand("{{random:" + ",".join(options) + "}}", values(turn=seed)) in wanted
    assert expand("{{pick::" + "::".join(options) + "}}", values(turn=seed)) in wanted


def test_chance_differs_by_turn_and_place_but_a_pick_only_by_place() -> None:
    rolled = [expand("{{roll:1000000}}", values(turn=str(turn))) for turn in range(20)]
    assert len(set(rolled)) == 20
    assert len(set(expand("{{roll:1000000}} " * 20, values()).split())) == 20
    assert MOST_DICE < int(expand(f"{{{{roll:{MOST_DICE}d6}}}}", values())) < 6 * MOST_DICE
    picked = [expand("{{pick:a,b,c,d,e,f}}", values(turn=str(turn))) for turn in range(20)]
    assert len(set(picked)) == 1
    assert len(set(expand("{{pick:a,b,c,d,e,f}} " * 40, values()).split())) > 1


def test_dice_are_fair_enough() -> None:
    rolled = [int(expand("{{roll:d6}}", values(turn=str(turn)))) for turn in range(600)]
    assert set(rolled) == {1, 2, 3, 4, 5, 6}
    assert 3.2 < sum(rolled) / 600 < 3.8


@pytest.mark.parametrize("dice", ["0", "-1", "d", "d0", "0d6", "101d6", "2d", "six", "", "1e3", "9" * 5000])
def test_dice_that_make_no_sense_give_nothing(dice: str) -> None:
    assert expand("a{{roll:" + dice + "}}b", values()) == "ab"


def test_trim_takes_the_line_breaks_of_the_author_and_none_of_a_name() -> None:
    assert expand("a\n\n{{trim}}\r\nb", values()) == "ab"
    assert expand("{{user}}{{trim}}{{user}}", values("x\n")) == "x\nx\n"
    assert expand("a{{newline}}{{noop}}b", values()) == "a\nb"


def test_a_card_can_tell_the_time_where_it_is_known() -> None:
    now = datetime(2026, 6, 1, 9, 5, tzinfo=UTC)
    told = expand("{{weekday}} {{date}} {{time}} {{isodate}} {{isotime}}", MacroValues(char="Miri", now=now))
    assert told == "Monday 1 June 2026 09:05 2026-06-01 09:05"
    assert expand("{{time}}", values()) == "{{time}}"


def test_our_own_text_stands_only_where_it_is_replaced() -> None:
    assert expand("{{original}}", values()) == "{{original}}"
    assert expand("{{ORIGINAL}}!", MacroValues(char="Miri", original="{{char}} ours")) == "{{char}} ours!"


def test_hidden_keys_are_for_other_entries_and_comments_for_nobody() -> None:
    text = "a {{hidden_key:wyvern}}{{// dragon}}{{comment: {{char}} the orc }}b"
    assert expand(text, values()) == "a b"
    assert expand_for_scan(text, values()) == "a wyvernb"
    assert without_comments(text) == "a {{hidden_key:wyvern}}b"


def test_a_comment_that_nobody_closes_hides_all_behind_it_from_matching_only() -> None:
    assert expand("a {{// b", values()) == "a {{// b"
    assert without_comments("a {{char}} b") == "a {{char}} b"


@pytest.mark.parametrize(
    "bomb",
    [
        "{{description}}" * 100_000,
        "{{reverse:" * 100_000 + "x" * 100_000 + "}}" * 100_000,
        "{{" * 500_000,
        "}}" * 500_000,
        "{{random:" + "," * 500_000 + "}}",
        "{{// " * 200_000,
        "{{pick:a,b}}" * 50_000,
        "{{roll:100d1000}}" * 50_000,
        "<user>" * 1_000_000,
        "{{{{{{" * 100_000 + "char" + "}}}}}}" * 100_000,
    ],
)
def test_no_text_takes_long_or_grows_without_end(bomb: str) -> None:
    started = time.thread_time()
    told = expand(bomb, MacroValues(char="Miri", description="d" * 10_000))
    without_comments(bomb)
    assert len(told) <= len(bomb) + MOST_ADDED
    assert time.thread_time() - started < 10  # of this thread; it takes less than one


def test_macros_beyond_all_measure_stay_as_they_are() -> None:
    told = expand("{{char}}" * (MOST_MACROS + 3), values())
    assert told == "Miri" * MOST_MACROS + "{{char}}" * 3
    assert "{{" in expand("{{reverse:" + "{{noop}}" * MOST_MACROS + "}}", values())
