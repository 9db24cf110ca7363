"""Who the bot is: what a card's fields make of a prompt, read from the `data` of a card in the V3 shape.

Only what belongs in a prompt is read. What the card's author tells people (creator notes, tags, version, comments) is
not, so that it cannot get there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot import telemetry_names as names
from bot.cards.examples import example_blocks
from bot.cards.lorebook import Lorebook, Role, read_lorebook
from bot.cards.lorebook.fields import as_count, as_number, as_object, as_text
from bot.cards.macros import SOMEONE, MacroValues, expand
from bot.model import LoreOf

DEPTH = 4
"""Messages from the newest at which a card's depth prompt stands, if it does not say."""
LONGEST_TEXT = 100_000
"""Characters that are read of one text: more than a prompt has room for, and little enough to be filled every turn."""
MOST_EXAMPLES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthPrompt:
    """Words of the card that stand among the messages in every prompt."""

    text: str
    depth: int = DEPTH
    role: Role = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """A card's texts, macros and all."""

    description: str = ""
    personality: str = ""
    scenario: str = ""
    system_prompt: str = ""
    post_history: str = ""
    examples: tuple[str, ...] = ()
    depth_prompt: DepthPrompt | None = None
    talkativeness: float | None = None
    """From 0 (speaks when spoken to) to 1; None if the card does not say."""
    lorebook: Lorebook = field(default_factory=Lorebook)

    @property
    def speaks_among_messages(self) -> bool:
        """Whether anything of it may stand among the messages."""
        return self.depth_prompt is not None or self.lorebook.among_messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """Who the bot is in a chat. The one value that a turn takes for it."""

    name: str
    """By which it goes: on one line, bounded, never empty."""
    character: Character = field(default_factory=Character, repr=False)
    emotions: tuple[str, ...] = ()
    """What the pictures of it are called that it can send."""
    sha256: str = ""
    """Of the card's bytes: which version of the character said it."""

    @property
    def lore_of(self) -> LoreOf | None:
        """What a turn has to ask of the past of its lorebook; None without one."""
        book = self.character.lorebook
        return LoreOf(self.name, book.counts_replies) if book.entries else None

    def span_attributes(self) -> Mapping[str, object]:
        return {names.GEN_AI_AGENT_NAME: self.name, names.COMPANION_PERSONA_SHA256: self.sha256}


def read_character(data: Mapping[str, object]) -> Character:
    """The character in the `data` of a card in the V3 shape; a field of a wrong type is an empty one."""
    extensions = as_object(data.get("extensions"))
    talkativeness = as_number(extensions.get("talkativeness"))
    return Character(
        description=_text(data, "description"),
        personality=_text(data, "personality"),
        scenario=_text(data, "scenario"),
        system_prompt=_text(data, "system_prompt"),
        post_history=_text(data, "post_history_instructions"),
        examples=example_blocks(_text(data, "mes_example"))[:MOST_EXAMPLES],
        depth_prompt=_depth_prompt(as_object(extensions.get("depth_prompt"))),
        talkativeness=None if talkativeness is None else min(max(talkativeness, 0.0), 1.0),
        lorebook=read_lorebook(data.get("character_book")),
    )


def _text(given: Mapping[str, object], key: str) -> str:
    text = as_text(given.get(key))
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT].rstrip()} …"


def _depth_prompt(given: Mapping[str, object]) -> DepthPrompt | None:
    text, depth, role = _text(given, "prompt"), as_count(given.get("depth")), given.get("role")
    if not text.strip():
        return None
    return DepthPrompt(
        text=text,
        depth=DEPTH if depth is None else depth,
        role=role if role in ("user", "assistant") else "system",
    )


def macro_values(
    character: Character,
    *,
    char: str,
    user: str = SOMEONE,
    now: datetime | None = None,
    stable_seed: str = "",
    turn_seed: str = "",
) -> MacroValues:
    """What the macros of a card stand for in a turn. Those of its own fields are filled here, and once."""
    values = MacroValues(char=char, user=user, now=now, stable_seed=stable_seed, turn_seed=turn_seed)
    return replace(
        values,
        description=expand(character.description, values),
        personality=expand(character.personality, values),
        scenario=expand(character.scenario, values),
    )
