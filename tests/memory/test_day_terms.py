"""A message has terms for the days it speaks of, and a question about such a day has one of them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.memory.dates import SEASON, Days, said_days
from bot.memory.day_terms import MARK, MOST, asked_day_terms, day_terms
from bot.memory.words import terms

SENT = datetime(2023, 5, 10, 12, tzinfo=UTC)  # a Wednesday

SAYINGS = st.sampled_from(
    [
        "yesterday", "on 5 May", "last week", "last Friday", "on Friday", "next month", "in July", "in 2021",
        "two weeks ago", "last summer", "tomorrow, or in three days", "昨天", "上周五", "去年", "三个月前",
        "2023-05-08", "next year", "this weekend", "on 31 December 2022",
    ]
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met yesterday", ["@2023-05-09"]),
        ("昨天我们见面了", ["@2023-05-09"]),
        ("It was in July 2022", ["@2022-07"]),
        ("I moved here in 2019", ["@2019"]),
        ("last summer", ["@2022-06", "@2022-07", "@2022-08"]),
        ("yesterday, I mean on 9 May", ["@2023-05-09"]),
        ("nothing of the kind", []),
        ("", []),
    ],
)
def test_what_is_said_of_days_is_written_as_terms(text: str, expected: list[str]) -> None:
    assert day_terms(text, SENT) == expected


def test_days_are_those_of_utc() -> None:
    assert day_terms("today", datetime(2023, 5, 10, 1, tzinfo=timezone(timedelta(hours=3)))) == ["@2023-05-09"]
    assert day_terms("today", datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=3)))) == []  # before all days there are
    with pytest.raises(ValueError, match="zone"):
        day_terms("today", datetime(2023, 5, 10))  # noqa: DTZ001 - that is the point


@given(SAYINGS, st.dates(date(1990, 1, 1), date(2100, 1, 1)), st.integers(-40, 40), st.integers(1, SEASON))
def test_who_asks_about_a_day_finds_what_speaks_of_it(text: str, sent: date, away: int, length: int) -> None:
    said = said_days(text, sent)
    first = said[0].first + timedelta(days=away)
    asked = Days(first, first + timedelta(days=length - 1))
    written, looked_for = (
        day_terms(text, datetime(sent.year, sent.month, sent.day, 9, tzinfo=UTC)),
        asked_day_terms(asked),
    )
    coarser = {days.grain - asked.grain for days in said if days.meets(asked)}
    assume(coarser)
    found = [looked_for[term] for term in written if term in looked_for]
    assert bool(found) == (min(coarser) < 2)
    assert not found or min(found) == (min(coarser) == 1)


def test_who_speaks_of_a_year_does_not_speak_of_a_day_in_it_and_of_a_month_but_coarsely() -> None:
    asked = {text: asked_day_terms(said_days(text, SENT.date())[0]) for text in ("yesterday", "in May", "in 2023")}
    for said, expected in (
        ("yesterday", [False, False, None]),
        ("this month", [True, False, False]),
        ("next month", [None, None, False]),
        ("this year", [None, True, False]),
    ):
        [term] = day_terms(said, SENT)
        assert [looked_for.get(term) for looked_for in asked.values()] == expected, said


@given(st.text(), st.datetimes(timezones=st.just(UTC)))
def test_any_text_of_any_time_has_few_terms_each_once_and_none_is_a_word(text: str, sent_at: datetime) -> None:
    for said in (text, f"on 5 May, {text}"):
        found = day_terms(said, sent_at)
        assert len(found) == len(set(found)) <= MOST
        assert all(term.startswith(MARK) for term in found)
        assert not any(term.startswith(MARK) for term in terms(said))


@given(st.dates(), st.integers(0, 4_000))
def test_what_is_asked_is_looked_for_by_a_bounded_number_of_terms(first: date, length: int) -> None:
    last = min(first.toordinal() + length, date.max.toordinal())
    found = asked_day_terms(Days(first, date.fromordinal(last)))
    assert 0 < len(found) == len(set(found)) <= max(SEASON + 6, 12 + length // 27)
