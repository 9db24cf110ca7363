"""From what a chat model answered to one action: the only place where a reply is believed.

The rules, in order:

1. A refusal or a content filter is silence, whatever else came.
2. Reasoning is taken away first (see `visible`); a text that is JSON as a whole is taken as it is.
3. **The first complete, valid action wins**: of the tool calls, then of the objects and lists in the text, in
   order. Prose around it is dropped. Messages that follow a message in the same list, or as further calls,
   are its next bubbles; whatever else follows is dropped. Saying nothing (`{"messages": []}`) is silence.
4. JSON that broke off is `truncated` and worth asking again. The action is then what may be done otherwise:
   the bubbles of it that were complete, never a part of one. Calls whose arguments broke off are dropped.
5. A text without any JSON or call is a message. Cut by the token limit, it ends at its last whole sentence.
6. Everything else is silence, with a `problem`: JSON is never posted, nor is prose beside it.
7. A picture that there is not is left out; the words go without.

Then `speech` looks after the words. `retry` says that asking once more is worth its cost; the turn decides,
and performs `action` when it does not. Nothing here raises or waits, whatever the reply; the time is bounded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, cast

from pydantic import ValidationError

from bot import telemetry_names as names
from bot.actions.answers import Answer, answers, without_nulls, words
from bot.actions.names import find, find_unmistakable
from bot.actions.objects import Piece, pieces, strict
from bot.actions.send_message import SendMessage
from bot.actions.speech import Loss, compose
from bot.actions.stay_silent import StaySilent
from bot.actions.text import whole_sentences
from bot.actions.visible import visible
from bot.actions.voices import Voices
from bot.cards.emotions import NO_PICTURE, name_key
from bot.model import ModelReply, ToolCall

if TYPE_CHECKING:
    from bot.actions import Action

LONGEST_REPLY: Final = 400_000
LONGEST_ANSWER: Final = 20_000
"""Characters of a reply that are looked at: with its reasoning, and without."""

Problem = Loss | Literal[
    "refused", "empty", "truncated", "unknown_action", "incomplete", "unreadable", "unknown_picture"
]  # fmt: skip
_REFUSED: Final = frozenset({"content_filter", "refusal", "safety"})
_CUT: Final = frozenset({"length", "max_tokens", "model_length"})
_FENCE: Final = re.compile(r"```(?:json|text|txt|plaintext|markdown|md)?\s*\n(?P<inside>(?:[^`]|`(?!``))*+)```")
_MACHINE_TALK: Final = re.compile(
    r"\s*+</?(?:tool_call|function|invoke|parameter)\b|\W{0,9}(?P<word>\w{1,40})\s{0,3}[(:=]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """One action, and what had to be done to the reply to get it."""

    action: Action
    repaired: bool
    """Whether the reply was anything but one valid answer as asked for."""
    problem: Problem | None = None
    """What was wrong with it, when that matters; never a word of its text."""
    retry: bool = False
    """Whether asking once more is worth its cost. `action` is what to do otherwise."""
    error: str = ""
    """For `incomplete`: which field of which action was wrong, and how."""
    raw: str = field(default="", repr=False)
    """The reply as it came."""
    participants: tuple[str, ...] = field(default=(), repr=False)
    """Whose words it was not to put into its mouth."""
    pictures: tuple[str, ...] = field(default=(), repr=False)
    """Those that it could choose from."""

    def on_record(self) -> dict[str, object]:
        """As JSON: the action, and what was wrong with the reply."""
        told: dict[str, object] = {
            "action": self.action.answer(),
            "repaired": self.repaired,
            "problem": self.problem,
            "retry": self.retry,
            "error": self.error,
        }
        return {name: value for name, value in told.items() if value}

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_PARSE_ACTION: self.action.name,
            names.COMPANION_PARSE_REPAIRED: self.repaired,
            names.COMPANION_PARSE_RETRY: self.retry,
            **({names.COMPANION_PARSE_PROBLEM: self.problem} if self.problem else {}),
            **({names.COMPANION_PARSE_ERROR: self.error} if self.error else {}),
        }

    def span_content(self) -> Mapping[str, str]:
        return {
            names.COMPANION_PARSE_RAW: self.raw,
            names.COMPANION_PARSE_PARSED: json.dumps(self.action.answer(), ensure_ascii=False),
            names.COMPANION_PARSE_PARTICIPANTS: json.dumps(self.participants, ensure_ascii=False),
            **(
                {names.COMPANION_PARSE_PICTURES: json.dumps(self.pictures, ensure_ascii=False)} if self.pictures else {}
            ),
        }


@dataclass(frozen=True, slots=True)
class _Choice:
    """What a part of the reply comes to."""

    action: Action
    problem: Problem | None = None
    retry: bool = False


_SILENT: Final = StaySilent()


def parse(reply: ModelReply, *, persona: str, participants: Sequence[str], pictures: Sequence[str] = ()) -> Parsed:
    """The action that a reply means.

    `participants` are the names of the others as the prompt shows them, `pictures` those of the pictures it offers.
    """
    errors: list[str] = []
    chosen = _pictured(_choose(reply, Voices(persona=persona, participants=participants), errors), pictures)
    return Parsed(
        action=chosen.action,
        repaired=chosen.action.answer() not in _as_asked(reply),
        problem=chosen.problem,
        retry=chosen.retry,
        error=errors[0] if errors and chosen.problem == "incomplete" else "",
        raw="\n".join([reply.text, *(f"{call.name}({call.arguments})" for call in reply.tool_calls)]).strip(),
        participants=tuple(participants),
        pictures=tuple(pictures),
    )


def _pictured(chosen: _Choice, pictures: Sequence[str]) -> _Choice:
    """With the picture as it is called here, or without one: words are not held up for a name that is none."""
    action = chosen.action
    if not isinstance(action, SendMessage) or action.picture is None:
        return chosen
    key, wanted = name_key(action.picture), action.picture.strip("\"' ").casefold()
    named = next((name for name in pictures if key and name_key(name) == key), None)
    is_unknown = pictures and named is None and wanted not in NO_PICTURE
    problem = chosen.problem or ("unknown_picture" if is_unknown else None)
    return replace(chosen, action=action.model_copy(update={"picture": named}), problem=problem)


def _choose(reply: ModelReply, voices: Voices, errors: list[str]) -> _Choice:
    finish = (reply.finish_reason or "").casefold()
    if (reply.refusal or "").strip() or finish in _REFUSED:
        return _Choice(_SILENT, "refused")
    cut = finish in _CUT or len(reply.text) > LONGEST_REPLY

    calls, broke_off = _calls(reply.tool_calls)
    if chosen := _first_valid(calls, voices, errors):
        return chosen

    text, hid, unfinished = reply.text[:LONGEST_REPLY], False, False
    if not isinstance(strict(text), dict | list):
        seen = visible(text)
        text, hid, unfinished = seen.text[:LONGEST_ANSWER], seen.hid, seen.unfinished
        cut = cut or len(seen.text) > LONGEST_ANSWER
    found = pieces(text, cut=cut)
    groups = [answers(piece.value, find) for piece in found if piece.whole]
    for group in groups:
        if chosen := _first_valid(group, voices, errors):
            return chosen

    if broke_off or not all(piece.whole for piece in found):
        rest = [answers(piece.value, find) for piece in found if not piece.whole]
        chosen = next(filter(None, (_first_valid(group, voices, errors) for group in rest)), None)
        return _Choice(chosen.action if chosen else _SILENT, "truncated", retry=True)
    if any(answer.kind is None for group in (calls, *groups) for answer in group):
        return _Choice(_SILENT, "unknown_action")
    if errors:
        return _Choice(_SILENT, "incomplete", retry=True)
    if found or calls:
        return _Choice(_SILENT, "unreadable", retry=True)
    if text and not reply.tool_calls:
        return _prose(text, voices, cut=cut)
    problem = "truncated" if cut else "reasoning_only" if hid or unfinished else "empty"
    return _Choice(_SILENT, problem, retry=True)


def _calls(tool_calls: Sequence[ToolCall]) -> tuple[list[Answer], bool]:
    """What was called, and whether a call was dropped because its arguments broke off."""
    called: list[Answer] = []
    broke_off = False
    for call in tool_calls:
        found = pieces(call.arguments, cut=True) if call.arguments.strip() else [Piece({}, whole=True)]
        if not found or not found[0].whole or not isinstance(found[0].value, dict):
            broke_off = True
            continue
        arguments = cast("dict[str, object]", found[0].value)
        called += answers({"action": call.name, "arguments": arguments} if call.name.strip() else arguments, find)
    return called, broke_off


def _first_valid(group: Sequence[Answer], voices: Voices, errors: list[str]) -> _Choice | None:
    """The first answer that can be acted on; what was wrong with those before it goes to `errors`."""
    for at, answer in enumerate(group):
        if answer.kind is SendMessage:
            if chosen := _spoken(group[at:], voices):
                return chosen
            errors.append(f"{SendMessage.name}.messages: missing")
        elif answer.kind:
            try:
                return _Choice(answer.kind.model_validate(answer.fields))
            except ValidationError as error:
                wrong = error.errors(include_url=False, include_context=False, include_input=False)[0]
                errors.append(f"{answer.kind.name}.{'.'.join(map(str, wrong['loc']))}: {wrong['type']}")
    return None


def _spoken(group: Sequence[Answer], voices: Voices) -> _Choice | None:
    """The first message of a group and those that follow it at once; None when it has no words' field."""
    texts: list[str] = []
    cut = False
    for at, answer in enumerate(group):
        said = words(answer, voices) if answer.kind is SendMessage else None
        if said is None:
            if at == 0:
                return None
            break
        cut = voices.is_other(answer.speaker)
        if not cut:
            texts += said[0]
            cut = said[1]
        if cut:
            break
    return _say(texts, voices, fields=group[0].fields, cut=cut)


