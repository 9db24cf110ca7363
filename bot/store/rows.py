"""Rows of the database as our values."""

from __future__ import annotations

import asyncpg

from bot.model import ChatId, Message, MessageId


def as_message(row: asyncpg.Record) -> Message:
    """A message from the columns that every message query names."""
    return Message(
        chat_id=ChatId(row["chat_id"]),
        message_id=MessageId(row["message_id"]),
        external_id=row["external_id"],
        topic=row["topic"],
        sender_id=row["sender_id"],
        sender=row["sender"],
        persona=row["persona"],
        sent_at=row["sent_at"],
        edited_at=row["edited_at"],
        text=row["text"],
        reply_to=None if row["reply_to"] is None else MessageId(row["reply_to"]),
        forwarded_from=row["forwarded_from"],
        emotion=row["emotion"],
    )
