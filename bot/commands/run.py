"""`companion run`: the bot in Telegram."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal

from bot.app import open_app
from bot.commands.common import report
from bot.errors import SettingsError
from bot.serving import Serving
from bot.settings import Settings
from bot.telegram.client import TelegramClient
from bot.telegram.webhook import address_of

LONGEST_END = 28.0
"""Seconds that an orderly end may take: two less than what a container is commonly given."""


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Be in Telegram until told to stop; SIGTERM and Ctrl-C end it in order."""
    if settings.telegram_bot_token is None:
        raise SettingsError("TELEGRAM_BOT_TOKEN is not set; @BotFather gives one when you make a bot there")
    if settings.telegram_webhook_url is not None:
        address_of(settings)  # raises what is wrong with it before anything is begun
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def end() -> None:
        """The first time in order, within bounds; the second time at once. The database holds all that matters."""
        if stop.is_set():
            os._exit(1)
        stop.set()
        loop.call_later(LONGEST_END, cut)

    def cut() -> None:
        try:
            report(f"companion: not all had ended after {LONGEST_END:.0f} s, and was cut; the next start goes on")
        finally:  # also when nobody reads what is reported
            os._exit(1)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end)
    async with (
        TelegramClient(settings.telegram_bot_token, settings.telegram_api_base_url) as client,
        open_app(settings, report=report) as app,
    ):
        await Serving(app, client).run(stop, report=report)
    return 0
