"""What the intake needs of the database; bot.store has it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Literal, Protocol
from uuid import UUID

from bot.attention import Wake
from bot.model import ChatId, NewMessage
from bot.store.chats import Export

_MOST = 4096
"""Chats whose numbers are kept at hand; more than are awake at once."""


class Inbox(Protocol):
    """Updates, each taken once and in one transaction, and who polls for them."""

    async def take_message(
        self, bot_id: int, update_id: int, *, chat_id: ChatId, source: str, message: NewMessage, wake: Wake | None
    ) -> bool: ...

    async def take_command(
        self,
        bot_id: int,
        update_id: int,
        *,
        chat_id: ChatId,
        source: str,
        message: NewMessage,
        asked: Mapping[str, object],
        opens: bool,
        wake: Wake | None,
    ) -> bool: ...

    async def take_edit(
        self, bot_id: int, update_id: int, *, chat_id: ChatId, source: str, message: NewMessage
    ) -> bool: ...

    async def take(
        self,
        bot_id: int,
        update_id: int,
        *,
        state: Literal["done", "ignored", "quarantined"],
        raw: Mapping[str, object] | None = None,
        problem: str | None = None,
    ) -> bool: ...

    async def move(self, bot_id: int, update_id: int | None, *, old: str, new: str) -> ChatId | None: ...

    async def lease_poller(self, bot_id: int, owner: UUID, *, seconds: float) -> bool: ...

    async def leave_poller(self, bot_id: int, owner: UUID) -> None: ...


class Chats(Protocol):
    """Chats by address. An address, once given, stays with its chat."""

    async def open(self, source: str, *, title: str, export: Export | None = None) -> ChatId: ...

    async def at(self, source: str) -> ChatId | None: ...


class KnownChats:
    """Chats by address, the ones used last at hand."""

    def __init__(self, chats: Chats, *, most: int = _MOST) -> None:
        self._chats = chats
        self._most = most
        self._known: OrderedDict[str, ChatId] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    async def open(self, source: str, *, title: str, export: Export | None = None) -> ChatId:
        """The chat there; when it is new, the one that its export was imported into, or a new one."""
        return self._at_hand(source) or self._keep(source, await self._chats.open(source, title=title, export=export))

    async def at(self, source: str) -> ChatId | None:
        """The chat there, if there is one."""
        chat_id = self._at_hand(source) or await self._chats.at(source)
        return None if chat_id is None else self._keep(source, chat_id)

    def forget(self, *sources: str) -> None:
        """Ask again for these."""
        for source in sources:
            self._known.pop(source, None)

    def _at_hand(self, source: str) -> ChatId | None:
        if source in self._known:
            self._known.move_to_end(source)
        return self._known.get(source)

    def _keep(self, source: str, chat_id: ChatId) -> ChatId:
        self._known[source] = chat_id
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return chat_id
