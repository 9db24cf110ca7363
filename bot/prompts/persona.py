"""Who the bot is, for one turn: what macros stand for, what the lorebook tells, and the sections that come of it. Pure.

All chance is drawn from what is in view, so that a turn that was killed and is begun anew, or is looked at again, finds
the same words and entries.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.cards import Persona
from bot.cards.character import macro_values
from bot.cards.lorebook import Lore, LoreScene, LoreState, SceneLine, evaluate
from bot.cards.macros import SOMEONE, MacroValues
from bot.model import LoreChange, View
from bot.prompts.lines import clean_name, speaker
from bot.prompts.sections import PersonaSections, persona_sections

LORE_SHARE = 8
"""A lorebook gets one part in so many of a prompt, unless it asks for less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonaTold:
    """A persona as a turn's prompt tells it."""

    sections: PersonaSections
    lore: LoreChange | None
    """What is to be remembered of its lorebook; None: nothing new."""


def tell_persona(
    persona: Persona, view: View, *, now: datetime, opening: str, lore_budget: int, budget: int
) -> PersonaTold:
    """A persona's part of a prompt, in no more tokens than `budget`. `now` is local; `opening`, our own first words."""
    values = values_of(persona, view, now=now)
    lore, change = _lore(persona, view, values, budget=min(lore_budget, budget))
    sections = persona_sections(persona.character, lore, values, system_prompt=opening, post_history="", budget=budget)
    return PersonaTold(sections=sections, lore=change)


def spoken_to(view: View) -> str:
    """The name that `{{user}}` stands for: that of the one person in view, if there is but one; else nobody's.

    Whoever is being answered would be nearer to what a card means. But a card names `{{user}}` from its first lines on,
    and in a group another person is answered every turn: nothing of the prompt would then be the same as in the turn
    before, and a model's server could take nothing of it from its cache. In a chat of two it is the same in every turn;
    and whoever takes a name that reads like an order gives it to nobody's bot but their own.
    """
    people = {speaker(message): message.sender for message in (*view.recent, *view.unread) if message.persona is None}
    [name] = people.values() if len(people) == 1 else [SOMEONE]
    return clean_name(name)


def values_of(persona: Persona, view: View, *, now: datetime) -> MacroValues:
    """What macros stand for.

    `{{pick:…}}` is the chat's; `{{random:…}}` and `{{roll:…}}` are the turn's, which is known by its newest message.
    """
    newest = max(view.unread, key=lambda message: message.message_id, default=None)
    chat = next((str(message.chat_id) for message in (*view.unread, *view.recent)), "")
    return macro_values(
        persona.character,
        char=persona.name,
        user=spoken_to(view),
        now=now,
        stable_seed=chat,
        turn_seed=f"{chat} {newest.message_id if newest else ''}",
    )


def _lore(persona: Persona, view: View, values: MacroValues, *, budget: int) -> tuple[Lore, LoreChange | None]:
    """What the lorebook tells of what is in view, and what is to be remembered of it."""
    book, past = persona.character.lorebook, view.lore
    if not book.entries:
        return Lore(), None
    scene = LoreScene(
        lines=[
            SceneLine(role="assistant" if message.persona == persona.name else "user", text=message.text)
            for message in (*view.recent, *view.unread)
        ],
        values=values,
        count=past.count if past else None,
        replies=past.replies if past else None,
        greeting=view.greeting,
    )
    before = LoreState.from_json(past.state if past else None)
    lore = evaluate(book, scene, before, budget=budget)
    return lore, lore.state.changed_since(before)
