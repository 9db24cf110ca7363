"""Updates brought by Telegram, instead of polled: a small server that takes each into the inbox and says so.

What it answers is what Telegram goes by: 200 once the update is in the database, and whatever the bot thinks of it
comes later; 500 while the database is away, so that Telegram brings it again. TLS is the business of what stands
in front. Several processes may listen, each behind the same address.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import web
from pydantic import SecretStr

from bot.errors import SettingsError, StoreError, TelegramUnreachable
from bot.settings import Settings
from bot.telegram.client import TelegramClient
from bot.telegram.updates import number_of
from bot.telegram.waiting import first_of

log = logging.getLogger(__name__)

HEADER = "X-Telegram-Bot-Api-Secret-Token"
LARGEST = 1 << 20
"""Bytes of one update; Telegram's are a few thousand."""
_DRAIN = 5.0
"""Seconds that an update under way may take when the bot is told to stop."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where updates come in."""

    url: str
    """As Telegram knows it."""
    secret: SecretStr
    host: str
    port: int
    """Where we listen; 0: any that is free."""

    @property
    def path(self) -> str:
        return urlsplit(self.url).path or "/"


def address_of(settings: Settings) -> Address:
    """What the settings say of it; raise `SettingsError` if that makes no webhook."""
    url, secret, listen = (
        settings.telegram_webhook_url or "",
        settings.telegram_webhook_secret,
        settings.telegram_webhook_listen,
    )
    if not url.startswith("https://"):
        raise SettingsError("TELEGRAM_WEBHOOK_URL is no https:// address; Telegram brings updates to no other")
    if secret is None or not _SECRET.fullmatch(secret.get_secret_value()):
        raise SettingsError(
            "TELEGRAM_WEBHOOK_URL needs a TELEGRAM_WEBHOOK_SECRET of 1 to 256 letters, digits, _ or -; make one with "
            "`openssl rand -hex 32`, the same for all processes of this bot"
        )
    host, _, port = listen.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or int(port) > 65_535:
        raise SettingsError("TELEGRAM_WEBHOOK_LISTEN is no host and port; write one such as 127.0.0.1:8443")
    return Address(url=url, secret=secret, host=host.strip("[]"), port=int(port))


class Webhook:
    """Takes the updates that are brought for one bot."""

    def __init__(
        self,
        client: TelegramClient,
        take: Callable[[object], Awaitable[None]],
        *,
        address: Address,
        kinds: Sequence[str],
    ) -> None:
        """`take` takes one update, and raises `StoreError` if it could not."""
        self._client, self._take = client, take
        self._address, self._kinds = address, kinds
        self._secret = address.secret.get_secret_value().encode()

    async def run(self, stop: asyncio.Event) -> None:
        """Until told to stop. Raises `TelegramUnauthorized`, `TelegramWebhookRefused`, and `SettingsError` for a port
        that cannot be had.

        The webhook stays set: other processes may listen, and Telegram keeps what nobody takes.
        """
        app = web.Application(client_max_size=LARGEST)
        app.router.add_post(self._address.path, self._receive)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=_DRAIN)
        await runner.setup()
        try:
            try:
                await web.TCPSite(runner, self._address.host, self._address.port).start()
            except OSError as error:
                raise SettingsError(
                    f"cannot listen at {self._address.host}:{self._address.port} ({error.strerror}); "
                    "correct TELEGRAM_WEBHOOK_LISTEN"
                ) from None
            await self._announce(stop)
            await stop.wait()
        finally:
            await runner.cleanup()

    async def _announce(self, stop: asyncio.Event) -> None:
        """Tell Telegram where to; again until it listens."""
        pause = _FIRST_PAUSE
        while not stop.is_set():
            try:
                await self._client.set_webhook(self._address.url, secret=self._address.secret, kinds=self._kinds)
            except TelegramUnreachable as error:
                wait = max(pause, error.retry_after or 0.0)
                log.warning("%s (again in %.0f s)", error, wait)
                await first_of(stop, within=wait)
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return

    async def _receive(self, request: web.Request) -> web.Response:
        told = request.headers.get(HEADER, "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(told, self._secret):
            return web.Response(status=401)
        try:
            raw: object = json.loads(await request.read())  # 413 if it is too large
        except (ValueError, RecursionError):
            return web.Response(status=400)
        if number_of(raw) is None:
            return web.Response(status=400)
        try:
            await self._take(raw)
        except StoreError as error:
            log.warning("an update could not be taken, Telegram will bring it again: %s", error)
            return web.Response(status=500)
        return web.Response()
