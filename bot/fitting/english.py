"""How English tells and asks about the world of the template chats."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta

from bot.fitting import (
    english_home,
    english_life,
    english_notes,
    english_people,
    english_play,
    english_scenes,
    english_scenes_more,
    english_small,
)
from bot.fitting.notes_script import read_traits
from bot.fitting.script import read_topics
from bot.fitting.speech import Speech

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def said_day(day: date, today: date, rng: random.Random) -> str:
    """A day as said on another: "last Friday", "in two weeks", "on May 5th"."""
    ago = (today - day).days
    ways = [_calendar_day(day, rng)]
    if ago >= 0:
        ways += _past(day, today, ago, rng)
    else:
        ways += _future(day, today, -ago)
    return rng.choice(ways) if rng.random() < 0.25 else rng.choice(ways[1:] or ways)


def _past(day: date, today: date, ago: int, rng: random.Random) -> list[str]:
    week, this_week = _monday(day), _monday(today)
    ways: list[str] = []
    if ago == 0:
        ways += ["today", "this morning", "earlier today"]
    elif ago == 1:
        ways += ["yesterday", "yesterday", "last night"]
    elif ago < 7:
        ways += [f"last {_DAYS[day.weekday()]}", f"on {_DAYS[day.weekday()]}", f"{_number(ago)} days ago"]
        ways += ["the other day"] if rng.random() < 0.2 else []
    if 1 < ago < 10 and day.weekday() >= 5 and week < this_week:
        ways += ["last weekend", "at the weekend"]
    if ago > 1 and (this_week - week).days == 7:
        ways += ["last week"]
    if ago % 7 == 0 and 0 < ago <= 28:
        ways += ["a week ago" if ago == 7 else f"{_number(ago // 7)} weeks ago"]
    if ago > 6 and _month(day) == _month(today) - 1:
        ways += ["last month"]
    if ago > 25:
        ways += ["about a month ago" if ago < 40 else "around two months ago"]
    return ways


def _future(day: date, today: date, ahead: int) -> list[str]:
    week, this_week = _monday(day), _monday(today)
    ways: list[str] = []
    if ahead == 1:
        ways += ["tomorrow", "tomorrow"]
    elif ahead < 7:
        ways += [f"this {_DAYS[day.weekday()]}", f"on {_DAYS[day.weekday()]}", f"in {_number(ahead)} days"]
    if week == this_week and day.weekday() >= 5:
        ways += ["this weekend"]
    if (week - this_week).days == 7:
        ways += ["next week", f"next {_DAYS[day.weekday()]}"]
    if ahead % 7 == 0:
        ways += ["in a week" if ahead == 7 else f"in {_number(ahead // 7)} weeks"]
    if ahead > 6 and _month(day) == _month(today) + 1:
        ways += ["next month"]
    return ways


def asked_day(day: date, rng: random.Random) -> str:
    """A day as a question names it."""
    month = _MONTHS[day.month - 1]
    return rng.choice(
        (
            f"on {day.day} {month} {day.year}", f"on {month} {day.day}, {day.year}", f"on {day.day} {month}",
            f"on {month} {_ordinal(day.day)}", f"in {month} {day.year}", f"in {month}",
        )
    )  # fmt: skip


def _calendar_day(day: date, rng: random.Random) -> str:
    month = _MONTHS[day.month - 1]
    return rng.choice(
        (
            f"on {day.day} {month}",
            f"on {month} {_ordinal(day.day)}",
            f"on the {_ordinal(day.day)} of {month}",
            f"on {month} {day.day}",
        )
    )


def _ordinal(number: int) -> str:
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _month(day: date) -> int:
    return day.year * 12 + day.month


def tidy(text: str) -> str:
    """Capitals at the start of sentences, "an" before a vowel, no doubled blanks or stops."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\b(since|until) (on|in|at) (the )?", r"\1 \3", text)
    text = re.sub(r"\bthe The\b", "The", text)
    text = re.sub(r"\s+([,.!?])", r"\1", text)
    text = re.sub(r"([.!?])\.(?!\.)", r"\1", text) if "..." not in text else text
    text = re.sub(r"\b([Aa]) (?=[aeioAEIO](?!ne\b|uro)|u(?!ni|se|ku))", r"\1n ", text)
    return re.sub(r"(^|[.!?] )([a-z])", lambda found: found.group(1) + found.group(2).upper(), text)


TAG_ASKS = {
    "hobby": (
        "What are {A}'s hobbies?",
        "What does {A} do in {his} spare time?",
        "Which activities does {A} enjoy?",
        "How does {A} like to relax or have fun?",
    ),
    "trip": (
        "Where has {A} traveled?",
        "Which trips has {A} been on or planned?",
        "What places has {A} been to?",
    ),
    "family": (
        "Which of {A}'s relatives have been mentioned?",
        "Who is in {A}'s family?",
        "What has {A} said about {his} family?",
    ),
    "bought": ("What has {A} bought?", "Which purchases did {A} make?", "What new things does {A} own?"),
    "health": (
        "What health problems has {A} had?",
        "Which injuries or illnesses did {A} go through?",
        "How has {A}'s health been?",
    ),
    "learning": ("What has {A} been learning?", "Which skills is {A} trying to pick up?"),
    "food": ("What food does {A} like or make?", "What has {A} cooked or eaten?"),
    "outdoors": ("What has {A} done outdoors?", "How does {A} spend time in nature?"),
    "helping": ("How does {A} help others?", "What has {A} done for other people or the community?"),
    "stress": ("How does {A} deal with stress?", "What helps {A} to calm down?"),
}
DATED_ASKS = (
    "What did {A} do {day}?",
    "What happened to {A} {day}?",
    "{day}, what was {A} up to?",
    "What did {A} have going on {day}?",
)

ENGLISH = Speech(
    code="en",
    column=0,
    topics=read_topics(english_home.SCRIPT + english_life.SCRIPT + english_people.SCRIPT + english_play.SCRIPT),
    scenes=read_topics(english_scenes.SCRIPT + english_scenes_more.SCRIPT),
    traits=read_traits(english_notes.SCRIPT),
    small=english_small.SMALL,
    note_asides=english_notes.ASIDES,
    note_asides_of_values=english_notes.ASIDES_OF_VALUES,
    note_trailing=english_notes.TRAILING,
    note_answers=english_notes.ANSWERS,
    mine="my {who}",
    said_day=said_day,
    asked_day=asked_day,
    pronouns={"he": ("he", "she"), "him": ("him", "her"), "his": ("his", "her"), "himself": ("himself", "herself")},
    vague=("last month", "about a month ago", "around two months ago", "next month", "the other day", "last week"),
    asked_month=lambda day, rng: f"in {_MONTHS[day.month - 1]}" + rng.choice((f" {day.year}", "")),
    someone_who=(
        "the person who {D}",
        "the one who {D}",
        "the friend who {D}",
        "whoever {D}",
    ),
    tag_asks=TAG_ASKS,
    dated_asks=DATED_ASKS,
    word_asks=(
        "What did {A} say about {W}?",
        "What has {A} told about {W}?",
        "What does {A} have to do with {W}?",
        "Why did {A} mention {W}?",
        "In which context did {W} come up with {A}?",
        "{A} said something about {W}. What was it?",
    ),
    anchors=("About #: ", "Regarding #, ", "Talking about #, ", "When it comes to #, ", "As for #, "),
    theirs=lambda title, name: re.sub(r"\b[Mm]y\b", f"{name}'s", title),
    called=("{name}, {text}", "@{name} {text}", "hey {name}, {text}"),
    tidy=tidy,
)
