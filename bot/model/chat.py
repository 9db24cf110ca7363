"""Messages, the chats and lanes they are in, and what a turn sees of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NewType

from bot import telemetry_names as names

ChatId = NewType("ChatId", int)
"""Our own number of a chat, whatever its addresses elsewhere."""
MessageId = NewType("MessageId", int)
"""Our own number of a message within its chat; Telegram's is kept beside it as an external id."""

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
    emotion: str | None = None
    """Of what the bot said: what the picture of it is called that went with it."""


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


BEHIND = timedelta(days=1)
"""By how much the clock of this computer may be behind that of a message's source. What is dated later than that has no
time that one could go by."""


@dataclass(frozen=True, slots=True)
class LoreOf:
    """Whose lorebook a turn wants to know the past of."""

    persona: str
    counts_replies: bool
    """Whether the book asks how often the persona answered; nobody counts that for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LorePast:
    """What a persona's lorebook reckons with of a chat's past."""

    state: Mapping[str, Sequence[int]]
    """What is remembered of its entries, as JSON; only the book knows what that means."""
    count: int
    """Messages of the chat so far: the book's clock."""
    replies: int | None = None
    """Turns in which the persona answered; None: the book does not ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoreChange:
    """What a chat remembers of a lorebook's entries otherwise than before."""

    remembered: Mapping[str, Sequence[int]]
    forgotten: tuple[str, ...]
    """Entries that the book has no more."""


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
    lore: LorePast | None = None
    """None: the persona has no lorebook."""
    greeting: int | None = None
    """With which of its greetings the persona began in this chat, by the card's positions; None: that is not known."""

    @property
    def in_view(self) -> tuple[MessageId, ...]:
        """The ids that the prompt shows anyway."""
        return tuple(message.message_id for message in (*self.recent, *self.unread))

    def time_in_it(self, now: datetime) -> datetime:
        """What time it is where these messages were sent: never earlier than the last of them.

        The computer's own clock may be behind; what has been said already is not in the future.
        """
        told = (message.sent_at for message in (*self.recent, *self.unread))
        return max([now, *(sent_at for sent_at in told if sent_at <= now + BEHIND)])

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_RECENT_IDS: [message.message_id for message in self.recent],
            names.COMPANION_UNREAD_IDS: [message.message_id for message in self.unread],
            names.COMPANION_TURN_WAITED: self.waited,
        }
