"""Bubbles out of the texts a model gave: its own words only, sendable, not in circles, at most three."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.actions.loops import without_loops
from bot.actions.send_message import MOST_BUBBLES
from bot.actions.text import clean, is_blank, split
from bot.actions.visible import visible
from bot.actions.voices import Voices

Loss = Literal["reasoning_only", "foreign_speaker_cut", "looping", "too_long"]
LONGEST_SPEECH: Final = 16_000
"""Characters looked at in all: more than three bubbles hold."""
_SHOWN_BREAK: Final = re.compile(r"[ \t]?⏎[ \t]?")
"""A line break as the prompt shows it, which models write in turn."""


@dataclass(frozen=True, slots=True)
class Speech:
    """What can be said of it."""

    bubbles: tuple[str, ...]
    problem: Loss | None = None
    """What was taken away, when that matters."""


def compose(texts: Sequence[str], voices: Voices) -> Speech:
    """The bubbles that these texts make. Texts that are all blank make none, and that is no problem.

    Equal bubbles are said once; more than three are joined from the third on; one over Telegram's limit is
    split; what three bubbles cannot hold is dropped from a sentence, line or word on.
    """
    seen = [visible(text) for text in _bounded(texts)]
    given = [clean(_SHOWN_BREAK.sub("\n", each.text)) for each in seen]
    own, cut = voices.own_words([text for text in given if not is_blank(text)])
    own = [text.strip() for text in own if not is_blank(text)]
    spoken = list(dict.fromkeys(without_loops(text).strip() for text in own))
    bubbles, overflow = _at_most_three([piece for text in spoken for piece in split(text) if not is_blank(piece)])
    problem: Loss | None = None
    if cut:
        problem = "foreign_speaker_cut"
    elif not bubbles:
        problem = "reasoning_only" if any(each.hid for each in seen) else None
    elif spoken != own:
        problem = "looping"
    elif overflow:
        problem = "too_long"
    return Speech(tuple(bubbles), problem)


def _bounded(texts: Sequence[str]) -> list[str]:
    """The texts as far as `LONGEST_SPEECH` characters reach."""
    bounded: list[str] = []
    left = LONGEST_SPEECH
    for text in texts:
        if left <= 0:
            break
        bounded.append(text[:left])
        left -= 1 + len(text)
    return bounded


def _at_most_three(bubbles: list[str]) -> tuple[list[str], bool]:
    """Three bubbles at most, and whether something of the last had to go."""
    if len(bubbles) <= MOST_BUBBLES:
        return bubbles, False
    fits, *rest = split("\n".join(bubbles[MOST_BUBBLES - 1 :]))
    return [*bubbles[: MOST_BUBBLES - 1], fits], bool(rest)
