"""What a message asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.asking import (
    MOST_PARTS,
    asks,
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


@pytest.mark.parametrize(
    "text",
    [
        "Really?", "真的吗？ 那太好了", "You came? I was out.", "هل أنت هنا؟",
        "what is her name", "so where did I put my keys", "Who has the spare key", "whose turn is it",
        "what time was it", "which restaurant did we go to", "how long was the trip", "hey, did you feed the cat",
        "does Anna like tea",
        "Did Anna call", "ok but has anyone seen it", "With whom did Tom go", "remind me when her birthday is",
        "I wonder who won", "what's the code again", "why didn't he come", "any idea where it is",
        "谁有钥匙", "她叫什么名字", "钥匙在哪里", "怎么去机场", "几点开会", "你喜欢喝茶吗", "他是不是走了", "去没去过",
        "星期几走", "那本书多少钱", "有没有糖", "这是干什么的",
    ],
)  # fmt: skip
def test_a_question_is_told_with_and_without_its_mark(text: str) -> None:
    assert asks(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "haha", "good morning", "ok see you", "Nice!", "What a day", "how nice", "who knows", "who cares",
        "When I was young we had no car", "what I like is the soup", "Do it!", "have a nice day", "Did the dishes",
        "does not matter", "it is https://example.org/find?q=tea", "Tell me about it", "I know who did it",
        "哈哈哈", "早上好", "没什么", "谁都知道", "买了苹果啥的", "好几天没见了", "天哪", "不管怎么样，我去",
        "我想喝茶。", "差不多了", "Я дома",
    ],
)  # fmt: skip
def test_what_asks_nothing_is_told_from_what_asks(text: str) -> None:
    assert not asks(text)


@given(st.text(max_size=200), st.sampled_from("?？؟"))
def test_whatever_ends_in_a_question_mark_asks(text: str, mark: str) -> None:
    assert asks(text + mark)
    assert asks(f"{text}{mark} {text}")


@given(st.text(alphabet="what is dog 谁有吗, 。?", max_size=80))
def test_a_question_still_asks_when_its_mark_is_taken_for_what_leads_up_to_it(text: str) -> None:
    assert asks("what is her name, " + text)
    assert asks("Ok, so " + "what is her name " + text)
