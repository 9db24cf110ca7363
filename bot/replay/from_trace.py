"""Cases out of a trace: one for each turn in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import cast

from bot import telemetry_names as names
from bot.record import sha256
from bot.replay.case import ABSENT, Case, Kept, Step, prompt_of
from bot.replay.otlp import Attributes, Span, Trace, Value

_BROKEN = "\ufffd"
"""Ends a text that Tempo cut inside a character."""
_PARTS = {
    names.COMPANION_RECALL_SIMILARITY: "similarity",
    names.COMPANION_RECALL_TIME_RELEVANCE: "time_relevance",
    names.COMPANION_RECALL_COMBINED: "combined",
}


def cases_of(trace: Trace) -> list[Case]:
    """The turns in a trace, in their order; none in a trace of something else."""
    below: dict[str, list[Span]] = {}
    for span in trace.spans:
        below.setdefault(span.parent_id, []).append(span)
    return [_case(span, below, partial=trace.partial) for span in trace.spans if _operation(span) == "invoke_agent"]


def _operation(span: Span) -> str:
    """What a span is about; one that failed has its name only."""
    told = span.attributes.get(names.GEN_AI_OPERATION_NAME)
    return told if isinstance(told, str) else span.name.partition(" ")[0]


def _case(turn: Span, below: Mapping[str, Sequence[Span]], *, partial: bool) -> Case:
    about, children = turn.attributes, below.get(turn.span_id, [])
    nothing: Attributes = {}
    view = next((span.attributes for span in children if names.COMPANION_UNREAD_IDS in span.attributes), nothing)
    search = next((span for span in children if span.name == "search_memory"), None)
    chats = [span.attributes for span in children if _operation(span) == "chat"]
    steps = tuple(_steps(children))
    return Case(
        trace_id=turn.trace_id,
        turn_id=_text(about.get(names.COMPANION_TURN_ID)),
        chat_id=_number(about.get(names.GEN_AI_CONVERSATION_ID)),
        topic=_text(about.get(names.COMPANION_TOPIC)),
        persona=_text(about.get(names.GEN_AI_AGENT_NAME)) or turn.name.partition(" ")[2],
        persona_sha256=_text(about.get(names.COMPANION_PERSONA_SHA256)),
        now=_moment(about.get(names.COMPANION_TURN_NOW)),
        zone=_text(about.get(names.COMPANION_TURN_ZONE)) or "UTC",
        outcome=_outcome(turn, steps),
        recent=_numbers(view.get(names.COMPANION_RECENT_IDS)),
        unread=_numbers(view.get(names.COMPANION_UNREAD_IDS)),
        waited=view.get(names.COMPANION_TURN_WAITED) is True,
        recall=_recall(search) if search else None,
        embedding_model=_text(search.attributes.get(names.COMPANION_RECALL_MODEL)) if search else None,
        chat_model=_text(chats[-1].get(names.GEN_AI_REQUEST_MODEL)) if chats else None,
        steps=steps,
        partial=partial,
    )


def _outcome(turn: Span, steps: Sequence[Step]) -> str | None:
    """How the turn ended; None where that was no matter of what the model answered (it was stopped, or not kept)."""
    if turn.failed:
        return "failed" if steps and steps[-1].failed else None
    return _text(turn.attributes.get(names.COMPANION_TURN_OUTCOME))


def _steps(children: Sequence[Span]) -> Iterator[Step]:
    """A step ends with what its answer was taken for; of several attempts to get one the last counts."""
    step, answered, parsed = Step(), False, False
    for span in children:
        operation = _operation(span)
        if parsed and operation in ("assemble_prompt", "chat"):
            yield step
            step, answered, parsed = Step(), False, False
        if operation == "assemble_prompt":
            step = step.model_copy(update=_prompt(span))
        elif operation == "chat":
            step, answered = step.model_copy(update=_answer(span, step)), True
        elif operation == "parse_action":
            step, parsed = step.model_copy(update=_parsed(span)), True
        elif operation == "execute_tool":
            step, parsed = step.model_copy(update={"effect": _effect(span)}), True
    if answered:
        yield step


def _prompt(span: Span) -> dict[str, object]:
    about = span.attributes
    return {
        "variables": kept(span, names.COMPANION_PROMPT_VARIABLES, is_json=True),
        "system": kept(span, names.COMPANION_PROMPT_SYSTEM),
        "user": kept(span, names.COMPANION_PROMPT_USER),
        "template": _text(about.get(names.COMPANION_PROMPT_TEMPLATE)),
        "tokens": _beginning_with(about, names.COMPANION_PROMPT_TOKENS),
        "dropped": _beginning_with(about, names.COMPANION_PROMPT_DROPPED),
    }


def _answer(span: Span, step: Step) -> dict[str, object]:
    """The answer; and the prompt, where nothing else tells it."""
    told: dict[str, object] = {
        "answer": kept(span, names.GEN_AI_OUTPUT_MESSAGES, is_json=True),
        "failed": (_text(span.attributes.get(names.ERROR_TYPE)) or "error") if span.failed else None,
        "max_reply_tokens": _number(span.attributes.get(names.GEN_AI_REQUEST_MAX_TOKENS)) or step.max_reply_tokens,
    }
    if step.user.whole is None:
        asked = kept(span, names.GEN_AI_INPUT_MESSAGES, is_json=True)
        parts: Mapping[str, str] = {}
        if asked.whole is not None:
            try:
                parts = prompt_of(asked.whole)
            except ValueError:
                asked = Kept(text=asked.text, size=asked.size, sha256=asked.sha256, why="no prompt")
        for role, before in (("system", step.system), ("user", step.user)):
            if before.whole is None and (asked.whole is not None or not before.text):
                new = Kept(text=parts.get(role, "")) if asked.whole is not None else asked
                told[role] = new if before.sha256 is None else _agreeing(new, before)
    return told


def _agreeing(new: Kept, before: Kept) -> Kept:
    """A text from another place, if it has the hash that was recorded."""
    return new if new.whole is not None and sha256(new.whole) == before.sha256 else before


def _parsed(span: Span) -> dict[str, object]:
    about = span.attributes
    told: dict[str, object] = {
        "repaired": about.get(names.COMPANION_PARSE_REPAIRED) is True,
        "problem": _text(about.get(names.COMPANION_PARSE_PROBLEM)),
        "retry": about.get(names.COMPANION_PARSE_RETRY) is True,
        "error": _text(about.get(names.COMPANION_PARSE_ERROR)) or "",
    }
    action = _json(kept(span, names.COMPANION_PARSE_PARSED, is_json=True))
    if isinstance(action, dict):
        told["action"] = action
    return {
        "parsed": told,
        "participants": _texts(span, names.COMPANION_PARSE_PARTICIPANTS),
        "pictures": _texts(span, names.COMPANION_PARSE_PICTURES) or (),
    }


def _texts(span: Span, name: str) -> tuple[str, ...] | None:
    """A list of texts that a span has as JSON; None when it is not there, or not whole."""
    given = _json(kept(span, name, is_json=True))
    return tuple(str(each) for each in cast("list[object]", given)) if isinstance(given, list) else None


def _effect(span: Span) -> dict[str, object]:
    name = _text(span.attributes.get(names.GEN_AI_TOOL_NAME)) or span.name.partition(" ")[2]
    effect = _json(kept(span, names.COMPANION_EFFECT, is_json=True))
    whole = {"whole": True, **cast("dict[str, object]", effect)} if isinstance(effect, dict) else {}
    return {"name": name, **whole}


def _recall(search: Span) -> dict[str, object]:
    """As bot/record.py keeps it, but for what only the database knows."""
    about = search.attributes
    hits = [event for name, event in search.events if name == "hit"]
    columns: dict[str, list[Value]] = {
        "id": [event.get(names.COMPANION_MESSAGE_ID) for event in hits],
        "score": [event.get(names.COMPANION_RECALL_SCORE) for event in hits],
        "query": [event.get(names.COMPANION_RECALL_QUERY) for event in hits],
        "window": [event.get(names.COMPANION_RECALL_WINDOW_IDS) or [] for event in hits],
    }
    for name in dict.fromkeys(name for event in hits for name in event):
        part = _PARTS.get(name) or name.removeprefix(names.COMPANION_RECALL_PART)
        if name in _PARTS or part != name:
            columns[part] = [event.get(name) or 0.0 for event in hits]
    return {
        "profile": about.get(names.COMPANION_RECALL_PROFILE),
        "how": about.get(names.COMPANION_RECALL_HOW),
        "missing": about.get(names.COMPANION_RECALL_MISSING),
        "budget": about.get(names.COMPANION_RECALL_BUDGET),
        "threshold": about.get(names.COMPANION_RECALL_THRESHOLD),
        "hits": {name: column for name, column in columns.items() if column},
    }


def kept(span: Span, name: str, *, is_json: bool = False) -> Kept:
    """A text that people or models wrote, as far as the span has it."""
    about = span.attributes
    size, recorded = _number(about.get(name + names.BYTES)), _text(about.get(name + names.SHA256))
    told = about.get(name)
    if not isinstance(told, str):
        return Kept(size=size, sha256=recorded, why="not in the trace") if size or recorded else ABSENT
    if span.resource.get(names.COMPANION_CONTENT_MODE) not in (None, "full"):
        return Kept(size=size, sha256=recorded, why="masked in the trace")
    text = told.rstrip(_BROKEN) if recorded is None or sha256(told) != recorded else told
    if recorded is not None and sha256(text) == recorded:
        return Kept(text=text, size=size, sha256=recorded)
    cut = (
        text != told
        or (size is not None and len(text.encode(errors="replace")) < size)
        or (is_json and not _is_json(text))
    )
    if cut:
        return Kept(text=text, size=size, sha256=recorded, why="cut in the trace")
    return Kept(text=text, size=size, sha256=recorded, why="" if recorded is None else "not what was recorded")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _json(text: Kept) -> object:
    try:
        return None if text.whole is None else json.loads(text.whole)
    except (ValueError, RecursionError):
        return None


def _beginning_with(about: Attributes, beginning: str) -> dict[str, int]:
    found = {
        name.removeprefix(beginning): _number(value) for name, value in about.items() if name.startswith(beginning)
    }
    return {name: value for name, value in found.items() if value is not None}


def _text(value: Value) -> str | None:
    return value if isinstance(value, str) and value else None


_NUMBER = re.compile(r"-?[0-9]{1,19}")


def _number(value: Value) -> int | None:
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _numbers(value: Value) -> tuple[int, ...]:
    numbers = [_number(each) for each in value] if isinstance(value, list) else []
    return tuple(number for number in numbers if number is not None)


def _moment(value: Value) -> datetime | None:
    try:
        given = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return given.replace(tzinfo=UTC) if given is not None and given.tzinfo is None else given
