"""What an exported message carries besides its text, as a short readable line in brackets.

No path, no coordinates and no telephone number: a line says what there was, as those saw it who were there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import cast

from bot.history.telegram_fields import Fields, fields_at, how_long, list_at, number_at, text_at
from bot.history.telegram_text import join_text


def media_line(message: Fields) -> str:
    """Such a line, or "" for a message that is only text."""
    keys = message.keys() & _LINES.keys()
    if not keys:
        return ""
    return next(line(message) for key, line in _LINES.items() if key in keys)


def _bracketed(*parts: str) -> str:
    return f"[{', '.join(part for part in parts if part)}]"


def _duration(message: Fields) -> str:
    seconds = number_at(message, "duration_seconds")
    return how_long(seconds) if seconds and seconds > 0 else ""


def _sticker(message: Fields) -> str:
    return f"[sticker {emoji}]" if (emoji := text_at(message, "sticker_emoji")) else "[sticker]"


def _audio(message: Fields) -> str:
    song = " – ".join(part for part in (text_at(message, "performer"), text_at(message, "title")) if part)
    return _bracketed(f"audio {song or _file_name(message)}".strip(), _duration(message))


def _file_name(message: Fields) -> str:
    """Its name; older exports have only a path, or the reason in parentheses why there is none."""
    if name := text_at(message, "file_name"):
        return name
    path = text_at(message, "file")
    return "" if path.startswith("(") else path.rpartition("/")[2]


def _file(message: Fields) -> str:
    match message.get("media_type"):
        case "sticker":
            return _sticker(message)
        case "voice_message":
            return _bracketed("voice message", _duration(message))
        case "video_message":
            return _bracketed("video message", _duration(message))
        case "video_file":
            return _bracketed("video", _duration(message))
        case "animation":
            return "[GIF]"
        case "audio_file":
            return _audio(message)
        case _:
            return f"[file {_file_name(message)}]".replace(" ]", "]")


def _venue(message: Fields) -> str:
    return _bracketed(f"venue {text_at(message, 'place_name')}", text_at(message, "address"))


def _location(message: Fields) -> str:
    return "[live location]" if "live_location_period_seconds" in message else "[location]"


def _contact(message: Fields) -> str:
    contact = fields_at(message, "contact_information")
    return f"[contact {text_at(contact, 'first_name')} {text_at(contact, 'last_name')}".rstrip() + "]"


def _choice(kind: str, title: str, entries: Sequence[object]) -> str:
    names = [join_text(entry).strip() for entry in entries]
    return f"[{kind}] {title}".rstrip() + (f" ({' / '.join(names)})" if names else "")


def _poll(message: Fields) -> str:
    poll = fields_at(message, "poll")
    return _choice("poll", text_at(poll, "question"), list_at(poll, "answers"))


def _checklist(message: Fields) -> str:
    todo = fields_at(message, "todo_list")
    return _choice("checklist", text_at(todo, "title"), list_at(todo, "answers"))


def _invoice(message: Fields) -> str:
    """Telegram Desktop writes the invoice as JSON within a string."""
    invoice = message.get("invoice_information")
    if isinstance(invoice, str):
        try:
            invoice = json.loads(invoice)
        except (ValueError, RecursionError):
            invoice = None
    title = text_at(cast("dict[str, object]", invoice), "title") if isinstance(invoice, dict) else ""
    return f"[invoice {title}".rstrip() + "]"


def _game(message: Fields) -> str:
    return f"[game {text_at(message, 'game_title')}".rstrip() + "]"


def _dice(message: Fields) -> str:
    value = number_at(message, "dice_value")
    return f"[dice {text_at(message, 'dice_emoji')}".rstrip() + (f" {value}]" if value else "]")


_LINES: dict[str, Callable[[Fields], str]] = {
    "photo": lambda _: "[photo]",
    "file": _file,
    "media_type": _file,
    "contact_information": _contact,
    "place_name": _venue,
    "location_information": _location,
    "game_title": _game,
    "invoice_information": _invoice,
    "poll": _poll,
    "todo_list": _checklist,
    "giveaway_information": lambda _: "[giveaway]",
    "giveaway_results": lambda _: "[giveaway results]",
    "paid_stars_amount": lambda _: "[paid media]",
    "dice_emoji": _dice,
}
"""By the key that tells the kind of media; the first that a message has decides."""
