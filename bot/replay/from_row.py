"""A case out of the database: the turn's row has ids, scores, hashes and answers, the messages are where they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast
from zoneinfo import ZoneInfo

from bot.model import Hit, Message, MessageId, ModelReply, Recalled, ToolCall, View
from bot.prompts.variables import LookUp, Variables, read_lore, written
from bot.record import hit_rows
from bot.replay.case import Case, Kept, Step, checked
from bot.store.turns import KeptTurn
from bot.traced import output_messages
from bot.turn import participants_of


def numbers_of(turn: KeptTurn) -> list[MessageId]:
    """The messages that a turn saw: in view, remembered, and looked up."""
    inputs = turn.inputs
    found = [number for effect in _effects(turn) for number in _list(effect.get("found"))]
    hits = _hits(inputs)
    around = [number for hit in hits for number in (hit["id"], *_list(hit.get("window")))]
    every = (*_list(inputs.get("recent")), *_list(inputs.get("unread")), *around, *found)
    return [MessageId(number) for number in dict.fromkeys(every)]


def case_of(turn: KeptTurn, messages: Sequence[Message]) -> Case:
    """The turn as the database has it, with the messages of `numbers_of` that are still there."""
    inputs = cast("Mapping[str, Any]", turn.inputs)
    known = {message.message_id: message for message in messages}
    account = cast("Mapping[str, Any]", turn.account or {})
    prompts = [_mapping(prompt) for prompt in _list(inputs.get("prompts"))]
    pictures = tuple(_list(account.get("pictures")))
    steps: list[Step] = []
    if turn.account is None:
        steps.append(Step(answer=Kept(why="of before answers were kept")))
    looked_up: list[tuple[str, list[int]]] = []
    for number, kept in enumerate(map(_mapping, _list(account.get("steps")))):
        prompt = prompts[number] if number < len(prompts) else _mapping(None)
        variables, seen = _variables(turn, prompt, looked_up, known)
        steps.append(_step(kept, prompt, variables, seen, pictures))
        effect = _mapping(kept.get("effect"))
        if effect and not effect.get("outcome"):
            looked_up.append((str(effect.get("looked_for", "")), _list(effect.get("found"))))
    return Case(
        trace_id=turn.trace_id,
        turn_id=str(turn.turn_id),
        chat_id=turn.lane.chat_id,
        topic=turn.lane.topic,
        persona=turn.persona,
        persona_sha256=inputs.get("persona_sha256"),
        now=inputs.get("now") or turn.started_at,
        time=turn.started_at,
        zone=inputs.get("zone") or "UTC",
        outcome=turn.outcome,
        recent=tuple(_list(inputs.get("recent"))),
        unread=tuple(_list(inputs.get("unread"))),
        waited=bool(inputs.get("waited")),
        recall=inputs.get("recall"),
        embedding_model=inputs.get("embedding_model"),
        chat_model=inputs.get("chat_model"),
        steps=tuple(steps),
        notes=tuple(_notes(turn, known)),
    )


def _notes(turn: KeptTurn, known: Mapping[MessageId, Message]) -> Iterable[str]:
    if gone := [number for number in numbers_of(turn) if number not in known]:
        yield f"messages that are gone: {_named(gone)}"
    edited = [
        message.message_id for message in known.values() if message.edited_at and message.edited_at > turn.started_at
    ]
    if edited:
        yield f"messages that were edited since: {_named(edited)}"


def _named(numbers: Iterable[int]) -> str:
    return ", ".join(f"#{number}" for number in sorted(numbers))


def _step(
    kept: Mapping[str, Any],
    prompt: Mapping[str, Any],
    variables: Kept,
    seen: Sequence[Message] | None,
    pictures: tuple[str, ...],
) -> Step:
    reply = _mapping(kept.get("reply"))
    answer = ModelReply(
        text=reply.get("text", ""),
        tool_calls=tuple(ToolCall(**call) for call in reply.get("tool_calls", ())),
        finish_reason=reply.get("finish_reason"),
        refusal=reply.get("refusal"),
    )
    effect = _mapping(kept.get("effect"))
    parsed = {"repaired": False, "problem": None, "retry": False, "error": "", **_mapping(kept.get("parsed"))}
    return Step(
        variables=variables,
        system=Kept(sha256=prompt.get("system"), why="kept as a hash"),
        user=Kept(sha256=prompt.get("user"), why="kept as a hash"),
        template=prompt.get("template"),
        tokens=prompt.get("tokens"),
        dropped=prompt.get("dropped"),
        max_reply_tokens=prompt.get("max_reply_tokens", 1024),
        answer=Kept(text=output_messages(answer)),
        participants=None if seen is None else participants_of(seen),
        pictures=pictures,
        parsed=parsed,
        effect={"whole": True, **effect} if "effect" in kept else {},
    )


def _variables(
    turn: KeptTurn,
    prompt: Mapping[str, Any],
    looked_up: Sequence[tuple[str, Sequence[int]]],
    known: Mapping[MessageId, Message],
) -> tuple[Kept, Sequence[Message] | None]:
    """What a prompt was rendered from, put together again, and all messages in it; None when one is gone."""
    recorded, inputs = prompt.get("variables"), cast("Mapping[str, Any]", turn.inputs)

    def those(numbers: Iterable[int]) -> tuple[Message, ...]:
        return tuple(known[MessageId(number)] for number in numbers)

    try:
        view = View(
            recent=those(_list(inputs.get("recent"))),
            unread=those(_list(inputs.get("unread"))),
            notes=tuple(_list((turn.account or {}).get("notes"))),
            rests_until=None,
            waited=bool(inputs.get("waited")),
            lore=read_lore(inputs.get("lore")),
            greeting=inputs.get("greeting"),
        )
        hits = tuple(_hit(row, those) for row in _hits(inputs))
        looks = tuple(LookUp(looked_for=looked_for, found=those(found)) for looked_for, found in looked_up)
    except KeyError:
        return Kept(sha256=recorded, why="messages are gone"), None
    variables = Variables(
        view=view,
        recalled=Recalled(hits=hits),
        looked_up=looks,
        now=turn.started_at,
        zone=ZoneInfo(inputs.get("zone") or "UTC"),
        budget=prompt.get("budget", 0),
        max_reply_tokens=prompt.get("max_reply_tokens", 0),
        language=inputs.get("language"),
    )
    seen = [
        *view.recent,
        *view.unread,
        *(message for hit in hits for message in (*hit.window, hit.message)),
        *(message for look in looks for message in look.found),
    ]
    return checked(written(variables), recorded), seen


def _hit(row: Mapping[str, Any], those: Callable[[Iterable[int]], tuple[Message, ...]]) -> Hit:
    [message] = those([row["id"]])
    return Hit(
        message=message,
        similarity=row.get("similarity", 0.0),
        time_relevance=row.get("time_relevance", 0.0),
        score=row.get("score", 0.0),
        query=row.get("query", 0),
        window=those(_list(row.get("window"))),
    )


def _hits(inputs: Mapping[str, object]) -> list[dict[str, Any]]:
    recall = _mapping(inputs.get("recall"))
    return hit_rows(cast("Mapping[str, list[object]]", recall.get("hits") or {}))


def _effects(turn: KeptTurn) -> list[Mapping[str, Any]]:
    steps = _list((turn.account or {}).get("steps"))
    return [_mapping(_mapping(step).get("effect")) for step in steps]


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value if isinstance(value, dict) else {})


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
