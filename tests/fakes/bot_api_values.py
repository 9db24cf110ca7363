"""The things of Telegram that the fake Bot API keeps, and how each looks in its answers.

Nothing here decides who hears what, and nothing here speaks HTTP.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Json: TypeAlias = Any
Kind: TypeAlias = Literal["private", "group", "supergroup", "channel"]
Status: TypeAlias = Literal["creator", "administrator", "member", "restricted", "left", "kicked"]
Clock: TypeAlias = Callable[[], float]
"""Seconds since 1970."""

DAY = 86_400
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
"""Kinds of update that a bot gets only when it names them."""
PRESENT = frozenset({"creator", "administrator", "member", "restricted"})
RIGHTS = (
    *("can_be_edited", "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members"),
    *("can_promote_members", "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories"),
    *("can_delete_stories", "can_send_welcome_messages", "can_pin_messages", "can_manage_topics"),
)
PERMISSIONS = (
    *("can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos"),
    *("can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages"),
    *("can_add_web_page_previews", "can_react_to_messages", "can_edit_tag", "can_change_info", "can_invite_users"),
    *("can_pin_messages", "can_manage_topics"),
)


class Bell:
    """Rings when something changed; whoever waits looks again."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
        self._waiting.clear()

    async def until(self, reached: Callable[[], bool], *, within: float) -> bool:
        """Wait for it; False when it did not come in time."""
        try:
            async with asyncio.timeout(within):
                while not reached():
                    waiting = asyncio.get_running_loop().create_future()
                    self._waiting.add(waiting)
                    await waiting
        except TimeoutError:
            return False
        return True


class Superseded(Exception):
    """A long poll was ended by another request; says by which."""


class Updates:
    """What one bot has not confirmed yet."""

    def __init__(self, clock: Clock) -> None:
        self.next_id = 900_000_001
        """May be set back, as Telegram's may restart after a quiet week."""
        self.pending: deque[tuple[int, float, str]] = deque()
        """Number, when it came, its JSON text."""
        self.allowed: frozenset[str] | None = None
        """None: all but NOT_BY_DEFAULT."""
        self.webhook: dict[str, Json] = {}
        self.poll: asyncio.Future[None] | None = None
        """The request that waits for the next update."""
        self._clock = clock

    def add(self, kind: str, value: Json) -> None:
        """Keep an update for the bot, if it wants such ones."""
        if kind in self.allowed if self.allowed is not None else kind not in NOT_BY_DEFAULT:
            self.put(self.next_id, json.dumps({"update_id": self.next_id, kind: value}))

    def put(self, update_id: int, text: str) -> None:
        """Keep JSON text as it is."""
        self.pending.append((update_id, self._clock(), text))
        self.next_id = update_id + 1
        if self.poll and not self.poll.done():
            self.poll.set_result(None)

    def take(self, offset: int, limit: int) -> list[str]:
        """The first ones from the offset on; those before it are confirmed, and gone."""
        if offset < 0:
            while len(self.pending) > -offset:
                self.pending.popleft()
        elif offset <= self.next_id + 10:  # one further in the future is of another count, and means nothing
            self.pending = deque(kept for kept in self.pending if kept[0] >= offset)
        now = self._clock()
        while self.pending and self.pending[0][1] <= now - DAY:
            self.pending.popleft()
        return [text for _, _, text in itertools.islice(self.pending, limit)]

    def interrupt(self, why: str) -> None:
        """End the request that waits, if one does."""
        if self.poll and not self.poll.done():
            self.poll.set_exception(Superseded(why))


@dataclass(eq=False, kw_only=True, repr=False)
class Account:
    """Whoever a message can be from."""

    id: int
    first_name: str
    username: str | None = None
    is_bot: bool = False
    language_code: str | None = None

    def __repr__(self) -> str:
        return f"<{self.first_name} {self.id}>"

    def json(self) -> Json:
        return without_none(
            id=self.id,
            is_bot=self.is_bot,
            first_name=self.first_name,
            username=self.username,
            language_code=self.language_code,
        )


TELEGRAM = Account(id=777_000, first_name="Telegram")
ANONYMOUS_ADMIN = Account(id=1_087_968_824, first_name="Group", username="GroupAnonymousBot", is_bot=True)
CHANNEL_BOT = Account(id=136_817_688, first_name="Channel", username="Channel_Bot", is_bot=True)


