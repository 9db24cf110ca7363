"""Carries out `/persona`, and greets whoever starts a private chat.

An order is taken with its message (T1) and ended in the transaction that keeps what it changes and puts the answer into
the outbox (T2): whoever dies in between has changed nothing, and another begins it anew once the lease runs out. Orders
of one chat go one after the other; those of different chats beside each other, so that a slow file holds up nobody.

In groups only admins give orders. Who is one, Telegram is asked each time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import uuid4
from zoneinfo import ZoneInfo

from bot import telemetry_names as names
from bot.actions.text import is_blank
from bot.cards import Card
from bot.cards.card import LARGEST_FILE
from bot.cards.greetings import first_greeting, greeting_text, greetings
from bot.disclosure import error_line
from bot.errors import CardError, StoreError, TelegramRefused, TelegramUnauthorized, TelegramUnreachable
from bot.model import ChatId
from bot.personas import Personas, picture_of
from bot.prompts.lines import clean_name
from bot.store.commands import Answer, Command, Commands, Given
from bot.store.personas import ChatPersona, ChatPersonas
from bot.telegram import wording
from bot.telegram.client import TelegramClient
from bot.telegram.orders import START
from bot.telegram.split import LIMIT, split_for_telegram
from bot.telegram.values import Order
from bot.telegram.waiting import cancelled, first_of
from bot.tracing import current_trace_id, current_traceparent, span

LEASE: Final = 150.0
"""Seconds after which an order that was begun is taken for one that somebody died over."""
DEADLINE: Final = 120.0
"""Seconds that carrying one out may take."""
AT_ONCE: Final = 4
MOST_ATTEMPTS: Final = 5
LONGEST_GREETING: Final = 3 * LIMIT
"""UTF-16 units: three messages."""
_IDLE: Final = 1.0
_ADMINS: Final = frozenset({"creator", "administrator"})

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What an order comes to."""

    said: tuple[str, ...] = ()
    as_persona: str
    given: Given | None = None
    picture: str | None = None
    replies: bool = True


