"""People of the fake Telegram: what they write and do, in a test's words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.fakes.bot_api_text import entities_in
from tests.fakes.bot_api_values import (
    ANONYMOUS_ADMIN,
    CHANNEL_BOT,
    PRESENT,
    TELEGRAM,
    Account,
    Bot,
    Chat,
    Json,
    Member,
    Message,
    Topic,
    without_none,
)

if TYPE_CHECKING:
    from tests.fakes.bot_api_world import World


@dataclass(eq=False, kw_only=True, repr=False)
class Person(Account):
    """Someone who writes. Each act returns once the bots that hear of it can fetch it."""

    world: World
    hides_forwards: bool = False
    """Who forwards them shows a name, and no account."""

    async def says(
        self,
        where: Chat | Topic | Bot,
        text: str,
        *,
        reply_to: Message | None = None,
        entities: Sequence[Json] | None = None,
        date: float | None = None,
        as_channel: Chat | None = None,
    ) -> Message:
        """Send text. Entities are found as Telegram does, unless given; so is the date."""
        content = _content(text, entities_in(text) if entities is None else entities)
        return await self.sends(where, content, reply_to=reply_to, date=date, as_channel=as_channel)

    async def sends(
        self,
        where: Chat | Topic | Bot,
        content: dict[str, Json],
        *,
        reply_to: Message | None = None,
        date: float | None = None,
        as_channel: Chat | None = None,
        origin: Json = None,
    ) -> Message:
        """Send anything, such as a photo, given as the fields of its message."""
        chat, topic = self._place(where)
        sender, sender_chat, signature = self._shown_in(chat, as_channel)
        message = self.world.post(
            chat,
            sender,
            content,
            author=self,
            sender_chat=sender_chat,
            signature=signature,
            reply_to=reply_to,
            topic=topic,
            date=date,
            origin=origin,
        )
        await _heard()
        return message

    async def replies(self, to: Message, text: str) -> Message:
        """Answer a message where it stands."""
        return await self.says(to.chat.bot or to.chat, text, reply_to=to)

    async def forwards(self, message: Message, to: Chat | Topic | Bot) -> Message:
        """Forward someone's message."""
        kept = {key: value for key, value in message.content.items() if key != "media_group_id"}
        return await self.sends(to, kept, origin=message.origin or _origin(message))

    async def edits(self, message: Message, text: str) -> None:
        """Change the text of an own message."""
        if message.author is not self:
            raise ValueError(f"{self.first_name} cannot edit a message of {message.author.first_name}")
        message.content = _content(text, entities_in(text))
        self.world.tell_edit(message)
        await _heard()

    async def deletes(self, message: Message) -> None:
        """Delete a message; no bot is told."""
        message.deleted = True

    async def reacts(self, message: Message, *emoji: str) -> None:
        """Set one's reactions to a message; none removes them."""
        before, after = message.reactions.get(self.id, []), [{"type": "emoji", "emoji": one} for one in emoji]
        message.reactions[self.id] = after
        _, actor, _ = self._shown_in(message.chat, None)
        update = without_none(
            chat=message.chat.json(),
            message_id=message.message_id,
            date=int(self.world.now()),
            user=None if actor else self.json(),
            actor_chat=actor.json() if actor else None,
            old_reaction=before,
            new_reaction=after,
        )
        for bot in self.world.bots:
            if message.chat.bot is bot or message.chat.status(bot) == "administrator":
                bot.updates.add("message_reaction", update)
        await _heard()

    async def posts(self, channel: Chat, text: str) -> Message:
        """Post in a channel, and so in the group it is linked to; returns the post."""
        content = _content(text, entities_in(text))
        post = self.world.post(channel, None, content, author=self, sender_chat=channel)
        if channel.linked:
            self.world.post(
                channel.linked,
                TELEGRAM,
                dict(content),
                author=self,
                sender_chat=channel,
                origin=_origin(post),
                automatic=True,
            )
        await _heard()
        return post

    async def adds(self, who: Account, to: Chat) -> None:
        """Add someone, perhaps a bot, to a group."""
        self.world.change(to, who, "member", by=self)
        if to.kind != "channel":
            told = who.json()
            names = {"new_chat_participant": told, "new_chat_member": told, "new_chat_members": [told]}
            self.world.post(to, self, names, service=True)
        await _heard()

    async def removes(self, who: Account, chat: Chat) -> None:
        """Remove someone for good; of oneself: leave."""
        self.world.change(chat, who, "left" if who is self else "kicked", by=self)
        if chat.kind != "channel":
            told = {"left_chat_participant": who.json(), "left_chat_member": who.json()}
            self.world.post(chat, self, told, service=True)
        await _heard()

    async def promotes(self, who: Account, chat: Chat, *, anonymous: bool = False, title: str = "") -> None:
        """Make someone an administrator, or the owner anonymous; an anonymous one speaks as the group."""
        status = "creator" if chat.status(who) == "creator" else "administrator"
        self.world.change(chat, who, status, by=self, anonymous=anonymous, title=title)
        await _heard()

    async def restricts(self, who: Account, chat: Chat) -> None:
        """Let someone read only."""
        self.world.change(chat, who, "restricted", by=self)
        await _heard()

    async def blocks(self, bot: Bot) -> None:
        """Block a bot: it cannot write in private any more."""
        await self._blocks(bot, blocked=True)

    async def unblocks(self, bot: Bot) -> None:
        """Let a bot write in private again."""
        await self._blocks(bot, blocked=False)

    async def opens(self, forum: Chat, name: str) -> Topic:
        """Open a topic."""
        created = {"forum_topic_created": {"name": name, "icon_color": 7_322_096}}
        first = self.world.post(forum, self, created, service=True, opens_topic=True)
        await _heard()
        return forum.topics[first.message_id]

    async def closes(self, topic: Topic) -> None:
        """Close a topic: only administrators write there."""
        topic.closed = True
        self.world.post(topic.chat, self, {"forum_topic_closed": {}}, service=True, topic=topic)
        await _heard()

    async def reopens(self, topic: Topic) -> None:
        """Open a closed topic again."""
        topic.closed = False
        self.world.post(topic.chat, self, {"forum_topic_reopened": {}}, service=True, topic=topic)
        await _heard()

    async def upgrades(self, group: Chat, *, new_first: bool = False) -> Chat:
        """Make a basic group a supergroup, which is returned; `new_first` swaps the two service messages."""
        new = self.world.supergroup(group.title)
        new.members = dict(group.members)
        group.migrated_to = new

        for place in (new, group) if new_first else (group, new):
            if place is group:
                self.world.post(group, self, {"migrate_to_chat_id": new.id}, service=True)
            else:
                told = {"migrate_from_chat_id": group.id}
                self.world.post(new, ANONYMOUS_ADMIN, told, author=self, sender_chat=new, service=True)
        await _heard()
        return new

    async def _blocks(self, bot: Bot, *, blocked: bool) -> None:
        chat = self.world.private(self, bot)
        chat.blocked = blocked
        free, barred = Member(account=bot, status="member"), Member(account=bot, status="kicked")
        old, new = (free, barred) if blocked else (barred, free)
        self.world.tell_change(chat, old, new, by=self)
        await _heard()

    def _place(self, where: Chat | Topic | Bot) -> tuple[Chat, Topic | None]:
        if isinstance(where, Bot):
            return self.world.private(self, where), None
        chat, topic = (where.chat, where) if isinstance(where, Topic) else (where, None)
        if chat.migrated_to:
            raise ValueError(f"{chat.title} became a supergroup; write to what `upgrades` returned")
        if chat.person is not self and chat.status(self) not in PRESENT:
            raise ValueError(f"{self.first_name} is not in {chat.title}")
        return chat, topic

    def _shown_in(self, chat: Chat, as_channel: Chat | None) -> tuple[Account, Chat | None, str]:
        """The account, chat and signature that a message of theirs shows there."""
        if as_channel:
            return CHANNEL_BOT, as_channel, ""
        member = chat.members.get(self.id)
        if member and member.anonymous:
            return ANONYMOUS_ADMIN, chat, member.title
        return self, None, ""


def _content(text: str, entities: Sequence[Json]) -> dict[str, Json]:
    return {"text": text, "entities": list(entities)} if entities else {"text": text}


def _origin(message: Message) -> Json:
    """Where a forwarded message is from."""
    told: dict[str, Json] = {"date": message.date}
    if message.chat.kind == "channel":
        return {**told, "type": "channel", "chat": message.chat.json(), "message_id": message.message_id}
    if message.sender_chat:
        return {**told, "type": "chat", "sender_chat": message.sender_chat.json()}
    if isinstance(message.author, Person) and message.author.hides_forwards:
        return {**told, "type": "hidden_user", "sender_user_name": message.author.first_name}
    return {**told, "type": "user", "sender_user": message.author.json()}


async def _heard() -> None:
    """Let those who poll take it."""
    await asyncio.sleep(0)
