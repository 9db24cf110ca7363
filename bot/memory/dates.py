"""Dates as people say them: "last Friday", "on 5 May", "three days ago", 上周五, 三天前.

What is said is a span of days, seen from the day on which it was said. English and Chinese are read, and dates in
figures in any language. Pure; nothing here knows today.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache

LONGEST = 1000
"""Characters of a text that are read."""
FEW, SEASON = 8, 100
"""Days up to which a span is one of days, and of months."""
MOST = 24
"""Spans of days of one text that are told, the first: each may be compared with each of another text."""

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "zero", "a an one", "two couple", "three few", "four", "five", "six", "seven", "eight", "nine", "ten",
            "eleven", "twelve",
        )
    )
    for word in words.split()
}  # fmt: skip
_HAN_NUMBERS = {
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "几": 3,
    "半": 1,
}
_HAN_DAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6, "末": 5}


@dataclass(frozen=True, slots=True)
class Days:
    """A span of days, both ends within it."""

    first: date
    last: date

    @property
    def length(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def grain(self) -> int:
        """How finely it is meant: 0 to the day ("on Friday" may be either of two), 1 to the month, 2 to the year."""
        return sum(self.length > most for most in (FEW, SEASON))

    def meets(self, other: Days) -> bool:
        """Whether the two have a day in common."""
        return self.first <= other.last and other.first <= self.last


def day_in(zone: tzinfo, moment: datetime) -> date:
    """The day that it is there at a moment; where the calendar ends, that of the moment's own zone."""
    try:
        return moment.astimezone(zone).date()
    except OverflowError:
        return moment.date()


def said_days(text: str, day: date) -> tuple[Days, ...]:
    """The first `MOST` spans of days that a text written on `day` speaks of, in order."""
    text = text[:LONGEST].lower()
    return _said(text, day) if _MAY_SAY.search(text) else ()


def asks_when(text: str) -> bool:
    """Whether a question asks for a time."""
    return _WHEN.search(text.lower()) is not None


@lru_cache(maxsize=4096)
def _said(text: str, day: date) -> tuple[Days, ...]:
    found: list[tuple[int, Days]] = []
    taken = [False] * len(text)
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            try:
                days = read(match, day)
            except (ValueError, OverflowError):  # the 31st of June, the year 0
                continue
            if days is not None:
                taken[match.start() : match.end()] = [True] * (match.end() - match.start())
                found.append((match.start(), days))
    return tuple(days for _, days in sorted(found, key=lambda item: item[0])[:MOST])


def _number(word: str) -> int:
    if word.isdigit():
        return int(word)
    if word in _NUMBERS:
        return _NUMBERS[word]
    if word in _HAN_NUMBERS:
        return _HAN_NUMBERS[word]
    head, ten, tail = word.partition("十")  # 十二, 二十, 三十一
    if not ten:
        raise ValueError(word)
    return (_HAN_NUMBERS[head] if head else 1) * 10 + (_HAN_NUMBERS[tail] if tail else 0)


