"""Telegram: its Bot API and its updates on one side, our values on the other. aiogram is seen only here."""

from bot.telegram.deferred import put_off

put_off()
