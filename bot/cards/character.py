"""What a card's fields make of a prompt: read from the `data` of a card in the V3 shape.

Only what belongs in a prompt is read. What the card's author tells people (creator notes, tags, version, comments) is
not, so that it cannot get there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.cards.examples import example_blocks
from bot.cards.lorebook import Lorebook, Role, read_lorebook
from bot.cards.lorebook.fields import as_count, as_number, as_object, as_text
from bot.cards.macros import SOMEONE, MacroValues, char_name, expand

DEPTH = 4
"""Messages from the newest at which a card's depth prompt stands, if it does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthPrompt:
    """Words of the card that stand among the messages in every prompt."""

    text: str
    depth: int = DEPTH
    role: Role = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Character:
    """A card's texts, macros and all."""

    name: str
    nickname: str = ""
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
    def shown_name(self) -> str:
        """By which the character goes in the chat."""
        return char_name(self.name, self.nickname)


def read_character(data: Mapping[str, object]) -> Character:
    """The character in the `data` of a card in the V3 shape; a field of a wrong type is an empty one."""
    extensions = as_object(data.get("extensions"))
    talkativeness = as_number(extensions.get("talkativeness"))
    return Character(
        name=as_text(data.get("name")),
        nickname=as_text(data.get("nickname")),
        description=as_text(data.get("description")),
        personality=as_text(data.get("personality")),
        scenario=as_text(data.get("scenario")),
        system_prompt=as_text(data.get("system_prompt")),
        post_history=as_text(data.get("post_history_instructions")),
        examples=example_blocks(as_text(data.get("mes_example"))),
        depth_prompt=_depth_prompt(as_object(extensions.get("depth_prompt"))),
        talkativeness=None if talkativeness is None else min(max(talkativeness, 0.0), 1.0),
        lorebook=read_lorebook(data.get("character_book")),
    )


def _depth_prompt(given: Mapping[str, object]) -> DepthPrompt | None:
    text, depth, role = as_text(given.get("prompt")), as_count(given.get("depth")), given.get("role")
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
    user: str = SOMEONE,
    now: datetime | None = None,
    stable_seed: str = "",
    turn_seed: str = "",
) -> MacroValues:
    """What the macros of a card stand for in a turn. Those of its own fields are filled here, and once."""
    values = MacroValues(char=character.shown_name, user=user, now=now, stable_seed=stable_seed, turn_seed=turn_seed)
    return replace(
        values,
        description=expand(character.description, values),
        personality=expand(character.personality, values),
        scenario=expand(character.scenario, values),
    )
