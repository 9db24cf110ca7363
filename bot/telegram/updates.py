"""One raw update into one of our values. Pure: whatever JSON it is, something is said of it, and nothing raises.

An update is read by itself, so that one which aiogram's types refuse is put aside and no other waits for it. Half a
surrogate pair is no reason to refuse one. Kinds of update that are not known are none of our business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, cast

from aiogram import Bot
from aiogram.enums import ContentType
from aiogram.types import Chat, ChatMemberUpdated, Message, Update
from pydantic import ValidationError

from bot.model import NewMessage
from bot.telegram.addressing import addressing_of, answered_message
from bot.telegram.media import said
from bot.telegram.orders import order_of
from bot.telegram.people import chat_name, forwarded_from, sender_of
from bot.telegram.values import (
    CHAT_TYPES,
    Arrived,
    Came,
    Edited,
    Ignored,
    Me,
    Membership,
    Migrated,
    Place,
    Quarantined,
    What,
)

KINDS: Final = ("message", "edited_message", "my_chat_member")
"""The kinds of update that are asked for."""
_LARGEST = 2**63 - 1
"""What a bigint holds."""
_DEEPEST = 200
"""Objects within objects; Telegram's take a tenth of it."""


class Unreadable(dict[str, object]):
    """Stands for an update of which only the number can be read."""


def read_update(raw: object, me: Me, *, aliases: Sequence[str], now: datetime, bot: Bot | None = None) -> Arrived:
    """What an update says. With `bot`, aiogram's objects in it can act."""
    number = number_of(raw)
    if number is None:
        return Arrived(number=None, what=Quarantined("no number"))
    if isinstance(raw, Unreadable):
        return Arrived(number=number, what=Quarantined("unreadable"))
    try:
        update = _validated(raw, bot)
        return Arrived(number=number, what=_what(update, me, aliases, now), update=update)
    except (ValidationError, UnicodeError):
        return Arrived(number=number, what=Quarantined("malformed"))
    except (OverflowError, OSError, ValueError):
        return Arrived(number=number, what=Quarantined("impossible date"))
    except RecursionError:
        return Arrived(number=number, what=Quarantined("too deep"))


def number_of(raw: object) -> int | None:
    """The number under which an update is taken and confirmed; None when it has none that Telegram could have given."""
    if not isinstance(raw, Mapping):
        return None
    number = cast("Mapping[object, object]", raw).get("update_id")
    return number if type(number) is int and 0 < number < _LARGEST else None


def group_of(raw: object) -> int | None:
    """The group in which an update's message was written, by a glance; None for anything else."""
    match raw:
        case {"message": {"chat": {"id": int(number)}}} if -_LARGEST < number < 0:
            return number
        case _:
            return None


def _validated(raw: object, bot: Bot | None) -> Update:
    context = None if bot is None else {"bot": bot}
    try:
        return Update.model_validate(raw, context=context)
    except (ValidationError, UnicodeError):
        return Update.model_validate(_mended(raw, _DEEPEST), context=context)


def _mended(value: object, depth: int) -> object:
    """The same with U+FFFD for each half of a surrogate pair, which takes as many UTF-16 units."""
    if depth == 0:
        raise RecursionError
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_mended(item, depth - 1) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        items = cast("dict[object, object]", value).items()
        return {_mended(key, depth - 1): _mended(item, depth - 1) for key, item in items}
    return value


def _what(update: Update, me: Me, aliases: Sequence[str], now: datetime) -> What:
    if update.message:
        return _came(update.message, me, aliases, now)
    if update.edited_message:
        return _edited(update.edited_message, me)
    if update.my_chat_member:
        return _membership(update.my_chat_member)
    known = (name for name in type(update).model_fields if name != "update_id" and getattr(update, name) is not None)
    return Ignored(next(known, "unknown kind"))


def _came(message: Message, me: Me, aliases: Sequence[str], now: datetime) -> What:
    if message.migrate_to_chat_id:
        return Migrated(old=message.chat.id, new=message.migrate_to_chat_id)
    if message.migrate_from_chat_id:
        return Migrated(old=message.migrate_from_chat_id, new=message.chat.id)
    place, read = _place(message.chat), _message(message, me)
    if isinstance(place, Quarantined | Ignored):
        return place
    if not isinstance(read, NewMessage):
        return read
    addressing = addressing_of(message, me, aliases=aliases, now=now)
    return Came(place=place, message=read, addressing=addressing, order=order_of(message, addressing))


def _edited(message: Message, me: Me) -> What:
    place, read = _place(message.chat), _message(message, me)
    if isinstance(place, Quarantined | Ignored):
        return place
    if not isinstance(read, NewMessage):
        return read
    if read.edited_at is None:
        return Ignored("edit without a time")
    return Edited(place=place, message=read)


def _message(message: Message, me: Me) -> NewMessage | Ignored | Quarantined:
    if message.date.tzinfo is None:  # written out instead of counted; no zone is told then
        return Quarantined("impossible date")
    text = said(message)
    if not text:
        return Ignored(f"without words: {_content_type(message)}")
    sender_id, sender = sender_of(message)
    if sender_id == str(me.bot_id):
        return Ignored("own message")
    answered = answered_message(message)
    return NewMessage(
        external_id=str(message.message_id),
        sender_id=sender_id,
        sender=sender,
        sent_at=message.date,
        text=text,
        topic=_topic(message),
        edited_at=_edit_time(message),
        reply_to_external=str(answered.message_id) if answered else None,
        forwarded_from=forwarded_from(message),
    )


def _membership(update: ChatMemberUpdated) -> What:
    place = _place(update.chat)
    if isinstance(place, Quarantined | Ignored):
        return place
    return Membership(place=place, status=str(update.new_chat_member.status))


def _place(chat: Chat) -> Place | Ignored | Quarantined:
    if chat.type not in CHAT_TYPES:
        return Quarantined("unknown type of chat")
    if chat.type == "channel":
        return Ignored("channel")
    return Place(telegram_chat_id=chat.id, type=chat.type, title=chat_name(chat))


def _topic(message: Message) -> str:
    """Elsewhere a thread is only a chain of answers, and nothing can be sent to it by its number."""
    return str(message.message_thread_id) if message.is_topic_message and message.message_thread_id else ""


def _edit_time(message: Message) -> datetime | None:
    return None if message.edit_date is None else datetime.fromtimestamp(message.edit_date, UTC)


def _content_type(message: Message) -> str:
    kind = message.content_type
    return kind.value if isinstance(kind, ContentType) else str(kind)
