"""Everything that comes from Telegram, taken once each and in order.

An update is in the database before Telegram is told that we have it; the row of each one taken is what keeps it
from being taken twice. What cannot be read, or cannot be stored, is put aside, and the rest goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from aiogram import Dispatcher
from aiogram.dispatcher.event.bases import UNHANDLED

from bot.attention import Wake
from bot.errors import QueryFailed, StoreError
from bot.history.telegram_message import export_address
from bot.model import ChatId
from bot.store.chats import Export
from bot.telegram.client import TelegramClient
from bot.telegram.keeping import Chats, Inbox, KnownChats
from bot.telegram.orders import START
from bot.telegram.polling import Poller, Waits
from bot.telegram.updates import KINDS, group_of, read_update
from bot.telegram.values import Arrived, Came, Edited, Ignored, Me, Membership, Migrated, Place, Quarantined, source_of

log = logging.getLogger(__name__)

_DATA = ("22", "23", "54")
"""Classes of SQLSTATE that blame what was to be stored: bad data, a constraint, more than the server can hold."""


class Intake:
    """Takes the updates of one bot."""

    def __init__(
        self,
        *,
        client: TelegramClient,
        inbox: Inbox,
        chats: Chats,
        me: Me,
        aliases: Callable[[str], Awaitable[Sequence[str]]],
        attention: Callable[[Came], Wake | None],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        waits: Waits | None = None,
    ) -> None:
        """`aliases`: the names that the bot answers to in the group at an address."""
        self._client, self._inbox, self._me = client, inbox, me
        self._chats = KnownChats(chats)
        self._aliases = aliases
        self._attention, self._clock = attention, clock
        self._waits = waits or Waits()
        self.ignored: Counter[str] = Counter()
        """Updates with nothing for us, by reason."""
        self.quarantined: Counter[str] = Counter()
        """Updates that could not be read or stored, by reason."""
        self._dispatcher = Dispatcher(disable_fsm=True)  # its states would be kept for every chat there ever was
        self._dispatcher.message.register(self._on_message)
        self._dispatcher.edited_message.register(self._on_edit)
        self._dispatcher.my_chat_member.register(self._on_membership)

    @property
    def chats_at_hand(self) -> int:
        """How many chats are kept in memory."""
        return len(self._chats)

    async def run(self, stop: asyncio.Event) -> None:
        """Poll until told to stop, whenever no other process does; raise `TelegramUnauthorized` for a bad token."""
        await Poller(self._client, self._inbox, self.take, kinds=KINDS, waits=self._waits).run(stop)

    async def take(self, raw: object) -> None:
        """Take one update, as it came. Raises `StoreError` when the database is at fault: nothing was taken then."""
        group = group_of(raw)
        aliases = () if group is None else await self._aliases(self._source(group))
        arrived = read_update(raw, self._me, aliases=aliases, now=self._clock(), bot=self._client.bot)
        try:
            await self._feed(arrived, raw)
        except StoreError as error:
            if not _blames_data(error):
                raise
            log.warning("update %s cannot be stored and is put aside: %s", arrived.number, error)
            await self._put_aside(arrived.number, raw, "cannot be stored")
        except Exception as error:
            log.exception("update %s was not understood and is put aside", arrived.number)
            await self._put_aside(arrived.number, raw, f"handler: {type(error).__name__}")

    async def _feed(self, arrived: Arrived, raw: object) -> None:
        match arrived.what:
            case Quarantined(reason):
                await self._put_aside(arrived.number, raw, reason)
            case Ignored(reason):
                await self._ignore(arrived, reason)
            case _ if arrived.update is not None:
                answer = await self._dispatcher.feed_update(self._client.bot, arrived.update, arrived=arrived)
                if answer is UNHANDLED:
                    await self._ignore(arrived, "unhandled")
            case _:
                await self._put_aside(arrived.number, raw, "unread")

    async def _on_message(self, _: Any, arrived: Arrived) -> None:
        match arrived.what:
            case Came() as came:
                await self._take_message(_number(arrived), came)
            case Migrated() as migrated:
                await self._move(_number(arrived), migrated)
            case _:
                return

    async def _take_message(self, number: int, came: Came) -> None:
        source = self._source(came.place.telegram_chat_id)
        chat_id, wake = await self._open(source, came.place), self._attention(came)
        if came.order is None:
            await self._inbox.take_message(
                self._me.bot_id, number, chat_id=chat_id, source=source, message=came.message, wake=wake
            )
        else:
            await self._inbox.take_command(
                self._me.bot_id,
                number,
                chat_id=chat_id,
                source=source,
                message=came.message,
                asked=came.order.on_record(),
                opens=came.order.command == START,
                wake=wake,
            )

    async def _move(self, number: int, migrated: Migrated) -> None:
        """Let the chat have its new address too.

        Both of Telegram's messages say the same, so either may come first, or twice. A message that came to the new
        address before either of them has begun a chat of its own there; it keeps that address, and the two are not
        made one.
        """
        old, new = self._source(migrated.old), self._source(migrated.new)
        chat_id = await self._inbox.move(self._me.bot_id, number, old=old, new=new)
        self._chats.forget(old, new)
        there = await self._chats.at(new)
        if chat_id is not None and there != chat_id:
            log.warning("chat %s became a supergroup in which chat %s had begun; they stay two", chat_id, there)

    async def _on_edit(self, _: Any, arrived: Arrived) -> None:
        if not isinstance(edited := arrived.what, Edited):
            return
        source = self._source(edited.place.telegram_chat_id)
        await self._inbox.take_edit(
            self._me.bot_id,
            _number(arrived),
            chat_id=await self._open(source, edited.place),
            source=source,
            message=edited.message,
        )

    async def _open(self, source: str, place: Place) -> ChatId:
        return await self._chats.open(source, title=place.title, export=_export_of(place))

    async def _on_membership(self, _: Any, arrived: Arrived) -> None:
        if not isinstance(membership := arrived.what, Membership):
            return
        if await self._inbox.take(self._me.bot_id, _number(arrived), state="done"):
            log.info("the bot is now %s in chat %s", membership.status, membership.place.telegram_chat_id)

    async def _ignore(self, arrived: Arrived, reason: str) -> None:
        if await self._inbox.take(self._me.bot_id, _number(arrived), state="ignored", problem=reason):
            self.ignored[reason] += 1

    async def _put_aside(self, number: int | None, raw: object, reason: str) -> None:
        """Keep an update as it is for a week; without what it holds, if even that cannot be stored."""
        if number is None:
            self.quarantined[reason] += 1
            log.warning("something came from Telegram that is no update: %s", reason)
            return
        kept = cast("Mapping[str, object]", raw) if isinstance(raw, Mapping) else None
        try:
            new = await self._inbox.take(self._me.bot_id, number, state="quarantined", raw=kept, problem=reason)
        except (StoreError, RecursionError) as error:
            if isinstance(error, StoreError) and not _blames_data(error):
                raise
            new = await self._inbox.take(self._me.bot_id, number, state="quarantined", problem=reason)
        if new:
            self.quarantined[reason] += 1
            log.warning("update %s is put aside: %s", number, reason)

    def _source(self, telegram_chat_id: int) -> str:
        return source_of(self._me.bot_id, telegram_chat_id)


def _number(arrived: Arrived) -> int:
    assert arrived.number is not None  # noqa: S101 - only an update with a number is ever fed
    return arrived.number


def _export_of(place: Place) -> Export | None:
    """What may have been imported of a place; only in supergroups do all see a message under the same id."""
    address = export_address(place.telegram_chat_id)
    return None if address is None else Export(address, place.type == "supergroup")


def _blames_data(error: StoreError) -> bool:
    """Whether it would fail again however often it is tried, since the data is at fault and not the database."""
    if not isinstance(error, QueryFailed):
        return False
    if error.sqlstate is None:  # refused before it was sent, or never sent
        return isinstance(error.__cause__, ValueError)
    return error.sqlstate.startswith(_DATA)
