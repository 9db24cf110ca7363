"""One case out of two: what the trace lacks is taken from the database, if it has the hash that the trace recorded."""

from __future__ import annotations

from bot.record import sha256
from bot.replay.case import Case, Kept, Step


def merged(trace: Case, row: Case) -> Case:
    """The trace's case, filled in from the database's."""
    steps = trace.steps
    if len(row.steps) > len(steps):  # spans were lost
        steps = (*steps, *row.steps[len(steps) :])
    pairs = [(step, row.steps[n] if n < len(row.steps) else None) for n, step in enumerate(steps)]
    return trace.model_copy(
        update={
            "turn_id": trace.turn_id or row.turn_id,
            "chat_id": trace.chat_id or row.chat_id,
            "persona_sha256": trace.persona_sha256 or row.persona_sha256,
            "now": trace.now or row.now,
            "time": row.time,
            "zone": row.zone,
            "outcome": trace.outcome or row.outcome,
            "recent": row.recent,
            "unread": row.unread,
            "waited": row.waited,
            "recall": row.recall or trace.recall,
            "steps": tuple(step if other is None else _step(step, other) for step, other in pairs),
            "partial": trace.partial and len(row.steps) < len(steps),
            "notes": (*trace.notes, *row.notes),
        }
    )


def _step(step: Step, row: Step) -> Step:
    return step.model_copy(
        update={
            "variables": _better(step.variables, row.variables),
            "system": _better(step.system, row.system),
            "user": _better(step.user, row.user),
            "answer": _better(step.answer, row.answer),
            "template": step.template or row.template,
            "tokens": step.tokens or row.tokens,
            "dropped": row.dropped if step.dropped is None else step.dropped,
            "participants": row.participants if step.participants is None else step.participants,
            "pictures": step.pictures or row.pictures,
            "parsed": step.parsed if "action" in step.parsed else row.parsed,
            "effect": step.effect if "whole" in step.effect else row.effect,
        }
    )


def _better(trace: Kept, row: Kept) -> Kept:
    """The text that is whole; where neither is, the trace's, which says how long it was."""
    recorded = trace.sha256 or row.sha256
    if trace.whole is not None:
        return trace
    if row.whole is None:
        why = trace.why if trace.text is not None else row.why or trace.why
        return trace.model_copy(update={"sha256": recorded, "why": why})
    if trace.sha256 is not None and sha256(row.whole) != trace.sha256:
        return Kept(size=trace.size, sha256=trace.sha256, why="the database has another")
    return row.model_copy(update={"size": trace.size, "sha256": recorded})
