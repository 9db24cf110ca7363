"""From the outbox into Telegram: every bubble at most once, those of a topic in order.

T3 (`Outbox.begin`) comes before the request, T4 (`Outbox.sent`) after it. Whoever dies before T3 has sent nothing, and
another takes the bubble once the lease runs out; whoever dies behind it leaves a row that becomes `unknown`. So does a
row that the database could not be told about in time: an answer may be missing then, but never comes twice.

One chat that is slow, flooded or gone delays no other: a bubble that has to wait goes back into the outbox. So does one
topic of a chat, except that a flood is the whole chat's.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from uuid import UUID

from aiogram import Bot

from bot.disclosure import error_line
from bot.errors import StoreError, TelegramUnauthorized
from bot.store.inbox import Inbox
from bot.store.outbox import Bubble, Outbox
from bot.telegram.failures import (
    Delivered,
    GiveUp,
    Later,
    Moved,
    TokenRefused,
    Unchanged,
    Verdict,
    WithoutReply,
    verdict,
)
from bot.telegram.rates import Rates
from bot.telegram.speaking import (
    LONGEST_TYPING,
    REQUEST_SECONDS,
    Place,
    Sent,
    send,
    server,
    show_typing,
    typing_seconds,
)
from bot.telegram.split import CAPTION, sendable, units
from bot.telegram.values import source_of
from bot.telegram.waiting import cancelled, first_of, surely

SENDING_LEASE: Final = REQUEST_SECONDS + 60
"""Seconds from T3 on until others take us for dead."""
HOLDING_LEASE: Final = 30.0
"""The same before T3, beside the typing."""
LONGEST_READING: Final = 10.0
"""Seconds that a picture is waited for; cards are read one at a time. Within the lease, beside the gates."""
LOOK_FOR_LOST: Final = 10.0
AT_ONCE: Final = 256
"""Bubbles under way in one process. Each is of another topic, and may hang until its request times out; so many come
through the gate of all chats (30 a second) well before the lease of what is held for its typing runs out."""
OF_ONE_PLACE: Final = 8
"""The same in one Telegram chat. So many come through its gate (one a second) before their lease runs out."""

_log = logging.getLogger(__name__)


class Sender:
    """Takes bubbles out of the outbox and says them. `wake` is its own: set it when there is something to send."""

    def __init__(
        self,
        bot: Bot,
        outbox: Outbox,
        inbox: Inbox,
        *,
        owner: UUID,
        pace: float,
        wake: asyncio.Event,
        at_once: int = AT_ONCE,
        per_chat: float = 1.0,
        in_all: float = 30.0,
        grace: float = 10.0,
        chance: Callable[[], float] = random.random,
        picture_of: Callable[[str, str | None], Awaitable[bytes | None]] | None = None,
    ) -> None:
        """`pace` scales the typing; `per_chat` and `in_all` are messages a second, which `pace` does not touch.

        When told to stop, requests under way get `grace` seconds to end. `picture_of` gives a card's picture of that
        name, or that of its character.
        """
        self._picture_of = picture_of
        self._bot, self._outbox, self._inbox = bot, outbox, inbox
        self._owner, self._pace, self._wake = owner, pace, wake
        self._at_once, self._grace, self._chance = at_once, grace, chance
        self._rates = Rates(per_chat=per_chat, in_all=in_all)
        self._tasks: set[asyncio.Task[None]] = set()
        self._under_way: Counter[str] = Counter()
        """How many are, by place."""
        self._requested: dict[tuple[int, UUID, int], Bubble] = {}
        """Between T3 and T4."""
        self._closing = asyncio.Event()
        self._refused = False

    async def run(self, stop: asyncio.Event) -> None:
        """Send until told to stop; then finish what is being sent, and put back what is not.

        Raises `TelegramUnauthorized` when the token is no bot's.
        """
        self._closing.clear()
        watching = asyncio.create_task(self._give_up_lost())
        try:
            await self._take(stop)
            self._closing.set()
            await self._finish()
        finally:
            self._closing.set()
            await cancelled({*self._tasks, watching})
        if self._refused:
            raise TelegramUnauthorized(where=server(self._bot))

    async def _take(self, stop: asyncio.Event) -> None:
        trouble = 0
        while not (stop.is_set() or self._refused):
            self._wake.clear()
            rest = 1.0
            try:
                bubble, rest = await self._next()
                trouble = 0
            except StoreError as error:
                bubble, rest = None, min(0.2 * 2**trouble, 5.0)
                trouble += 1
                if trouble == 1:
                    _log.warning("the outbox cannot be read, trying again: %s", error_line(error))
            if bubble is None:
                await first_of(self._wake, stop, within=rest)
                continue
            task = asyncio.create_task(self._carry(bubble))
            self._tasks.add(task)
            self._under_way[bubble.source] += 1
            task.add_done_callback(partial(self._done, bubble.source))

    async def _next(self) -> tuple[Bubble | None, float]:
        """The next bubble; if there is none, the seconds until it pays to look again."""
        if len(self._tasks) >= self._at_once:
            return None, 1.0
        lease = HOLDING_LEASE + LONGEST_TYPING * self._pace
        full = [place for place, number in self._under_way.items() if number >= OF_ONE_PLACE]
        if bubble := await self._outbox.next(self._owner, bot_id=self._bot.id, lease=lease, full=full):
            return bubble, 0.0
        due_in = await self._outbox.due_in(bot_id=self._bot.id, full=full)
        if due_in is None:
            return None, 1.0
        return None, min(due_in or 0.2, 1.0)  # 0: it waits behind another, whose end wakes us if it is ours

    def _done(self, place: str, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._under_way[place] -= 1
        self._under_way += Counter()  # lets go of the places in which nothing is
        self._wake.set()
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a bubble could not be dealt with; its lease will run out: %s", error_line(error))

    async def _finish(self) -> None:
        """Let requests end; those that do not may have been processed."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._grace)
        await cancelled(self._tasks)
        for bubble in self._requested.values():
            try:
                await self._outbox.give_up(bubble, state="unknown", problem="stopped while it was being sent")
            except StoreError as error:
                _log.warning("a bubble becomes unknown once its lease runs out: %s", error_line(error))

    async def _carry(self, bubble: Bubble) -> None:
        """One bubble, from its typing to what became of it."""
        place, text = Place.of(bubble, self._bot.id), sendable(bubble.text)
        if place is None or not text.strip():
            problem = "not a place of this bot" if place is None else "nothing is left of its text"
            if await self._begin(bubble):
                await self._settle(bubble, GiveUp("failed", problem))
            return
        flooded = await self._type(place, text) if bubble.attempts == 0 else 0.0
        if not (flooded or self._closing.is_set()):
            await self._rates.turn(bubble.source)
        may_go = not (flooded or self._closing.is_set())
        picture = await self._picture(bubble, text) if may_go else None  # before T3: whoever dies over it sent nothing
        if not await self._begin(bubble):
            return  # another's: our lease ran out, or another topic's bubble met a flood
        if flooded:
            await self._settle(
                bubble, Later(flooded + self._chance(), "Telegram asked us to slow down", place_waits=True)
            )
        elif self._closing.is_set():
            await self._settle(bubble, Later(0, "stopped before it was sent"))
        else:
            found, pictured = await self._send(bubble, place, text, picture=picture)
            self._rates.answered(bubble.source)
            await self._settle(bubble, found, pictured=pictured)

    async def _type(self, place: Place, text: str) -> float:
        """Show typing for a human while; the seconds that Telegram asks us to be quiet for, if it does."""
        seconds = typing_seconds(text, pace=self._pace)
        if seconds <= 0:
            return 0.0
        showing = asyncio.create_task(show_typing(self._bot, place))
        closing = asyncio.create_task(self._closing.wait())
        try:
            await asyncio.wait({showing, closing}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            return showing.result() if showing.done() else 0.0
        finally:
            await cancelled({showing, closing})

    async def _begin(self, bubble: Bubble) -> bool:
        """T3. Also before a bubble is put back or given up: only its holder may touch it."""
        if not await self._outbox.begin(bubble, self._owner, lease=SENDING_LEASE):
            return False
        self._requested[bubble.key] = bubble
        return True

    async def _send(
        self, bubble: Bubble, place: Place, text: str, *, picture: bytes | None
    ) -> tuple[Sent | Verdict, bool]:
        """The request; once more, at once, if its picture or what it answers may be to blame.

        What came of it, and whether the picture was in it.
        """
        attempt = bubble.attempts + 1
        reply_to = int(bubble.reply_to) if bubble.reply_to and bubble.reply_to.isdecimal() else None
        while True:
            try:
                sent = await send(self._bot, bubble, place, text, reply_to=reply_to, attempt=attempt, picture=picture)
            except Exception as error:  # noqa: BLE001 - whatever it was, the bubble must not be sent again by mistake
                found = verdict(error, attempt=attempt, replying=reply_to is not None, chance=self._chance())
                _log.info("chat %s: a request failed: %s", bubble.chat_id, error_line(error))
            else:
                return sent, picture is not None
            refused = isinstance(found, WithoutReply) or (isinstance(found, GiveUp) and found.state == "failed")
            if picture is not None and refused:  # a group may take words where it takes no pictures
                picture = None
            elif isinstance(found, WithoutReply):
                reply_to = None
            else:
                return found, picture is not None

    async def _picture(self, bubble: Bubble, text: str) -> bytes | None:
        """The picture that goes with a bubble; None also when it cannot be had, since the words matter more."""
        if bubble.picture is None or self._picture_of is None or units(text) > CAPTION:
            return None
        try:
            async with asyncio.timeout(LONGEST_READING):
                return await self._picture_of(bubble.picture, bubble.emotion)
        except (StoreError, TimeoutError) as error:
            _log.warning("a picture cannot be had: %s", error_line(error))
            return None

    async def _settle(self, bubble: Bubble, found: Sent | Verdict, *, pictured: bool = False) -> None:
        """Tell the database what became of a bubble. `pictured`: its picture was with it."""
        outbox = self._outbox
        match found:
            case Sent() | Delivered():
                await surely(
                    lambda: outbox.sent(bubble, sent_id=found.sent_id, sent_at=found.sent_at, pictured=pictured)
                )
            case Later(seconds, problem, place_waits):
                if place_waits:  # before anything else there may go
                    await surely(lambda: outbox.quiet(bubble.source, seconds=seconds))
                await surely(lambda: outbox.later(bubble, seconds=seconds, problem=problem))
            case Moved(telegram_chat_id):
                await surely(lambda: outbox.later(bubble, seconds=0, problem="the group is a supergroup now"))
                bot_id, new = self._bot.id, source_of(self._bot.id, telegram_chat_id)
                await surely(lambda: self._inbox.move(bot_id, None, old=bubble.source, new=new))
            case TokenRefused():
                self._refused = True
                await surely(lambda: outbox.later(bubble, seconds=5, problem="Telegram does not know our token"))
            case GiveUp(state, problem, place_is_closed):
                _log.warning("chat %s: a bubble is %s for good", bubble.chat_id, state)
                if place_is_closed:  # before anything else there may go
                    await surely(lambda: outbox.close_place(bubble.source, problem=problem))
                await surely(lambda: outbox.give_up(bubble, state=state, problem=problem))
            case Unchanged() | WithoutReply():
                await surely(lambda: outbox.give_up(bubble, state="unknown", problem="an answer that fits no message"))
        self._requested.pop(bubble.key, None)

    async def _give_up_lost(self) -> None:
        """See to it that what somebody died over holds up nobody."""
        while not self._closing.is_set():
            try:
                if lost := await self._outbox.give_up_lost(bot_id=self._bot.id):
                    _log.warning("%s bubbles were cut while they were being sent: they are unknown now", lost)
                    self._wake.set()
            except StoreError as error:
                _log.warning("lost bubbles cannot be looked for: %s", error_line(error))
            await first_of(self._closing, within=LOOK_FOR_LOST)
