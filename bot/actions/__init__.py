"""What the model may do in a turn: one file an action, and one line for it in `Action`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
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


@cache
def schema() -> Mapping[str, object]:
    """The answer's JSON schema: one flat object whose `action` says which of its fields count.

    Flat, because OpenAI's strict mode wants an object at the top, refuses `anyOf` branches that begin with
    the same key, and wants every property required; so a field an action does not have is null, which costs
    about a dozen tokens an answer. Only `type`, `enum`, `items`, `properties`, `required` and
    `additionalProperties` are used: those Ollama's and llama.cpp's grammars and the stricter servers all
    know. Bounds are left to the parser, which brings values within them. Actions may share a field.
    """
    fields = {name: _nullable(each) for kind in ACTIONS.values() for name, each in _properties(kind).items()}
    return {
        "type": "object",
        "properties": {"action": {"type": "string", "enum": list(ACTIONS)}, **fields},
        "required": ["action", *fields],
        "additionalProperties": False,
    }


@cache
def describe() -> str:
    """The list of actions for the prompt, with an example of a valid answer."""
    example = SendMessage(messages=("hi Ann!", "all good?")).answer()
    return "\n".join(
        [
            'Answer with one JSON object and nothing around it: "action" and the fields of that action.',
            *(kind.line() for kind in ACTIONS.values()),
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
