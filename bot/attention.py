"""Whether to speak at all: so far, who is addressed decides.

A private chat is answered, and so is whoever mentions the bot, replies to it or calls it by name. What is
addressed to another person without naming the bot is none of these, and is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

FRESH = timedelta(minutes=10)
"""An older message came during a downtime: it is remembered, but nobody waits for an answer to it any more. The same
goes for a turn that could have been had longer ago."""
STALE = FRESH + timedelta(hours=1)
"""What the bot has not said by then is not said any more. Longer than `FRESH`: the bubbles of a chat go one by one at a
human pace, and Telegram may ask for patience."""

_QUIET_IN_PRIVATE, _QUIET_IN_GROUPS, _LONGEST = 1.5, 2.5, 12.0
"""Seconds, at a pace of 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressing:
    """To whom a message is addressed, as far as it shows."""

    private: bool
    """It was written in a chat of two."""
    mentioned: bool = False
    """The bot's id or username is in it."""
    replied: bool = False
    """It answers something that the bot said."""
    named: bool = False
    """One of the bot's names is in it."""
    command: str | None = None
    """It is a command (without its slash, lower case) for this bot, or for whichever bot there is."""
    by_bot: bool = False
    """Another bot wrote it."""
    old: bool = False
    """It was sent long before it arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wake:
    """A turn is wanted in a lane."""

    quiet: float
    """Seconds without another message until the burst counts as over."""
    longest: float
    """Seconds that a burst is waited out at most."""


def heed(addressing: Addressing, *, pace: float) -> Wake | None:
    """The wish for a turn, if this message is to be answered; `pace` scales its waits."""
    if addressing.old or not _meant(addressing):
        return None
    quiet = _QUIET_IN_PRIVATE if addressing.private else _QUIET_IN_GROUPS
    return Wake(quiet=quiet * pace, longest=_LONGEST * pace)


def _meant(addressing: Addressing) -> bool:
    if addressing.by_bot:  # replying by itself is what bots do: two of them would never end
        return addressing.mentioned
    return addressing.private or addressing.mentioned or addressing.replied or addressing.named
