"""Whether this computer's clock is right.

What is fresh enough to be answered, and what time it is in a prompt, is told by the computer's own clock; when messages
were sent is told by Telegram's. A clock that is minutes off keeps the bot from answering and looks like nothing else.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from bot.errors import ClockWrong

MOST_APART: Final = timedelta(minutes=2)
"""How far two clocks may be apart: far more than an answer takes, far less than makes a message old."""


def check_against_telegram(ahead: timedelta) -> None:
    """Raise `ClockWrong` when this computer's clock is so far ahead of Telegram's that it matters, or behind it."""
    _check(ahead, whose="Telegram's", means="messages may count as old and stay unanswered")


def check_against_database(ahead: timedelta) -> None:
    """The same for the database server's clock, by which rests end."""
    _check(ahead, whose="the database's", means="rests may end at a wrong time")


def _check(ahead: timedelta, *, whose: str, means: str) -> None:
    if abs(ahead) > MOST_APART:
        raise ClockWrong(ahead=ahead, whose=whose, means=means)
