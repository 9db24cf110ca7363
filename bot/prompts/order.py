"""The prompt that asks for past messages in the order in which they help. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from bot.model import Message, Prompt, Recalled, View, token_count
from bot.prompts.lines import clean_name, one_line
from bot.prompts.templates import fill, template, version_of

_UTC = ZoneInfo("UTC")
_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"order": {"type": "array", "items": {"type": "integer"}}},
    "required": ["order"],
    "additionalProperties": False,
}


def render_order(asked: Sequence[str], candidates: Sequence[Message], *, max_reply_tokens: int) -> Prompt:
    """What is said now, and past messages as lines numbered from 1: no text can make a line of its own."""
    system = fill(template("order_system"), {"count": str(len(candidates))})
    user = fill(
        template("order"),
        {
            "asked": "\n".join(f"- {one_line(text)}" for text in asked),
            "candidates": "\n".join(_line(number, message) for number, message in enumerate(candidates, 1)),
        },
    )
    return Prompt(
        system=system,
        user=user,
        tokens={"system": token_count(system), "all": token_count(system) + token_count(user)},
        dropped={},
        template=version_of("order_system", "order"),
        view=View(recent=(), unread=(), notes=(), rests_until=None),
        recalled=Recalled(),
        zone=_UTC,
        schema=_SCHEMA,
        max_reply_tokens=max_reply_tokens,
    )


def _line(number: int, message: Message) -> str:
    return f"#{number} [{message.sent_at:%Y-%m-%d}] <{clean_name(message.sender)}> {one_line(message.text)}"