@dataclass(eq=False, kw_only=True, repr=False)
class Bot(Account):
    """A bot with its token, as BotFather keeps it."""

    token: str
    privacy: bool
    """With it on, the bot hears in groups only what is meant for it."""
    hears_bots: bool
    """Bot-to-Bot Communication Mode."""
    updates: Updates
    commands: dict[str, Json] = field(default_factory=dict[str, Json])


@dataclass(eq=False, kw_only=True)
class Member:
    account: Account
    status: Status
    anonymous: bool = False
    title: str = ""

    def json(self) -> Json:
        """As ChatMember."""
        told: dict[str, Json] = {"status": self.status, "user": self.account.json()}
        if self.status in {"creator", "administrator"}:
            told |= {"is_anonymous": self.anonymous} | ({"custom_title": self.title} if self.title else {})
        if self.status == "administrator":
            told |= dict.fromkeys(RIGHTS, True) | {"can_be_edited": False, "can_promote_members": False}
        if self.status == "restricted":
            told |= dict.fromkeys(PERMISSIONS, False) | {"is_member": True, "until_date": 0}
        if self.status == "kicked":
            told["until_date"] = 0
        return told


@dataclass(eq=False, kw_only=True, repr=False)
class Topic:
    """A topic of a forum. General is none: there, name no topic."""

    chat: Chat
    thread: int
    name: str
    closed: bool = False

    def __repr__(self) -> str:
        return f"<topic {self.name} in {self.chat}>"


@dataclass(eq=False, kw_only=True, repr=False)
class Chat:
    id: int
    kind: Kind
    title: str = ""
    username: str | None = None
    is_forum: bool = False
    slow_mode_delay: int = 0
    person: Account | None = None
    """In a private chat: the one who is not the bot."""
    bot: Bot | None = None
    blocked: bool = False
    """In a private chat: the person has blocked the bot."""
    members: dict[int, Member] = field(default_factory=dict[int, Member])
    topics: dict[int, Topic] = field(default_factory=dict[int, Topic])
    messages: dict[int, Message] = field(default_factory=dict[int, "Message"])
    migrated_to: Chat | None = None
    linked: Chat | None = None
    """A channel's discussion group, or a group's channel."""
    last_bot: Bot | None = None
    """Who of the bots spoke last."""

    def __repr__(self) -> str:
        return f"<{self.title or self.person} {self.id}>"

    def json(self) -> Json:
        if self.person:
            who = {**self.person.json(), "type": "private"}
            return {key: who[key] for key in ("id", "first_name", "username", "type") if key in who}
        return without_none(
            id=self.id, type=self.kind, title=self.title, username=self.username, is_forum=self.is_forum or None
        )

    def status(self, account: Account) -> Status:
        """What someone is in this chat; left when they never were there."""
        member = self.members.get(account.id)
        return member.status if member else "left"


@dataclass(eq=False, kw_only=True, repr=False)
class Message:
    """One message. Deleted ones stay here, so that a test can still look at them."""

    message_id: int
    chat: Chat
    at: float
    """By the server's clock, not rounded."""
    date: int
    sender: Account | None
    sender_chat: Chat | None
    author: Account
    """Who really wrote it."""
    signature: str
    content: dict[str, Json]
    """text and entities, or whatever else it shows."""
    reply_to: Message | None
    """What it answers; not the first message of its topic."""
    thread: int | None
    in_topic: bool
    origin: Json
    automatic: bool
    service: bool
    edited: int | None = None
    deleted: bool = False
    reactions: dict[int, list[Json]] = field(default_factory=dict[int, list[Json]])

    def __repr__(self) -> str:
        return f"<{self.author.first_name} in {self.chat} #{self.message_id}: {self.text or self.content!r}>"

    @property
    def text(self) -> str:
        return self.content.get("text", self.content.get("caption", ""))

    def json(self, *, nested: bool = False) -> Json:
        """As Message; what it replies to is told without what that replied to."""
        root = self.chat.messages.get(self.thread or 0)
        reply = self.reply_to or (root if root is not self else None)
        return without_none(
            **{"message_id": self.message_id, "from": self.sender.json() if self.sender else None},
            sender_chat=self.sender_chat.json() if self.sender_chat else None,
            author_signature=self.signature or None,
            chat=self.chat.json(),
            date=self.date,
            edit_date=self.edited,
            message_thread_id=self.thread,
            is_topic_message=self.in_topic or None,
            forward_origin=self.origin,
            is_automatic_forward=self.automatic or None,
            reply_to_message=None if nested or reply is None or reply.deleted else reply.json(nested=True),
            **self.content,
        )


def without_none(**values: Json) -> Json:
    return {key: value for key, value in values.items() if value is not None}
