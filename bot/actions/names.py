"""The names of the actions, as models may write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from bot import actions  # imports us too; its table is looked at only when a reply has come

if TYPE_CHECKING:
    from bot.actions import Action

_LONGEST: Final = 60
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NO_WORD: Final = re.compile(r"[\W_]+")


def find(name: str) -> type[Action] | None:
    """The action that a name means: `send_message`, `SendMessage`, `functions.send-message`, another word for it."""
    return _by_name().get(_snake(name)) if len(name) <= _LONGEST else None


def find_unmistakable(word: str) -> type[Action] | None:
    """The same, for words that are nothing else: "wait" is English, "[stay_silent]" is not."""
    name = _snake(word) if len(word) <= _LONGEST else ""
    return actions.ACTIONS.get(name) if "_" in name else None


@cache
def _by_name() -> Mapping[str, type[Action]]:
    others = {word: kind for kind in actions.ACTIONS.values() for word in kind.also}
    return {**others, **actions.ACTIONS}


def _snake(name: str) -> str:
    name = _CAMEL.sub("_", name.strip().rpartition(".")[2])
    return _NO_WORD.sub("_", name).strip("_").lower()
