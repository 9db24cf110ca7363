"""One turn of the bot: it reads what is unread in a lane, remembers, asks the model, and acts.

Start reading the code here. Every step is a span; what a step needs, it is given by name. Nothing here knows a
database, a model's server or Telegram: those are ports, and `app` chooses what is behind them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from uuid import uuid4
from zoneinfo import ZoneInfo

from bot import actions, record
from bot import telemetry_names as names
from bot.actions import Action
from bot.actions.effect import Effect, Scene
from bot.actions.parse import Parsed
from bot.actions.send_message import SendMessage
from bot.cards import Persona
from bot.errors import ContextTooLong, ModelError, StoreError
from bot.memory.recall import as_queries, asked_in, search_memory
from bot.memory.window import merge
from bot.model import (
    BEHIND,
    Lane,
    LoreChange,
    Message,
    MessageId,
    ModelReply,
    Outcome,
    Prompt,
    Recall,
    Recalled,
    Said,
    TurnId,
    TurnRecord,
    Vector,
    View,
    vector_sha256,
)
from bot.ports import ChatModel, PatientEmbedder, Reranker, Store
from bot.prompts.lines import clean_name
from bot.prompts.render import render_prompt
from bot.prompts.variables import LookUp
from bot.tracing import current_trace_id, step

RECENT = 30
"""Messages of a lane that a turn looks at."""
STEPS = 3
"""Model calls that look-ups may lead to in one turn."""
NOTES = 6
"""Working notes a lane keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """What a turn thinks with. One for all turns."""

    store: Store
    embedder: PatientEmbedder
    chat: ChatModel
    recall: Recall
    prompt_budget: int
    max_reply_tokens: int
    reranker: Reranker | None = None
    """Who puts what comes to mind in another order; None: nobody."""
    language: str | None = None
    """A language always to answer in; None: that of the chat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a turn did."""

    turn_id: TurnId
    trace_id: str
    outcome: Outcome
    said: tuple[Said, ...] = ()
    message_ids: tuple[MessageId, ...] = ()
    """Our numbers of what was said, in order."""
    actions: tuple[str, ...] = ()
    recalled: Recalled = Recalled()
    rests_until: datetime | None = None
    due_at: datetime | None = None
    """When to look at the lane again, if nothing is said before."""

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.GEN_AI_OPERATION_NAME: "invoke_agent",
            names.COMPANION_TURN_ID: self.turn_id,
            names.COMPANION_REPLAY_SCHEMA: record.SCHEMA,
            names.COMPANION_RECALL_MISSING: self.recalled.missing,
            names.COMPANION_TURN_OUTCOME: self.outcome.value,
            names.COMPANION_TURN_ACTIONS: list(self.actions),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """The unread messages as vectors to search with; None for one that the model will never take."""

    vectors: tuple[Vector | None, ...]
    ids: tuple[MessageId, ...]
    """The messages they stand for; none for a look-up."""

    def span_events(self) -> Sequence[tuple[str, Mapping[str, object]]]:
        return [
            (
                "embedded",
                {
                    names.COMPANION_MESSAGE_ID: message_id,
                    names.COMPANION_VECTOR_SHA256: vector_sha256(vector) if vector is not None else None,
                },
            )
            for message_id, vector in zip(self.ids, self.vectors, strict=False)
        ]


@dataclass(slots=True, kw_only=True)
class Steps:
    """What the steps of one turn have gathered so far."""

    taken: list[record.Step] = field(default_factory=list[record.Step])
    """Every answer of the model, the first first."""
    actions: list[str] = field(default_factory=list[str])
    looked_up: list[LookUp] = field(default_factory=list[LookUp])

    @property
    def lore(self) -> LoreChange | None:
        """What is to be remembered of the lorebook: the same in every step, since all of them see the same messages."""
        prompt = self.taken[-1].prompt if self.taken else None
        return prompt.lore if prompt else None


Ask = Callable[[Sequence[LookUp], bool], Awaitable[record.Answer]]
"""Asks the model, with what was looked up so far; and whether for a longer answer than before."""


