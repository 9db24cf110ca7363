"""A turn: whose it is, what the model is asked and answers, and what is left behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Literal, NewType
from uuid import UUID
from zoneinfo import ZoneInfo

from bot import telemetry_names as names
from bot.model.chat import Lane, LoreChange, MessageId, View
from bot.model.recall import Recalled

TurnId = NewType("TurnId", UUID)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What the chat model is asked: rendered, within its budget, and told by section."""

    system: str
    user: str
    tokens: Mapping[str, int]
    """By section; CJK characters + other characters / 4."""
    dropped: Mapping[str, int]
    """What the budget left out: section → how many pieces."""
    template: str
    """Name and version of the template."""
    view: View
    """What it was rendered from, for a responder that does not read prose; `recalled` and `zone` too."""
    recalled: Recalled
    zone: ZoneInfo
    schema: Mapping[str, object] | None = None
    """JSON schema of the answer."""
    max_reply_tokens: int = 1024
    budget: int = 0
    """Tokens that it could have had."""
    variables: str = ""
    """JSON of all that it was rendered from, but for the card; see bot/prompts/variables.py."""
    lore: LoreChange | None = None
    """What is to be remembered of the lorebook once it is answered; None: nothing new."""

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_PROMPT_TEMPLATE: self.template,
            **{names.COMPANION_PROMPT_TOKENS + name: count for name, count in self.tokens.items()},
            **{names.COMPANION_PROMPT_DROPPED + name: count for name, count in self.dropped.items()},
        }

    def span_content(self) -> Mapping[str, str]:
        return {
            names.COMPANION_PROMPT_SYSTEM: self.system,
            names.COMPANION_PROMPT_USER: self.user,
            names.COMPANION_PROMPT_VARIABLES: self.variables,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens as the server counted them; None where it did not say."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A function the model asked for by name; its arguments are unparsed JSON and may be cut."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What a chat model answered, before anything of it is believed."""

    text: str
    """All text parts joined; reasoning parts are left out. "" when there is none."""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = None
    """`stop`, `length`, `content_filter`, `tool_calls`, or the server's own word."""
    refusal: str | None = None
    model: str = ""
    response_id: str | None = None
    usage: Usage = Usage()


class Outcome(StrEnum):
    """How a turn ended."""

    ANSWERED = "answered"
    SILENT = "silent"
    WAITING = "waiting"
    RESTING = "resting"
    NOTHING_UNREAD = "nothing unread"
    TOO_LATE = "too late"
    """It was due so long ago that nobody waits for an answer any more."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One bubble that the bot says."""

    text: str
    reply_to: MessageId | None = None
    emotion: str | None = None
    """What the picture of the persona is called that goes with it; None: none does."""

    def on_record(self) -> dict[str, object]:
        """As JSON: what there is."""
        told = {"text": self.text, "reply_to": self.reply_to, "emotion": self.emotion}
        return {name: value for name, value in told.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """All that a turn leaves behind, written in one statement."""

    turn_id: TurnId
    lane: Lane
    trace_id: str
    """32 hex digits."""
    started_at: datetime
    """The `now` that the whole turn reckoned with."""
    outcome: Outcome
    persona: str
    source: str
    """Where the bot's words go: the source of its own message rows."""
    inputs: Mapping[str, object]
    """What it was made from: ids, scores and hashes, never texts. JSON."""
    account: Mapping[str, object] = field(default_factory=dict[str, object])
    """What the model answered, and what came of it: texts. JSON."""
    read: tuple[MessageId, ...] = ()
    """What is read now."""
    said: tuple[Said, ...] = ()
    card: str = ""
    """The SHA-256 of the persona's card: the pictures that go with what is said are that card's."""
    said_at: datetime
    notes: tuple[str, ...] = ()
    """The lane's working notes from now on."""
    rests_until: datetime | None = None
    waits_until: datetime | None = None
    """The turn chose to wait for what else is said, at most until then."""
    lore: LoreChange | None = None
    """What is remembered of the persona's lorebook from now on; None: nothing new."""


Ended = Literal["done", "failed", "restarted"]
MOST_RESTARTS = 2
"""Times in a row that a turn begins anew; then it is finished as it is, and what came meanwhile gets the next."""


@dataclass(frozen=True, slots=True)
class Received:
    """A message of a lane, by where it came from."""

    external_id: str
    traceparent: str
    """Of the span in which it was received."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A lane that this process holds, until its lease runs out."""

    lane: Lane
    claim: UUID
    """What names this holding of it: a later one has another."""
    source: str
    """Where its answers go."""
    generation: int
    """Of the lane when it was claimed. A turn of an older generation leaves nothing behind."""
    failures: int
    """Turns that failed in it, one after the other."""
    restarts: int
    """Turns that began anew in it, one after the other."""
    overdue: timedelta = timedelta()
    """Since when its turn could have been had."""
    card: str | None = None
    """The SHA-256 of the card that its chat was given; None: it has that of CHARACTER_CARD."""
    unread: tuple[Received, ...] = ()
    """What was unread when it was claimed, oldest first; of very many the last."""

    @property
    def insists(self) -> bool:
        """Whether this turn is finished whatever comes: people who never stop talking get an answer, too."""
        return self.restarts >= MOST_RESTARTS
