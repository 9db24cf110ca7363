"""The bot in Telegram: intake, turns and sending side by side in one process, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from bot import telemetry_names as names
from bot.app import App
from bot.attention import FRESH, Wake, heed
from bot.disclosure import error_line
from bot.errors import BotError, ClockWrong, StoreError, TelegramError, TelegramUnreachable
from bot.lanes import LaneWorker, Superseded
from bot.memory.embed import JOB as EMBED
from bot.model import (
    ChatId,
    Held,
    Lane,
    LoreOf,
    Message,
    MessageId,
    NewMessage,
    Outcome,
    Pool,
    Search,
    Statistics,
    TurnRecord,
    View,
    Words,
)
from bot.ports import Store
from bot.store import PostgresStore
from bot.store.backlog import Backlog, backlog
from bot.store.inbox import Inbox, forget_old
from bot.store.lanes import Lanes
from bot.store.outbox import Bubble, Outbox
from bot.telegram import wording
from bot.telegram.called import CalledHere
from bot.telegram.client import TelegramClient
from bot.telegram.clock import check_against_telegram
from bot.telegram.intake import Intake
from bot.telegram.orders import PERSONA
from bot.telegram.persona import Orders
from bot.telegram.sending import Sender
from bot.telegram.split import split_for_telegram
from bot.telegram.updates import KINDS
from bot.telegram.values import Me
from bot.telegram.webhook import Webhook, address_of
from bot.traced import finishing
from bot.tracing import Recording, current_traceparent, level, levels_every, span
from bot.turn import read_message

log = logging.getLogger(__name__)

LONGEST_PAUSE = 30.0
"""Seconds between two tries to reach a Telegram that is away at the start."""
CLEAN_UP = 3600.0
"""Seconds between two looks at what is old enough to be let go of, and at the clock."""
HEARTBEAT = 10.0
"""Seconds between two signs of life."""
DRAIN, GRACE = 12.0, 10.0
"""Seconds that turns get to end when told to stop, and behind them what is being sent; both and the traces' five are
less than what a container is commonly given."""


class LaneTurnStore:
    """The store of one turn in a held lane: what the turn says goes into the outbox. Implements `ports.Store`."""

    def __init__(self, inner: Store, *, lanes: Lanes, held: Held) -> None:
        self._inner = inner
        self._lanes = lanes
        self._held = held

    async def view(
        self, lane: Lane, *, limit: int, now: datetime, persona: str | None = None, lore_of: LoreOf | None = None
    ) -> View:
        return await self._inner.view(lane, limit=limit, now=now, persona=persona, lore_of=lore_of)

    async def statistics(self, search: Search) -> Statistics:
        return await self._inner.statistics(search)

    async def pool(self, search: Search, statistics: Statistics, words: Words) -> Pool:
        return await self._inner.pool(search, statistics, words)

    async def before(self, lane: Lane, *, message_id: MessageId, limit: int) -> list[Message]:
        return await self._inner.before(lane, message_id=message_id, limit=limit)

    async def finish_turn(self, record: TurnRecord) -> list[MessageId]:
        """Raises `Superseded`, and keeps nothing, when the lane has to begin anew or is not ours any more."""
        parts = tuple(
            replace(said, text=part, emotion=None if n else said.emotion)
            for said in record.said
            for n, part in enumerate(split_for_telegram(said.text))
        )
        turn = current_traceparent()  # what is sent is part of the turn, not of this statement
        with finishing(record) as here:
            kept = await self._lanes.finish(self._held, replace(record, said=parts), traceparent=turn)
            here.note({names.DB_RESPONSE_RETURNED_ROWS: int(kept)})
        if not kept:
            raise Superseded
        return []


class WatchedInbox(Inbox):
    """The inbox, telling this process what is new, so that it need not wait until it looks by itself."""

    def __init__(
        self,
        store: PostgresStore,
        *,
        lane_due: asyncio.Event,
        ordered: asyncio.Event,
        to_embed: asyncio.Event,
        hurried: bool,
    ) -> None:
        super().__init__(store.database, hurried=hurried)
        self._lane_due, self._ordered, self._to_embed = lane_due, ordered, to_embed

    async def take_message(
        self, bot_id: int, update_id: int, *, chat_id: ChatId, source: str, message: NewMessage, wake: Wake | None
    ) -> bool:
        with _receiving(update_id, chat_id, source, message):  # the message keeps where it was received
            new = await super().take_message(
                bot_id, update_id, chat_id=chat_id, source=source, message=message, wake=wake
            )
        if new:
            self._to_embed.set()
            if wake is not None:
                self._lane_due.set()
        return new

    async def take_command(
        self, bot_id: int, update_id: int, *, chat_id: ChatId, source: str, message: NewMessage, **command: Any
    ) -> bool:
        with _receiving(update_id, chat_id, source, message):
            new = await super().take_command(
                bot_id, update_id, chat_id=chat_id, source=source, message=message, **command
            )
        if new:
            for event in (self._to_embed, self._ordered, self._lane_due):
                event.set()
        return new

    async def take_edit(self, bot_id: int, update_id: int, **edit: Any) -> bool:
        changed = await super().take_edit(bot_id, update_id, **edit)
        if changed:
            self._to_embed.set()
            self._lane_due.set()
        return changed


class WatchedOutbox(Outbox):
    """The outbox, telling this process that the bot's own words can be embedded."""

    def __init__(self, store: PostgresStore, *, to_embed: asyncio.Event) -> None:
        super().__init__(store.database)
        self._to_embed = to_embed

    async def sent(
        self, bubble: Bubble, *, sent_id: str, sent_at: datetime, pictured: bool = False
    ) -> MessageId | None:
        message_id = await super().sent(bubble, sent_id=sent_id, sent_at=sent_at, pictured=pictured)
        self._to_embed.set()
        return message_id


