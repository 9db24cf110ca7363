"""With what a character begins: its greetings, by the positions that the specification gives them. Pure."""

from __future__ import annotations

from datetime import datetime

from bot.cards.card import Card
from bot.cards.character import macro_values
from bot.cards.macros import expand


def greetings(card: Card, *, in_group: bool) -> tuple[str, ...]:
    """By position: 0 is the first message, then the alternates; in a group, those for groups only stand behind them.

    An empty one keeps its position.
    """
    return (card.first_mes, *card.alternate_greetings, *(card.group_only_greetings if in_group else ()))


def first_greeting(card: Card, *, in_group: bool) -> int | None:
    """The position of the first one that says something; None when none does."""
    return next((n for n, text in enumerate(greetings(card, in_group=in_group)) if text.strip()), None)


def greeting_text(card: Card, text: str, *, user: str, seed: str, now: datetime) -> str:
    """A greeting as it is said to somebody: the macros filled, the person's name being data. `now` is local.

    All of the card is read for that, which may take a second.
    """
    persona = card.persona()
    values = macro_values(persona.character, char=persona.name, user=user, now=now, stable_seed=seed, turn_seed=seed)
    return expand(text, values).strip()
