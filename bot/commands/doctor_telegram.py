"""What `companion doctor` looks at in Telegram. It confirms no update, and leaves our own bot's polling alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from pydantic import SecretStr

from bot.commands.checks import Check, failed, look_at
from bot.errors import BotError, SettingsError
from bot.settings import Settings
from bot.telegram.client import TelegramClient
from bot.telegram.values import Me
from bot.telegram.webhook import address_of

_CURE = "correct TELEGRAM_BOT_TOKEN"
_UPDATES = "telegram updates"


async def look_at_telegram(
    settings: Settings, token: SecretStr, *, polled: frozenset[int] | None
) -> tuple[list[Check], timedelta | None]:
    """The token, privacy mode, and whether updates come to us; and by how much our clock is ahead of Telegram's.

    `polled` are the bots for which a process of ours polls now; None if the database does not say.
    """
    name = "telegram token"
    try:
        async with TelegramClient(token, settings.telegram_api_base_url) as client:
            me, time = await client.me(), client.time()
            ahead = None if time is None else datetime.now(UTC) - time
            checks = [
                Check(name=name, ok=True, detail=f"@{me.username} ({me.name})"),
                _privacy(me),
                await _updates(settings, client, polled=polled),
            ]
    except BotError as error:
        return [failed(name, error, cure=_CURE)], None
    return checks, ahead


def _privacy(me: Me) -> Check:
    name = "telegram privacy mode"
    if me.hears_groups:
        return Check(name=name, ok=True, detail="off: in groups the bot hears, and remembers, everything")
    return Check(
        name=name,
        ok=True,
        detail="on: in groups the bot hears only mentions, answers to it and commands, and remembers nothing else",
        cure="to have it hear everything: @BotFather, /setprivacy, Disable; then remove it from its groups and add "
        "it again (or make it an administrator there)",
    )


async def _updates(settings: Settings, client: TelegramClient, *, polled: frozenset[int] | None) -> Check:
    """Whether nothing keeps updates from us."""
    try:
        webhook = await client.webhook()
    except BotError as error:
        return failed(_UPDATES, error, cure=_CURE)
    if settings.telegram_webhook_url is not None:
        return _by_webhook(settings, webhook)
    if webhook:
        return Check(
            name=_UPDATES,
            ok=False,
            detail=f"a webhook at {_host(webhook)} is left over, so the bot cannot poll",
            cure="open https://api.telegram.org/bot<the token>/deleteWebhook once, or set TELEGRAM_WEBHOOK_URL",
        )
    if polled is None:
        return Check(name=_UPDATES, ok=True, detail="the database does not say who polls, so Telegram was not asked")
    if client.bot_id in polled:
        return Check(name=_UPDATES, ok=True, detail="a process that shares this database polls now")
    return await look_at(_UPDATES, lambda: _alone(client))


async def _alone(client: TelegramClient) -> str:
    await client.see_who_polls()
    return "nobody polls now"


def _by_webhook(settings: Settings, there: str) -> Check:
    try:
        address = address_of(settings)
    except SettingsError as error:
        return failed(_UPDATES, error, cure=_CURE)
    if there == address.url:
        return Check(name=_UPDATES, ok=True, detail=f"brought to {_host(there)}")
    detail = f"brought to {_host(there)} so far" if there else "not brought anywhere yet"
    return Check(name=_UPDATES, ok=True, detail=f"{detail}; `companion run` sets TELEGRAM_WEBHOOK_URL")


def _host(address: str) -> str:
    """Without its path, which may be a secret."""
    return urlsplit(address).hostname or "an address"
