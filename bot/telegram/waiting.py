"""Small ways to wait, to end what waits, and to insist."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

from bot.disclosure import error_line
from bot.errors import StoreError

_PAUSES: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, *(10.0,) * 12)
"""Seconds between tries to tell the database something."""

_log = logging.getLogger(__name__)


async def first_of(*events: asyncio.Event, within: float) -> None:
    """Wait until one of them is set, for so many seconds at most."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=within, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await cancelled(waiting)


async def cancelled(tasks: Iterable[asyncio.Future[Any]]) -> None:
    """End tasks, and wait until they have ended; how they did is of no interest."""
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)


async def surely(tell: Callable[[], Awaitable[object]]) -> None:
    """Tell the database what cannot be found out again, also when it has a hiccup; after minutes, let it rise."""
    for pause in _PAUSES:
        try:
            await tell()
        except StoreError as error:
            _log.warning("the database cannot be told, trying again: %s", error_line(error))
            await asyncio.sleep(pause)
        else:
            return
    await tell()
