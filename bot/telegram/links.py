"""Links to messages, as Telegram gives them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

_HOST = re.compile(r"(?:www\.)?(?:t|telegram)\.(?:me|dog)")
_SUPERGROUP = "-100"
"""Begins the Bot API's number of a supergroup; links leave it out."""
_DIGITS = re.compile(r"[0-9]{1,19}")


@dataclass(frozen=True, slots=True)
class Place:
    """A message by Telegram's own numbers, as the bot knows them."""

    chat: str
    message: str


@dataclass(frozen=True, slots=True)
class PublicPlace:
    """A message in a chat that the link names by its public name, which the bot does not keep."""

    name: str
    message: str


def place_of(link: str) -> Place | PublicPlace | None:
    """Where a link leads: `https://t.me/c/CHAT[/TOPIC]/MESSAGE`, `tg://privatepost?…`, or a public chat's."""
    try:
        parts = urlsplit(link if "://" in link else f"https://{link}")
    except ValueError:
        return None
    if parts.scheme == "tg" and parts.netloc == "privatepost":
        asked = parse_qs(parts.query)
        return _private(asked.get("channel", [""])[0], asked.get("post", [""])[0])
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(parts.hostname or ""):
        return None
    match parts.path.strip("/").split("/"):
        case ["c", chat, message] | ["c", chat, _, message]:
            return _private(chat, message)
        case [name, message] | [name, _, message] if name != "c" and _DIGITS.fullmatch(message):
            return PublicPlace(name, message)
        case _:
            return None


def _private(chat: str, message: str) -> Place | None:
    if _DIGITS.fullmatch(chat) and _DIGITS.fullmatch(message):
        return Place(f"{_SUPERGROUP}{chat}", message)
    return None
