"""To whom a message is addressed. Pure.

Ids go before names: a username, a link or a mention of somebody else who has one of the bot's names does not
call the bot. Telegram counts the places of its entities in UTF-16 units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from aiogram.types import Message, MessageEntity

from bot.attention import FRESH, Addressing
from bot.telegram.names import names_me
from bot.telegram.people import is_other_bot
from bot.telegram.values import Me

_NO_NAMES = frozenset({"mention", "text_mention", "bot_command", "url", "email"})
"""What stands for itself: words in there call nobody by name."""
_UTF16 = "utf-16-le"


def addressing_of(message: Message, me: Me, *, aliases: Sequence[str], now: datetime) -> Addressing:
    """What shows of it. `aliases` are the names that the bot answers to."""
    text = message.text or message.caption or ""
    entities = [*_within(text, message.entities or message.caption_entities or [])]
    command = _command(entities, me)
    return Addressing(
        private=message.chat.type == "private",
        mentioned=_mentions(text, entities, me),
        replied=_answers(message, me),
        named=names_me(_without(text, entities), aliases),
        command=command,
        by_bot=is_other_bot(message),
        old=now - message.date > FRESH,
    )


def answered_message(message: Message) -> Message | None:
    """The message that it really answers: in a topic, each shows as an answer to the topic's first."""
    answered = message.reply_to_message
    if answered and message.is_topic_message and answered.message_id == message.message_thread_id:
        return None
    return answered


def _within(text: str, entities: Iterable[MessageEntity]) -> Iterator[tuple[MessageEntity, str]]:
    """Each entity with the words that it is about."""
    units = text.encode(_UTF16, "surrogatepass")
    for entity in entities:
        if entity.offset >= 0 and entity.length > 0:
            words = units[2 * entity.offset : 2 * (entity.offset + entity.length)]
            yield entity, words.decode(_UTF16, "surrogatepass")


def _without(text: str, entities: Iterable[tuple[MessageEntity, str]]) -> str:
    """The text without what stands for itself."""
    units = bytearray(text.encode(_UTF16, "surrogatepass"))
    for entity, words in entities:
        if entity.type in _NO_NAMES:
            start, length = 2 * entity.offset, len(words.encode(_UTF16, "surrogatepass"))
            units[start : start + length] = " ".encode(_UTF16) * (length // 2)
    return units.decode(_UTF16, "surrogatepass")


def _mentions(text: str, entities: Iterable[tuple[MessageEntity, str]], me: Me) -> bool:
    handle = f"@{me.username}".casefold()
    for entity, words in entities:
        if entity.type == "text_mention" and entity.user and entity.user.id == me.bot_id:
            return True
        if entity.type == "mention" and words.casefold() == handle:
            return True
        if entity.type == "bot_command" and words.casefold().endswith(handle):
            return True
    return re.search(rf"(?<![\w@/.]){re.escape(handle)}(?!\w)", text, re.ASCII | re.IGNORECASE) is not None


def _answers(message: Message, me: Me) -> bool:
    answered = answered_message(message)
    if answered is None or answered.sender_chat or answered.from_user is None:
        return False
    return answered.from_user.id == me.bot_id


def _command(entities: Iterable[tuple[MessageEntity, str]], me: Me) -> str | None:
    """The command that the message begins with, unless it is another bot's."""
    for entity, words in entities:
        if entity.type == "bot_command" and entity.offset == 0:
            name, _, bot = words.removeprefix("/").casefold().partition("@")
            return name if bot in {"", me.username.casefold()} else None
    return None
