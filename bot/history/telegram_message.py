"""One message of an export, as Telegram Desktop wrote it, into ours.

Its time is `date_unixtime`. Exports from before 2022 have only `date`: local time of a zone that the file
does not name, taken for UTC. People are numbered as a bot sees them: `user123` is "123", `chat123` is "-123",
`channel123` is "-1000000000123". The bot by way of which something was sent, authors' signatures, reactions
and buttons are left out.
"""

from __future__ import annotations

from datetime import UTC, datetime

from bot.history.telegram_fields import Fields, number_at, text_at
from bot.history.telegram_media import media_line
from bot.history.telegram_service import service_line
from bot.history.telegram_text import join_text, page_text
from bot.history.telegram_topics import Topics
from bot.history.values import DELETED_ACCOUNT, ChatStart, Skipped
from bot.model import NewMessage

_USER_FLAG, _CHAT_FLAG = 2**32, 2**33
"""Added to ids by exports from before 2021, when no id took more than 32 bits."""

_CHANNELS = 10**12


def read_message(message: Fields, chat: ChatStart, topics: Topics) -> NewMessage | Skipped:
    """What to remember of an exported message, or why there is nothing to."""
    kind = message.get("type")
    if kind == "unsupported":  # all that Telegram Desktop writes of it, with the id
        return Skipped("unsupported")
    number = number_at(message, "id")
    if number is None:
        return Skipped("without an id")
    sent_at = _time(message, "date")
    if sent_at is None:
        return Skipped("without a date")
    service = kind == "service"
    text = service_line(message) if service else _said(message)
    if not text:
        return Skipped(f"service: {text_at(message, 'action')[:64] or 'unknown'}" if service else "empty")
    who = "actor" if service and "actor_id" in message else "from"
    answers = _answers(message, service=service)
    begins_topic = service and message.get("action") == "topic_created"
    return NewMessage(
        external_id=str(number),
        sender_id=_person(message.get(f"{who}_id")),
        sender=_name(message, who, chat),
        sent_at=sent_at,
        text=text,
        topic=topics.begin(number) if begins_topic else topics.of(number, answers),
        edited_at=_edited(message, sent_at),
        reply_to_external=None if answers is None or topics.is_root(answers) else str(answers),
        forwarded_from=_forwarded_from(message),
    )


def bare_group_id(number: int) -> int:
    """The id of a group or channel without the flag of exports from before 2021."""
    return number - _CHAT_FLAG if _CHAT_FLAG <= number < _CHAT_FLAG + _USER_FLAG else number


def channel_chat_id(number: int) -> int:
    """The id under which a bot knows a channel or supergroup."""
    return -_CHANNELS - number


def export_address(telegram_chat_id: int) -> str | None:
    """The address of what is exported of the group or channel that a bot knows under this id; None for a person."""
    if telegram_chat_id >= 0:
        return None
    if telegram_chat_id < -_CHANNELS:
        return f"import:telegram:channel:{-_CHANNELS - telegram_chat_id}"
    return f"import:telegram:group:{-telegram_chat_id}"


def _said(message: Fields) -> str:
    text = page_text(message["rich_message"]) if "rich_message" in message else join_text(message.get("text"))
    media = media_line(message)
    if not text or text.isspace():
        return media
    return f"{media} {text}" if media else text


def _answers(message: Fields, *, service: bool) -> int | None:
    """The message that it answers or is about, if that is of this chat."""
    if "reply_to_peer_id" in message:
        return None
    return number_at(message, "message_id" if service else "reply_to_message_id")


def _person(value: object) -> str | None:
    if isinstance(value, str):
        kind = value.rstrip("0123456789")
        number = value[len(kind) :]
        match kind:
            case "user" if number:
                return number
            case "chat" if number:
                return f"-{number}"
            case "channel" if number:
                return str(channel_chat_id(int(number[:20])))
            case _:
                return value or None
    if isinstance(value, int) and value > 0:  # from before 2021
        return str(channel_chat_id(value - _CHAT_FLAG) if value >= _CHAT_FLAG else value % _USER_FLAG)
    return None


def _name(message: Fields, who: str, chat: ChatStart) -> str:
    name = message.get(who)
    if isinstance(name, str) and name and not name.isspace():
        return name
    return chat.title if chat.kind == "channel" and who not in message else DELETED_ACCOUNT


def _forwarded_from(message: Fields) -> str | None:
    for key in ("forwarded_from", "saved_from"):
        if key in message:
            return text_at(message, key) or DELETED_ACCOUNT
    return None


def _edited(message: Fields, sent_at: datetime) -> datetime | None:
    if "edited" not in message and "edited_unixtime" not in message:
        return None
    edited_at = _time(message, "edited")
    return edited_at if edited_at and edited_at >= sent_at else None


def _time(message: Fields, key: str) -> datetime | None:
    seconds = number_at(message, f"{key}_unixtime")
    try:
        if seconds is not None:
            return datetime.fromtimestamp(seconds, UTC)
        moment = datetime.fromisoformat(text_at(message, key))
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        return moment.replace(microsecond=0)
    except (ValueError, OverflowError, OSError):
        return None
