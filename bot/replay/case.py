"""A turn as it was recorded: what replay needs of it, and how much of each text survived.

A case is gathered from a trace, from the database, or from both, and saved as JSON. What is missing or cut is said
and never guessed; a text that does not have the hash it was recorded with counts as missing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, Literal, cast
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from bot.errors import SavedByNewer, TraceUnreadable
from bot.invalid import what_is_wrong
from bot.model import ModelReply, ToolCall
from bot.record import sha256

Mode = Literal["recorded", "frozen", "render", "retrieve"]
MODES: Final[tuple[Mode, ...]] = ("recorded", "frozen", "render", "retrieve")
VERSION: Final = 1
"""Of the files that cases are saved in."""


TraceNumber = Annotated[str, Field(pattern=r"^[0-9a-f]{0,32}$")]
"""In hex. It becomes the name of a file."""
TurnNumber = Annotated[str, AfterValidator(lambda given: str(UUID(given)))]
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""As large as PostgreSQL's whole numbers."""
Moment = Annotated[AwareDatetime, Field(ge=datetime(1970, 1, 1, tzinfo=UTC), lt=datetime(9000, 1, 1, tzinfo=UTC))]
"""With room for what is reckoned from it."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Kept(_Part):
    """A text as far as it survived."""

    text: str | None = None
    """None: nothing of it is there."""
    size: int | None = None
    """Bytes that it had; None: nobody said so."""
    sha256: str | None = None
    """That it was recorded with."""
    why: str = ""
    """Why it is not whole, in a word or two; "" when it is."""

    @property
    def whole(self) -> str | None:
        """The text, if all of it is there."""
        return self.text if not self.why else None

    @property
    def share(self) -> float:
        """How much of it survived, within [0, 1]; 0 for what was cut from nobody knows how much."""
        if self.whole is not None:
            return 1.0
        return min(1.0, self.survived / self.size) if self.size and self.text else 0.0

    @property
    def survived(self) -> int:
        """Bytes of it that are there."""
        return len(self.text.encode(errors="replace")) if self.text else 0


ABSENT: Final = Kept(why="not recorded")


def checked(text: str, recorded: str | None, *, size: int | None = None, why: str = "changed since") -> Kept:
    """A text that came from elsewhere: whole if it has the hash that was recorded, or if none was."""
    if recorded is not None and sha256(text) != recorded:
        return Kept(size=size, sha256=recorded, why=why)
    return Kept(text=text, size=size, sha256=recorded)


class Step(_Part):
    """One answer of the model, and what came of it."""

    variables: Kept = ABSENT
    """What the prompt was rendered from; JSON as bot/prompts/variables.py writes it."""
    system: Kept = ABSENT
    user: Kept = ABSENT
    template: str | None = None
    dropped: Mapping[str, int] | None = None
    tokens: Mapping[str, int] | None = None
    max_reply_tokens: int = 1024
    answer: Kept = ABSENT
    """In the shape of the GenAI conventions."""
    failed: str | None = None
    """The error that ended the turn here instead of an answer."""
    participants: tuple[str, ...] | None = None
    pictures: tuple[str, ...] = ()
    """Those that it could choose from."""
    parsed: Mapping[str, object] = {}
    """What the answer was taken for: only what was recorded of it."""
    effect: Mapping[str, object] = {}
    """What that led to, the same; empty when the model was asked again instead."""


class Case(_Part):
    """A turn as it was recorded."""

    version: Literal[1] = VERSION
    trace_id: TraceNumber
    turn_id: TurnNumber | None = None
    chat_id: Whole | None = None
    topic: str | None = None
    persona: str
    persona_sha256: str | None = None
    now: Moment | None = None
    """By the computer's own clock."""
    time: Moment | None = None
    """Where its messages were sent."""
    zone: str = "UTC"
    outcome: str | None = None
    recent: tuple[Whole, ...] = ()
    unread: tuple[Whole, ...] = ()
    waited: bool = False
    recall: Mapping[str, object] | None = None
    """As bot/record.py keeps it."""
    embedding_model: str | None = None
    chat_model: str | None = None
    steps: tuple[Step, ...] = ()
    partial: bool = False
    """Tempo says itself that it does not have all of the trace."""
    notes: tuple[str, ...] = ()
    """What else people should know about how it was gathered."""

    @property
    def timezone(self) -> ZoneInfo:
        """That of the chat; UTC where it makes no sense."""
        try:
            return ZoneInfo(self.zone)
        except (KeyError, OSError, ValueError):
            return ZoneInfo("UTC")

    @property
    def clock(self) -> datetime | None:
        """What actions reckon with."""
        return self.now or self.time


