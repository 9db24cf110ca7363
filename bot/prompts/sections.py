"""A character in the prompt: its sections in order, what stands among the messages, and what gives way.

The order is that of the cards' makers: the opening words, lore, description, personality, scenario, lore, examples,
the messages with what stands among them, the closing words. When room is short, examples go first, then lore, the
least worthy first; a character's own texts are cut only where nothing else is left.

A card's own opening and closing words replace ours. So ours are no more than what a character may do without: how
messages are read and answered stands elsewhere. Examples name nobody: with a person's name in them, what was never said
would read like a memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from bot.cards.character import Character
from bot.cards.lorebook import Lore, Place, Told
from bot.cards.macros import SOMEONE, MacroValues, expand
from bot.model import token_count
from bot.prompts.lines import apart, aside

SectionName = Literal[
    "system_prompt", "description", "personality", "scenario", "lore", "examples", "depth_prompt", "post_history"
]
_CUT = " …"

_WORTH: Mapping[SectionName, int] = {
    "system_prompt": 7,
    "post_history": 6,
    "description": 5,
    "personality": 4,
    "scenario": 3,
    "depth_prompt": 2,
    "lore": 1,
    "examples": 0,
}
_WHOLE: frozenset[SectionName] = frozenset({"lore", "examples"})
"""Told as a whole or not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A text of the prompt, macros filled."""

    name: SectionName
    text: str
    tokens: int
    """With the line break behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert:
    """A section that stands among the messages: a line, as `aside` has it."""

    section: Section
    depth: int
    """Messages from the newest: 1 is before it, less is behind it, more than there are is before the oldest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaSections:
    """A character as a prompt tells it."""

    before: tuple[Section, ...] = ()
    """What stands before the messages, in order."""
    inserts: tuple[Insert, ...] = ()
    """What stands among them; of two at one depth the first comes first."""
    after: tuple[Section, ...] = ()
    """What stands behind them."""
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])
    """What there was no room for: section → how many pieces; a text that was cut is one."""

    @property
    def tokens(self) -> Mapping[str, int]:
        """By section."""
        counted: Counter[str] = Counter()
        for section in (*self.before, *(insert.section for insert in self.inserts), *self.after):
            counted[section.name] += section.tokens
        return counted


def persona_sections(
    character: Character,
    lore: Lore,
    values: MacroValues,
    *,
    system_prompt: str,
    post_history: str,
    budget: int,
) -> PersonaSections:
    """A character's part of a prompt, in no more tokens than `budget`.

    `system_prompt` and `post_history` are our own words, which the card's replace: `{{original}}` stands for them.
    """
    pieces = list(_pieces(character, lore, values, ours=system_prompt, ours_behind=post_history))
    kept, dropped = _within(pieces, budget)
    before, inserts, after = list[Section](), list[Insert](), list[Section]()
    for piece, section in kept:
        if piece.depth is not None:
            inserts.append(Insert(section=section, depth=piece.depth))
        else:
            (after if piece.name == "post_history" else before).append(section)
    dropped["lore"] += len(lore.dropped)
    return PersonaSections(before=tuple(before), inserts=tuple(inserts), after=tuple(after), dropped=dict(+dropped))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """A text that wants to be told, and where."""

    name: SectionName
    text: str
    depth: int | None = None
    worth: tuple[float, float] = (0, 0)
    """Among pieces of one name."""


def _pieces(character: Character, lore: Lore, values: MacroValues, *, ours: str, ours_behind: str) -> Iterator[_Piece]:
    """All that a character has to tell, in the order of the prompt."""

    def own(name: SectionName, text: str) -> Iterator[_Piece]:
        if told := apart(text).strip():
            yield _Piece(name=name, text=told)

    def lore_at(*places: Place) -> Iterator[_Piece]:
        for told in lore.told:
            if told.depth is None and told.place in places:
                yield _lore_piece(told)

    opening = "" if "system_prompt" in lore.disabled else ours
    closing = "" if "post_history_instructions" in lore.disabled else ours_behind
    yield from own("system_prompt", _replacing(character.system_prompt, opening, values))
    yield from lore_at("before_char")
    yield from lore_at("before_desc")
    yield from own("description", values.description)
    yield from lore_at("after_desc")
    yield from own("personality", values.personality)
    yield from lore_at("personality")
    yield from own("scenario", values.scenario)
    yield from lore_at("scenario")
    yield from lore_at("after_char")
    nobody = replace(values, user=SOMEONE)
    for n, block in enumerate(character.examples):
        yield _Piece(name="examples", text=apart(expand(block, nobody)), worth=(-n, 0))
    if character.depth_prompt is not None:
        at = character.depth_prompt
        if text := expand(at.text, values).strip():
            yield _Piece(name="depth_prompt", text=aside(text, own=at.role == "assistant"), depth=at.depth)
    yield from (_lore_piece(told) for told in lore.told if told.depth is not None)
    yield from own("post_history", _replacing(character.post_history, closing, values))


def _lore_piece(told: Told) -> _Piece:
    worth = (told.entry.priority, told.entry.order)
    text = apart(told.text) if told.depth is None else aside(told.text, own=told.role == "assistant")
    return _Piece(name="lore", text=text, depth=told.depth, worth=worth)


def _replacing(text: str, ours: str, values: MacroValues) -> str:
    """The card's text in place of ours, if it has one."""
    return expand(text, replace(values, original=ours)) if text.strip() else ours


def _within(pieces: Iterable[_Piece], budget: int) -> tuple[list[tuple[_Piece, Section]], Counter[str]]:
    """What fits, in the order given, and how much of what did not."""
    wanted = list(pieces)
    kept: dict[int, Section] = {}
    dropped: Counter[str] = Counter()
    for n in sorted(range(len(wanted)), key=lambda n: (_WORTH[wanted[n].name], wanted[n].worth, -n), reverse=True):
        piece = wanted[n]
        text = piece.text
        cost = token_count(text + "\n")
        if cost > budget:
            dropped[piece.name] += 1
            text = "" if piece.name in _WHOLE else _cut(text, budget)
            cost = token_count(text + "\n") if text else 0
        if text:
            budget -= cost
            kept[n] = Section(name=piece.name, text=text, tokens=cost)
    return [(wanted[n], kept[n]) for n in sorted(kept)], dropped


def _cut(text: str, budget: int) -> str:
    """The beginning of a text, as much as fits, with a sign that it goes on; nothing if not even a word does."""
    fits, too_long = 0, min(len(text), 4 * max(budget, 0)) + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if token_count(text[:middle] + _CUT + "\n") <= budget:
            fits = middle
        else:
            too_long = middle
    beginning = text[:fits].rstrip()
    return beginning + _CUT if beginning else ""
