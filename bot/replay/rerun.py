"""A recorded turn through today's turn: the modes `recorded`, `frozen` and `render`.

`think` of bot/turn.py runs as in a live turn. What it asks the model for, and what its look-ups find, is given by the
record instead; nothing is sent and nothing is kept. It ends at the first step that takes another way than it did then:
what was recorded behind it belongs to that other way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import cast

from bot import actions
from bot.cards import Persona
from bot.model import ChatId, Lane, Message, MessageId, ModelReply, Outcome, Prompt, Recalled, View
from bot.ports import ChatModel
from bot.prompts.variables import LookUp, Variables, read
from bot.record import Answer, reply_on_record, sha256
from bot.record import Step as Taken
from bot.replay.case import Case, Kept, Mode, Step, reply_of
from bot.replay.report import Report, Stage, StageName, compared, left_out
from bot.turn import Steps, assemble_prompt, think

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _OverError(Exception):
    """The turn goes no further: what it would need is not there, or belongs to another way."""


class _FailedThenError(Exception):
    """As then, the model gives no answer and the turn fails."""


async def rerun(case: Case, mode: Mode, *, persona: Persona, chat: ChatModel) -> Report:
    """Run a recorded turn again. `chat` is asked by `frozen` and `render` only."""
    run = _Run(case, mode, persona=persona, chat=chat)
    await run.run()
    return Report(case=run.case, mode=mode, stages=tuple(run.stages()), causes=tuple(run.causes))


class _Run:
    def __init__(self, case: Case, mode: Mode, *, persona: Persona, chat: ChatModel) -> None:
        self.case, self._mode = case, mode
        self._persona, self._chat = persona, chat
        self._steps = Steps()
        self._asked: list[list[Stage]] = []
        """For each answer that was wanted, the stages up to the model's."""
        self._outcome: str | None = None
        """Of the turn today; None: it did not come to its end."""
        self._why = ""
        """Why it did not."""
        self.causes: list[str] = []

    async def run(self) -> None:
        name = self._persona.name if self._mode == "render" else self.case.persona
        if not self.case.steps:
            self._outcome = self.case.outcome  # the model was not asked
            return
        try:
            effect = await think(self._steps, ask=self._ask, scene=RecordedScene(self.case), persona=name)
            self._outcome = (effect.outcome or Outcome.SILENT).value
        except _FailedThenError:
            self._outcome = "failed"
        except _OverError as over:
            self._why = str(over)

    async def _ask(self, looked_up: Sequence[LookUp], longer: bool) -> Answer:
        number = len(self._asked)
        if number and not all(stage.same for stage in self._led_to(number - 1)):
            raise _OverError("the turn took another way before")
        stages: list[Stage] = []
        self._asked.append(stages)
        if number >= len(self.case.steps):
            raise _OverError("the model was not asked that often then")
        step = self.case.steps[number]
        prompt, reply = await self._answer(step, stages, number + 1)
        if step.participants is None and step.parsed:
            raise _OverError("who else took part is not known")
        if step.participants is None and self._mode != "render":
            self.causes.append(
                f"who else took part in step {number + 1} was not recorded; it is parsed as if nobody did"
            )
        pictures = self._persona.emotions if self._mode == "render" else step.pictures
        return Answer(prompt=prompt, reply=reply, participants=step.participants or (), pictures=pictures)

    async def _answer(self, step: Step, stages: list[Stage], number: int) -> tuple[Prompt | None, ModelReply]:
        """The prompt and the answer of a step, as the mode has it."""
        before: ModelReply | None = None
        if step.failed is None:
            try:
                before = reply_of(step.answer.whole) if step.answer.whole is not None else None
            except (ValueError, RecursionError):
                self.causes.append(f"answer {number} is none that can be read")
        if self._mode == "recorded":
            if step.failed is not None:
                told = {"failed": step.failed}
                stages.append(compared("model", told, told, step=number))
                raise _FailedThenError
            if before is None:
                raise _OverError(f"answer {number} is not there: {step.answer.why}")
            return None, before
        prompt = self._rendered(step, stages, number) if self._mode == "render" else self._frozen(step, number)
        reply = await self._chat.complete(prompt)
        told = {"failed": step.failed} if before is None and step.failed else None
        if before is not None:
            told = reply_on_record(before)
        stages.append(
            left_out("model", f"answer {number} is not there: {step.answer.why}", step=number)
            if told is None
            else compared("model", told, reply_on_record(reply), step=number)
        )
        return prompt, reply

    def _frozen(self, step: Step, number: int) -> Prompt:
        """The prompt as it was: its text, or what today's template makes of its inputs if that has the same hash."""
        try:
            variables = read(step.variables.whole) if step.variables.whole is not None else None
        except ValueError:
            variables = None
        system, user = step.system.whole, step.user.whole
        if variables is not None and (system is None or user is None):
            today = self._assembled(variables)
            if (sha256(today.system), sha256(today.user)) == (step.system.sha256, step.user.sha256):
                self._restore(number, today)
                return today
        if system is None or user is None:
            why = step.user.why or step.system.why
            raise _OverError(f"prompt {number} is not there: {why}, and today's template and card make another")
        return Prompt(
            system=system,
            user=user,
            tokens=step.tokens or {},
            dropped=step.dropped or {},
            template=step.template or "",
            view=variables.view if variables else View(recent=(), unread=(), notes=(), rests_until=None),
            recalled=variables.recalled if variables else Recalled(),
            zone=variables.zone if variables else self.case.timezone,
            schema=actions.schema(pictures=step.pictures),
            max_reply_tokens=step.max_reply_tokens,
        )

    def _restore(self, number: int, prompt: Prompt) -> None:
        """A prompt that is known word for word again is part of the case."""
        steps = list(self.case.steps)
        parts = {"system": Kept(text=prompt.system), "user": Kept(text=prompt.user)}
        steps[number - 1] = steps[number - 1].model_copy(update=parts)
        self.case = self.case.model_copy(update={"steps": tuple(steps)})

    def _rendered(self, step: Step, stages: list[Stage], number: int) -> Prompt:
        """The prompt as today's template, card and packing make it, compared with what it was."""
        if step.variables.whole is None:
            raise _OverError(f"what prompt {number} was rendered from is not there: {step.variables.why}")
        try:
            prompt = self._assembled(read(step.variables.whole))
        except ValueError as error:
            raise _OverError(f"what prompt {number} was rendered from cannot be read ({error})") from None
        if number == 1 and self.case.persona_sha256 is not None:
            stages.append(compared("card", self.case.persona_sha256, self._persona.sha256, step=number))
        if step.template is not None:
            stages.append(compared("template", step.template, prompt.template, step=number))
        if step.dropped is not None:
            stages.append(compared("pack", dict(step.dropped), dict(prompt.dropped), step=number))
        for before, after in ((step.system, prompt.system), (step.user, prompt.user)):
            stages.append(_same_text(before, after, number))
        return prompt

    def _assembled(self, variables: Variables) -> Prompt:
        return assemble_prompt(
            variables.view,
            variables.recalled,
            variables.looked_up,
            persona=self._persona,
            zone=variables.zone,
            now=variables.now,
            budget=variables.budget,
            max_reply_tokens=variables.max_reply_tokens,
            language=variables.language,
        )

    def stages(self) -> Iterator[Stage]:
        """All stages of all steps, in their order."""
        for number in range(max(len(self._asked), len(self.case.steps))):
            yield from self._asked[number] if number < len(self._asked) else ()
            if number < len(self._steps.taken):
                yield from self._led_to(number)
            elif number >= len(self.case.steps):
                yield compared("act", "the turn ends", "the model is asked again", step=number)
            elif self._outcome is not None and self._outcome != "failed":
                yield compared("act", "the model is asked again", "the turn ends", step=number)
                return
            elif self._outcome is None:
                yield left_out("parse" if self._mode == "recorded" else "model", self._why, step=number + 1)
                return

    def _led_to(self, number: int) -> Iterator[Stage]:
        """What the answer of a step was taken for and led to, then and today."""
        taken = self._steps.taken[number]
        step = self.case.steps[number] if number < len(self.case.steps) else Step()
        if step.parsed:
            yield _same_part("parse", step.parsed, taken.parsed.on_record(), number + 1)
        before, after = dict(step.effect), _effect(taken)
        if not before and not after:
            return
        if "whole" not in before:
            after = {name: value for name, value in after.items() if name in before}
        elif "name" not in before:
            after.pop("name", None)
        before.pop("whole", None)
        is_last = number + 1 == len(self.case.steps) == len(self._steps.taken)
        if is_last and self._outcome is not None and self.case.outcome is not None:
            before["turn"], after["turn"] = self.case.outcome, self._outcome
        yield compared("act", before, after, step=number + 1)


