"""The fake Telegram itself: who there is, what was said where, which bot hears of it.

Nothing here speaks HTTP. Message ids are Telegram's: one count for all private chats and basic groups, one of its own
for each supergroup and channel. People act through bot_api_people, bots through bot_api_methods.
"""

from __future__ import annotations

import hashlib
import itertools
import time
from collections.abc import Iterable

from tests.fakes.bot_api_people import Person
from tests.fakes.bot_api_text import mentions
from tests.fakes.bot_api_values import (
    PRESENT,
    Account,
    Bell,
    Bot,
    Chat,
    Clock,
    Json,
    Member,
    Message,
    Status,
    Topic,
    Updates,
)


class World:
    """Everything there is, and the rules of who hears what."""

    def __init__(self, *, clock: Clock = time.time) -> None:
        self.now = clock
        self.bell = Bell()
        self.bots: list[Bot] = []
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        """All but private ones."""
        self.private_chats: dict[tuple[int, int], Chat] = {}
        """By bot and person."""
        self._message_ids = itertools.count(101)
        self._own_message_ids: dict[int, itertools.count[int]] = {}

    def person(self, name: str, *, username: str | None = None, language: str | None = None) -> Person:
        """Someone new."""
        number = 5_000_000_011 + len(self.people)
        person = Person(id=number, first_name=name, username=username, language_code=language, world=self)
        self.people[number] = person
        return person

    def bot(
        self,
        name: str,
        *,
        username: str | None = None,
        token: str | None = None,
        privacy: bool = False,
        hears_bots: bool = False,
    ) -> Bot:
        """A new bot; its username is its name and `_bot`, its token is made up, unless given."""
        number = int(token.split(":")[0]) if token else 7_000_000_001 + len(self.bots)
        secret = hashlib.blake2b(name.encode(), key=b"token", digest_size=16).hexdigest()
        bot = Bot(
            id=number,
            first_name=name,
            username=username or f"{name.lower()}_bot",
            is_bot=True,
            token=token or f"{number}:AA{secret}",
            privacy=privacy,
            hears_bots=hears_bots,
            updates=Updates(self.now),
        )
        self.bots.append(bot)
        return bot

    def group(self, title: str, *members: Account) -> Chat:
        """A basic group of these, the first of whom made it. Bots in it are told."""
        number = -4_000_001 - sum(chat.kind == "group" for chat in self.chats.values())
        chat = self._chat(Chat(id=number, kind="group", title=title), members)
        if members:
            self.post(chat, members[0], {"group_chat_created": True}, service=True)
        return chat

    def supergroup(
        self, title: str, *members: Account, username: str | None = None, forum: bool = False, slow_mode: int = 0
    ) -> Chat:
        """A supergroup of these, the first of whom made it; with topics, if it is a forum."""
        chat = Chat(id=self._long_id(), kind="supergroup", title=title, username=username)
        chat.is_forum, chat.slow_mode_delay = forum, slow_mode
        return self._chat(chat, members)

    def forum(self, title: str, *members: Account) -> Chat:
        """A supergroup with topics."""
        return self.supergroup(title, *members, forum=True)

    def channel(self, title: str, *members: Account, username: str | None = None, linked: Chat | None = None) -> Chat:
        """A channel; its posts are forwarded into the linked group."""
        chat = Chat(id=self._long_id(), kind="channel", title=title, username=username, linked=linked)
        if linked:
            linked.linked = chat
        return self._chat(chat, members)

    def private(self, person: Person, bot: Bot) -> Chat:
        """The private chat of two; from now on the bot may write there."""
        key = bot.id, person.id
        if key not in self.private_chats:
            self.private_chats[key] = Chat(id=person.id, kind="private", person=person, bot=bot)
        return self.private_chats[key]

    def _long_id(self) -> int:
        return -1_009_000_000_001 - sum(chat.kind in {"supergroup", "channel"} for chat in self.chats.values())

    def _chat(self, chat: Chat, members: Iterable[Account]) -> Chat:
        self.chats[chat.id] = chat
        everyone = list(members)
        for account in everyone:
            chat.members[account.id] = Member(account=account, status="left")
        if everyone and chat.kind != "group":  # of the others this notice is message 1, so 1 is never a topic
            self.post(chat, everyone[0], {f"{chat.kind}_chat_created": True}, service=True)
        for account in everyone:
            status = "administrator" if chat.kind == "channel" else "member"
            self.change(chat, account, "creator" if account is everyone[0] else status, by=everyone[0])
        return chat

    def post(
        self,
        chat: Chat,
        sender: Account | None,
        content: dict[str, Json],
        *,
        author: Account | None = None,
        sender_chat: Chat | None = None,
        signature: str = "",
        reply_to: Message | None = None,
        topic: Topic | None = None,
        date: float | None = None,
        origin: Json = None,
        automatic: bool = False,
        service: bool = False,
        opens_topic: bool = False,
    ) -> Message:
        """Put a message there. In a supergroup an answer joins its thread, and its topic."""
        number = self._next_message_id(chat)
        thread, in_topic = None, False
        if opens_topic:
            topic = Topic(chat=chat, thread=number, name=content["forum_topic_created"]["name"])
            chat.topics[number] = topic
        if topic:
            thread, in_topic = topic.thread, True
        elif reply_to and chat.kind == "supergroup":
            thread, in_topic = reply_to.thread or reply_to.message_id, reply_to.in_topic
        at = self.now() if date is None else date
        really = author or sender
        assert really
        message = Message(
            message_id=number,
            chat=chat,
            at=at,
            date=int(at),
            sender=sender,
            sender_chat=sender_chat,
            author=really,
            signature=signature,
            content=content,
            reply_to=reply_to,
            thread=thread,
            in_topic=in_topic,
            origin=origin,
            automatic=automatic,
            service=service,
        )
        chat.messages[number] = message
        if isinstance(sender, Bot):
            chat.last_bot = sender
        self._tell(message, "channel_post" if chat.kind == "channel" else "message")
        return message

    def tell_edit(self, message: Message) -> None:
        """Date an edit and let the bots know."""
        message.edited = int(self.now())
        self._tell(message, "edited_channel_post" if message.chat.kind == "channel" else "edited_message")

    def _next_message_id(self, chat: Chat) -> int:
        if chat.kind in {"private", "group"}:
            return next(self._message_ids)
        return next(self._own_message_ids.setdefault(chat.id, itertools.count(1)))

    def _tell(self, message: Message, kind: str) -> None:
        told: Json = None
        for bot in self.bots:
            if self._hears(bot, message):
                told = told or message.json()
                bot.updates.add(kind, told)
        self.bell.ring()

    def _hears(self, bot: Bot, message: Message) -> bool:
        chat, sender = message.chat, message.sender
        if message.content.get("left_chat_member", {}).get("id") == bot.id:
            return True
        if sender is bot:
            return False
        if chat.kind == "private":
            return chat.bot is bot
        if chat.status(bot) not in PRESENT:
            return False
        if message.service:
            return True
        if isinstance(sender, Bot):
            addressed = message.reply_to is not None and message.reply_to.sender is bot
            addressed |= any(text.endswith(f"@{bot.username}".lower()) for text in self._commands(message))
            if addressed:
                return bot.hears_bots or sender.hears_bots
            return bot.hears_bots and (not bot.privacy or chat.status(bot) == "administrator")
        sees_all = chat.kind == "channel" or not bot.privacy or chat.status(bot) == "administrator"
        return sees_all or self._is_meant(bot, message)

    def _is_meant(self, bot: Bot, message: Message) -> bool:
        """Whether a bot with privacy mode hears it: an answer to it, a mention, a command for it or for nobody else."""
        if message.reply_to and message.reply_to.sender is bot:
            return True
        name = f"@{bot.username}".lower()
        if any(kind == "mention" and text == name for kind, text in self._named(message)):
            return True
        return any(
            text.endswith(name) or ("@" not in text and message.chat.last_bot is bot)
            for text in self._commands(message)
        )

    def _named(self, message: Message) -> list[tuple[str, str]]:
        return list(mentions(message.text, message.content.get("entities", [])))

    def _commands(self, message: Message) -> list[str]:
        return [text for kind, text in self._named(message) if kind == "bot_command"]

    def change(
        self, chat: Chat, who: Account, status: Status, *, by: Account, anonymous: bool = False, title: str = ""
    ) -> None:
        """Change what someone is in a chat, and tell the bots that are to know."""
        old = chat.members.get(who.id) or Member(account=who, status="left")
        new = Member(account=who, status=status, anonymous=anonymous, title=title)
        chat.members[who.id] = new
        self.tell_change(chat, old, new, by=by)

    def tell_change(self, chat: Chat, old: Member, new: Member, *, by: Account) -> None:
        """Tell a bot of itself; of others only if it is an administrator."""
        update = {
            "chat": chat.json(),
            "from": by.json(),
            "date": int(self.now()),
            "old_chat_member": old.json(),
            "new_chat_member": new.json(),
        }
        for bot in self.bots:
            if new.account is bot:
                bot.updates.add("my_chat_member", update)
            elif chat.status(bot) == "administrator":
                bot.updates.add("chat_member", update)
        self.bell.ring()
