"""Who speaks. Pure.

Whoever speaks as a chat (an anonymous administrator, a channel, a post passed on into its discussion group) is
that chat: the account that Telegram names beside it is the same one for all of them.
"""

from __future__ import annotations

from aiogram.types import (
    Chat,
    Message,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
    User,
)

DELETED_ACCOUNT = "Deleted account"
"""Who has no name any more; said as imports say it."""


def sender_of(message: Message) -> tuple[str | None, str]:
    """The sender's id, as text, and the name shown."""
    if message.sender_chat:
        return str(message.sender_chat.id), chat_name(message.sender_chat)
    if message.from_user:
        return str(message.from_user.id), person_name(message.from_user)
    return None, DELETED_ACCOUNT


def is_other_bot(message: Message) -> bool:
    """Whether a bot wrote it, and not somebody who speaks as a chat."""
    return message.sender_chat is None and message.from_user is not None and message.from_user.is_bot


def forwarded_from(message: Message) -> str | None:
    """From whom it is, if it was forwarded. A post in its channel's own discussion group is the channel's anyhow."""
    if message.is_automatic_forward:
        return None
    match message.forward_origin:
        case MessageOriginUser(sender_user=user):
            return person_name(user)
        case MessageOriginHiddenUser(sender_user_name=name):
            return name.strip() or DELETED_ACCOUNT
        case MessageOriginChat(sender_chat=chat) | MessageOriginChannel(chat=chat):
            return chat_name(chat)
        case _:
            return None


def chat_name(chat: Chat) -> str:
    """A chat's title; of a chat of two, the other one's name."""
    person = " ".join(part.strip() for part in (chat.first_name, chat.last_name) if part and part.strip())
    return (chat.title or "").strip() or person or chat.username or DELETED_ACCOUNT


def person_name(user: User) -> str:
    """First and last name, as Telegram shows them."""
    name = " ".join(part.strip() for part in (user.first_name, user.last_name) if part and part.strip())
    return name or user.username or DELETED_ACCOUNT
