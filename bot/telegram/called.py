"""What the bot is called in a group: by its persona there."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, Protocol

FRESH: Final = 5.0
"""Seconds after which is asked again: another process may have given the chat another persona."""
_MOST: Final = 4096


class Names(Protocol):
    """Names of personas by address; bot.store has them."""

    async def name_at(self, source: str) -> str | None: ...


class CalledHere:
    """The names by address, those used last at hand for a moment, so that not every message costs a look."""

    def __init__(
        self, names: Names, *, default: Callable[[], str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._names, self._default, self._clock = names, default, clock
        self._known: OrderedDict[str, tuple[float, str | None]] = OrderedDict()

    async def at(self, source: str) -> Sequence[str]:
        """The names that the bot answers to there."""
        now = self._clock()
        asked_at, name = self._known.get(source, (-FRESH, None))
        if now - asked_at >= FRESH:
            name = await self._names.name_at(source)
            self._known[source] = now, name
            self._known.move_to_end(source)
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        return [name or self._default()]

    def forget(self, source: str) -> None:
        """Ask again: it has changed."""
        self._known.pop(source, None)
