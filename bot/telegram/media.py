"""What a message says: its text, and a short readable line for what it carries besides. Pure.

The lines are worded as those of imported histories, so that one conversation reads the same from both. No path,
no coordinates and no telephone number: a line says what there was, as those saw it who were there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from aiogram.types import Message


def said(message: Message) -> str:
    """Text or caption, with such a line before it; "" when there is neither."""
    text = message.text or message.caption or ""
    if message.rich_message:
        text = _page(message.rich_message.model_dump()) or text
    media = media_line(message)
    if not text or text.isspace():
        return media
    return f"{media} {text}" if media else text


def media_line(message: Message) -> str:
    """Such a line, or "" for a message that is only text."""
    return next((line(message) for kind, line in _LINES.items() if getattr(message, kind, None) is not None), "")


def _bracketed(*parts: str) -> str:
    return f"[{', '.join(part for part in parts if part)}]"


def _lasting(kind: str, seconds: int) -> str:
    return _bracketed(kind, how_long(seconds) if seconds > 0 else "")


def how_long(seconds: int) -> str:
    """A duration as one says it: 12 s, 3 min 20 s, 2 h 5 min."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minute} min" if minute else f"{hours} h"
    if minutes:
        return f"{minutes} min {second} s" if second else f"{minutes} min"
    return f"{second} s"


def _sticker(message: Message) -> str:
    emoji = message.sticker.emoji if message.sticker else None
    return f"[sticker {emoji}]" if emoji else "[sticker]"


def _voice(message: Message) -> str:
    return _lasting("voice message", message.voice.duration if message.voice else 0)


def _video_note(message: Message) -> str:
    return _lasting("video message", message.video_note.duration if message.video_note else 0)


def _video(message: Message) -> str:
    return _lasting("video", message.video.duration if message.video else 0)


def _audio(message: Message) -> str:
    audio = message.audio
    if not audio:
        return "[audio]"
    song = " – ".join(part for part in (audio.performer, audio.title) if part) or audio.file_name or ""
    return _lasting(f"audio {song}".strip(), audio.duration)


def _document(message: Message) -> str:
    name = message.document.file_name if message.document else None
    return f"[file {name or ''}".rstrip() + "]"


def _venue(message: Message) -> str:
    return _bracketed(f"venue {message.venue.title}", message.venue.address) if message.venue else "[venue]"


def _location(message: Message) -> str:
    return "[live location]" if message.location and message.location.live_period else "[location]"


def _contact(message: Message) -> str:
    contact = message.contact
    name = f"{contact.first_name} {contact.last_name or ''}" if contact else ""
    return f"[contact {name}".rstrip() + "]"


def _choice(kind: str, title: str, entries: Sequence[str]) -> str:
    names = [entry.strip() for entry in entries]
    return f"[{kind}] {title}".rstrip() + (f" ({' / '.join(names)})" if names else "")


def _poll(message: Message) -> str:
    return _choice("poll", message.poll.question, [o.text for o in message.poll.options]) if message.poll else "[poll]"


def _checklist(message: Message) -> str:
    todo = message.checklist
    return _choice("checklist", todo.title, [task.text for task in todo.tasks]) if todo else "[checklist]"


def _invoice(message: Message) -> str:
    return f"[invoice {message.invoice.title if message.invoice else ''}".rstrip() + "]"


def _game(message: Message) -> str:
    return f"[game {message.game.title if message.game else ''}".rstrip() + "]"


def _dice(message: Message) -> str:
    dice = message.dice
    return f"[dice {dice.emoji}".rstrip() + (f" {dice.value}]" if dice.value else "]") if dice else "[dice]"


_LINES: dict[str, Callable[[Message], str]] = {
    "animation": lambda _: "[GIF]",  # a document stands beside it
    "live_photo": lambda _: "[photo]",
    "photo": lambda _: "[photo]",
    "sticker": _sticker,
    "voice": _voice,
    "video_note": _video_note,
    "video": _video,
    "audio": _audio,
    "document": _document,
    "contact": _contact,
    "venue": _venue,  # a location stands beside it
    "location": _location,
    "game": _game,
    "invoice": _invoice,
    "poll": _poll,
    "checklist": _checklist,
    "giveaway": lambda _: "[giveaway]",
    "giveaway_winners": lambda _: "[giveaway results]",
    "paid_media": lambda _: "[paid media]",
    "story": lambda _: "[story]",
    "dice": _dice,
}
"""By the field that tells the kind of media; the first that a message has decides."""

_WORDS = ("title", "text", "expression", "credit")
_WITHIN = ("blocks", "items", "cells", "caption")


def _page(page: object) -> str:
    """A page of blocks, a line for each text in it."""
    lines: list[str] = []
    rest = [page]
    while rest:
        part = rest.pop()
        if isinstance(part, list):
            rest.extend(reversed(cast("list[object]", part)))
        elif isinstance(part, dict):
            block = cast("dict[str, object]", part)
            lines += [_joined(block[key]) for key in _WORDS if key in block]
            rest += [block[key] for key in reversed(_WITHIN) if key in block]
    return "\n".join(line for line in lines if line.strip())


def _joined(text: object) -> str:
    """A text with its formatting left out: a string, an object that holds one, or a list of these."""
    if isinstance(text, str):
        return text
    if isinstance(text, list):
        return "".join(map(_joined, cast("list[object]", text)))
    if isinstance(text, dict):
        words = cast("dict[str, object]", text)
        return _joined(words.get("text") or words.get("alternative_text") or words.get("expression"))
    return ""