def _effect(taken: Taken) -> dict[str, object]:
    return {} if taken.effect is None else {"name": taken.parsed.action.name, **taken.effect.on_record()}


def _same_part(stage: StageName, before: Mapping[str, object], after: Mapping[str, object], step: int) -> Stage:
    """A stage of which only a part may be on record: that is compared."""
    told = {name: value for name, value in before.items() if value}
    return compared(stage, told, {name: value for name, value in after.items() if name in before}, step=step)


def _same_text(before: Kept, after: str, number: int) -> Stage:
    """A part of a prompt, compared by its hash where its text is not there."""
    if before.whole is not None:
        return compared("render", before.whole, after, step=number)
    if before.sha256 is None:
        return left_out("render", f"the prompt of then is not there: {before.why}", step=number)
    same = before.sha256 == sha256(after)
    told = after if same else f"(its sha256 was {before.sha256}; {before.why})"
    return Stage(stage="render", step=number, same=same, before=told, after=after)


class RecordedScene:
    """What actions may use of a turn that is over: its look-ups find what they found. Implements `effect.Scene`."""

    def __init__(self, case: Case) -> None:
        self._case = case
        look_ups = [step.effect for step in case.steps if step.effect and "outcome" not in step.effect]
        self._found = iter([effect.get("found", ()) for effect in look_ups])  # one may have found nothing

    @property
    def lane(self) -> Lane:
        return Lane(ChatId(self._case.chat_id or 0), self._case.topic)

    @property
    def now(self) -> datetime:
        return self._case.clock or _EPOCH

    @property
    def view(self) -> View:
        """Actions look at numbers only, so no texts are needed here."""
        numbers = (self._case.recent, self._case.unread)
        recent, unread = (tuple(_bare(MessageId(number)) for number in each) for each in numbers)
        return View(recent=recent, unread=unread, notes=(), rests_until=None, waited=self._case.waited)

    async def look_back(self, *, before: MessageId | None, limit: int) -> Sequence[Message]:
        return self._next()

    async def look_for(self, query: str) -> Sequence[Message]:
        return self._next()

    def _next(self) -> list[Message]:
        """What the next look-up found."""
        return [_bare(MessageId(number)) for number in cast("Sequence[int]", next(self._found, ()))]


def _bare(number: MessageId) -> Message:
    return Message(
        chat_id=ChatId(0),
        message_id=number,
        external_id="",
        topic="",
        sender_id=None,
        sender="",
        persona=None,
        sent_at=_EPOCH,
        edited_at=None,
        text="",
        reply_to=None,
        forwarded_from=None,
    )
