"""What a replay found: stage by stage, as it was and as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.replay.case import Case, Mode, damage, survived

StageName = Literal["retrieve", "rank", "pack", "card", "template", "render", "model", "parse", "act"]
Told = object
"""JSON: what a stage gave."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage of one step."""

    stage: StageName
    step: int | None
    """Which answer of the model it is about, from 1; None: the turn as a whole."""
    same: bool | None
    """None: it could not be compared."""
    before: Told
    after: Told
    note: str = ""

    def as_json(self) -> dict[str, object]:
        told: dict[str, object] = {"stage": self.stage, "same": self.same, "before": self.before, "after": self.after}
        if self.step is not None:
            told["step"] = self.step
        if self.note:
            told["note"] = self.note
        return told


def compared(stage: StageName, before: Told, after: Told, *, step: int | None = None, note: str = "") -> Stage:
    """A stage that is the same if what it gave is equal."""
    return Stage(stage=stage, step=step, same=before == after, before=before, after=after, note=note)


def left_out(stage: StageName, why: str, *, step: int | None = None) -> Stage:
    """A stage that could not be run again."""
    return Stage(stage=stage, step=step, same=None, before=None, after=None, note=why)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A turn run again."""

    case: Case
    mode: Mode
    stages: tuple[Stage, ...]
    causes: tuple[str, ...] = ()
    """What is not as it was, and is not counted as a difference."""

    @property
    def first_difference(self) -> StageName | None:
        """The first stage that gives something else today."""
        return next((stage.stage for stage in self.stages if stage.same is False), None)

    @property
    def ran(self) -> bool:
        """Whether anything could be compared, if there was anything to compare."""
        return not self.stages or any(stage.same is not None for stage in self.stages)

    @property
    def complete(self) -> bool:
        """Whether all that this replay needed was there, and nothing had been cut."""
        whole = not damage(self.case, self.mode) and not self.case.partial
        return whole and all(stage.same is not None for stage in self.stages)

    def as_json(self) -> dict[str, object]:
        return {
            "trace_id": self.case.trace_id,
            "turn_id": self.case.turn_id,
            "mode": self.mode,
            "complete": self.complete,
            "survived": survived(self.case, self.mode),
            "missing": [need.as_json() for need in damage(self.case, self.mode)],
            "causes": [*self.case.notes, *self.causes],
            "first_difference": self.first_difference,
            "stages": [stage.as_json() for stage in self.stages],
        }