def _month(year: int, month: int) -> Days:
    following = date(year + month // 12, month % 12 + 1, 1)
    return Days(date(year, month, 1), following - timedelta(days=1))


def _nearest(day: date, month: int, number: int | None) -> Days:
    """A month, or a day in it, of the year that lies nearest: people rarely name a year."""
    years = (day.year - 1, day.year, day.year + 1)
    if number is None:
        return min((_month(year, month) for year in years), key=lambda days: abs((days.first - day).days + 15))
    dates: list[date] = []
    for year in years:
        try:
            dates.append(date(year, month, number))
        except ValueError:
            continue  # 29 February
    if not dates:
        raise ValueError(number)
    best = min(dates, key=lambda there: abs((there - day).days))
    return Days(best, best)


def _shift_month(day: date, months: int) -> Days:
    index = day.year * 12 + day.month - 1 + months
    return _month(index // 12, index % 12 + 1)


def _week(day: date, weeks: int) -> Days:
    monday = day - timedelta(days=day.weekday()) + timedelta(weeks=weeks)
    return Days(monday, monday + timedelta(days=6))


def _one(day: date) -> Days:
    return Days(day, day)


def _iso(match: re.Match[str], day: date) -> Days:
    year, month, number = (int(part) for part in match.group(1, 2, 3))
    return _one(date(year, month, number))


def _year_month(match: re.Match[str], day: date) -> Days:
    return _month(int(match["y"]), _MONTHS_BY_START[match["m"][:3]])


def _day_month(match: re.Match[str], day: date) -> Days:
    month, number = _MONTHS_BY_START[match["m"][:3]], int(match["d"])
    if match["y"]:
        return _one(date(int(match["y"]), month, number))
    return _nearest(day, month, number)


def _only_month(match: re.Match[str], day: date) -> Days:
    return _nearest(day, _MONTHS_BY_START[match["m"][:3]], None)


def _away(day: date, count: int, unit: str) -> Days:
    """Some days, weeks, months or years away; the longer the unit, the wider the span that is meant."""
    if unit.startswith(("day", "night", "天", "日")):
        return _one(day + timedelta(days=count))
    if unit.startswith(("week", "周", "星期", "个星期", "礼拜", "个礼拜")):
        there = day + timedelta(weeks=count)
        return Days(there - timedelta(days=3), there + timedelta(days=3))
    if unit.startswith(("month", "个月", "月")):
        return _shift_month(day, count)
    return Days(date(day.year + count, 1, 1), date(day.year + count, 12, 31))


def _relative(match: re.Match[str], day: date) -> Days | None:
    """What is said like "last Friday", "next month", "this weekend"."""
    step = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}[match["w"]]
    unit = match["u"]
    if unit in _DAYS:
        return _one(_weekday(day, _DAYS.index(unit), step))
    if unit == "week":
        return _week(day, step)
    if unit == "weekend":
        week = _week(day, step)
        return Days(week.first + timedelta(days=5), week.last)
    if unit == "month":
        return _shift_month(day, step)
    if unit == "year":
        return Days(date(day.year + step, 1, 1), date(day.year + step, 12, 31))
    if unit == "night":
        return _one(day + timedelta(days=step))
    if unit in _SEASONS:
        return _season(day, unit, step)
    if unit in _MONTHS:
        month = _MONTHS.index(unit) + 1
        year = day.year - (step < 0 and month >= day.month) + (step > 0 and month <= day.month)
        return _month(year, month)
    return None


def _weekday(day: date, weekday: int, step: int) -> date:
    """The last, next or nearest one."""
    if step > 0:
        return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)
    if step < 0:
        return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)
    return day - timedelta(days=day.weekday()) + timedelta(days=weekday)


_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


def _season(day: date, name: str, step: int) -> Days:
    first = date(day.year + step, _SEASONS[name], 1)
    return Days(first, first + timedelta(days=91))


def _bare_weekday(match: re.Match[str], day: date) -> Days:
    """A weekday alone ("on Friday"): the one before or the one to come, so both."""
    weekday = _DAYS.index(match["u"])
    return Days(_weekday(day, weekday, -1), _weekday(day, weekday, 1)) if day.weekday() != weekday else _one(day)


def _word(match: re.Match[str], day: date) -> Days:
    return _one(day + timedelta(days=_WORDS[match[0]]))


_WORDS = {
    "yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "the day before yesterday": -2,
    "the day after tomorrow": 2, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "昨天": -1, "昨晚": -1, "今天": 0, "今晚": 0, "今早": 0, "明天": 1, "明早": 1, "明晚": 1, "前天": -2, "大前天": -3,
    "后天": 2, "大后天": 3,
}  # fmt: skip


def _year(match: re.Match[str], day: date) -> Days:
    year = int(match["y"])
    return Days(date(year, 1, 1), date(year, 12, 31))


def _han_date(match: re.Match[str], day: date) -> Days:
    month = _number(match["m"])
    number = _number(match["d"]) if match["d"] else None
    year = match["y"]
    if year is None:
        return _nearest(day, month, number)
    base = {"去": -1, "今": 0, "明": 1, "前": -2, "后": 2}
    year_number = day.year + base[year[0]] if year[0] in base else int(year)
    return _month(year_number, month) if number is None else _one(date(year_number, month, number))


def _han_week(match: re.Match[str], day: date) -> Days:
    step = {"上": -1, "这": 0, "本": 0, "下": 1, None: 0}[match["w"]]
    step *= 1 + (match["w2"] is not None)
    week = _week(day, step)
    if not match["d"]:
        return week
    if match["d"] == "末":
        return Days(week.first + timedelta(days=5), week.last)
    return _one(week.first + timedelta(days=_HAN_DAYS[match["d"]]))


