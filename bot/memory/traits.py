"""What a text shows by itself, whatever is asked: whether it asks, has a number, speaks of its writer, tells a time.

Pure. A turn looks at some hundred texts: words are looked up in sets, and patterns only where they could find anything.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST = 1000
"""Characters of a text that are looked at, its end aside."""


class Traits(NamedTuple):
    """What a text shows."""

    asks: bool
    """It ends as a question does."""
    number: bool
    """There is a number in it, in figures or as a word."""
    of_self: bool
    """Whoever wrote it speaks of themselves."""
    time: bool
    """There is an expression of time in it, one that is no date included ("every summer", "at noon")."""


def traits(text: str) -> Traits:
    """The traits of a text; English and Chinese are read, figures in any language."""
    read = text[:LONGEST].lower()
    words = frozenset(_WORD.findall(read))
    figures = _FIGURE.search(read) is not None
    wide = not read.isascii()
    return Traits(
        asks=text.rstrip().endswith(("?", "？")),
        number=figures or not _NUMBERS.isdisjoint(words) or (wide and _HAN_NUMBER.search(read) is not None),
        of_self=not _SELF.isdisjoint(words) or (wide and "我" in read),
        time=(
            not _TIMES.isdisjoint(words)
            or ((figures or not _BEFORE_TIME.isdisjoint(words)) and _TIME.search(read) is not None)
            or (wide and _HAN_TIME.search(read) is not None)
        ),
    )


_WORD = re.compile(r"[a-z]+")
_FIGURE = re.compile(r"\d")
_NUMBERS = frozenset(
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "dozen", "hundred", "once", "twice"]
)
_HAN_NUMBER = re.compile("[一二两三四五六七八九十百千万]")
_SELF = frozenset(["i", "my", "me", "we", "our", "mine", "myself"])
_TIMES = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "yesterday",
        "today",
        "tonight",
        "tomorrow",
        "last",
        "next",
        "ago",
        "recently",
        "weekend",
        "noon",
        "midnight",
        "birthday",
    ]
)
"""Words that speak of time wherever they stand; "may" does not."""
_TIME = re.compile(
    r"\b(?:(?:this|every) (?:week|month|year|morning|afternoon|evening|spring|summer|autumn|fall|winter)"
    r"|(?:19|20)\d\d|\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\d{1,2}:\d\d|o'clock"
    r"|\d+ (?:days?|weeks?|months?|years?|hours?|minutes?)"
    r"|(?:few|couple of|two|three|four|five|six|seven|eight|nine|ten) (?:days?|weeks?|months?|years?))\b"
)
_BEFORE_TIME = frozenset(
    ["this", "every", "few", "couple", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "clock"]
)
"""Words without which, and without figures, the pattern finds nothing."""
_HAN_TIME = re.compile(
    r"(?:\d{1,3}|[一二两三四五六七八九十几]{1,3})(?:天|周|年|月|点|号|日|个月|小时|分钟|星期)|[昨今明前后]天"
    "|[上下这本]个?(?:周|月|星期)|周[一二三四五六日末]|[去今明]年|星期|生日|节"
)
