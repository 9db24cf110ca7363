"""Days as terms: a message is found by a day that it speaks of, in whatever words ("last Friday", "三天前").

A short span of days is written down day by day, a longer one by its months, one of over a season by its years; what is
asked is looked for at all three, so that "in May 2023" and "on 5 May 2023" find each other. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from bot.memory.dates import Days, said_days

MARK = "@"
"""What these terms begin with, and no word does."""
MOST = 24
"""Terms of one message: a text that lists more days speaks of none in particular."""
BY_DAY, BY_MONTH = 8, 100
"""Days up to which a span is written down by its days ("on Friday" may be either of two), and by its months."""
LONGEST_ASKED = 100
"""Days up to which a span that is asked about is looked for by its days: a season."""


def day_terms(text: str, sent_at: datetime) -> list[str]:
    """The terms for the days that a text speaks of, in their order, each once. Raises `ValueError` for a naive time."""
    if sent_at.tzinfo is None:
        raise ValueError("a time without its zone has no day")
    try:
        day = sent_at.astimezone(UTC).date()
    except OverflowError:  # before the first day there is, or after the last
        return []
    return list(dict.fromkeys(term for days in said_days(text, day) for term in _written(days)))[:MOST]


def asked_day_terms(days: Days) -> list[str]:
    """The terms of messages that may speak of a day of this span: its days, its months and its years."""
    length = (days.last - days.first).days + 1
    by_day = map(_day, _days(days)) if length <= LONGEST_ASKED else ()
    return list(dict.fromkeys((*by_day, *map(_month, _firsts(days)), *map(_year, _firsts(days)))))


def _written(days: Days) -> Iterator[str]:
    length = (days.last - days.first).days + 1
    if length <= BY_DAY:
        yield from map(_day, _days(days))
    elif length <= BY_MONTH:
        yield from map(_month, _firsts(days))
    else:
        yield from map(_year, _firsts(days))


def _days(days: Days) -> Iterator[date]:
    for step in range((days.last - days.first).days + 1):
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
