"""What a failed request to Telegram means for the message it was to send. Pure.

What was surely not sent may go again; what may have been sent never does. A refusal (`"ok": false`) is sure. A
connection that was never made is sure. All else (cut, timed out, a page instead of an answer) is not.

Telegram's wording changes, so where the code says enough, or the same text can be tried without what may be wrong
with it, words are not looked at. Nothing is sent with a parse mode, so markup is never to blame.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias, cast

from aiogram.exceptions import (
    ClientDecodeError,
    TelegramAPIError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramEntityTooLarge,
    TelegramForbiddenError,
    TelegramMigrateToChat,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)
from aiohttp import (
    ClientConnectorError,
    ClientHttpProxyError,
    ConnectionTimeoutError,
    InvalidURL,
    ServerFingerprintMismatch,
)

MOST_ATTEMPTS: Final = 12
"""Requests for one message; the pauses between them come to about six minutes."""
LONGEST_PAUSE: Final = 60.0
FLOOD: Final = 5.0
"""Seconds to wait when Telegram does not say for how long."""
LONGEST_FLOOD: Final = 86_400.0
"""Seconds. Told to wait for longer, we ask again after a day."""

_NEVER_CONNECTED: Final = (
    ClientConnectorError,  # refused, no such host, no TLS, no proxy
    ClientHttpProxyError,
    ConnectionTimeoutError,
    InvalidURL,
    ServerFingerprintMismatch,
)
_PLACE_IS_CLOSED: Final = re.compile(
    r"chat not found|peer_id_invalid|not enough rights|have no rights|need administrator rights|chat_write_forbidden"
    r"|chat_restricted|chat_admin_required|chat_send_\w*forbidden|user_banned_in_channel|channel_private"
    r"|deactivated|user_is_blocked|can't initiate conversation",
    re.IGNORECASE,
)
_TOPIC_IS_CLOSED: Final = re.compile(
    r"thread not found|topic[_ ](?:closed|deleted|id_invalid|not found)", re.IGNORECASE
)
_UNCHANGED: Final = re.compile(r"message is not modified|message_not_modified", re.IGNORECASE)
_FLOOD: Final = re.compile(r"too many requests|flood", re.IGNORECASE)
_UNPRINTABLE: Final = re.compile("[^ -~]")


@dataclass(frozen=True, slots=True)
class Later:
    """It was surely not sent, and may work in so many seconds."""

    seconds: float
    problem: str
    place_waits: bool = False
    """Nothing else may be sent there before either."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """`unknown`: it may have been sent. `failed`: it was not, and never will be."""

    state: Literal["unknown", "failed"]
    problem: str
    place_is_closed: bool = False
    """Nothing else can be said there either."""


@dataclass(frozen=True, slots=True)
class Moved:
    """It was surely not sent: the group is a supergroup now."""

    telegram_chat_id: int


@dataclass(frozen=True, slots=True)
class WithoutReply:
    """It was surely not sent, and may work at once if it answers nothing."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """It was sent, though the answer holds what aiogram cannot read."""

    sent_id: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Unchanged:
    """An edit that changes nothing: as good as done."""


@dataclass(frozen=True, slots=True)
class TokenRefused:
    """Nothing will work until a person gives another token."""


Verdict: TypeAlias = Later | GiveUp | Moved | WithoutReply | Delivered | Unchanged | TokenRefused


def verdict(error: Exception, *, attempt: int, replying: bool, chance: float) -> Verdict:
    """What to do after the `attempt`-th request (from 1) failed so; `chance`, in [0, 1), spreads the pauses."""
    match error:
        case TelegramRetryAfter():
            return _flood(error.retry_after, chance)
        case TelegramMigrateToChat():
            if attempt >= MOST_ATTEMPTS:
                return GiveUp("failed", "the group moves in circles")
            return Moved(error.migrate_to_chat_id)
        case TelegramUnauthorizedError() | TelegramNotFound():  # 404: it does not even look like a token
            return TokenRefused()
        case TelegramForbiddenError():
            return GiveUp("failed", _words(error), place_is_closed=True)
        case TelegramServerError() | TelegramConflictError():
            return _pause(attempt, chance, _words(error))
        case TelegramBadRequest():
            return _bad_request(error, replying=replying, chance=chance)
        case TelegramEntityTooLarge():  # for aiogram an error of the network
            return GiveUp("failed", _words(error))
        case TelegramNetworkError():
            return _network(error.__cause__, attempt, chance)
        case ClientDecodeError():
            return _unreadable(cast(object, error.data), attempt, chance)
        case TelegramAPIError():
            return _flood(FLOOD, chance) if _FLOOD.search(str(error.message)) else GiveUp("failed", _words(error))
        case _:
            return GiveUp("unknown", f"the request ended in {type(error).__name__}")


def clamped_seconds(told: float, *, most: float) -> float:
    """A number of seconds that somebody asks us to wait, whatever number it is: from 0 to `most`."""
    return float(min(max(told, 0), most))  # a whole number may be larger than any float


def _flood(retry_after: float, chance: float) -> Later:
    return Later(
        clamped_seconds(retry_after, most=LONGEST_FLOOD) + 0.1 + chance,
        "Telegram asked us to slow down",
        place_waits=True,
    )


def _pause(attempt: int, chance: float, problem: str) -> Later | GiveUp:
    """Twice as long each time."""
    if attempt >= MOST_ATTEMPTS:
        return GiveUp("failed", f"{problem}; tried {attempt} times")
    return Later(min(2.0 ** (attempt - 1), LONGEST_PAUSE) + chance, problem)


def _bad_request(error: TelegramBadRequest, *, replying: bool, chance: float) -> Verdict:
    words = str(error.message)
    if _UNCHANGED.search(words):
        return Unchanged()
    if _FLOOD.search(words):
        return _flood(FLOOD, chance)
    if _PLACE_IS_CLOSED.search(words):
        return GiveUp("failed", _words(error), place_is_closed=True)
    if _TOPIC_IS_CLOSED.search(words):  # elsewhere in the chat it would be out of place
        return GiveUp("failed", _words(error))
    return WithoutReply() if replying else GiveUp("failed", _words(error))


def _network(cause: BaseException | None, attempt: int, chance: float) -> Later | GiveUp:
    name = type(cause).__name__
    if isinstance(cause, _NEVER_CONNECTED):
        return _pause(attempt, chance, f"cannot reach Telegram ({name})")
    return GiveUp("unknown", f"cut while it was being sent ({name})")


def _unreadable(data: object, attempt: int, chance: float) -> Verdict:
    """An answer that is no JSON, or not what it should be."""
    if isinstance(data, Mapping):
        told = cast("Mapping[str, object]", data)
        if told.get("ok") is False:
            return _pause(attempt, chance, "Telegram refused it in words we cannot read")
        message = told.get("result")
        match message:
            case {"message_id": int(number), "date": int(date)} if told.get("ok") is True and 0 <= date < 2**35:
                return Delivered(str(number), datetime.fromtimestamp(date, UTC))
            case _:
                pass
    return GiveUp("unknown", "an answer came that is not Telegram's")


def _words(error: TelegramAPIError) -> str:
    """Telegram's own words, as the database can keep them. They are not for logs."""
    return _UNPRINTABLE.sub("?", str(error.message))[:200]
