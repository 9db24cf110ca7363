"""What the model may do in a turn: one file an action, and one line for it in `Action`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, cast, get_args

from bot.actions.parse import Parsed, parse
from bot.actions.read_history import ReadHistory
from bot.actions.recall import Recall
from bot.actions.send_message import SendMessage
from bot.actions.sleep import Sleep
from bot.actions.stay_silent import StaySilent
from bot.actions.take_break import TakeBreak
from bot.actions.wait import Wait

__all__ = ["ACTIONS", "Action", "Parsed", "describe", "parse", "schema"]

Action = (
    SendMessage
    | StaySilent
    | ReadHistory
    | Recall
    | Wait
    | TakeBreak
    | Sleep
)  # fmt: skip

ACTIONS: Final[Mapping[str, type[Action]]] = {kind.name: kind for kind in get_args(Action)}
"""Every action by the name the model calls it."""


def schema(*, pictures: Sequence[str] = ()) -> Mapping[str, object]:
    """The answer's JSON schema: one flat object whose `action` says which of its fields count.

    It knows of `pictures` where there are any, but not of their names: that would be another grammar for each card.

    Flat, because OpenAI's strict mode wants an object at the top, refuses `anyOf` branches that begin with
    the same key, and wants every property required; so a field an action does not have is null, which costs
    about a dozen tokens an answer. Only `type`, `enum`, `items`, `properties`, `required` and
    `additionalProperties` are used: those Ollama's and llama.cpp's grammars and the stricter servers all
    know. Bounds are left to the parser, which brings values within them. Actions may share a field.
    """
    return _schema(with_pictures=bool(pictures))


@cache
def _schema(*, with_pictures: bool) -> Mapping[str, object]:
    told = [name for kind in ACTIONS.values() for name in kind.fields(pictures=("",) if with_pictures else ())]
    known = {name: each for kind in ACTIONS.values() for name, each in _properties(kind).items()}
    fields = {name: _nullable(known[name]) for name in told}
    return {
        "type": "object",
        "properties": {"action": {"type": "string", "enum": list(ACTIONS)}, **fields},
        "required": ["action", *fields],
        "additionalProperties": False,
    }


@lru_cache(maxsize=256)
def describe(*, pictures: Sequence[str] = ()) -> str:
    """The list of actions for the prompt, with an example of a valid answer. `pictures` are those that can be sent."""
    example = SendMessage(messages=("hi Ann!", "all good?")).answer()
    return "\n".join(
        [
            'Answer with one JSON object and nothing around it: "action" and the fields of that action.',
            *(kind.line(pictures=pictures) for kind in ACTIONS.values()),
            f"Example: {json.dumps(example, separators=(',', ':'))}",
        ]
    )


def _properties(kind: type[Action]) -> Mapping[str, Mapping[str, Any]]:
    return cast("Mapping[str, Mapping[str, Any]]", kind.model_json_schema().get("properties", {}))


def _nullable(field: Mapping[str, Any]) -> dict[str, object]:
    """A field's schema with null allowed, and without titles, defaults and bounds."""
    options: list[Mapping[str, Any]] = field.get("anyOf", [field])
    kept = next(option for option in options if option["type"] != "null")
    items = {"items": {"type": kept["items"]["type"]}} if "items" in kept else {}
    return {"type": [kept["type"], "null"], **items}
