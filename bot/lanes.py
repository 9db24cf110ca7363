"""Turns in Telegram's lanes: claimed when due, held by heartbeat, begun anew when something that matters comes.

A lane belongs to one process at a time; a process that loses its lease can still think, but leaves nothing
behind. A lane that fails is tried again later, ever more rarely, and never keeps another one waiting.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from uuid import UUID

from bot.errors import BotError
from bot.model import Ended, Held
from bot.ports import LaneStore

log = logging.getLogger(__name__)


class Superseded(Exception):
    """The lane was told to begin anew, or is another process's by now: nothing of the turn was kept."""


LEASE = 15.0
"""Seconds that a lane is held without a heartbeat."""
HEARTBEAT = 4.0
IDLE = 1.0
"""Seconds after which an idle process looks again, for what another process left."""
PARALLEL = 64
"""Turns at once in one process: they wait for a model, and hold no connection meanwhile."""
MOST_FAILURES = 5
"""Turns that may fail in a row; then the lane waits for the next message."""
_FIRST_REST, _LONGEST_REST = 5.0, 600.0


def rest_after(failures: int) -> float | None:
    """Seconds until a lane that failed so often in a row is tried again; None: not by itself."""
    if failures > MOST_FAILURES:
        return None
    return min(_FIRST_REST * 2.0 ** max(0, failures - 1), _LONGEST_REST)


class LaneWorker:
    """Runs the turns of all lanes that are due, as far as this process gets hold of them."""

    def __init__(
        self, *, lanes: LaneStore, turn: Callable[[Held], Awaitable[float | None]], owner: UUID, wake: asyncio.Event
    ) -> None:
        """`turn` runs one and gives the seconds until its lane is due again; None: not by itself, or it is settled.

        `wake` is set when a lane may be due sooner than was known.
        """
        self._lanes = lanes
        self._turn = turn
        self._owner = owner
        self._wake = wake
        self._running: dict[asyncio.Task[tuple[float | None, Ended]], Held] = {}
        self._stopped: set[asyncio.Task[tuple[float | None, Ended]]] = set()
        """Turns that were told once that they must begin anew."""
        self._releases: set[asyncio.Task[None]] = set()

    async def run(self, stop: asyncio.Event, *, drain: float = 12.0) -> None:
        """Until `stop`; then what runs may finish for `drain` seconds, and what does not is handed back."""
        beat = asyncio.create_task(self._beat(), name="heartbeat of lanes")
        try:
            while not stop.is_set():
                self._wake.clear()
                if len(self._running) >= PARALLEL or not await self._start_one():
                    await self._rest(stop)
        finally:
            if self._running:
                await asyncio.wait(self._running, timeout=drain)
            for task in self._running:
                task.cancel()
            if self._running:
                await asyncio.wait(self._running)
            await asyncio.sleep(0)  # what has ended is let go of in its callback
            if self._releases:
                await asyncio.wait(self._releases, timeout=LEASE)  # what is not let go of by then runs out
            beat.cancel()
            with suppress(asyncio.CancelledError):
                await beat

    async def _start_one(self) -> bool:
        try:
            held = await self._lanes.claim(self._owner, lease=LEASE)
        except BotError as error:
            log.warning("no lane could be claimed: %s", error)
            return False
        if held is None:
            return False
        task = asyncio.create_task(self._run(held), name=f"turn in chat {held.lane.chat_id}")
        self._running[task] = held
        task.add_done_callback(self._done)
        return True

    def _done(self, task: asyncio.Task[tuple[float | None, Ended]]) -> None:
        """A turn has ended: its lane is let go of, in a task of its own that nobody stops."""
        held = self._running.pop(task)
        self._stopped.discard(task)
        again_in, ended = (0.0, "restarted") if task.cancelled() else task.result()
        release = asyncio.create_task(self._release(held, again_in, ended), name="let go of a lane")
        self._releases.add(release)
        release.add_done_callback(self._releases.discard)
        self._wake.set()

    async def _release(self, held: Held, again_in: float | None, ended: Ended) -> None:
        try:
            await self._lanes.release(held, again_in=again_in, ended=ended)
        except BotError as error:
            log.warning("the lane of chat %d is let go of when its lease runs out: %s", held.lane.chat_id, error)
        self._wake.set()

    async def _rest(self, stop: asyncio.Event) -> None:
        """Until something may be due. The database knows when; another process may know better a moment later."""
        try:
            due = await self._lanes.due_in() if len(self._running) < PARALLEL else None
        except BotError:
            due = None
        waits = [asyncio.create_task(event.wait()) for event in (self._wake, stop)]
        await asyncio.wait(waits, timeout=IDLE if due is None else min(due, IDLE), return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        if self._wake.is_set():
            await self._look_at_generations()

    async def _beat(self) -> None:
        """Hold the lanes of the turns that run."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            try:
                await self._look_at_generations()
            except Exception:  # without a heartbeat every long turn would be lost
                log.exception("a heartbeat failed")

    async def _look_at_generations(self) -> None:
        """Hold our lanes for longer, and stop the turns that must begin anew: what they think is out of date."""
        if not self._running:
            return
        try:
            generations = await self._lanes.keep([held.claim for held in self._running.values()], lease=LEASE)
        except BotError as error:
            log.warning("the lanes could not be kept: %s", error)
            return
        for task, held in self._running.items():
            newer = generations.get(held.claim, held.generation) > held.generation
            if newer and not held.insists and task not in self._stopped:
                self._stopped.add(task)
                task.cancel("something that matters came")

    async def _run(self, held: Held) -> tuple[float | None, Ended]:
        """One turn: the seconds until its lane is due again, and how it ended."""
        try:
            return await self._turn(held), "done"
        except Superseded:
            return 0.0, "restarted"
        except BotError as error:
            log.warning("a turn in chat %d failed: %s", held.lane.chat_id, error)
        except Exception:
            log.exception("a turn in chat %d failed", held.lane.chat_id)
        return rest_after(held.failures + 1), "failed"