def _say(texts: Sequence[str], voices: Voices, *, fields: Mapping[str, object], cut: bool = False) -> _Choice:
    """A message of these texts, or silence if nothing of them can be said."""
    speech = compose(texts, voices)
    problem = "foreign_speaker_cut" if cut else speech.problem
    if not speech.bubbles:
        return _Choice(_SILENT, problem, retry=problem is not None)
    return _Choice(SendMessage.model_validate({**fields, "messages": speech.bubbles}), problem)


def _prose(text: str, voices: Voices, *, cut: bool) -> _Choice:
    """A text without JSON: a message, unless it is a machine's talk or an action's bare name."""
    fenced = _FENCE.fullmatch(text)
    text = fenced["inside"] if fenced else text
    unquoted = strict(text)
    text = unquoted if isinstance(unquoted, str) else text
    if text.strip() == "null":
        return _Choice(_SILENT)
    if kind := find_unmistakable(text):
        return _first_valid([Answer(kind, {})], voices, []) or _Choice(_SILENT, "incomplete", retry=True)
    talk = _MACHINE_TALK.match(text)
    if talk and (not talk["word"] or find_unmistakable(talk["word"])):
        return _Choice(_SILENT, "unreadable", retry=True)
    chosen = _say([whole_sentences(text) if cut else text], voices, fields={})
    if chosen.action is _SILENT and not chosen.problem:
        return _Choice(_SILENT, "truncated" if cut else "empty", retry=True)
    return _Choice(chosen.action, chosen.problem or ("truncated" if cut else None), retry=chosen.retry)


def _as_asked(reply: ModelReply) -> list[dict[str, object]]:
    """The answers that the reply gives word for word, nulls left out."""
    given = [strict(reply.text[:LONGEST_REPLY]), *(strict(call.arguments) for call in reply.tool_calls)]
    named: list[dict[str, object]] = [{}, *({"action": call.name} for call in reply.tool_calls)]
    return [
        {**name, **without_nulls(cast("Mapping[object, object]", fields))}
        for name, fields in zip(named, given, strict=True)
        if isinstance(fields, dict)
    ]
