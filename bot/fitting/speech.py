"""What a language must know to tell and ask about the world: its words, topics, small talk and dates."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from bot.fitting.notes_script import Trait
from bot.fitting.script import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallTalk:
    """Talk without facts."""

    greetings: tuple[str, ...]
    greeted: tuple[str, ...]
    farewells: tuple[str, ...]
    glad: tuple[str, ...]
    sorry: tuple[str, ...]
    neutral: tuple[str, ...]
    how_about_you: tuple[str, ...]
    shrugs: tuple[str, ...]
    """What may answer "how about you?" without telling anything."""
    trailing: tuple[str, ...]
    """Sentences that lengthen a message and say nothing new."""
    echoes: tuple[str, ...]
    """What gives back a word of a message: `{W}`."""
    musings: tuple[str, ...]
    """Long messages that tell nothing of anybody, some about a thing `{W}`."""
    idle: tuple[tuple[str, str], ...]
    """Pairs of a remark and what it gets back."""
    about: tuple[str, ...]
    """Ways to name a topic before telling of it: `#` is what it is called."""
    returning: tuple[str, ...]
    """Ways for A to come back to a topic: `#` is what it is called."""
    wondering: tuple[str, ...]
    """Ways for B to ask about a topic again, which nobody answers."""
    reminded: tuple[str, ...]
    """Ways to come back to a thing `{W}` of somebody `{A}`, some with a second one `{X}`."""
    banter: tuple[str, ...]
    """Short lines between those of a scene."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """One language."""

    code: str
    column: int
    """Which side of the lexicon is its own."""
    topics: Mapping[str, Topic]
    scenes: Mapping[str, Topic]
    traits: Mapping[str, Trait]
    """How notes tell and ask each attribute, by `entity.attribute`."""
    small: SmallTalk
    note_asides: tuple[str, ...]
    """Notes that tell no attribute of `{whose}`."""
    note_asides_of_values: tuple[str, ...]
    """Notes that name a value `{v}` of `{whose}`, but not as theirs."""
    note_trailing: tuple[str, ...]
    """What may be added to a note."""
    note_answers: tuple[str, ...]
    """What an assistant says to a note."""
    mine: str
    """Somebody of one's own: `{who}` is the relation."""
    said_day: Callable[[date, date, random.Random], str]
    """A day as said on another: "last Friday"."""
    asked_day: Callable[[date, random.Random], str]
    """A day as a question names it: "on 5 May 2023"."""
    asked_month: Callable[[date, random.Random], str]
    """A day's month as a question names it."""
    vague: tuple[str, ...]
    """Said days that do not tell the day itself."""
    pronouns: Mapping[str, tuple[str, str]]
    """By slot, for a man and for a woman."""
    someone_who: tuple[str, ...]
    """The person of a clause `{D}`."""
    tag_asks: Mapping[str, tuple[str, ...]]
    """Questions over every thread of `{A}` with a tag."""
    dated_asks: tuple[str, ...]
    """Questions about what `{A}` did on `{day}`."""
    word_asks: tuple[str, ...]
    """Questions about what `{A}` said of `{W}`."""
    anchors: tuple[str, ...]
    """Ways to begin a question with its topic `#`."""
    theirs: Callable[[str, str], str]
    """What a topic is called by others than the person of that name."""
    called: tuple[str, ...]
    """How a message is addressed: `{name}` and `{text}`."""
    tidy: Callable[[str], str]
    """Mend what templates cannot: capitals, "an" before a vowel."""
