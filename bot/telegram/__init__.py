"""Telegram: its Bot API and its updates on one side, our values on the other. aiogram is seen only here."""
