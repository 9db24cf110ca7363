"""What a chat-history file is read into: a header for each chat, then its messages, in the file's order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.model import NewMessage

DELETED_ACCOUNT = "Deleted account"
"""The name of a sender whom the file does not name."""
LARGEST_MESSAGE = 16 * 2**20
"""Bytes of JSON that one message may take; Telegram's longest take a hundredth of it."""

ChatKind = Literal["private", "group", "supergroup", "channel", "saved", "replies", "codes", "other", "lines"]
"""`lines` is a JSON-lines file; `codes` is the chat in which Telegram sends verification codes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatStart:
    """A chat begins; the messages that follow belong to it, until the next one begins."""

    title: str
    source: str
    """The address under which a later import of the same chat finds it again."""
    kind: ChatKind
    peer_id: int | None = None
    """Telegram's bare id: of the group or channel, or of the other person."""
    telegram_chat_id: int | None = None
    """The id under which a bot meets this very chat. None for the exporter's own chats (private, saved
    messages, …): a bot that talks to the same person does so in another chat."""
    of_account: bool = False
    """Whether the file is the export of a whole account, so that other chats may follow."""

    @property
    def shares_message_ids(self) -> bool:
        """Whether messages have the ids here that a bot in the chat sees.

        Only supergroups and channels number their messages once for everybody. What such a file holds from
        before a group became a supergroup has ids below zero, which no live message has.
        """
        return self.kind in ("supergroup", "channel")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record of the file that is no message to remember."""

    reason: str
    """`empty`, `unsupported`, `service: clear_history`, …; there are few different ones."""


HistoryItem = ChatStart | NewMessage | Skipped
