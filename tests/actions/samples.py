"""Replies and a scene to try the actions on: Mia is the bot, Ann and Bob are in the chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.actions import Parsed, parse
from bot.actions.send_message import SendMessage
from bot.model import ChatId, Lane, Message, MessageId, ModelReply, ToolCall, View

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OTHERS = ("Ann", "Bob")


def read(
    text: str = "",
    *,
    finish: str | None = "stop",
    calls: Sequence[tuple[str, str]] = (),
    refusal: str | None = None,
    persona: str = "Mia",
    participants: Sequence[str] = OTHERS,
    pictures: Sequence[str] = (),
) -> Parsed:
    """What a reply means."""
    tool_calls = tuple(ToolCall(name=name, arguments=arguments) for name, arguments in calls)
    reply = ModelReply(text=text, tool_calls=tool_calls, finish_reason=finish, refusal=refusal)
    return parse(reply, persona=persona, participants=participants, pictures=pictures)


def said(parsed: Parsed) -> tuple[str, ...]:
    """The bubbles; none when it is not a message."""
    return parsed.action.messages if isinstance(parsed.action, SendMessage) else ()


def message(number: int, text: str = "hi") -> Message:
    return Message(
        chat_id=ChatId(1),
        message_id=MessageId(number),
        external_id=str(number),
        topic="",
        sender_id="7",
        sender="Ann",
        persona=None,
        sent_at=NOW,
        edited_at=None,
        text=text,
        reply_to=None,
        forwarded_from=None,
    )


@dataclass
class SmallScene:
    """A lane with two old messages and one unread; it keeps what it was asked."""

    lane: Lane = field(default_factory=lambda: Lane(ChatId(1)))
    view: View = field(
        default_factory=lambda: View(
            recent=(message(10), message(11)), unread=(message(12),), notes=(), rests_until=None
        )
    )
    now: datetime = NOW
    asked: list[object] = field(default_factory=list[object])

    async def look_back(self, *, before: MessageId | None, limit: int) -> Sequence[Message]:
        self.asked.append((before, limit))
        return [message(8), message(9)]

    async def look_for(self, query: str) -> Sequence[Message]:
        self.asked.append(query)
        return [message(3, "about tea")]
