"""Gives every message its place among words and sessions, where it did not get it when it was kept.

That is so for what was kept before there were any, and for sessions when older messages come in between.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Protocol

from bot.errors import StoreError
from bot.model import ChatId
from bot.tracing import step

_UNTIL_MENDED = timedelta(minutes=10)

log = logging.getLogger(__name__)


class IndexStore(Protocol):
    """The part of the database that indexing uses."""

    async def index_some(self) -> int: ...
    async def unsorted(self) -> list[ChatId]: ...
    async def sort_some(self, chat_id: ChatId) -> bool: ...


async def index_pending(store: IndexStore) -> None:
    """Index all that is not, and bring all sessions in order. Costs two looks when there is nothing to do."""
    while await store.index_some():
        pass
    for chat_id in await store.unsorted():
        await sort_sessions(chat_id, store=store)


@step
async def sort_sessions(chat_id: ChatId, *, store: IndexStore) -> None:
    """Bring a chat's sessions in order, part by part."""
    while await store.sort_some(chat_id):
        pass


def index_job(store: IndexStore) -> Callable[[], Awaitable[timedelta | None]]:
    """The background job; when the database does not let it, it asks to be called again later."""

    async def run() -> timedelta | None:
        try:
            await index_pending(store)
        except StoreError as error:
            log.warning("messages wait for their place among words and sessions: %s", error)
            return _UNTIL_MENDED
        return None

    return run


def in_turn(*jobs: Callable[[], Awaitable[timedelta | None]]) -> Callable[[], Awaitable[timedelta | None]]:
    """Several jobs as one, for which one hint does. It asks to be called again as soon as one of them does."""

    async def run() -> timedelta | None:
        pauses = [await job() for job in jobs]
        return min((pause for pause in pauses if pause is not None), default=None)

    return run
