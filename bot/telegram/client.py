"""The Bot API: its client, and its errors as ours. The token stays in here.

aiogram's errors can hold addresses with the token in them, or the page that a proxy answered: none of them gets
out of this module, not even as the cause of one of ours.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic
from types import TracebackType
from typing import Any, Final, Self, TypeVar, cast
from urllib.parse import urlsplit

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import PRODUCTION, TelegramAPIServer
from aiogram.exceptions import (
    AiogramError,
    ClientDecodeError,
    TelegramBadRequest,
    TelegramConflictError,
    TelegramForbiddenError,
    TelegramNetworkError,
    TelegramNotFound,
    TelegramRetryAfter,
    TelegramServerError,
    TelegramUnauthorizedError,
)
from aiogram.methods import (
    GetChatMember,
    GetFile,
    GetMe,
    GetMyCommands,
    GetWebhookInfo,
    SetMyCommands,
    SetWebhook,
    TelegramMethod,
)
from aiogram.types import BotCommand
from aiogram.utils.token import TokenValidationError
from aiohttp import ClientError, ClientTimeout
from pydantic import SecretStr

from bot.errors import (
    TelegramConflict,
    TelegramError,
    TelegramRefused,
    TelegramUnauthorized,
    TelegramUnreachable,
    TelegramWebhookRefused,
)
from bot.telegram.failures import clamped_seconds
from bot.telegram.updates import Unreadable
from bot.telegram.values import Me

T = TypeVar("T")

_ANSWER_WITHIN = 20
"""Seconds for an answer that does not have to wait for anything."""
_WATCH = 4
"""Seconds within which a program that polls, and whose request was ended, asks again."""
_DOWNLOAD = 60.0
"""Seconds that a file may take to come."""
_PIECE = 1 << 16

_REFUSALS = (TelegramBadRequest, TelegramForbiddenError)

_LONGEST_QUIET = 120.0
"""Seconds. Told to wait for longer before we ask for something, we ask again after these."""
_ONLY_UPDATE = re.compile(
    r'\s*\{\s*"ok"\s*:\s*true\s*,\s*"result"\s*:\s*\[\s*\{\s*"update_id"\s*:\s*([1-9][0-9]{0,17})\s*,'
)
_END_OF_UPDATES = re.compile(r"\}\s*\]\s*\}\s*\Z")


class GetRawUpdates(TelegramMethod[list[Any]]):
    """getUpdates, each of whose items is taken as it is: a bad one does not spoil the batch."""

    __returning__ = list[Any]
    __api_method__ = "getUpdates"

    offset: int | None = None
    limit: int | None = None
    timeout: int
    allowed_updates: list[str] | None = None


class _Session(AiohttpSession):
    """aiogram's session, for answers in whose bytes something is wrong.

    Without a limit of its own to connections: a request that waits for one would be taken for one that was cut.
    It keeps what time it is by Telegram's clock.
    """

    def __init__(self, *, api: TelegramAPIServer) -> None:
        super().__init__(api=api, limit=0)
        self.told: tuple[datetime, float] | None = None
        """The time that the last answer told, and when that was by `monotonic`."""

    async def make_request(self, bot: Bot, method: TelegramMethod[T], timeout: int | None = None) -> T:
        session = await self.create_session()
        address = self.api.api_url(token=bot.token, method=method.__api_method__)
        form = self.build_form_data(bot=bot, method=method)
        try:
            # A number is what aiogram gives, and what aiohttp takes for the whole request.
            async with session.post(address, data=form, timeout=cast("Any", timeout or self.timeout)) as answer:
                body = await answer.read()
        except TimeoutError as error:
            raise TelegramNetworkError(method=method, message="no answer in time") from error
        except (ClientError, OSError) as error:
            raise TelegramNetworkError(method=method, message=type(error).__name__) from error
        read = self.check_response(bot=bot, method=method, status_code=answer.status, content=_decoded(body))
        if (time := _time_in(answer.headers.get("Date", ""))) is not None:
            self.told = (time, monotonic())
        return cast("T", read.result)


class TelegramClient:
    """One bot's access to Telegram. Raises `TelegramUnauthorized` for what cannot be a token."""

    def __init__(self, token: SecretStr, base_url: str | None = None) -> None:
        server = TelegramAPIServer.from_base(base_url) if base_url else PRODUCTION
        self.where: Final = _host(server.base)
        """Whom it asks, for people to read."""
        self._session = _Session(api=server)
        self.bot = _bot(token.get_secret_value(), self._session, where=self.where)
        """aiogram's own; what it raises may hold the token."""
        self.bot_id: Final = self.bot.id

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.bot.session.close()

    def time(self) -> datetime | None:
        """What time it is in Telegram, to a second or two; None while no answer has told."""
        if self._session.told is None:
            return None
        told, at = self._session.told
        return told + timedelta(seconds=monotonic() - at)

    async def me(self) -> Me:
        """Who the bot is."""
        user = await self._ask(GetMe())
        return Me(
            bot_id=user.id,
            username=user.username or "",
            name=user.first_name,
            hears_groups=bool(user.can_read_all_group_messages),
        )

    async def updates(self, *, offset: int | None, timeout: int, kinds: Sequence[str]) -> list[Any]:
        """What has not been confirmed, as it came; waits for so many seconds if that is nothing.

        All before `offset` is confirmed. Without one nothing is, and what is kept there comes from its beginning.
        What no program can read stands as `Unreadable` in its place.
        """
        asked = GetRawUpdates(offset=offset, timeout=timeout, allowed_updates=list(kinds))
        try:
            return await self._ask(asked, within=timeout + _ANSWER_WITHIN) or []
        except _AbsurdAnswer:
            pass
        try:  # one of them is to blame: those before it can be read by themselves, and then it comes alone
            return await self._ask(asked.model_copy(update={"limit": 1, "timeout": 0})) or []
        except _AbsurdAnswer as error:
            if error.number is None:
                raise
            return [Unreadable(update_id=error.number)]

    async def see_who_polls(self) -> None:
        """Raise `TelegramConflict` if another program is seen to take this bot's updates. Confirms nothing.

        Telegram ends the request that waits for the one that comes: whoever else polls, ends ours by asking again.
        One that does not wait would neither end another nor be ended.
        """
        await self._ask(GetRawUpdates(limit=1, timeout=_WATCH), within=_WATCH + _ANSWER_WITHIN)

    async def webhook(self) -> str:
        """The address to which Telegram brings the bot's updates; empty when they are to be polled."""
        return (await self._ask(GetWebhookInfo())).url

    async def set_webhook(self, url: str, *, secret: SecretStr, kinds: Sequence[str]) -> None:
        """Have the updates brought there, from now on and until somebody says otherwise.

        Raises `TelegramWebhookRefused` when the address is not to Telegram's liking.
        """
        await self._ask(
            SetWebhook(url=url, secret_token=secret.get_secret_value(), allowed_updates=list(kinds)),
        )

    async def member_status(self, telegram_chat_id: int, user_id: int) -> str:
        """What somebody is in a chat, in Telegram's word. Raises `TelegramRefused` when it does not tell."""
        return str((await self._ask(GetChatMember(chat_id=telegram_chat_id, user_id=user_id))).status)

    async def file(self, file_id: str, *, most: int) -> bytes:
        """A file that somebody sent. Raises `TelegramRefused` when it has over `most` bytes, or cannot be had."""
        found = await self._ask(GetFile(file_id=file_id))
        if found.file_path is None or (found.file_size or 0) > most:
            raise TelegramRefused(where=self.where, too_large=found.file_path is not None)
        return await self._download(found.file_path, most=most)

    async def _download(self, path: str, *, most: int) -> bytes:
        """The bytes at a path that getFile gave; whatever it says of their number, no more than `most` are read."""
        address = self._session.api.file_url(token=self.bot.token, path=path)
        data = bytearray()
        try:
            session = await self._session.create_session()
            async with session.get(address, timeout=ClientTimeout(total=_DOWNLOAD), allow_redirects=False) as answer:
                if answer.status == 200:
                    async for piece in answer.content.iter_chunked(_PIECE):
                        data += piece
                        if len(data) > most:
                            break
                    else:
                        return bytes(data)
            problem: TelegramError = (
                TelegramRefused(where=self.where, too_large=len(data) > most)
                if answer.status in {200, 400, 403, 404}
                else TelegramUnreachable(f"HTTP {answer.status}", where=self.where)
            )
        except (ClientError, OSError) as error:  # what it says may hold the address, and with it the token
            problem = TelegramUnreachable(type(error).__name__, where=self.where)
        raise problem

    async def offer(self, menu: Mapping[str, str]) -> None:
        """Show these commands, each with what it does, in the menu of all chats, unless somebody has made one."""
        if not await self._ask(GetMyCommands()):
            commands = [BotCommand(command=name, description=told) for name, told in menu.items()]
            await self._ask(SetMyCommands(commands=commands))

    async def _ask(self, method: TelegramMethod[T], *, within: int = _ANSWER_WITHIN) -> T:
        try:
            return await self.bot(method, request_timeout=within)
        except (AiogramError, ClientError, OSError) as error:
            problem = as_ours(error, where=self.where)
            if isinstance(method, SetWebhook) and isinstance(error, TelegramBadRequest):
                problem = TelegramWebhookRefused(where=self.where)
            if isinstance(method, GetChatMember | GetFile) and isinstance(error, _REFUSALS):
                problem = TelegramRefused(where=self.where, too_large="too big" in error.message)
        raise problem  # out here, so that the error which may hold the token is not its context


