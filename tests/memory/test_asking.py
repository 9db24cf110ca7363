"""What a message asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.asking import (
    MOST_PARTS,
    asks_how_many,
    name_terms,
    named,
    parts,
    without_names,
)
from bot.memory.words import terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello there", ("hello there",)),
        (
            "Caroline turns 40 next week. What should I get her?",
            ("Caroline turns 40 next week. What should I get her?",),
        ),
        (
            "Long day. When did Anna go to Lyon? And what did she buy for Peter at the market?",
            ("When did Anna go to Lyon?", "And what did she buy for Peter at the market?"),
        ),
        (
            "天气真好。我想问的是：那个爱好是阅读的人生日是什么？另外，招聘会的规模是什么？",
            ("那个爱好是阅读的人生日是什么？", "招聘会的规模是什么？"),
        ),
        ("", ("",)),
    ],
)
def test_questions_that_stand_alone_are_asked_one_by_one(text: str, expected: tuple[str, ...]) -> None:
    assert parts(text) == expected


@given(st.text(alphabet="ab ?？。:：\n另外，也", max_size=200))
def test_there_is_always_something_to_search_with_and_never_much(text: str) -> None:
    found = parts(text)
    assert 1 <= len(found) <= MOST_PARTS
    assert all(part in text for part in found)


def test_people_are_named_by_any_word_of_their_name_or_its_beginning() -> None:
    people = ["Melanie Fox", "Caroline", "李明"]
    assert named("What did Melanie's kids like?", people) == {"Melanie Fox"}
    assert named("What did Mel buy?", people) == {"Melanie Fox"}
    assert named("李明喜欢什么？", people) == {"李明"}
    assert named("What is for dinner?", people) == frozenset()


def test_names_are_no_content_unless_nothing_else_is_asked() -> None:
    assert without_names(terms("Caroline's pottery class"), ["Caroline"]) == ["potteri", "class"]
    assert without_names(terms("Caroline"), ["Caroline"]) == ["carolin"]
    assert name_terms("Caroline Fox") >= {"carolin", "fox"}


def test_questions_for_a_number_are_told() -> None:
    assert asks_how_many("How many dogs are there?")
    assert asks_how_many("有几只狗？")
    assert not asks_how_many("Who has the dog?")
