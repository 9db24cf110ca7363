"""What a turn leaves on record, as JSON: what it was made from, what the model answered, and what came of that.

`replay` writes the same of a turn that it runs again, and compares the two.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.actions import Parsed
from bot.actions.effect import Effect
from bot.cards import Persona
from bot.model import Hit, ModelReply, Prompt, Recalled, Reranked, View, rounded
from bot.prompts.variables import lore_on_record

SCHEMA = 1
"""The version of what is kept here, and of what the spans of a turn tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the model was asked, and answered."""

    prompt: Prompt | None
    """None: that of a turn that is run again by its answers alone."""
    reply: ModelReply
    participants: tuple[str, ...]
    """The names of the others, as the prompt shows them."""
    pictures: tuple[str, ...] = ()
    """Those of the pictures that it offers."""


@dataclass(slots=True, kw_only=True)
class Step:
    """An answer of the model, what it was taken for, and what that led to."""

    reply: ModelReply
    parsed: Parsed
    prompt: Prompt | None = None
    effect: Effect | None = None
    """None when the model was asked again instead."""


def reply_on_record(reply: ModelReply) -> dict[str, object]:
    """What of an answer is parsed; what is empty left out."""
    told: dict[str, object] = {
        "text": reply.text,
        "tool_calls": [{"name": call.name, "arguments": call.arguments} for call in reply.tool_calls],
        "finish_reason": reply.finish_reason,
        "refusal": reply.refusal,
    }
    return {name: value for name, value in told.items() if value}


def account(notes: Sequence[str], steps: Sequence[Step]) -> dict[str, object]:
    """The notes that a turn began with, the pictures it could choose from if any, and its steps: texts."""
    pictures = steps[0].parsed.pictures if steps else ()
    return {
        "notes": list(notes),
        **({"pictures": list(pictures)} if pictures else {}),
        "steps": [
            {
                "reply": reply_on_record(step.reply),
                "parsed": step.parsed.on_record(),
                **({"effect": step.effect.on_record()} if step.effect else {}),
            }
            for step in steps
        ],
    }


def prompt_on_record(prompt: Prompt) -> dict[str, object]:
    """What a prompt was, without its words."""
    return {
        "system": sha256(prompt.system),
        "user": sha256(prompt.user),
        "variables": sha256(prompt.variables),
        "template": prompt.template,
        "tokens": dict(prompt.tokens),
        "dropped": dict(prompt.dropped),
        "budget": prompt.budget,
        "max_reply_tokens": prompt.max_reply_tokens,
    }


def inputs(
    view: View,
    recalled: Recalled,
    steps: Sequence[Step],
    actions: Sequence[str],
    *,
    persona: Persona,
    embedding_model: str,
    chat_model: str,
    language: str | None,
    zone: ZoneInfo,
    now: datetime,
) -> dict[str, object]:
    """What a turn was made from: ids, scores and hashes, never texts."""
    return {
        "schema": SCHEMA,
        "now": now,
        "zone": zone.key,
        "language": language,
        "persona_sha256": persona.sha256,
        "embedding_model": embedding_model,
        "chat_model": chat_model,
        **view_on_record(view),
        "recall": recall_on_record(recalled),
        "actions": actions,
        "prompts": [prompt_on_record(step.prompt) for step in steps if step.prompt],
    }


def view_on_record(view: View) -> dict[str, object]:
    """Which messages a turn saw."""
    return {
        "recent": [message.message_id for message in view.recent],
        "unread": [message.message_id for message in view.unread],
        "waited": view.waited,
        **lore_on_record(view),
    }


def recall_on_record(recalled: Recalled) -> dict[str, object]:
    """How recall was done, and what came of it."""
    search = recalled.searched
    told: dict[str, object] = {
        "profile": recalled.profile,
        "how": recalled.how,
        "missing": recalled.missing,
        "budget": search.recall.budget if search else None,
        "threshold": search.recall.model.threshold if search else None,
        "queries": len(search.queries) if search else 0,
        "statistics": (recalled.statistics.on_record(search.queries) if recalled.statistics and search else None),
        "ranking": list(recalled.ranking),
        "reranked": _reranked(recalled.reranked) if recalled.reranked else None,
    }
    return {name: value for name, value in told.items() if value} | {"hits": hits_on_record(recalled.hits)}


def _reranked(reranked: Reranked) -> Mapping[str, object]:
    return {"before": reranked.before, "after": reranked.after, "kept": reranked.kept}


def hits_on_record(hits: Sequence[Hit]) -> dict[str, list[object]]:
    """Hits, a list for each column, since every hit has the same; scores by what of them says something."""
    columns: dict[str, list[object]] = {
        "id": [hit.message.message_id for hit in hits],
        "score": [rounded(hit.score) for hit in hits],
        "query": [hit.query for hit in hits],
        "window": [[message.message_id for message in hit.window] for hit in hits],
    }
    parts = [hit.parts for hit in hits]
    names = dict.fromkeys(name for each in parts for name in each)
    columns |= {name: [rounded(each.get(name, 0.0)) for each in parts] for name in names}
    return {name: column for name, column in columns.items() if any(column)}


def hit_rows(columns: Mapping[str, Sequence[object]]) -> list[dict[str, object]]:
    """Columns of hits as one mapping a hit; a column that is not there is 0."""
    names = list(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def sha256(text: str) -> str:
    """Of a text's UTF-8, as beside a content's attribute."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