def as_ours(error: Exception, *, where: str) -> TelegramError:
    """One of our errors for one of aiogram's or aiohttp's, telling nothing of its message."""
    match error:
        case TelegramUnauthorizedError() | TelegramNotFound():
            return TelegramUnauthorized(where=where)
        case TelegramConflictError():
            return TelegramConflict(webhook="webhook" in error.message)
        case TelegramRetryAfter():
            return TelegramUnreachable(
                "flood control", where=where, retry_after=clamped_seconds(error.retry_after, most=_LONGEST_QUIET)
            )
        case TelegramServerError():
            return TelegramUnreachable("an error of its own (5xx)", where=where)
        case ClientDecodeError(original=RecursionError() | ValueError() as why, data=str(body)) if not isinstance(
            why, json.JSONDecodeError
        ):
            return _AbsurdAnswer(where=where, number=_only_number_in(body))
        case ClientDecodeError():
            return TelegramUnreachable("something that is no JSON of its kind", where=where)
        case TelegramNetworkError():
            return TelegramUnreachable(type(error.__cause__ or error).__name__, where=where)
        case _:
            return TelegramUnreachable(type(error).__name__, where=where)


class _AbsurdAnswer(TelegramUnreachable):
    """It may be JSON, but nested or with numbers as no program reads it."""

    def __init__(self, *, where: str, number: int | None) -> None:
        super().__init__("something too deep or too large to be read", where=where)
        self.number = number
        """That of the one update it holds, if it holds one."""


def _only_number_in(body: str) -> int | None:
    """The number of the first update of an answer that came whole, told without reading the rest."""
    begin = _ONLY_UPDATE.match(body)
    return int(begin[1]) if begin and _END_OF_UPDATES.search(body, max(0, len(body) - 100)) else None


def _bot(token: str, session: _Session, *, where: str) -> Bot:
    try:
        return Bot(token, session=session)
    except (TokenValidationError, ValueError):
        problem = TelegramUnauthorized(where=where)
    raise problem


def _host(base: str) -> str:
    """Host and port, without a name and password that may stand before them."""
    try:
        parts = urlsplit(base)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the address given"
    return f"{parts.hostname or 'the address given'}{port}"


def _time_in(header: str) -> datetime | None:
    try:
        return datetime.strptime(header, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC)
    except ValueError:
        return None


def _decoded(body: bytes) -> str:
    """As text, whatever bytes it has: surrogates written out one by one, or none of UTF-8's."""
    try:
        return body.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return body.decode("utf-8", "replace")