@step("invoke_agent {persona.name}", about=("lane", "persona", "now", "zone"))
async def read_message(
    lane: Lane, *, mind: Mind, persona: Persona, zone: ZoneInfo, now: datetime, source: str, too_late: bool = False
) -> Turn:
    """One turn in a lane: from its unread messages to what is said, and all of it on record.

    Without unread messages, or while the lane rests, nothing is asked of any model; nor is it when this comes
    `too_late` for an answer, and then all is read. When the chat model fails, its error rises and everything stays
    unread. `now` is by the computer's own clock, by which rests and waits go; all else goes by the time in the lane.
    """
    turn = Turn(turn_id=TurnId(uuid4()), trace_id=current_trace_id(), outcome=Outcome.NOTHING_UNREAD)
    view = await mind.store.view(lane, limit=RECENT, now=now + BEHIND, persona=persona.name, lore_of=persona.lore_of)
    if view.rests_until is not None and view.rests_until > now:
        return replace(turn, outcome=Outcome.RESTING, rests_until=view.rests_until)
    if not view.unread:
        return turn
    time_there, recalled = view.time_in_it(now), Recalled(profile=mind.recall.profile)
    steps = Steps()
    if too_late:
        effect = Effect(outcome=Outcome.TOO_LATE)
    else:
        recalled = await _recall(
            [message.text for message in view.unread],
            ids=[message.message_id for message in view.unread],
            exclude=view.in_view,
            lane=lane,
            persona=persona.name,
            mind=mind,
            now=time_there,
            zone=zone,
            reranker=mind.reranker,
        )
        scene = TurnScene(
            lane=lane,
            persona=persona.name,
            view=view,
            recalled=recalled,
            now=now,
            time_there=time_there,
            zone=zone,
            mind=mind,
        )
        ask = partial(_ask, view, recalled, mind=mind, persona=persona, zone=zone, now=time_there)
        effect = await think(steps, ask=ask, scene=scene, persona=persona.name)
    notes = () if effect.clears_notes else (*view.notes, *(look.note for look in steps.looked_up))[-NOTES:]
    done = TurnRecord(
        turn_id=turn.turn_id,
        lane=lane,
        trace_id=turn.trace_id,
        started_at=time_there,
        outcome=effect.outcome or Outcome.SILENT,
        persona=persona.name,
        source=source,
        inputs=record.inputs(
            view,
            recalled,
            steps.taken,
            steps.actions,
            persona=persona,
            embedding_model=mind.recall.model.name,
            chat_model=mind.chat.name,
            language=mind.language,
            zone=zone,
            now=now,
        ),
        account=record.account(view.notes, steps.taken),
        read=() if effect.keeps_unread else tuple(message.message_id for message in view.unread),
        said=effect.said,
        said_at=time_there,
        card=persona.sha256,
        notes=notes,
        rests_until=effect.rests_until,
        waits_until=effect.due_at if effect.outcome is Outcome.WAITING else None,
        lore=None if effect.keeps_unread else steps.lore,
    )
    ids = await mind.store.finish_turn(done)
    return replace(
        turn,
        outcome=done.outcome,
        said=done.said,
        message_ids=tuple(ids),
        actions=tuple(steps.actions),
        recalled=recalled,
        rests_until=done.rests_until,
        due_at=effect.due_at,
    )


async def _recall(
    texts: Sequence[str],
    *,
    exclude: Sequence[MessageId],
    lane: Lane,
    persona: str,
    mind: Mind,
    now: datetime,
    zone: ZoneInfo,
    ids: Sequence[MessageId] = (),
    reranker: Reranker | None = None,
) -> Recalled:
    """What texts bring to mind. A failure leaves the turn with less, if need be the recent messages, and says so."""
    asked = asked_in(texts, recall=mind.recall)
    vectors: Sequence[Vector | None] = [None] * len(asked)
    failed: str | None = None
    try:
        of = [ids[number] for number, _ in asked] if ids else []
        vectors = (await embed_unread([text for _, text in asked], ids=of, embedder=mind.embedder)).vectors
    except ModelError as error:
        failed = f"recall failed: {type(error).__name__}"
    try:
        queries = as_queries([text for _, text in asked], vectors)
        found = await search_memory(
            queries,
            lane=lane,
            persona=persona,
            recall=mind.recall,
            store=mind.store,
            now=now,
            zone=zone,
            exclude=exclude,
            reranker=reranker,
        )
    except StoreError as error:
        return Recalled(profile=mind.recall.profile, missing=f"recall failed: {type(error).__name__}")
    return replace(found, missing=failed) if failed else found


async def think(steps: Steps, *, ask: Ask, scene: Scene, persona: str) -> Effect:
    """Ask and act until an action ends the turn; a look-up earns another step, up to `STEPS`."""
    for _ in range(STEPS):
        parsed = await _answer(steps, ask=ask, persona=persona)
        if parsed.retry:
            again = await _answer(steps, ask=ask, persona=persona, longer=True)
            if again.problem is None or not isinstance(parsed.action, SendMessage):
                parsed = again
        steps.actions.append(parsed.action.name)
        effect = await execute_tool(parsed.action, scene=scene)
        steps.taken[-1].effect = effect
        if effect.outcome is Outcome.WAITING and scene.view.waited:
            return Effect(outcome=Outcome.SILENT)  # once is patience, twice is an idle loop
        if effect.outcome is not None:
            return effect
        steps.looked_up.append(LookUp(looked_for=effect.looked_for, found=effect.found))
    return Effect(outcome=Outcome.SILENT)


