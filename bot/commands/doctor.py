"""`companion doctor`: everything the bot needs, each with its cure."""

from __future__ import annotations

import argparse
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta

from bot import cards
from bot.app import chat_model, database
from bot.commands.checks import Check, failed, look_at
from bot.commands.common import print_json, report, shown
from bot.embedding import Embeddings, check_length
from bot.errors import BotError, ClockWrong, DimensionMismatch, SchemaOutdated
from bot.llm.discover import local_model_server
from bot.model import Prompt, Recalled, Standing, View
from bot.settings import Settings
from bot.store import open_store
from bot.store.database import connect
from bot.store.inbox import Inbox
from bot.store.migrate import pending
from bot.store.vectors import find_extension
from bot.telegram.clock import check_against_database, check_against_telegram


@dataclass(slots=True)
class _Kept:
    """What the database says that other checks go by."""

    standings: list[Standing] = field(default_factory=list[Standing])
    """The embedding models used so far."""
    waiting: dict[int, int] = field(default_factory=dict[int, int])
    """How many messages wait for a vector of each, by its number."""
    polled: frozenset[int] | None = None
    """The bots for which a process of ours polls now; None: it could not be asked."""
    ahead: timedelta | None = None
    """By how much this computer's clock is ahead of the server's."""


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Look at everything the bot needs and say what is missing, and its cure; changes nothing."""
    card = await look_at("character card", lambda: _card(settings), cure="correct or unset CHARACTER_CARD")
    about_database, kept = await _database(settings)
    embedding = await look_at(
        "embedding model",
        lambda: _embedding(settings, kept),
        cure="correct the EMBEDDING_ settings; without EMBEDDING_API_BASE_URL the bundled model is used",
    )
    chat = await _chat(settings)
    about_telegram, ahead_of_telegram = await _telegram(settings, kept)
    clock = _clock(kept.ahead, ahead_of_telegram)
    checks = [card, *about_database, embedding, chat, *about_telegram, *clock]
    if args.json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            print(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {shown(check.detail)}")
            if check.cure:
                print(f"      {shown(check.cure)}")
    return 0 if all(check.ok for check in checks) else 1


async def _card(settings: Settings) -> str:
    persona = cards.CardFile(settings.character_card).persona()
    return f"{persona.name} ({settings.character_card or 'the default card'})"


async def _database(settings: Settings) -> tuple[list[Check], _Kept]:
    """The server, its extension, the schema, and what is kept; each needs the one before it."""
    checks: list[Check] = []
    kept = _Kept()
    async with AsyncExitStack() as stack:
        try:
            dsn = await stack.enter_async_context(database(settings, report=report))
            connection = await connect(dsn)
        except BotError as error:
            return [failed("database", error, cure="see what PostgreSQL logs")], kept
        stack.push_async_callback(connection.close)
        kind = "embedded" if settings.database_url is None else "DATABASE_URL"
        shown = await connection.fetchval("SHOW server_version")
        checks.append(Check(name="database", ok=True, detail=f"PostgreSQL {shown} ({kind})"))
        kept.ahead = datetime.now(UTC) - await connection.fetchval("SELECT clock_timestamp()")

        async def extension() -> str:
            found = await find_extension(connection)
            return found.title

        async def schema() -> str:
            if missing := await pending(connection):
                raise SchemaOutdated(missing=missing)
            return "up to date"

        async def memory() -> str:
            return await _memory(dsn, kept)

        for name, look in (("vector extension", extension), ("schema", schema), ("memory", memory)):
            checks.append(await look_at(name, look))
            if not checks[-1].ok:
                break
    return checks, kept


async def _telegram(settings: Settings, kept: _Kept) -> tuple[list[Check], timedelta | None]:
    """Nothing without a token; and by how much this computer's clock is ahead of Telegram's."""
    if settings.telegram_bot_token is None:
        return [], None
    from bot.commands.doctor_telegram import look_at_telegram  # a second to import

    return await look_at_telegram(settings, settings.telegram_bot_token, polled=kept.polled)


def _clock(ahead_of_database: timedelta | None, ahead_of_telegram: timedelta | None) -> list[Check]:
    """Whether this computer's clock agrees with those that could be asked; nothing when none could."""
    told: list[str] = []
    try:
        if ahead_of_database is not None:
            check_against_database(ahead_of_database)
            told.append(f"{_seconds(ahead_of_database)} off the database's")
        if ahead_of_telegram is not None:
            check_against_telegram(ahead_of_telegram)
            told.append(f"{_seconds(ahead_of_telegram)} off Telegram's")
    except ClockWrong as error:
        return [failed("clock", error, cure="")]
    return [Check(name="clock", ok=True, detail=", ".join(told))] if told else []


