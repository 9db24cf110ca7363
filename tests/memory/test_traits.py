"""What a text shows by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.traits import LONGEST, traits


@pytest.mark.parametrize("text", ["Is it you?", "真的吗？", "so?  "])
def test_a_question_ends_like_one(text: str) -> None:
    assert traits(text).asks
    assert not traits(text + " yes").asks


@pytest.mark.parametrize("text", ["we have three", "三只", "room 12", "٣ of them", "TWICE"])
def test_numbers_are_figures_and_words(text: str) -> None:
    assert traits(text).number


@pytest.mark.parametrize("text", ["I'm off", "our house", "我走了", "for MYSELF"])
def test_whoever_speaks_of_themselves_is_told(text: str) -> None:
    assert traits(text).of_self


@pytest.mark.parametrize(
    "text",
    [
        "see you at noon",
        "every summer",
        "8 pm",
        "around 19:30",
        "for two years",
        "in 1998",
        "每周三",
        "三天",
        "她的生日",
        "next time",
    ],
)
def test_expressions_of_time_are_told(text: str) -> None:
    assert traits(text).time


@pytest.mark.parametrize("text", ["", "It is off", "may it be so", "wine and dine", "还行吧", "an island"])
def test_other_texts_show_nothing(text: str) -> None:
    assert traits(text) == (False, False, False, False)


@given(text=st.text(max_size=300))
def test_the_end_of_a_long_text_shows_only_whether_it_asks(text: str) -> None:
    long = "…" * LONGEST + text
    assert traits(long) == (text.rstrip().endswith(("?", "？")), False, False, False)