class Serving:
    """One process of the bot. Any number of them share a database; one polls, all of them answer."""

    def __init__(
        self,
        app: App,
        client: TelegramClient,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        drain: float = DRAIN,
        grace: float = GRACE,
    ) -> None:
        self._app = app
        self._clock = clock
        self._drain, self._grace = drain, grace
        self._client = client
        self._owner = uuid4()
        self._lanes = Lanes(app.store.database, bot_id=client.bot_id)
        self._lane_due, self._ordered = asyncio.Event(), asyncio.Event()
        self._to_send, self._to_embed = asyncio.Event(), asyncio.Event()

    async def run(self, stop: asyncio.Event, *, report: Callable[[str], None] = lambda line: None) -> None:
        """Until `stop`: then nothing more is taken, turns finish or are handed back, and what is typed is put back.

        Raises `TelegramUnauthorized` when the token is refused.
        """
        settings, store = self._app.settings, self._app.store
        me = await self._introduce(stop)
        if me is None:
            return
        report(f"{self._app.persona.name} is @{me.username} in Telegram; Ctrl-C stops")
        polls = settings.telegram_webhook_url is None
        inbox = WatchedInbox(
            store, lane_due=self._lane_due, ordered=self._ordered, to_embed=self._to_embed, hurried=polls
        )
        called = CalledHere(store.personas, default=lambda: self._app.persona.name)
        intake = Intake(
            client=self._client,
            inbox=inbox,
            chats=store.chats,
            me=me,
            aliases=called.at,
            clock=self._clock,
            attention=lambda came: heed(came.addressing, pace=settings.pace),
        )
        receive = intake.run
        if not polls:
            receive = Webhook(self._client, intake.take, address=address_of(settings), kinds=KINDS).run
        worker = LaneWorker(lanes=self._lanes, turn=self._turn, owner=self._owner, wake=self._lane_due)
        sender = Sender(
            self._client.bot,
            WatchedOutbox(store, to_embed=self._to_embed),
            inbox,
            owner=self._owner,
            pace=settings.pace,
            wake=self._to_send,
            grace=self._grace,
            picture_of=self._app.personas.picture,
        )

        def changed(source: str) -> None:
            called.forget(source)
            self._lane_due.set()  # the turns under way are looked at: as another persona they begin anew

        orders = Orders(
            self._client,
            store.commands,
            store.personas,
            self._app.personas,
            wake=self._ordered,
            said=self._to_send.set,
            changed=changed,
            clock=self._clock,
            zone_of=self._app.zone_at,
        )
        turns_over = asyncio.Event()

        async def turns() -> None:
            try:
                await worker.run(stop, drain=self._drain)
            finally:
                turns_over.set()  # what the last turns say still goes out, as far as it can

        async with self._app.background():
            chores = (
                *(self._hint(), self._clean_up(), self._watch_clock(), self._tell_levels(), self._beat()),
                self._show_menu(),
            )
            helpers = [asyncio.create_task(chore) for chore in chores]
            main = [
                asyncio.create_task(receive(stop), name="intake"),
                asyncio.create_task(turns(), name="turns"),
                asyncio.create_task(orders.run(stop), name="orders"),
                asyncio.create_task(sender.run(turns_over), name="sender"),
            ]
            try:
                await asyncio.wait(main, return_when=asyncio.FIRST_EXCEPTION)
            finally:
                stop.set()
                await asyncio.wait(main)
                for helper in helpers:
                    helper.cancel()
            for task in main:
                task.result()  # raises what ended it

    async def _introduce(self, stop: asyncio.Event) -> Me | None:
        """Who we are in Telegram, asked until it answers; None when told to stop before."""
        pause = 1.0
        while not stop.is_set():
            try:
                return await self._client.me()
            except TelegramUnreachable as error:
                log.warning("Telegram does not answer yet: %s", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        return None

    async def _turn(self, held: Held) -> float | None:
        """One turn in a held lane; the seconds until it is due again, None when that is settled."""
        app = self._app
        persona = await app.personas.of(held.card)
        mind = replace(await app.current_mind(), store=LaneTurnStore(app.mind.store, lanes=self._lanes, held=held))
        now = self._clock()
        with span("process telegram", kind="consumer", attributes=_place(held), links=_links(held)):
            turn = await read_message(
                held.lane,
                mind=mind,
                persona=persona,
                zone=await app.zone_at(held.lane.chat_id),
                now=now,
                source=held.source,
                too_late=held.overdue > FRESH,
            )
        if turn.said:
            self._to_send.set()
        if turn.outcome is Outcome.RESTING and turn.rests_until is not None:
            return max(0.0, (turn.rests_until - now).total_seconds())
        return None

    async def _hint(self) -> None:
        """Say that there is something to embed, at most once a second."""
        while True:
            await self._to_embed.wait()
            self._to_embed.clear()
            try:
                await self._app.store.hint(EMBED)
            except StoreError as error:
                log.warning("a hint was lost: %s", error)
            await asyncio.sleep(1)

    async def _clean_up(self) -> None:
        """Let go of what is old."""
        while True:
            try:
                await forget_old(self._app.store.database)
            except BotError as error:
                log.warning("nothing could be cleaned up: %s", error)
            await asyncio.sleep(CLEAN_UP)

    async def _tell_levels(self) -> None:
        """Tell how much waits, as often as metrics are exported."""
        if (every := levels_every()) is None:
            return
        limit = self._app.settings.spending_limit_a_day
        level(names.METRIC_SPENDING_LIMIT, {} if limit is None else {"": limit})
        while True:
            try:
                found = await backlog(self._app.store.database, self._app.embedding.model)
            except StoreError as error:  # what is not known is not told, rather than what was
                log.debug("how much waits is not known: %s", error)
                found = Backlog(waiting={}, age={})
            level(names.METRIC_BACKLOG, found.waiting)
            level(names.METRIC_BACKLOG_AGE, found.age)
            await asyncio.sleep(every)

    async def _show_menu(self) -> None:
        """Let people see what they can tell the bot to do."""
        with suppress(TelegramError):  # it is worth no more than that
            await self._client.offer({PERSONA: wording.MENU})

    async def _beat(self) -> None:
        """Give a sign of life to whoever watches from outside."""
        while (file := self._app.settings.heartbeat_file) is not None:
            try:
                file.touch()
            except OSError as error:
                log.warning("no sign of life can be given: %s", error_line(error))
                return
            await asyncio.sleep(HEARTBEAT)

    async def _watch_clock(self) -> None:
        """Say so when the computer's clock is wrong: nothing else would tell why nobody is answered."""
        while True:
            if (time := self._client.time()) is not None:
                try:
                    check_against_telegram(self._clock() - time)
                except ClockWrong as error:
                    log.warning("%s", error)
            await asyncio.sleep(CLEAN_UP)


def _receiving(update_id: int, chat_id: ChatId, source: str, message: NewMessage) -> Recording:
    about = {
        names.TELEGRAM_CHAT_ID: _telegram_number(source),
        names.TELEGRAM_MESSAGE_ID: _telegram_number(message.external_id),
        names.TELEGRAM_UPDATE_ID: update_id,
        names.GEN_AI_CONVERSATION_ID: str(chat_id),
    }
    return span("receive telegram", kind="consumer", attributes=about)


def _place(held: Held) -> dict[str, object]:
    return {
        names.TELEGRAM_CHAT_ID: _telegram_number(held.source),
        names.TELEGRAM_MESSAGE_ID: _telegram_number(held.unread[-1].external_id) if held.unread else None,
        names.COMPANION_LANE_GENERATION: held.generation,
    }


def _links(held: Held) -> Iterator[tuple[str, Mapping[str, object]]]:
    """To where each message that the turn reads was received."""
    for received in held.unread:
        yield received.traceparent, {names.TELEGRAM_MESSAGE_ID: _telegram_number(received.external_id)}


def _telegram_number(address: str) -> int | str:
    """The last part of an address as the number it is."""
    last = address.rpartition(":")[2]
    return int(last) if last.removeprefix("-").isdecimal() else last