def _seconds(ahead: timedelta) -> str:
    return f"{abs(ahead).total_seconds():.0f} s"


async def _memory(dsn: str, kept: _Kept) -> str:
    """How much is remembered, and what waits for its vector. Fills `kept`."""
    async with open_store(dsn, may_migrate=False, report=report) as store:
        told = [f"{len(await store.chats.all())} chats, {await store.messages.count():,} messages"]
        kept.polled = await Inbox(store.database).polled()
        kept.standings += await store.embeddings.standings()
        for standing in kept.standings:
            model = standing.model
            embedded, refused = await store.embeddings.counts(model)
            waiting = kept.waiting[model.model_id] = await store.embeddings.pending(model)
            told.append(
                f"{model.name} ({model.dimension}, {standing.state}): {embedded:,} embedded, {waiting:,} waiting, "
                f"{refused:,} refused"
            )
        if given := await store.personas.given():
            told.append(f"chats with a character card of their own: {given}")
        return "; ".join(told)


async def _embedding(settings: Settings, kept: _Kept) -> str:
    """One text through the embedding model in use, or else the one that the settings name, and what it has to do."""
    embeddings = Embeddings(settings)
    used = next((each.model for each in kept.standings if each.state == "in use"), None)
    if used is not None:
        await embeddings.of(used).try_out()
        waiting = kept.waiting[used.model_id]
        return f"{used.name} is in use, {used.dimension:,} numbers; {waiting:,} messages wait for a vector"
    raw = embeddings.raw
    [vector] = await raw.embed(["hello"], purpose="query")
    check_length(len(vector), model=raw.name)
    known = [each.model.dimension for each in kept.standings if each.model.name == raw.name][-1:]
    if settings.embedding_dimension is None and known and len(vector) not in known:
        raise DimensionMismatch(model=raw.name, got=len(vector), want=known[0])
    return f"{raw.name} will be used, {len(vector):,} numbers"


async def _chat(settings: Settings) -> Check:
    """A few tokens from the chat model. None being set is no fault, but worth a word."""
    name = "chat model"
    try:
        model, real = chat_model(settings)
        if not real:
            found = await local_model_server()
            cure = (
                f"one runs here: set LLM_API_BASE_URL={found.base_url} and LLM_MODEL={found.model}"
                if found
                else "set LLM_API_BASE_URL, LLM_API_KEY and LLM_MODEL for real answers"
            )
            return Check(name=name, ok=True, detail="none is set: the offline responder answers", cure=cure)
        await model.complete(_question(settings))
    except BotError as error:
        return failed(
            name, error, cure="correct the LLM_ settings; without LLM_API_BASE_URL the offline responder answers"
        )
    return Check(name=name, ok=True, detail=f"{settings.llm_model} answers")


def _question(settings: Settings) -> Prompt:
    return Prompt(
        system="Answer with one word.",
        user=f"It is {datetime.now(UTC):%H:%M}. Are you there?",
        tokens={"all": 16},
        dropped={},
        template="doctor",
        view=View(recent=(), unread=(), notes=(), rests_until=None),
        recalled=Recalled(),
        zone=settings.timezone,
        max_reply_tokens=64,
    )
