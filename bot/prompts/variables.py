"""All that a prompt is rendered from but the card, as one value and as JSON.

The JSON goes into the trace, and its hash on the turn's record: `replay` renders from it, or gathers the same from the
database and sees by the hash that nothing of it has changed. A message stands in it once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from bot.disclosure import clean
from bot.invalid import what_is_wrong
from bot.model import ChatId, Hit, LorePast, Message, MessageId, Recalled, View, rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """What an earlier step of this turn looked for, and what it found."""

    looked_for: str
    found: tuple[Message, ...]

    @property
    def note(self) -> str:
        """In one line, for the turns after this one."""
        found = ", ".join(f"#{message.message_id}" for message in self.found[:10])
        return f"looked for {self.looked_for}: {found or 'nothing found'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variables:
    """All that the prompt of one step is rendered from, but the card."""

    view: View
    recalled: Recalled
    looked_up: tuple[LookUp, ...]
    now: datetime
    zone: ZoneInfo
    budget: int
    max_reply_tokens: int
    language: str | None


def written(variables: Variables) -> str:
    """The variables as JSON; of what recall found only what a prompt can show."""
    view, hits = variables.view, variables.recalled.hits
    messages = {
        message.message_id: message
        for message in (
            *view.recent,
            *view.unread,
            *(message for hit in hits for message in (*hit.window, hit.message)),
            *(message for look in variables.looked_up for message in look.found),
        )
    }
    value = {
        "chat": next((message.chat_id for message in messages.values()), None),
        "now": variables.now.isoformat(),
        "zone": variables.zone.key,
        "budget": variables.budget,
        "max_reply_tokens": variables.max_reply_tokens,
        "language": variables.language,
        "recent": _numbers(view.recent),
        "unread": _numbers(view.unread),
        "notes": view.notes,
        "waited": view.waited,
        "hits": [
            {"id": hit.message.message_id, "similarity": rounded(hit.similarity), "window": _numbers(hit.window)}
            for hit in hits
        ],
        "looked_up": [{"looked_for": look.looked_for, "found": _numbers(look.found)} for look in variables.looked_up],
        "messages": [_as_json(messages[number]) for number in sorted(messages)],
        **lore_on_record(view),
    }
    return clean(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def read(text: str) -> Variables:
    """The variables of such JSON; raise `ValueError` when it is none, or not whole."""
    try:
        given = _Written.model_validate_json(text)
        messages = {each.id: each.as_message(given.chat) for each in given.messages}

        def those(numbers: Iterable[int]) -> tuple[Message, ...]:
            return tuple(messages[number] for number in numbers)

        return Variables(
            view=View(
                recent=those(given.recent),
                unread=those(given.unread),
                notes=given.notes,
                rests_until=None,
                waited=given.waited,
                lore=given.lore.as_past() if given.lore else None,
                greeting=given.greeting,
            ),
            recalled=Recalled(hits=tuple(each.as_hit(messages[each.id], those(each.window)) for each in given.hits)),
            looked_up=tuple(LookUp(looked_for=look.looked_for, found=those(look.found)) for look in given.looked_up),
            now=given.now,
            zone=ZoneInfo(given.zone),
            budget=given.budget,
            max_reply_tokens=given.max_reply_tokens,
            language=given.language,
        )
    except ValidationError as error:
        raise ValueError(what_is_wrong(error)) from None
    except (KeyError, OSError) as error:
        raise ValueError(f"{type(error).__name__}") from None


def lore_on_record(view: View) -> dict[str, object]:
    """What a lorebook reckoned with, as JSON; nothing where there was none."""
    past = view.lore
    told: dict[str, object] = {} if view.greeting is None else {"greeting": view.greeting}
    if past is not None:
        state = {key: list(times) for key, times in sorted(past.state.items())}
        told["lore"] = {"state": state, "count": past.count, "replies": past.replies}
    return told


def read_lore(value: object) -> LorePast | None:
    """The past that `lore_on_record` gave; None when it is none."""
    try:
        return _Lore.model_validate(value).as_past()
    except ValidationError:
        return None


def _numbers(messages: Iterable[Message]) -> list[MessageId]:
    return [message.message_id for message in messages]


def _as_json(message: Message) -> Mapping[str, object]:
    told = {
        "id": message.message_id,
        "external_id": message.external_id,
        "topic": message.topic or None,
        "sender_id": message.sender_id,
        "sender": message.sender,
        "persona": message.persona,
        "sent_at": message.sent_at.isoformat(),
        "edited_at": message.edited_at.isoformat() if message.edited_at else None,
        "text": message.text,
        "reply_to": message.reply_to,
        "forwarded_from": message.forwarded_from,
        "emotion": message.emotion,
    }
    return {name: value for name, value in told.items() if value is not None}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Message(_Part):
    id: int
    external_id: str
    topic: str = ""
    sender_id: str | None = None
    sender: str
    persona: str | None = None
    sent_at: AwareDatetime
    edited_at: AwareDatetime | None = None
    text: str
    reply_to: int | None = None
    forwarded_from: str | None = None
    emotion: str | None = None

    def as_message(self, chat: int | None) -> Message:
        return Message(
            chat_id=ChatId(chat or 0),
            message_id=MessageId(self.id),
            external_id=self.external_id,
            topic=self.topic,
            sender_id=self.sender_id,
            sender=self.sender,
            persona=self.persona,
            sent_at=self.sent_at,
            edited_at=self.edited_at,
            text=self.text,
            reply_to=None if self.reply_to is None else MessageId(self.reply_to),
            forwarded_from=self.forwarded_from,
            emotion=self.emotion,
        )


class _Hit(_Part):
    id: int
    similarity: float
    window: tuple[int, ...]

    def as_hit(self, message: Message, window: tuple[Message, ...]) -> Hit:
        return Hit(
            message=message, similarity=self.similarity, time_relevance=0, score=self.similarity, query=0, window=window
        )


class _LookUp(_Part):
    looked_for: str
    found: tuple[int, ...]


class _Lore(_Part):
    state: Mapping[str, tuple[int, ...]]
    count: int
    replies: int | None = None

    def as_past(self) -> LorePast:
        return LorePast(state=self.state, count=self.count, replies=self.replies)


class _Written(_Part):
    chat: int | None
    now: AwareDatetime
    zone: str
    budget: int
    max_reply_tokens: int
    language: str | None
    recent: tuple[int, ...]
    unread: tuple[int, ...]
    notes: tuple[str, ...]
    waited: bool
    hits: tuple[_Hit, ...]
    looked_up: tuple[_LookUp, ...]
    messages: tuple[_Message, ...]
    lore: _Lore | None = None
    """None also in what was written before lorebooks were told."""
    greeting: int | None = None
