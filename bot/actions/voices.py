"""Who speaks in a text the bot is about to say: only the bot may.

Models go on with other people's turns, and copy the label that the prompt puts before a message. Our own
label is taken off. The text ends where another participant begins to speak: at a line `Ann: …` (any colon,
also `[12] Ann (7): …`, `**Ann:** …`), at one `<Ann> …` (also behind a number and a date, as the prompt has
it; then whoever it names), and at a line that is only a participant's name when something other than names
follows it. Names are compared whole, so `Note: …` and `Annex: …` stay; list items (`- Ann: cake`) and
quotations (`> Ann: …`) are the bot's own words.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence
from enum import Enum
from typing import Final

from bot.actions.text import clean

_LONGEST_LABEL: Final = 160
_COLON: Final = re.compile("[:：﹕︰꞉]")
_MOST_COLONS: Final = 5
"""How many colons of a line are tried: a label may hold a time, a name may hold a colon."""
_BRACKETED: Final = re.compile(r"[\[(（【][^\[\]()（）【】\n]{0,60}[\])）】]")
_STAMP: Final = re.compile(r"\A(?:\s*(?:#\d{1,18}|\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?)[\s,]*){1,4}")
_IN_BRACKETS: Final = re.compile(
    r"""\s*(?P<number>\#\d{1,18}\s*)?(?:\[[^\[\]\n]{0,60}\]\s*)?
        (?:<(?P<angled>[^<>\n]{1,80})>|[\[【](?P<squared>[^\[\]【】\n]{1,80})[\]】])
        (?:\s*\((?:answers\ \#\d{1,18}|(?:forwarded\ from|picture:)\ [^()\n]{1,60}|edited)\)){0,4}\s*[:：]?""",
    re.VERBOSE,
)
"""A speaker as `bot.prompts.lines` shows it, in whole or in part."""
_BOLD: Final = re.compile(r"\s*([*_]{1,3})")
_EDGES: Final = " \t*_~`\"'“”‘’「」[]()（）【】@\u200b\u200e\u200f"
_SHAPE: Final = str.maketrans("<>[]()#", "       ")
"""What the prompt leaves out of a name."""
_ROLES: Final = frozenset({"user", "human", "system", "tool", "function"})


class _Who(Enum):
    OWN = "own"
    OTHER = "other"
    NOBODY = "nobody"


class Voices:
    """The names in a chat: the bot's own and the others'."""

    def __init__(self, *, persona: str, participants: Sequence[str]) -> None:
        self._own: Final = _forms(persona)
        self._others: Final = {form for name in participants for form in _forms(name)} - self._own

    def is_other(self, speaker: str) -> bool:
        """Whether a speaker that an answer names is somebody else."""
        who = self._who(speaker[:_LONGEST_LABEL])
        return who is _Who.OTHER or (who is _Who.NOBODY and _fold(speaker[:_LONGEST_LABEL]) in _ROLES)

    def own_words(self, texts: Sequence[str]) -> tuple[list[str], bool]:
        """The texts as the bot's own words, and whether something of another's was cut off."""
        lines = [(number, line) for number, text in enumerate(texts) for line in text.split("\n")]
        bare = [self._who(line) if len(line) <= _LONGEST_LABEL else _Who.NOBODY for _, line in lines]
        # A name alone is a label only before words; a list of names, or a name as an answer, has none after it.
        worded = [at for at, (_, line) in enumerate(lines) if bare[at] is _Who.NOBODY and line.strip()]
        last_word = worded[-1] if worded else -1
        kept: list[list[str]] = [[] for _ in texts]
        cut = False
        for at, (number, line) in enumerate(lines):
            if bare[at] is _Who.OTHER and at < last_word:
                cut = True
                break
            if bare[at] is _Who.OWN and at < last_word and not any(kept[number]):
                continue
            who, words = self._label(line)
            if who is _Who.OTHER:
                cut = True
                break
            kept[number].append(words)
        return ["\n".join(each).strip("\n") for each in kept], cut

    def _label(self, line: str) -> tuple[_Who, str]:
        """Who a line says is speaking, and the line without our own label."""
        for _ in range(_MOST_COLONS):  # `Mia: Mia: hi` occurs
            who, words = self._first_label(line)
            if who is not _Who.OWN:
                return who, line
            line = words
        return _Who.NOBODY, line

    def _first_label(self, line: str) -> tuple[_Who, str]:
        head = line[:_LONGEST_LABEL]
        if shown := _IN_BRACKETS.match(head):
            who, words = self._who(shown["angled"] or shown["squared"]), line[shown.end() :].lstrip()
            if who is _Who.NOBODY and shown["number"] and shown["angled"]:
                who = _Who.OTHER
            if who is not _Who.NOBODY and words:
                return who, words
        for colon in itertools.islice(_COLON.finditer(head), _MOST_COLONS):
            label = head[: colon.start()]
            if (who := self._who(label)) is not _Who.NOBODY:
                return who, _words_after(label, line[colon.end() :])
        return _Who.NOBODY, line

    def _who(self, label: str) -> _Who:
        """Whose name a label is."""
        bare = _BRACKETED.sub(" ", label)
        for form in (label, bare, _STAMP.sub("", bare, count=1)):
            name = _fold(form)
            if name in self._own:
                return _Who.OWN
            if name in self._others:
                return _Who.OTHER
        return _Who.NOBODY


def _words_after(label: str, words: str) -> str:
    """What follows a label's colon; the bold of `**Mia:** hi` ends there."""
    words = words.lstrip()
    opening = _BOLD.match(label)
    if opening and not label.rstrip().endswith(opening[1]):
        words = words.removeprefix(opening[1]).lstrip()
    return words


def _forms(name: str) -> set[str]:
    """A name as it is, and as the prompt shows it."""
    name = clean(name)
    return {_fold(name), _fold(name.translate(_SHAPE))} - {""}


def _fold(name: str) -> str:
    name = " ".join(unicodedata.normalize("NFKC", name).casefold().split()).strip(_EDGES)
    return name[1:-1].strip() if name.startswith("<") and name.endswith(">") else name