async def _answer(steps: Steps, *, ask: Ask, persona: str, longer: bool = False) -> Parsed:
    """The action of one answer, which joins the steps taken."""
    answer = await ask(steps.looked_up, longer)
    parsed = parse_action(answer.reply, persona=persona, participants=answer.participants, pictures=answer.pictures)
    steps.taken.append(record.Step(prompt=answer.prompt, reply=answer.reply, parsed=parsed))
    return parsed


async def _ask(
    view: View,
    recalled: Recalled,
    looked_up: Sequence[LookUp],
    longer: bool,
    *,
    mind: Mind,
    persona: Persona,
    zone: ZoneInfo,
    now: datetime,
) -> record.Answer:
    """Assemble the prompt and ask; a prompt that is too long for the model is halved once.

    What a model was shown to put memories in order is taken off the budget.
    """
    known = [*view.recent, *view.unread, *_told(recalled), *(found for look in looked_up for found in look.found)]
    whole = mind.prompt_budget - (recalled.reranked.tokens if recalled.reranked else 0)
    for budget in (whole, whole // 2):
        prompt = await asyncio.to_thread(  # a card may be large, and other chats are not to wait for it
            assemble_prompt,
            view,
            recalled,
            looked_up,
            persona=persona,
            zone=zone,
            now=now,
            budget=budget,
            max_reply_tokens=mind.max_reply_tokens * (2 if longer else 1),
            language=mind.language,
        )
        try:
            reply = await mind.chat.complete(prompt)
        except ContextTooLong:
            if budget != whole:
                raise
        else:
            return record.Answer(
                prompt=prompt, reply=reply, participants=participants_of(known), pictures=persona.emotions
            )
    raise AssertionError("the second budget returns or raises")


def participants_of(messages: Iterable[Message]) -> tuple[str, ...]:
    """The names of all but the bot, as prompts show them."""
    return tuple(sorted({clean_name(message.sender) for message in messages if message.persona is None}))


@step
async def embed_unread(texts: Sequence[str], *, embedder: PatientEmbedder, ids: Sequence[MessageId] = ()) -> Embedded:
    """Texts as vectors to search with, in one request; what has no words is not asked for."""
    asked = [text for text in texts if text.strip()]
    given = iter(await embedder.embed(asked, purpose="query") if asked else ())
    return Embedded(vectors=tuple(next(given) if text.strip() else None for text in texts), ids=tuple(ids))


@step
def assemble_prompt(
    view: View,
    recalled: Recalled,
    looked_up: Sequence[LookUp],
    *,
    persona: Persona,
    zone: ZoneInfo,
    now: datetime,
    budget: int,
    max_reply_tokens: int,
    language: str | None,
) -> Prompt:
    """The prompt of one step."""
    return render_prompt(
        persona=persona,
        view=view,
        recalled=recalled,
        looked_up=looked_up,
        now=now,
        zone=zone,
        actions=actions.describe(pictures=persona.emotions),
        schema=actions.schema(pictures=persona.emotions),
        budget=budget,
        max_reply_tokens=max_reply_tokens,
        language=language,
    )


@step
def parse_action(
    reply: ModelReply, *, persona: str, participants: Sequence[str], pictures: Sequence[str] = ()
) -> Parsed:
    """The action that the model's answer holds."""
    return actions.parse(reply, persona=persona, participants=participants, pictures=pictures)


@step("execute_tool {action.name}", about=("action",))
async def execute_tool(action: Action, *, scene: Scene) -> Effect:
    """Let an action have its effect."""
    return await action.perform(scene)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnScene:
    """What actions may use of the turn; implements `actions.effect.Scene`."""

    lane: Lane
    persona: str
    view: View
    recalled: Recalled
    now: datetime
    """By the computer's own clock."""
    time_there: datetime
    """By that of the messages, if it is ahead."""
    zone: ZoneInfo
    mind: Mind

    async def look_back(self, *, before: MessageId | None, limit: int) -> Sequence[Message]:
        first = min((*self.view.recent, *self.view.unread), key=lambda message: (message.sent_at, message.message_id))
        start = before if before is not None else first.message_id
        return await self.mind.store.before(self.lane, message_id=start, limit=limit)

    async def look_for(self, query: str) -> Sequence[Message]:
        known = [*self.view.in_view, *(message.message_id for message in _told(self.recalled))]
        recalled = await _recall(
            [query],
            exclude=known,
            lane=self.lane,
            persona=self.persona,
            mind=self.mind,
            now=self.time_there,
            zone=self.zone,
        )
        return _told(recalled)


def _told(recalled: Recalled) -> list[Message]:
    """All messages that recall shows: hits and windows, oldest first."""
    return [message for stretch in merge(recalled.hits) for message in stretch]
