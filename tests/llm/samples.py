"""Prompts, hits and failure cases to test with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from bot.model import ChatId, Hit, Message, MessageId, Prompt, Recalled, View

MARCH = datetime(2026, 3, 5, 9, 12, tzinfo=UTC)
CASES = Path(__file__).parents[2].parent / "shared" / "telegram" / "cases.json"
SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"action": {"type": "string"}},
    "required": ["action"],
    "additionalProperties": False,
}


def case(name: str) -> dict[str, Any]:
    """One of the inputs that broke bots like ours."""
    if not CASES.exists():
        pytest.skip(f"the failure cases are not here ({CASES})")
    cases = cast("list[dict[str, Any]]", json.loads(CASES.read_text()))
    return next(case for case in cases if case["id"] == name)


def message(
    text: str,
    *,
    number: int = 1,
    sender: str = "Anna",
    sender_id: str | None = "user1",
    persona: str | None = None,
    sent_at: datetime = MARCH,
) -> Message:
    return Message(
        chat_id=ChatId(1),
        message_id=MessageId(number),
        external_id=str(number),
        topic="",
        sender_id=sender_id,
        sender=sender,
        persona=persona,
        sent_at=sent_at,
        edited_at=None,
        text=text,
        reply_to=None,
        forwarded_from=None,
    )


def hit(said: Message, similarity: float = 0.8) -> Hit:
    return Hit(message=said, similarity=similarity, time_relevance=0.5, score=similarity, query=0)


def prompt(
    *unread: Message | str,
    hits: Sequence[Hit] = (),
    recent: Sequence[Message] = (),
    zone: str = "Europe/Berlin",
    schema: Mapping[str, object] | None = None,
    system: str = "You are Mia.",
    user: str = "Answer as JSON.",
) -> Prompt:
    messages = tuple(
        message(text, number=100 + number, sender="Bob", sender_id="user2") if isinstance(text, str) else text
        for number, text in enumerate(unread)
    )
    return Prompt(
        system=system,
        user=user,
        tokens={},
        dropped={},
        template="test",
        view=View(recent=tuple(recent), unread=messages, notes=(), rests_until=None),
        recalled=Recalled(hits=tuple(hits)),
        zone=ZoneInfo(zone),
        schema=schema,
        max_reply_tokens=300,
    )
