"""The two requests that say something: that the bot is typing, and what it has typed. One call, one request."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, cast
from urllib.parse import urlsplit

from aiogram import Bot
from aiogram.exceptions import TelegramRetryAfter
from aiogram.methods import SendChatAction, SendMessage, SendPhoto
from aiogram.types import BufferedInputFile, ReplyParameters
from aiohttp import ClientTimeout

from bot import telemetry_names as names
from bot.disclosure import error_line
from bot.store.outbox import Bubble
from bot.telegram.failures import LONGEST_FLOOD, clamped_seconds
from bot.tracing import span

REQUEST_SECONDS: Final = 30.0
"""What a request may take at most."""
LONGEST_TYPING: Final = 6.0
_SHORTEST_TYPING: Final = 0.6
_TYPING_SHOWS: Final = 4.5
"""Telegram shows it for five seconds."""
_CHARACTERS_A_SECOND: Final = 25
_GENERAL: Final = frozenset({"", "1"})
"""Where topics are, General is sent to without naming it."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """One topic of one chat, as Telegram names it."""

    telegram_chat_id: int
    thread: int | None

    @classmethod
    def of(cls, bubble: Bubble, bot_id: int) -> Place | None:
        """Where a bubble goes; None when that is not for this bot to say."""
        match bubble.source.split(":"):
            case ["telegram", bot, chat] if bot == str(bot_id):
                with contextlib.suppress(ValueError):
                    return cls(int(chat), None if bubble.topic in _GENERAL else int(bubble.topic))
            case _:
                pass
        return None


@dataclass(frozen=True, slots=True)
class Sent:
    """What Telegram made of a message."""

    sent_id: str
    sent_at: datetime


def server(bot: Bot) -> str:
    """Where a bot's requests go, for people to read."""
    address = urlsplit(bot.session.api.base)
    return f"{address.hostname}:{address.port}" if address.port else str(address.hostname)


def typing_seconds(text: str, *, pace: float) -> float:
    """How long a person would type a text; `pace` scales it, 0 is not at all."""
    return min(max(len(text) / _CHARACTERS_A_SECOND, _SHORTEST_TYPING), LONGEST_TYPING) * pace


async def show_typing(bot: Bot, place: Place) -> float:
    """Show that the bot is typing, until cancelled. Ends by itself only when Telegram asks for so many seconds' rest.

    It is worth no more than that: nothing else that goes wrong matters.
    """
    method = SendChatAction(chat_id=place.telegram_chat_id, action="typing", message_thread_id=place.thread)
    while True:
        try:
            await bot(method, request_timeout=_timeout(10.0))
        except TelegramRetryAfter as error:
            return clamped_seconds(error.retry_after, most=LONGEST_FLOOD)
        except Exception as error:  # noqa: BLE001 - the message itself will tell what is wrong
            _log.debug("typing was not shown: %s", error_line(error))
        await asyncio.sleep(_TYPING_SHOWS)


async def send(
    bot: Bot,
    bubble: Bubble,
    place: Place,
    text: str,
    *,
    reply_to: int | None,
    attempt: int,
    picture: bytes | None = None,
) -> Sent:
    """Send plain text, once; below a picture, if there is one. What is raised, bot.telegram.failures judges."""
    answers = None if reply_to is None else ReplyParameters(message_id=reply_to, allow_sending_without_reply=True)
    method: SendMessage | SendPhoto = SendMessage(
        chat_id=place.telegram_chat_id,
        message_thread_id=place.thread,
        text=text,
        parse_mode=None,
        reply_parameters=answers,
    )
    if picture is not None:
        method = SendPhoto(
            chat_id=place.telegram_chat_id,
            message_thread_id=place.thread,
            photo=BufferedInputFile(picture, filename="picture"),
            caption=text,
            parse_mode=None,
            reply_parameters=answers,
        )
    about = {
        names.GEN_AI_CONVERSATION_ID: str(bubble.chat_id),
        names.COMPANION_TURN_ID: bubble.turn_id,
        names.COMPANION_ATTEMPT: attempt,
        names.COMPANION_BUBBLE: bubble.n,
        names.TELEGRAM_CHAT_ID: place.telegram_chat_id,
    }
    with span("send telegram", kind="client", attributes=about, parent=bubble.traceparent) as here:
        message = await bot(method, request_timeout=_timeout(REQUEST_SECONDS))
        here.note({names.TELEGRAM_MESSAGE_ID: message.message_id})
    return Sent(str(message.message_id), message.date.astimezone(UTC))


def _timeout(seconds: float) -> int:
    """aiohttp takes more than a number: with a limit for connecting alone, it tells when nothing was written."""
    return cast(int, ClientTimeout(total=seconds, sock_connect=seconds / 3))
