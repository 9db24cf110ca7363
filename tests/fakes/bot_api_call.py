"""One request to the fake Bot API: its arguments, the chat and message it names, and what can be refused of it."""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from tests.fakes.bot_api_text import UnreadableText, read
from tests.fakes.bot_api_values import Bot, Chat, Clock, Json, Message, Topic
from tests.fakes.bot_api_world import World

Access: TypeAlias = Literal["read", "write"]
_PREFIX = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict"}


class Refused(Exception):
    """An answer that is not ok."""

    def __init__(self, code: int, why: str, **parameters: int) -> None:
        self.code = code
        self.description = ": ".join(filter(None, (_PREFIX.get(code), why)))
        self.parameters = parameters
        super().__init__(self.description)


def too_many(seconds: int) -> Refused:
    """Flood control: come back in so many seconds."""
    return Refused(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


class Args:
    """A request's arguments, as the text that a form would carry; an absent one is empty."""

    def __init__(self, given: Mapping[str, str], uploads: Mapping[str, bytes] | None = None) -> None:
        self.given = given
        self.uploads = uploads or {}
        """The files that came with it, by the names that `attach://` gives."""

    def text(self, name: str) -> str:
        return self.given.get(name, "")

    def number(self, name: str, *, default: int = 0, low: int = -(1 << 53), high: int = 1 << 53) -> int:
        """What Telegram makes of it: its leading digits, kept within bounds."""
        found = re.match(r"\s*(-?\d+)", self.text(name))
        value = default if not self.text(name) else int(found[1]) if found else 0
        return min(max(value, low), high)

    def true(self, name: str) -> bool:
        return self.text(name).strip().lower() in {"true", "yes", "1"}

    def fields(self, name: str, *, called: str) -> dict[str, Json]:
        """A nested object; empty when it is absent."""
        value = self._json(name, called)
        if value is not None and not isinstance(value, dict):
            raise Refused(400, f"object expected as {called}")
        return cast("dict[str, Json]", value or {})

    def items(self, name: str, *, called: str) -> list[dict[str, Json]]:
        """A nested list of objects; empty when it is absent."""
        value = self._json(name, called)
        if value is not None and not isinstance(value, list):
            raise Refused(400, f"expected an Array of {called}")
        items = cast("list[Json]", value or [])
        if not all(isinstance(item, dict) for item in items):
            raise Refused(400, f"can't parse {called}: expected an Object")
        return items

    def _json(self, name: str, called: str) -> Json:
        if not self.text(name):
            return None
        try:
            return json.loads(self.text(name))
        except ValueError:
            raise Refused(400, f"can't parse {called} JSON object") from None


class FloodControl:
    """Telegram's rates: a message a second per chat, 20 a minute per group, 30 a second in all."""

    def __init__(self, clock: Clock) -> None:
        self.enabled = False
        self._clock = clock
        self._seen: dict[tuple[int, ...], deque[float]] = {}

    def admit(self, bot: Bot, chat: Chat, *, typing: bool = False) -> None:
        """Count a message, an edit, or typing (which the chat's second does not count), or refuse it."""
        if not self.enabled:
            return
        limits: list[tuple[tuple[int, ...], int, float]] = [((bot.id,), 30, 1.0)]
        if not typing:
            limits.append(((bot.id, chat.id), 1, 1.0))
        if chat.kind != "private":
            limits.append(((bot.id, chat.id, 0), 20, 60.0))
        now, wait = self._clock(), 0.0
        for key, most, within in limits:
            seen = self._seen.setdefault(key, deque())
            while seen and seen[0] <= now - within:
                seen.popleft()
            if len(seen) >= most:
                wait = max(wait, seen[0] + within - now)
        if wait:
            raise too_many(max(math.ceil(wait), 1))
        for key, _, _ in limits:
            self._seen[key].append(now)


@dataclass(eq=False, kw_only=True)
class Call:
    """One request of one bot, and what it needs to be answered."""

    world: World
    flood: FloodControl
    files: Mapping[str, int]
    """How many bytes each has."""
    bot: Bot
    args: Args

    def chat(self, access: Access) -> Chat:
        """The chat it names, if the bot may read or write there."""
        named = self.args.text("chat_id")
        if not named:
            raise Refused(400, "chat_id is empty")
        chat = self._find(named)
        if chat is None:
            raise Refused(400, "chat not found")
        if chat.kind != "private":
            self._check_membership(chat, access)
        elif access == "write" and chat.blocked:
            raise Refused(403, "bot was blocked by the user")
        return chat

    def _find(self, named: str) -> Chat | None:
        if named.startswith("@"):
            public = (chat for chat in self.world.chats.values() if chat.username)
            return next((chat for chat in public if f"@{chat.username}".lower() == named.lower()), None)
        number = self.args.number("chat_id")
        if number < 0:
            chat = self.world.chats.get(number)
            return chat if chat and (self.bot.id in chat.members or chat.username) else None
        if any(bot.id == number for bot in self.world.bots):
            raise Refused(403, "bots can't send messages to bots")
        chat = self.world.private_chats.get((self.bot.id, number))
        met = (chat for chat in self.world.chats.values() if number in chat.members and self.bot.id in chat.members)
        if chat is None and any(met):
            raise Refused(403, "bot can't initiate conversation with a user")
        return chat

    def _check_membership(self, chat: Chat, access: Access) -> None:
        status = chat.status(self.bot)
        if chat.migrated_to and access == "write":
            why = "group chat was upgraded to a supergroup chat"
            raise Refused(400, why, migrate_to_chat_id=chat.migrated_to.id)
        if chat.kind == "group" and access == "read":
            return
        if status == "kicked":
            raise Refused(403, f"bot was kicked from the {chat.kind} chat")
        if status == "left" and not (access == "read" and chat.username):
            raise Refused(403, f"bot is not a member of the {chat.kind} chat")

    def message(self, chat: Chat, called: str) -> Message:
        """The message that message_id names."""
        message = chat.messages.get(self.args.number("message_id"))
        if message is None or message.deleted:
            raise Refused(400, f"{called} not found")
        return message

    def reply(self, chat: Chat) -> Message | None:
        """What is to be replied to, if anything."""
        asked = self.args.fields("reply_parameters", called="reply parameters")
        if asked:
            if not isinstance(asked.get("message_id"), int):
                raise Refused(400, 'can\'t find field "message_id"')
            number, anyhow = asked["message_id"], bool(asked.get("allow_sending_without_reply"))
            if str(asked.get("chat_id", self.args.text("chat_id"))) != self.args.text("chat_id"):
                raise Refused(400, "message to be replied not found")  # this fake knows no replies across chats
        else:
            number, anyhow = self.args.number("reply_to_message_id"), self.args.true("allow_sending_without_reply")
        if number <= 0:
            return None
        message = chat.messages.get(number)
        if message and not message.deleted:
            return message
        if anyhow:
            return None
        raise Refused(400, "message to be replied not found")

    def topic(self, chat: Chat) -> Topic | None:
        """The topic that message_thread_id names; General is named by nothing."""
        number = self.args.number("message_thread_id")
        if number <= 0:
            return None
        if number not in chat.topics:
            raise Refused(400, "message thread not found")
        return chat.topics[number]

    def content(self) -> dict[str, Json]:
        """The text to send and its entities."""
        given = self.args.items("entities", called="MessageEntity")
        for entity in given:
            if not {"type", "offset", "length"} <= entity.keys():
                raise Refused(400, "can't parse MessageEntity: can't find a field")
        try:
            text, entities = read(self.args.text("text"), self.args.text("parse_mode"), given)
        except UnreadableText as refused:
            raise Refused(400, str(refused)) from None
        return {"text": text, "entities": entities} if entities else {"text": text}
