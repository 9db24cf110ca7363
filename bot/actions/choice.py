"""What all actions share: one class to derive from, and how their fields read what a model wrote."""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from pydantic import BaseModel, BeforeValidator, ConfigDict

from bot import telemetry_names as names
from bot.actions.effect import Effect, Scene

_LOOSE_NUMBER = re.compile(r"\W{0,4}(\d{1,18})\W{0,4}")
_LEADING_NUMBER = re.compile(r"\s{0,9}(\d{1,9}(?:\.\d{1,9})?)")


class Choice(BaseModel, ABC):
    """One thing the model may choose to do in a turn.

    Everything that is said of an action is said once, in its class: the docstring's first line and the
    fields' descriptions make its line in the prompt, the fields make the schema and the parser. Unknown
    fields are ignored, since the flat schema gives an answer the fields of all actions.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: ClassVar[str]
    also: ClassVar[tuple[str, ...]] = ()
    """Names that models give the same thing when no schema binds them."""

    @abstractmethod
    async def perform(self, scene: Scene) -> Effect:
        """What it leads to. Look-ups read through the scene; nothing is sent or stored here."""

    def answer(self) -> dict[str, object]:
        """The answer that means exactly this, as the schema would have it; nulls left out."""
        return {"action": self.name, **self.model_dump(mode="json", exclude_none=True)}

    def span_attributes(self) -> Mapping[str, object]:
        return {names.GEN_AI_OPERATION_NAME: "execute_tool", names.GEN_AI_TOOL_NAME: self.name}

    @classmethod
    def fields(cls, *, pictures: Sequence[str]) -> Mapping[str, str]:
        """What is told of each of its fields, in a chat where the bot can send these pictures."""
        return {name: field.description or "" for name, field in cls.model_fields.items()}

    @classmethod
    def line(cls, *, pictures: Sequence[str] = ()) -> str:
        """Its line in the prompt's list."""
        what = (inspect.getdoc(cls) or "").partition("\n")[0]
        fields = [f'"{name}": {told}' for name, told in cls.fields(pictures=pictures).items()]
        return " ".join([f"- {cls.name}: {what}", "; ".join(fields)]).rstrip()


def _number(value: object) -> object:
    if isinstance(value, str):
        found = _LOOSE_NUMBER.fullmatch(value)
        return int(found[1]) if found else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**18:
        return value
    return None


MessageNumber = Annotated[int | None, BeforeValidator(_number)]
"""A message's number however it is written (12, "12", "#12"). What is none is None: not worth a failure."""


def clamped(low: int, high: int) -> BeforeValidator:
    """A number of seconds, brought within bounds; "30 s" will do."""

    def clamp(value: object) -> int:
        if isinstance(value, str) and (found := _LEADING_NUMBER.match(value)):
            value = float(found[1])
        if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
            raise ValueError("not a number")
        return round(min(max(value, low), high))

    return BeforeValidator(clamp)
