"""Our own gate before Telegram's, so that it seldom has to tell us to slow down."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

IDLE = 60.0
"""Seconds after which a chat that was quiet is forgotten."""


class Rates:
    """So many messages a second into one place, and so many in all; `math.inf` is no limit."""

    def __init__(self, *, per_chat: float, in_all: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap, self._gap_in_all, self._clock = 1 / per_chat, 1 / in_all, clock
        self._free: dict[str, float] = {}
        """When the next message may go into a place."""
        self._free_in_all = 0.0
        self._forget_at = clock() + IDLE

    async def turn(self, place: str) -> None:
        """Wait until a message may go there. Whoever waits for a busy place keeps nobody else waiting."""
        await asyncio.sleep(self.reserve(place))
        await asyncio.sleep(self.reserve_in_all())

    def reserve(self, place: str) -> float:
        """Seconds until the place's next message, which is now the caller's."""
        now = self._clock()
        if now >= self._forget_at:
            self._free = {known: free for known, free in self._free.items() if free > now - IDLE}
            self._forget_at = now + IDLE
        at = max(now, self._free.get(place, 0.0))
        self._free[place] = at + self._gap
        return at - now

    def reserve_in_all(self) -> float:
        """Seconds until the next message of all, which is now the caller's."""
        now = self._clock()
        at = max(now, self._free_in_all)
        self._free_in_all = at + self._gap_in_all
        return at - now

    def answered(self, place: str) -> None:
        """A request to the place has ended. Telegram counts from when it came there, which was not later than now."""
        self._free[place] = max(self._free.get(place, 0.0), self._clock() + self._gap)

    def __len__(self) -> int:
        """Places that are remembered."""
        return len(self._free)
