"""The commands that are carried out by rule, not by a turn: `/persona`, and the `/start` of a new private chat. Pure.

A command that was forwarded is another's word, and one that a bot wrote is nobody's: neither is carried out.
"""

from __future__ import annotations

from typing import Final

from aiogram.types import Document, Message

from bot.attention import Addressing
from bot.telegram.addressing import answered_message
from bot.telegram.people import sender_of
from bot.telegram.values import Order

PERSONA: Final = "persona"
START: Final = "start"
LONGEST_ARGUMENT = 100
"""Characters; ours are shorter."""


def order_of(message: Message, addressing: Addressing) -> Order | None:
    """The order that a message is, if it is one."""
    if addressing.by_bot or message.forward_origin is not None or message.via_bot is not None:
        return None
    if addressing.command == START:
        if not addressing.private or addressing.old:
            return None
    elif addressing.command != PERSONA:
        return None
    sender_id, person = sender_of(message)
    user = message.from_user if message.sender_chat is None else None
    document, is_photo = _file(message)
    return Order(
        command=addressing.command,
        argument=_argument(message),
        file_id=document.file_id if document else None,
        file_size=document.file_size if document else None,
        is_photo=is_photo,
        person=person,
        sender_id=sender_id,
        user_id=user.id if user else None,
        as_group=message.sender_chat is not None and message.sender_chat.id == message.chat.id,
        in_group=not addressing.private,
        language=message.from_user.language_code if message.from_user else None,
    )


def _argument(message: Message) -> str:
    """What stands behind the command, on one line."""
    words = (message.text or message.caption or "").split()
    return " ".join(words[1:])[:LONGEST_ARGUMENT].casefold()


def _file(message: Message) -> tuple[Document | None, bool]:
    """The file that is meant, its own before that of the message it answers; and whether it is a photo instead."""
    for meant in (message, answered_message(message)):
        if meant is not None and (meant.document or meant.photo):
            return meant.document, not meant.document
    return None, False
