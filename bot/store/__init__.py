"""PostgreSQL: the only truth. `open_store` gives the families of tables; `Store` is what a turn sees of them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

from bot.errors import QueryFailed
from bot.model import Lane, LoreOf, Message, MessageId, Pool, Search, Statistics, TurnRecord, View, Words
from bot.store import jobs
from bot.store.chats import Chats
from bot.store.commands import Commands
from bot.store.database import FAILURES, Database, open_database
from bot.store.embeddings import Embeddings
from bot.store.messages import Messages
from bot.store.personas import ChatPersonas
from bot.store.recall import PooledRecall
from bot.store.turns import Turns
from bot.store.words import WordIndex


class PostgresStore:
    """All families on one pool; implements `ports.Store`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.chats = Chats(database)
        self.messages = Messages(database)
        self.embeddings = Embeddings(database)
        self.recall = PooledRecall(database)
        self.turns = Turns(database)
        self.words = WordIndex(database)
        self.personas = ChatPersonas(database)
        self.commands = Commands(database)

    async def view(
        self, lane: Lane, *, limit: int, now: datetime, persona: str | None = None, lore_of: LoreOf | None = None
    ) -> View:
        return await self.messages.view(lane, limit=limit, now=now, persona=persona, lore_of=lore_of)

    async def statistics(self, search: Search) -> Statistics:
        return await self.recall.statistics(search)

    async def pool(self, search: Search, statistics: Statistics, words: Words) -> Pool:
        return await self.recall.pool(search, statistics, words)

    async def before(self, lane: Lane, *, message_id: MessageId, limit: int) -> list[Message]:
        return await self.messages.before(lane, message_id=message_id, limit=limit)

    async def finish_turn(self, record: TurnRecord) -> list[MessageId]:
        return await self.turns.finish(record)

    async def hint(self, job: str, *, alone: bool = False) -> None:
        """Say that there is something to do for a background job; `alone`: one that is run once at a time."""
        try:
            await jobs.hint(self.database.pool, job, alone=alone)
        except FAILURES as error:
            raise QueryFailed("hint", error) from error


@asynccontextmanager
async def open_store(dsn: str, *, may_migrate: bool, report: Callable[[str], None]) -> AsyncGenerator[PostgresStore]:
    """The store on a database; see `open_database`."""
    async with open_database(dsn, may_migrate=may_migrate, report=report) as database:
        yield PostgresStore(database)
