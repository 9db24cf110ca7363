"""Which action a JSON value means, in the shapes that models give it.

Read alike: our flat object; a call (`name` with `arguments`), also inside `function` or `tool_calls`; an
action's name as the key; a list of these; a wrapper such as `{"answer": …}` or `{"actions": […]}`; and, where
no action is named, an object or list that only holds what to say. Reasoning fields are never read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from bot.actions.objects import strict
from bot.actions.send_message import SendMessage
from bot.actions.voices import Voices

if TYPE_CHECKING:
    from bot.actions import Action

    Find = Callable[[str], type[Action] | None]
    """The action that a name means, if any."""

_SPOKEN: Final = ("messages", "bubbles", "message", "content", "text", "reply", "response", "answer")
"""Where the words stand; the first of them that is there counts."""
_WRAPPERS: Final = (
    *("action", "actions", "answer", "response", "reply", "output", "result"),
    *("tool_calls", "tool_call", "function_call", "function", "calls", "call"),
)
_CALLED: Final = ("name", "tool", "tool_name", "function", "type")
_ARGUMENTS: Final = ("arguments", "args", "parameters", "params", "input", "action_input")
_SPEAKERS: Final = ("sender", "speaker", "role", "author", "from", "name")
_REASONING: Final = frozenset({"thinking", "reasoning", "thought", "analysis", "redacted_thinking"})
_DEEPEST: Final = 6
_MOST: Final = 100
"""Answers, or texts of one answer, that are looked at."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, before its fields are checked."""

    kind: type[Action] | None
    """None: it names an action that there is not."""
    fields: Mapping[str, object]
    """Without nulls: under the flat schema they only fill up."""
    speaker: str = ""
    """Who says it, where no action is named but a speaker is."""


def answers(value: object, find: Find, depth: int = 0) -> list[Answer]:
    """The answers in a JSON value, in order."""
    if depth > _DEEPEST:
        return []
    if isinstance(value, list):
        items = cast("list[object]", value)[:_MOST]
        if all(isinstance(item, str) for item in items):
            return [Answer(SendMessage, {"messages": items})]
        return [answer for item in items for answer in answers(item, find, depth + 1)][:_MOST]
    if not isinstance(value, dict):
        return []
    fields = without_nulls(cast("Mapping[object, object]", value))
    if (named := _named(fields, find)) is not None:
        return _unwrapped(named, find, depth)
    for key in _WRAPPERS:
        if isinstance(fields.get(key), dict | list) and (inner := answers(fields[key], find, depth + 1)):
            return inner
    if _is_reasoning(fields):
        return []
    if any(key in fields for key in _SPOKEN):
        return _unwrapped(Answer(SendMessage, fields, speaker=_speaker(fields)), find, depth)
    for key, inside in fields.items():
        if (kind := find(key)) and isinstance(inside, dict):
            return [Answer(kind, without_nulls(cast("Mapping[object, object]", inside)))]
    return []


def words(answer: Answer, voices: Voices) -> tuple[list[str], bool] | None:
    """The texts an answer says, and whether another speaker's followed; None when it has no field for them."""
    for key in _SPOKEN:
        if key in answer.fields:
            texts: list[str] = []
            for text in _texts(answer.fields[key], voices):
                if text is None:
                    return texts, True
                texts.append(text)
                if len(texts) == _MOST:
                    break
            return texts, False
    return None


def _named(fields: Mapping[str, object], find: Find) -> Answer | None:
    """The answer of an object that names its action."""
    called = fields.get("action")
    if isinstance(called, str) and called.strip():
        return Answer(find(called), _arguments(fields))
    for key in _CALLED:
        called = fields.get(key)
        if isinstance(called, str) and (kind := find(called)):
            return Answer(kind, _arguments(fields))
    if isinstance(fields.get("name"), str) and any(key in fields for key in _ARGUMENTS):
        return Answer(None, {})
    return None


def _arguments(fields: Mapping[str, object]) -> Mapping[str, object]:
    """An object's fields, with those of its nested arguments, which may be JSON in a string."""
    for key in _ARGUMENTS:
        nested = fields.get(key)
        if isinstance(nested, str):
            nested = strict(nested)
        if isinstance(nested, dict):
            return {**fields, **without_nulls(cast("Mapping[object, object]", nested))}
    return fields


def _unwrapped(answer: Answer, find: Find, depth: int) -> list[Answer]:
    """The answer, or those that it holds encoded once more: a message that is itself one of our answers.

    Any other JSON in a message is what the message says.
    """
    said = next((answer.fields[key] for key in _SPOKEN if key in answer.fields), None)
    if isinstance(said, list) and len(cast("list[object]", said)) == 1:
        said = cast("list[object]", said)[0]
    if answer.kind is SendMessage and isinstance(said, str) and said.lstrip().startswith("{"):
        inner = strict(said)
        if isinstance(inner, dict):
            called = cast("Mapping[object, object]", inner).get("action")
            if isinstance(called, str) and find(called):
                return answers(cast("object", inner), find, depth + 1)
    return [answer]


def _texts(value: object, voices: Voices, depth: int = 0) -> Iterator[str | None]:
    """The texts in what an answer says, one a bubble; None, and no more, where another speaks."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    elif depth > _DEEPEST:
        return
    elif isinstance(value, list):
        for item in cast("list[object]", value):
            for text in _texts(item, voices, depth + 1):
                yield text
                if text is None:
                    return
    elif isinstance(value, dict):
        part = without_nulls(cast("Mapping[object, object]", value))
        if voices.is_other(_speaker(part)):
            yield None
        elif not _is_reasoning(part):
            said = next((part[key] for key in _SPOKEN if key in part), None)
            yield from _texts(said, voices, depth + 1)


def _is_reasoning(fields: Mapping[str, object]) -> bool:
    kind = fields.get("type")
    return isinstance(kind, str) and kind.casefold() in _REASONING


def _speaker(fields: Mapping[str, object]) -> str:
    """Who an object says is speaking."""
    return next((name for key in _SPEAKERS if isinstance(name := fields.get(key), str) and name), "")


def without_nulls(value: Mapping[object, object]) -> dict[str, object]:
    """An object's fields, those that are null left out."""
    return {str(key): each for key, each in value.items() if each is not None}
