"""What an update says to us, once it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

from aiogram.types import Update

from bot.attention import Addressing
from bot.model import NewMessage

ChatType = Literal["private", "group", "supergroup", "channel"]
CHAT_TYPES: frozenset[str] = frozenset(get_args(ChatType))


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """The bot itself."""

    bot_id: int
    username: str
    """Without the @."""
    name: str
    hears_groups: bool = False
    """Its privacy mode is off: it hears all that is said in groups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A chat as Telegram names it."""

    telegram_chat_id: int
    type: str
    """One of CHAT_TYPES."""
    title: str
    """In a chat of two: the other one's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A command as it was written, with all that carrying it out needs."""

    command: Literal["persona", "start"]
    argument: str = ""
    file_id: str | None = None
    """Of the file that came with it, or that it answers."""
    file_size: int | None = None
    """As the sender's program told it."""
    is_photo: bool = False
    """There is a photo instead."""
    person: str
    """Who gave it, as others in the chat read it."""
    sender_id: str | None
    user_id: int | None = None
    """Their account; None for who speaks as a chat."""
    as_group: bool = False
    """They speak as the group itself, which Telegram lets none but its admins do."""
    in_group: bool
    language: str | None = None
    """Of their program, as an IETF tag."""

    def on_record(self) -> dict[str, object]:
        """As JSON."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Order:
        """As it was kept."""
        return cls(**record)


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """A message."""

    place: Place
    message: NewMessage
    addressing: Addressing
    order: Order | None = None
    """What it tells the bot to do, if it is a command of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A message has another text now."""

    place: Place
    message: NewMessage
    """All of it, as it is now; `edited_at` is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    """A group became a supergroup, which is another chat to Telegram."""

    old: int
    new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """What the bot is in a chat from now on."""

    place: Place
    status: str
    """Telegram's word: member, administrator, restricted, left, kicked."""


@dataclass(frozen=True, slots=True)
class Ignored:
    """Nothing for us."""

    reason: str


@dataclass(frozen=True, slots=True)
class Quarantined:
    """It cannot be read; kept as it is, for people to look at."""

    reason: str
    """A word or two; never anything out of the update."""


What: TypeAlias = Came | Edited | Migrated | Membership | Ignored | Quarantined


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """One update as read."""

    number: int | None
    """Telegram's; None when it has none that can be confirmed."""
    what: What
    update: Update | None = None
    """As aiogram reads it; None when it does not."""


def source_of(bot_id: int, telegram_chat_id: int) -> str:
    """The address of a Telegram chat as this bot sees it."""
    return f"telegram:{bot_id}:{telegram_chat_id}"
