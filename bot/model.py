"""The vocabulary of the bot: immutable values that every other module speaks in.

Nothing here does I/O, and nothing of ours is imported but the names that traces use. Times are aware and in UTC.
A value that has something to tell a trace says so in `span_attributes` (ids, sizes, scores), `span_content` (what
people or models wrote; masked or left out as TRACE_CONTENT says) and `span_events`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal, NewType
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt

from bot import telemetry_names as names

ChatId = NewType("ChatId", int)
"""Our own number of a chat, whatever its addresses elsewhere."""
MessageId = NewType("MessageId", int)
"""Our own number of a message within its chat; Telegram's is kept beside it as an external id."""
TurnId = NewType("TurnId", UUID)
Vector = npt.NDArray[np.float32]
"""One embedding: shape (dimension,), float32, not necessarily of unit length."""

TERMINAL = "terminal"
"""The source of messages typed into `companion chat`."""


@dataclass(frozen=True, slots=True)
class Lane:
    """Where a turn takes place and what it may see: one topic of a chat, or the chat as a whole."""

    chat_id: ChatId
    topic: str | None = None
    """None: all of the chat (its topics are shared). "" is a chat without topics, or its General one."""

    def span_attributes(self) -> Mapping[str, object]:
        return {names.GEN_AI_CONVERSATION_ID: str(self.chat_id), names.COMPANION_TOPIC: self.topic}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message as the chat saw it."""

    chat_id: ChatId
    message_id: MessageId
    external_id: str
    """Its id where it came from; unique within its source."""
    topic: str
    sender_id: str | None
    """Who sent it, as its source numbers people; None when the source does not say (a deleted account)."""
    sender: str
    """The name the sender shows, as others in the chat read it."""
    persona: str | None
    """Set on what the bot said: as whom."""
    sent_at: datetime
    """The source's time, UTC, to the second."""
    edited_at: datetime | None
    text: str
    """Text or caption; for media, a readable line."""
    reply_to: MessageId | None
    forwarded_from: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message on its way into the store, which gives it our number."""

    external_id: str
    sender_id: str | None
    sender: str
    sent_at: datetime
    text: str
    topic: str = ""
    edited_at: datetime | None = None
    reply_to_external: str | None = None
    """The external id, in the same source, of the message it answers."""
    forwarded_from: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """A chat, and how much of it is kept."""

    chat_id: ChatId
    title: str
    timezone: str | None
    """IANA name; None: the operator's TIMEZONE."""
    messages: int
    """Numbers given to messages here so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What a turn starts from: the lane's last messages, and which of them are unread."""

    recent: tuple[Message, ...]
    """The lane's last messages, oldest first, without the unread ones."""
    unread: tuple[Message, ...]
    """What nobody answered yet, oldest first; never the bot's own words."""
    notes: tuple[str, ...]
    """Working notes that earlier turns of this lane left."""
    rests_until: datetime | None
    """The lane sleeps until then."""
    waited: bool = False
    """The turn before this one chose to wait for what else is said."""

    @property
    def in_view(self) -> tuple[MessageId, ...]:
        """The ids that the prompt shows anyway."""
        return tuple(message.message_id for message in (*self.recent, *self.unread))

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_RECENT_IDS: [message.message_id for message in self.recent],
            names.COMPANION_UNREAD_IDS: [message.message_id for message in self.unread],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """One embedding model's row: what its vectors are, and how its scores read."""

    model_id: int
    name: str
    dimension: int
    threshold: float
    """Cosine similarity above which two texts have to do with each other, for this model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A message as it is embedded to be found: who said what, and when."""

    chat_id: ChatId
    message_id: MessageId
    topic: str
    sender: str
    sent_at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The combined score: `similarity · s + time · t`, both terms within [0, 1] for texts that are related."""

    similarity: float = 1.2
    time: float = 0.2
    horizon_days: float = 30.0
    """The age from which time relevance is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """How recall is done: in which model's vectors, with which weights, how much."""

    model: EmbeddingModel
    weights: Weights = Weights()
    hits: int = 3
    """Hits for each query."""
    window: int = 5
    """Messages shown on either side of a hit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What the store is to look for, and where."""

    lane: Lane
    vectors: tuple[Vector, ...]
    """One a query."""
    recall: Recall
    now: datetime
    """What was sent later does not exist yet."""
    exclude: tuple[MessageId, ...] = ()
    """Messages that are no hit and in no window: what is in view already."""

    def span_attributes(self) -> Mapping[str, object]:
        recall = self.recall
        return {
            names.COMPANION_RECALL_MODEL: recall.model.name,
            names.COMPANION_RECALL_THRESHOLD: recall.model.threshold,
            names.COMPANION_RECALL_WEIGHT_SIMILARITY: recall.weights.similarity,
            names.COMPANION_RECALL_WEIGHT_TIME: recall.weights.time,
            names.COMPANION_RECALL_K: recall.hits,
            names.COMPANION_RECALL_WINDOW: recall.window,
            names.COMPANION_RECALL_EXCLUDED_IDS: list(self.exclude),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A past message that came to mind, with its score in parts and what was said around it."""

    message: Message
    similarity: float
    """1 − cosine distance to the nearest query."""
    time_relevance: float
    """1 now, 0 from the horizon on."""
    score: float
    query: int
    """Which of the queries it answers, from 0."""
    window: tuple[Message, ...] = ()
    """What was said just before and after it in the same chat and topic, oldest first, itself left out."""

    @property
    def parts(self) -> dict[str, float]:
        """The score's parts by name."""
        return {"similarity": self.similarity, "time_relevance": self.time_relevance}

    def span_event(self) -> tuple[str, Mapping[str, object]]:
        """What a trace keeps of it: ids and scores."""
        return "hit", {
            names.COMPANION_MESSAGE_ID: self.message.message_id,
            names.COMPANION_RECALL_QUERY: self.query,
            names.COMPANION_RECALL_SCORE: self.score,
            names.COMPANION_RECALL_SIMILARITY: self.similarity,
            names.COMPANION_RECALL_TIME_RELEVANCE: self.time_relevance,
            names.COMPANION_RECALL_WINDOW_IDS: [message.message_id for message in self.window],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What came to mind for a turn, best first."""

    hits: tuple[Hit, ...] = ()
    profile: str = "combined"
    how: Literal["scan", "index", "none"] = "none"
    """How the candidates were found."""
    missing: str | None = None
    """Why there is less than there could be: `embedding failed`, `nothing similar`, …"""
    searched: Search | None = None
    """What the store was asked, for the trace."""

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_RECALL_PROFILE: self.profile,
            names.COMPANION_RECALL_HOW: self.how,
            names.COMPANION_RECALL_HITS: len(self.hits),
            **({names.COMPANION_RECALL_MISSING: self.missing} if self.missing else {}),
            **(self.searched.span_attributes() if self.searched else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """Who the bot is in a chat, as the prompt needs it."""

    name: str
    description: str = ""
    personality: str = ""
    scenario: str = ""
    greeting: str = ""
    examples: str = ""
    system_prompt: str = ""
    """Replaces our own opening instructions when not empty; `{{original}}` stands for them."""
    post_history: str = ""
    """The same for the words after the history."""
    sha256: str = ""
    """Of the card's bytes: which version of the character said it."""

    def span_attributes(self) -> Mapping[str, object]:
        return {names.GEN_AI_AGENT_NAME: self.name, names.COMPANION_PERSONA_SHA256: self.sha256}


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

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_PROMPT_TEMPLATE: self.template,
            **{names.COMPANION_PROMPT_TOKENS + name: count for name, count in self.tokens.items()},
            **{names.COMPANION_PROMPT_DROPPED + name: count for name, count in self.dropped.items()},
        }

    def span_content(self) -> Mapping[str, str]:
        return {names.COMPANION_PROMPT_SYSTEM: self.system, names.COMPANION_PROMPT_USER: self.user}


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
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One bubble that the bot says."""

    text: str
    reply_to: MessageId | None = None


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
    """What it was made from: ids and scores, never texts. JSON."""
    read: tuple[MessageId, ...] = ()
    """What is read now."""
    said: tuple[Said, ...] = ()
    said_at: datetime
    notes: tuple[str, ...] = ()
    """The lane's working notes from now on."""
    rests_until: datetime | None = None
    waits_until: datetime | None = None
    """The turn chose to wait for what else is said, at most until then."""


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
    unread: tuple[Received, ...] = ()
    """What was unread when it was claimed, oldest first; of very many the last."""

    @property
    def insists(self) -> bool:
        """Whether this turn is finished whatever comes: people who never stop talking get an answer, too."""
        return self.restarts >= MOST_RESTARTS


_CJK = re.compile(
    "[\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\uff00-\uffef\U00020000-\U0003ffff]"
)


def token_count(text: str) -> int:
    """Tokens as this project counts them: CJK characters + other characters / 4, rounded up."""
    wide = len(_CJK.findall(text))
    return wide + -(-(len(text) - wide) // 4)
