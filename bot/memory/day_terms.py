"""Days as terms: a message is found by a day that it speaks of, in whatever words ("last Friday", "三天前").

A short span of days is written down day by day, a longer one by its months, one of over a season by its years. What is
asked is looked for as finely and one step more coarsely, where less is found of it: "in May 2023" and "on 5 May 2023"
find each other, and "next year" says nothing of a day in it. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from bot.memory.dates import SEASON, Days, said_days

MARK = "@"
"""What these terms begin with, and no word does."""
MOST = 24
"""Terms of one message: a text that lists more days speaks of none in particular."""


def day_terms(text: str, sent_at: datetime) -> list[str]:
    """The terms for the days that a text speaks of, in their order, each once. Raises `ValueError` for a naive time."""
    if sent_at.tzinfo is None:
        raise ValueError("a time without its zone has no day")
    try:
        day = sent_at.astimezone(UTC).date()
    except OverflowError:  # before the first day there is, or after the last
        return []
    return list(dict.fromkeys(term for days in said_days(text, day) for term in _written(days)))[:MOST]


def asked_day_terms(days: Days) -> dict[str, bool]:
    """The terms of messages that may speak of a day of this span, and whether they mean it more coarsely than is asked.

    Those of single days are left out where a year is asked about: they are too many.
    """
    by_day = [_day(day) for day in _days(days)] if days.length <= SEASON else []
    by_month, by_year = ([of(first) for first in _firsts(days)] for of in (_month, _year))
    finely = (by_day, by_day + by_month, by_month + by_year)[days.grain]
    return {**dict.fromkeys((by_month, by_year, [])[days.grain], True), **dict.fromkeys(finely, False)}


def _written(days: Days) -> Iterator[str]:
    if days.grain == 0:
        yield from map(_day, _days(days))
    else:
        yield from dict.fromkeys(map((_month, _year)[days.grain - 1], _firsts(days)))


def _days(days: Days) -> Iterator[date]:
    for step in range(days.length):
        yield days.first + timedelta(days=step)


def _firsts(days: Days) -> Iterator[date]:
    """The first of each month that the span touches."""
    for month in range(days.first.year * 12 + days.first.month - 1, days.last.year * 12 + days.last.month):
        yield date(month // 12, month % 12 + 1, 1)


def _day(day: date) -> str:
    return f"{MARK}{day.isoformat()}"


def _month(day: date) -> str:
    return _day(day)[:-3]


def _year(day: date) -> str:
    return _day(day)[:-6]