class _Head(_Part):
    """What a case of any later version says, too."""

    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """A text that a mode needs, as far as it is there."""

    what: str
    kept: Kept

    def as_json(self) -> dict[str, object]:
        kept = self.kept
        return {"what": self.what, "why": kept.why, "survived": kept.survived, "of": kept.size}

    def __str__(self) -> str:
        of = "" if self.kept.size is None else f" of {self.kept.size:,}"
        there = f"; {self.kept.survived:,}{of} bytes survived" if self.kept.text or self.kept.size else ""
        return f"{self.what}: {self.kept.why}{there}"


def damage(case: Case, mode: Mode) -> list[Need]:
    """What is missing for a mode, and what was cut on the way, whether the mode needs it or not."""
    needed = [*needs(case, mode)]
    told = {need.what for need in needed}
    cut = [
        Need(what=what, kept=text)
        for number, step in enumerate(case.steps, 1)
        for what, text in _texts(step, number)
        if text.text is not None and what not in told
    ]
    return [need for need in (*needed, *cut) if need.kept.why]


def survived(case: Case, mode: Mode) -> float:
    """How much of what a mode needs, and of what was cut, is there, within [0, 1]."""
    whole = [need for need in needs(case, mode) if not need.kept.why]
    shares = [1.0] * len(whole) + [need.kept.share for need in damage(case, mode)]
    return round(sum(shares) / len(shares), 3) if shares else 1.0


def _texts(step: Step, number: int) -> Iterator[tuple[str, Kept]]:
    yield f"the variables of prompt {number}", step.variables
    yield f"the system part of prompt {number}", step.system
    yield f"the user part of prompt {number}", step.user
    yield f"answer {number}", step.answer


def needs(case: Case, mode: Mode) -> Iterator[Need]:
    """The texts that a mode needs."""
    if mode == "retrieve":
        recorded = case.recall is not None and case.time is not None and case.chat_id is not None
        yield Need(what="what recall did", kept=Kept(text="") if recorded else ABSENT)
        return
    for number, step in enumerate(case.steps, 1):
        for what, text in _texts(step, number):
            if text is step.variables:
                needed = mode == "render"
            elif text is step.answer:
                needed = step.failed is None
            else:  # what is rendered anew is compared by its hash, if need be
                needed = mode == "frozen" or (mode == "render" and text.sha256 is None)
            if needed:
                yield Need(what=what, kept=text)
        if step.failed is None and step.parsed and step.participants is None:
            yield Need(what=f"who else took part in step {number}", kept=ABSENT)


def reply_of(answer: str) -> ModelReply:
    """The reply in an answer of the GenAI conventions' shape; raise `ValueError` when it is none."""
    given = json.loads(answer)
    message = _mapping(cast("list[object]", given)[0] if isinstance(given, list) and given else None)
    parts = _parts(message)
    if not message:
        raise ValueError("no message in it")
    return ModelReply(
        text="".join(_text(part.get("content")) for part in parts if part.get("type") == "text"),
        tool_calls=tuple(
            ToolCall(name=_text(part.get("name")), arguments=_arguments(part.get("arguments")))
            for part in parts
            if part.get("type") == "tool_call"
        ),
        finish_reason=_text(message.get("finish_reason")) or None,
        refusal=next((_text(part.get("content")) for part in parts if part.get("type") == "refusal"), None),
    )


def prompt_of(messages: str) -> dict[str, str]:
    """Role and text of each message in a prompt of the GenAI conventions' shape; raise `ValueError` if it is none."""
    given = json.loads(messages)
    if not isinstance(given, list):
        raise ValueError("no list")  # noqa: TRY004 - as for all that is wrong with it
    told: dict[str, str] = {}
    for each in map(_mapping, cast("list[object]", given)):
        told[_text(each.get("role"))] = "".join(_text(part.get("content")) for part in _parts(each))
    return told


def _parts(message: Mapping[str, object]) -> list[Mapping[str, object]]:
    parts = message.get("parts")
    return [_mapping(part) for part in cast("list[object]", parts)] if isinstance(parts, list) else []


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _arguments(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value or {}, ensure_ascii=False)


def load(data: bytes, *, where: str) -> Case:
    """A case as it was saved. Raises `TraceUnreadable`, or `SavedByNewer`."""
    try:
        if (version := _Head.model_validate_json(data).version) > VERSION:
            raise SavedByNewer(where=where, version=version, known=VERSION)
        return Case.model_validate_json(data)
    except ValidationError as error:
        raise TraceUnreadable(what_is_wrong(error), where=where) from None