def _han_month(match: re.Match[str], day: date) -> Days:
    return _shift_month(day, {"上": -1, "这": 0, "本": 0, "下": 1}[match["w"]])


def _han_year(match: re.Match[str], day: date) -> Days:
    year = day.year + {"去": -1, "今": 0, "明": 1, "前": -2, "后": 2}[match["w"]]
    return Days(date(year, 1, 1), date(year, 12, 31))


_MONTHS_BY_START = {name[:3]: number for number, name in enumerate(_MONTHS, start=1)}
_MONTH = (
    r"(?P<m>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_COUNT = r"(?P<n>\d{1,3}|a few|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_UNIT = r"(?P<u>days?|nights?|weeks?|months?|years?)"
_HAN = r"\d{1,3}|[一二两三四五六七八九十几]{1,3}"

_Reader = Callable[[re.Match[str], date], Days | None]


def _counted(match: re.Match[str], day: date) -> Days:
    words = match["n"].split()
    count = {"few": 3, "couple": 2}.get(words[1], 1) if len(words) > 1 else _number(words[0])
    return _away(day, -count, match["u"])


def _counted_ahead(match: re.Match[str], day: date) -> Days:
    words = match["n"].split()
    count = {"few": 3, "couple": 2}.get(words[1], 1) if len(words) > 1 else _number(words[0])
    return _away(day, count, match["u"])


def _han_away(match: re.Match[str], day: date) -> Days:
    return _away(day, _number(match["n"]) * (1 if match["way"] in ("后", "以后", "之后") else -1), match["u"])


_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (re.compile(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})[日号]?"), _iso),
    (re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (?P<y>\d{{4}}))?"), _day_month),
    (re.compile(rf"\b{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<y>\d{{4}}))?"), _day_month),
    (re.compile(rf"\b{_MONTH},? (?:of )?(?P<y>\d{{4}})"), _year_month),
    (re.compile("|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True))), _word),
    (re.compile(rf"\b{_COUNT} {_UNIT} (?:ago|back|earlier|before)\b"), _counted),
    (re.compile(rf"\bin {_COUNT} {_UNIT}\b"), _counted_ahead),
    (
        re.compile(
            r"\b(?P<w>last|past|previous|this|next|coming) (?P<u>week(?:end)?|month|year|night|"
            + "|".join((*_DAYS, *_SEASONS, *_MONTHS))
            + r")\b"
        ),
        _relative,
    ),
    (re.compile(rf"\b(?:in|since|until|by|during|of|late|early|mid|around|for) {_MONTH}"), _only_month),
    (re.compile(r"\bon (?P<u>" + "|".join(_DAYS) + r")\b"), _bare_weekday),
    (re.compile(r"\b(?:in|since|of|from|during) (?P<y>(?:19|20)\d{2})\b"), _year),
    (
        re.compile(
            rf"(?:(?P<y>\d{{4}}|[去今明前后])年)?(?P<m>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:(?P<d>{_HAN})[日号])?"
        ),
        _han_date,
    ),
    (re.compile(rf"(?P<n>{_HAN})(?P<u>天|周|个?星期|个?礼拜|个月|年)(?:以|之)?(?P<way>前|后)"), _han_away),
    (re.compile(r"(?P<w>[上下这本])?(?P<w2>[上下])?个?(?:周|星期|礼拜)(?P<d>[一二三四五六日天末])"), _han_week),
    (re.compile(r"(?P<w>[上下这本])(?P<w2>[上下])?个?(?:周|星期|礼拜)(?P<d>)"), _han_week),
    (re.compile(r"(?P<w>[上下这本])个?月"), _han_month),
    (re.compile(r"(?P<w>[去今明前后])年"), _han_year),
)

_MAY_SAY = re.compile(
    r"\d{4}|day|night|week|month|year|tomorrow|morning|afternoon|evening|spring|summer|autumn|fall|winter"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|[天周年月晚早]|星期|礼拜"
)
"""What every date has something of: most texts have none, and to look for that takes a tenth of the time."""
_WHEN = re.compile(
    r"\bwhen\b|\bwhat (?:date|day|time|month|year)\b|\bwhich (?:day|month|year|date)\b|\bhow long ago\b|\bhow long\b"
    r"|什么时候|何时|几点|几号|哪天|哪一天|哪年|哪个月|什么日子|多久|日期|什么时间|时间是"
)
