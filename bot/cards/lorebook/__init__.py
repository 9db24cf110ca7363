"""Lorebooks: what a character's world knows, told when the talk comes to it. All of it pure; see `evaluate`."""

from bot.cards.lorebook.book import Lorebook, read_lorebook
from bot.cards.lorebook.decorators import Decorators, Place, Role, parse_decorators
from bot.cards.lorebook.entry import Entry
from bot.cards.lorebook.evaluate import Lore, LoreScene, SceneLine, Told, evaluate
from bot.cards.lorebook.state import LoreState, Seen

__all__ = [
    "Decorators",
    "Entry",
    "Lore",
    "LoreScene",
    "LoreState",
    "Lorebook",
    "Place",
    "Role",
    "SceneLine",
    "Seen",
    "Told",
    "evaluate",
    "parse_decorators",
    "read_lorebook",
]
