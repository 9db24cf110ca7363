"""Long polling by one process at a time.

A process polls while it holds the lease, and only then; the others wait to take over. No offset is sent at first:
Telegram then gives what it keeps from the beginning, which the inbox tells from what was taken before. Offsets
that count from the end would throw away what lies before them, so none is ever sent. An offset is sent until a
request with it succeeds, and no longer: should it ever be too high, it does so once.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import uuid4

from bot.errors import StoreError, TelegramConflict, TelegramUnauthorized, TelegramUnreachable
from bot.telegram.client import TelegramClient
from bot.telegram.confirming import Confirmation, confirmation
from bot.telegram.keeping import Inbox
from bot.telegram.updates import number_of
from bot.telegram.waiting import cancelled, first_of

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """How long things take, in seconds. Another process takes over within lease + look_again."""

    poll: int = 25
    """What Telegram is asked to wait for something to happen."""
    lease: float = 10.0
    renew: float = 3.0
    look_again: float = 2.0
    """Between two looks of a process that does not poll."""
    first_pause: float = 1.0
    """After something went wrong; each further pause is twice as long."""
    longest_pause: float = 30.0


@dataclass(slots=True)
class _Batch:
    """What of a batch tells it from the next one."""

    numbers: list[int | None] = field(default_factory=list[int | None])
    """One an update; None for each that has none."""
    without_number: list[object] = field(default_factory=list[object])

    def add(self, raw: object) -> None:
        """One more."""
        self.numbers.append(number := number_of(raw))
        if number is None:
            self.without_number.append(raw)

    def holds(self, raw: object) -> bool:
        """Whether the same was among them, as far as can be told."""
        if (number := number_of(raw)) is not None:
            return number in self.numbers
        with suppress(RecursionError):
            return raw in self.without_number
        return True


class Poller:
    """Polls for one bot."""

    def __init__(
        self,
        client: TelegramClient,
        inbox: Inbox,
        take: Callable[[object], Awaitable[None]],
        *,
        kinds: Sequence[str],
        waits: Waits,
    ) -> None:
        self._client, self._inbox, self._take = client, inbox, take
        self._kinds, self._waits = kinds, waits
        self._owner = uuid4()
        self._to_confirm: Confirmation | None = None
        self._last: int | None = None
        """The offset that was sent last."""
        self._before = _Batch()
        """What was taken last."""

    async def run(self, stop: asyncio.Event) -> None:
        """Until told to stop: poll while the lease is ours, and wait for it otherwise."""
        try:
            while not stop.is_set():
                leased_at = asyncio.get_running_loop().time()
                if await self._lease():
                    await self._poll_while_leased(stop, leased_at + self._waits.lease)
                else:
                    await first_of(stop, within=self._waits.look_again)
        finally:
            with suppress(StoreError, TimeoutError):
                async with asyncio.timeout(self._waits.renew):
                    await self._inbox.leave_poller(self._client.bot_id, self._owner)

    async def _lease(self) -> bool:
        try:
            async with asyncio.timeout(self._waits.lease):
                return await self._inbox.lease_poller(self._client.bot_id, self._owner, seconds=self._waits.lease)
        except (StoreError, TimeoutError) as error:
            log.warning("cannot ask the database who polls; trying again: %s", error)
            return False

    async def _poll_while_leased(self, stop: asyncio.Event, until: float) -> None:
        over = asyncio.Event()
        watchers = [asyncio.create_task(self._renew(over, until)), asyncio.create_task(_pass_on(stop, over))]
        try:
            await self._poll(over)
        finally:
            await cancelled(watchers)

    async def _renew(self, over: asyncio.Event, until: float) -> None:
        """Hold the lease; say that it is over once it is another's, or may be."""
        clock = asyncio.get_running_loop().time
        try:
            while not over.is_set():
                await first_of(over, within=min(self._waits.renew, max(0.0, until - clock())))
                asked_at = clock()
                try:
                    async with asyncio.timeout_at(until):
                        ours = await self._inbox.lease_poller(
                            self._client.bot_id, self._owner, seconds=self._waits.lease
                        )
                except (StoreError, TimeoutError):
                    if clock() >= until:
                        log.warning("the lease to poll ran out while the database did not answer")
                        return
                    continue
                if not ours:
                    log.warning("another process polls now")
                    return
                until = asked_at + self._waits.lease
        finally:
            over.set()

    async def _poll(self, over: asyncio.Event) -> None:
        self._to_confirm = self._last = None  # another may have polled meanwhile
        pause = self._waits.first_pause
        while not over.is_set():
            wait = pause * random.uniform(0.75, 1.0)  # noqa: S311 - so that many do not come at once
            try:
                batch = await _unless(over, self._ask())
                if batch is None:
                    continue
                is_new, kept = await self._take_all(batch, over)
                if kept:
                    pause = wait = self._waits.first_pause
                    if is_new:
                        continue
            except TelegramUnauthorized:
                raise
            except TelegramUnreachable as error:
                wait = max(wait, error.retry_after or 0.0)
                log.warning("%s (again in %.0f s)", error, wait)
            except TelegramConflict as error:
                log.warning("%s (again in %.0f s)", error, wait)
            except StoreError as error:
                log.warning("an update could not be taken, it is tried again in %.0f s: %s", wait, error)
            await first_of(over, within=wait)
            pause = min(2 * pause, self._waits.longest_pause)

    async def _ask(self) -> list[Any]:
        """Confirm what can be, and ask for what is new."""
        sent = self._to_confirm
        updates = await self._client.updates(
            offset=sent.offset if sent else None,
            timeout=self._waits.poll if sent is None or sent.expected else 0,
            kinds=self._kinds,
        )
        if sent:
            self._to_confirm, self._last = None, sent.offset
        return updates

    async def _take_all(self, batch: Sequence[object], over: asyncio.Event) -> tuple[bool, bool]:
        """Take one after the other, and let the next request confirm them: whether anything was new, and is kept.

        Messages are on disk together, once the lease is renewed. If that fails, none is confirmed and all come again.
        """
        taken, is_new = _Batch(), False
        for raw in batch:
            if over.is_set():
                return True, True  # those behind it may have lower numbers
            taken.add(raw)
            known = self._before.holds(raw)
            is_new |= not known
            if not known or number_of(raw) is not None:  # what was taken may not have come to the disk
                await self._take(raw)
        kept = not batch or await self._lease()
        if batch and kept:
            self._to_confirm = confirmation(taken.numbers, last=self._last)
            if is_new and self._last and self._to_confirm and not self._to_confirm.expected:
                log.warning("update numbers go from %s to %s", self._last - 1, self._to_confirm.offset - 1)
        self._before = taken
        return is_new or not batch, kept


async def _pass_on(stop: asyncio.Event, over: asyncio.Event) -> None:
    await stop.wait()
    over.set()


async def _unless(over: asyncio.Event, work: Coroutine[Any, Any, T]) -> T | None:
    """What the work gives; None, and the work is given up, once it is over."""
    task, watch = asyncio.create_task(work), asyncio.create_task(over.wait())
    try:
        await asyncio.wait({task, watch}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        await cancelled((task, watch))