class Orders:
    """Carries out the orders that one bot was given. `wake` is set when there may be one."""

    def __init__(
        self,
        client: TelegramClient,
        commands: Commands,
        chats: ChatPersonas,
        personas: Personas,
        *,
        wake: asyncio.Event,
        said: Callable[[], None],
        changed: Callable[[str], None],
        clock: Callable[[], datetime],
        zone_of: Callable[[ChatId], Awaitable[ZoneInfo]],
    ) -> None:
        """`said` is called when something is in the outbox, `changed` when the chat at an address may be another.

        `zone_of` gives a chat's time zone.
        """
        self._client, self._commands, self._chats, self._personas = client, commands, chats, personas
        self._wake, self._said, self._changed = wake, said, changed
        self._clock, self._zone_of = clock, zone_of
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, stop: asyncio.Event) -> None:
        """Until told to stop; what is under way then is handed back."""
        try:
            while not stop.is_set():
                self._wake.clear()
                if len(self._tasks) >= AT_ONCE or not await self._begin_one():
                    await first_of(self._wake, stop, within=await self._rest())
        finally:
            await cancelled(self._tasks)

    async def _begin_one(self) -> bool:
        try:
            command = await self._commands.next(self._client.bot_id, lease=LEASE)
        except StoreError as error:
            _log.warning("no command could be claimed: %s", error_line(error))
            return False
        if command is None:
            return False
        task = asyncio.create_task(self._carry_out(command), name=f"command in chat {command.chat_id}")
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return True

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._wake.set()

    async def _rest(self) -> float:
        """Seconds until it pays to look again."""
        try:
            due = await self._commands.due_in(self._client.bot_id) if len(self._tasks) < AT_ONCE else None
        except StoreError:
            due = None
        return _IDLE if due is None else min(max(due, 0.05), _IDLE)

    async def _carry_out(self, command: Command) -> None:
        about = {names.TELEGRAM_CHAT_ID: _telegram_chat(command.source), names.TELEGRAM_UPDATE_ID: command.update_id}
        try:
            with span("process telegram", kind="consumer", attributes=about):
                await self._try(command)
        except asyncio.CancelledError:
            await self._later(command, seconds=0.0, counts=False)
            raise
        except StoreError as error:
            _log.warning("a command is tried again later: %s", error_line(error))
            await self._later(command, seconds=2.0**command.attempts)
        except Exception:  # noqa: BLE001 - whatever it was, the chat is told in the end
            _log.exception("a command in chat %d failed", command.chat_id)
            await self._later(command, seconds=2.0**command.attempts)

    async def _try(self, command: Command) -> None:
        """Carry an order out and keep what it comes to; or put it off, while Telegram is away."""
        order, now = Order.from_record(command.asked), self._clock()
        kept = await self._chats.of(command.chat_id)
        persona = await self._personas.of(kept.card if kept else None)
        try:
            if command.attempts > MOST_ATTEMPTS:
                done = Done(said=(wording.FAILED,), as_persona=persona.name)
            else:
                async with asyncio.timeout(DEADLINE):
                    done = await self._result(order, command, kept, persona.name)
        except (TelegramUnreachable, TimeoutError) as error:
            _log.warning("a command is tried again later: %s", error_line(error))
            asked = error.retry_after if isinstance(error, TelegramUnreachable) else None
            await self._later(command, seconds=max(asked or 0.0, 2.0**command.attempts))
            return
        except TelegramUnauthorized:  # the intake says so, and ends the program
            await self._later(command, seconds=5.0, counts=False)
            return
        bubbles = [part for text in done.said for part in split_for_telegram(text)]
        answer = Answer(
            texts=bubbles,
            persona=done.as_persona,
            turn_id=uuid4(),
            trace_id=current_trace_id(),
            now=now,
            traceparent=current_traceparent(),
            replies=done.replies and order.in_group,
            picture=done.picture,
        )
        if not await self._commands.end(command, answer=answer if bubbles else None, given=done.given):
            return
        if done.given is not None:
            self._changed(command.source)
        if bubbles:
            self._said()

    async def _later(self, command: Command, *, seconds: float, counts: bool = True) -> None:
        try:
            await self._commands.later(command, seconds=seconds, counts=counts)
        except StoreError as error:
            _log.warning("a command is begun anew when its lease runs out: %s", error_line(error))

    async def _result(self, order: Order, command: Command, kept: ChatPersona | None, persona: str) -> Done:
        if order.command == START:
            return await self._start(order, command, kept, persona)
        refused = await self._refusal(order, command)
        if refused is not None:
            return Done(said=(refused,), as_persona=persona)
        match order.argument.split():
            case [] if order.file_id is not None:
                return await self._load(order, command, kept, persona)
            case [] if order.is_photo:
                return Done(said=(wording.PHOTO,), as_persona=persona)
            case []:
                return await self._show(order, kept, persona)
            case ["reset" | "default"]:
                return await self._reset(order, command, kept, persona)
            case ["greeting", *which]:
                return await self._greet(order, command, kept, persona, which)
            case _:
                return Done(said=(wording.USAGE,), as_persona=persona)

    async def _refusal(self, order: Order, command: Command) -> str | None:
        """Why whoever gave the order may not; None if they may."""
        if not order.in_group or order.as_group:
            return None
        if order.user_id is None:
            return wording.NOT_ADMIN
        try:
            status = await self._client.member_status(_telegram_chat(command.source), order.user_id)
        except TelegramRefused:
            return wording.UNKNOWN_ADMIN
        return None if status in _ADMINS else wording.NOT_ADMIN

    async def _load(self, order: Order, command: Command, kept: ChatPersona | None, persona: str) -> Done:
        """Another card for the chat."""
        assert order.file_id is not None  # noqa: S101 - as matched
        try:
            if (order.file_size or 0) > LARGEST_FILE:
                return Done(said=(wording.TOO_LARGE,), as_persona=persona)
            card = await self._personas.read(await self._client.file(order.file_id, most=LARGEST_FILE))
        except TelegramRefused as refused:
            return Done(said=(wording.TOO_LARGE if refused.too_large else wording.NO_FILE,), as_persona=persona)
        except CardError as error:
            return Done(said=(wording.sentence(str(error)),), as_persona=persona)
        if kept is not None and kept.card == card.sha256:
            return Done(said=(wording.already(card.shown_name),), as_persona=card.shown_name)
        return await self._arrives(card, order, command, file=card.file)

    async def _reset(self, order: Order, command: Command, kept: ChatPersona | None, persona: str) -> Done:
        if kept is None or kept.card is None:
            return Done(said=(wording.already(persona),), as_persona=persona)
        card = await self._personas.card(None)
        return await self._arrives(card, order, command, file=None)

    async def _greet(
        self, order: Order, command: Command, kept: ChatPersona | None, persona: str, which: list[str]
    ) -> Done:
        """Begin with another greeting."""
        card = await self._personas.card(kept.card if kept else None)
        texts = greetings(card, in_group=order.in_group)
        number = which[0] if len(which) == 1 and which[0].isascii() and which[0].isdecimal() else ""
        chosen = int(number) if number and len(number) < 10 else len(texts)
        if chosen >= len(texts) or not texts[chosen].strip():
            return Done(said=(wording.which_greeting(persona, texts),), as_persona=persona)
        given = Given(
            persona=persona,
            card=kept.card if kept else None,
            greeting=chosen,
            by=order.sender_id,
            is_another=False,
        )
        said = await self._greeting(card, chosen, order, command) or (wording.i_am(persona),)
        return Done(said=said, as_persona=persona, given=given, replies=False)

    async def _show(self, order: Order, kept: ChatPersona | None, persona: str) -> Done:
        """Who it is, what the card's maker tells people, and how to change it."""
        card = await self._personas.card(kept.card if kept else None)
        default = self._personas.default.name if kept and kept.card else None
        told = wording.about(card, language=order.language, default=default, in_group=order.in_group)
        picture = await asyncio.to_thread(picture_of, card)
        return Done(said=(told,), as_persona=persona, picture=card.sha256 if picture else None)

    async def _start(self, order: Order, command: Command, kept: ChatPersona | None, persona: str) -> Done:
        """The bot speaks first."""
        card = await self._personas.card(kept.card if kept else None)
        chosen = first_greeting(card, in_group=False)
        greeting = await self._greeting(card, chosen, order, command)
        given = Given(
            persona=persona, card=kept.card if kept else None, greeting=chosen, by=order.sender_id, is_another=False
        )
        said = greeting or (wording.i_am(persona),)
        return Done(said=said, as_persona=persona, given=given, replies=False)

    async def _arrives(self, card: Card, order: Order, command: Command, *, file: bytes | None) -> Done:
        """A persona comes into a chat, and greets."""
        persona, chosen = card.shown_name, first_greeting(card, in_group=order.in_group)
        greeting = await self._greeting(card, chosen, order, command)
        given = Given(
            persona=persona,
            card=None if file is None else card.sha256,
            file=file,
            greeting=chosen,
            by=order.sender_id,
            is_another=True,
        )
        return Done(said=(wording.now_i_am(persona), *greeting), as_persona=persona, given=given)

    async def _greeting(self, card: Card, number: int | None, order: Order, command: Command) -> tuple[str, ...]:
        """A greeting as it is said; nothing when there is none, or nothing of it can be seen."""
        if number is None:
            return ()
        now = self._clock().astimezone(await self._zone_of(command.chat_id))
        return await asyncio.to_thread(_greeting, card, number, order, command, now=now)


def _greeting(card: Card, number: int, order: Order, command: Command, *, now: datetime) -> tuple[str, ...]:
    """What is too long for three messages is cut."""
    text = greetings(card, in_group=order.in_group)[number][:LONGEST_GREETING]
    seed = f"{command.chat_id} {command.update_id}"
    told = greeting_text(card, text, user=clean_name(order.person), seed=seed, now=now)
    return tuple(part for part in split_for_telegram(told)[:3] if not is_blank(part))


def _telegram_chat(source: str) -> int:
    return int(source.rpartition(":")[2])
