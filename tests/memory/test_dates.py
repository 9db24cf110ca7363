"""Dates as people say them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.dates import LONGEST, MOST, _said, asks_when, said_days  # pyright: ignore[reportPrivateUsage]

MONDAY = date(2023, 5, 8)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("I went there yesterday", "2023-05-07", "2023-05-07"),
        ("last Friday we met", "2023-05-05", "2023-05-05"),
        ("see you next Friday", "2023-05-12", "2023-05-12"),
        ("last week", "2023-05-01", "2023-05-07"),
        ("this weekend", "2023-05-13", "2023-05-14"),
        ("two weeks ago", "2023-04-21", "2023-04-27"),
        ("a few days ago", "2023-05-05", "2023-05-05"),
        ("in two months", "2023-07-01", "2023-07-31"),
        ("10 years ago", "2013-01-01", "2013-12-31"),
        ("on 5 May", "2023-05-05", "2023-05-05"),
        ("on the 3rd of April 2021", "2021-04-03", "2021-04-03"),
        ("May 20, 2022", "2022-05-20", "2022-05-20"),
        ("in June", "2023-06-01", "2023-06-30"),
        ("on December 24th", "2022-12-24", "2022-12-24"),
        ("since 2019", "2019-01-01", "2019-12-31"),
        ("next summer", "2024-06-01", "2024-08-31"),
        ("2023-05-09", "2023-05-09", "2023-05-09"),
        ("上周五我去了", "2023-05-05", "2023-05-05"),
        ("三天前", "2023-05-05", "2023-05-05"),
        ("大前天", "2023-05-05", "2023-05-05"),
        ("3月5日", "2023-03-05", "2023-03-05"),
        ("去年十二月", "2022-12-01", "2022-12-31"),
        ("2023年5月3日", "2023-05-03", "2023-05-03"),
        ("下个月", "2023-06-01", "2023-06-30"),
        ("下下周三", "2023-05-24", "2023-05-24"),
    ],
)
def test_what_is_said_is_seen_from_its_day(text: str, first: str, last: str) -> None:
    [days] = said_days(text, MONDAY)
    assert (days.first.isoformat(), days.last.isoformat()) == (first, last)


@pytest.mark.parametrize("text", ["may I go", "I march on", "99 May", "0月0日", "second to none", ""])
def test_what_is_no_date_is_none(text: str) -> None:
    assert said_days(text, MONDAY) == ()


@given(text=st.text(max_size=200), day=st.dates())
def test_no_text_on_any_day_is_too_much(text: str, day: date) -> None:
    for days in said_days(text, day):
        assert days.first <= days.last


@given(
    text=st.lists(
        st.sampled_from(
            [
                "last ",
                "next ",
                "two ",
                "9 ",
                "年",
                "月",
                "12",
                "week ",
                "years ago ",
                "上",
                "周五",
                "May ",
                "on ",
                "in ",
                "tonight ",
                "Sept ",
                "2024-",
                "fall ",
                "今晚",
                "明早",
                "后天",
                "三",
                "个礼拜",
                "前",
                "nights back ",
                "tuesday ",
            ]
        ),
        max_size=8,
    ).map("".join),
    day=st.dates(),
)
def test_pieces_of_dates_are_read_wherever_they_stand(text: str, day: date) -> None:
    """Whether a text is worth reading is told by its words: that must hide no date."""
    said = said_days(text, day)
    assert said == _said(text[:LONGEST].lower(), day)
    for days in said:
        assert days.first <= days.last


def test_a_text_that_lists_days_tells_its_first() -> None:
    said = said_days(" ".join(f"{year}-01-01" for year in range(1950, 2030)), MONDAY)
    assert [days.first.year for days in said] == list(range(1950, 1950 + MOST))


@pytest.mark.parametrize("text", ["When did she move?", "what day is it", "妈妈的生日是什么时候？", "活动是几号？"])
def test_questions_for_a_time_are_told(text: str) -> None:
    assert asks_when(text)


@pytest.mark.parametrize("text", ["Who has the key?", "谁有钥匙？"])
def test_other_questions_are_not(text: str) -> None:
    assert not asks_when(text)
