"""`companion doctor`: everything the bot needs, each with its cure."""

from __future__ import annotations

import argparse
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from bot import cards
from bot.app import chat_model, check_length, database, embedder
from bot.commands.common import print_json, report, shown
from bot.errors import BotError, DimensionMismatch, SchemaOutdated
from bot.llm.discover import local_model_server
from bot.model import EmbeddingModel, Prompt, Recalled, View
from bot.settings import Settings
from bot.store import open_store
from bot.store.database import connect
from bot.store.migrate import pending
from bot.store.vectors import find_extension


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at."""

    name: str
    ok: bool
    detail: str
    cure: str = ""


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Look at everything the bot needs and say what is missing, and its cure; changes nothing."""
    card = await _look("character card", lambda: _card(settings), cure="correct or unset CHARACTER_CARD")
    kept, models = await _database(settings)
    embedding = await _look(
        "embedding model",
        lambda: _embedding(settings, models),
        cure="correct the EMBEDDING_ settings; without EMBEDDING_API_BASE_URL the bundled model is used",
    )
    checks = [card, *kept, embedding, await _chat(settings)]
    if args.json:
        print_json({"checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            print(f"{'ok  ' if check.ok else 'FAIL'}  {check.name}: {shown(check.detail)}")
            if check.cure:
                print(f"      {shown(check.cure)}")
    return 0 if all(check.ok for check in checks) else 1


async def _look(name: str, look: Callable[[], Awaitable[str]], *, cure: str = "") -> Check:
    """What a look found, or what stands in its way, with this cure if the error itself has none."""
    try:
        return Check(name=name, ok=True, detail=await look())
    except BotError as error:
        return failed(name, error, cure=cure)


def failed(name: str, error: BotError, *, cure: str) -> Check:
    """Our errors read `what is wrong; what to do`."""
    detail, _, told = str(error).partition("; ")
    return Check(name=name, ok=False, detail=detail, cure=told or cure)


async def _card(settings: Settings) -> str:
    persona = cards.load(settings.character_card) if settings.character_card else cards.default()
    return f"{persona.name} ({settings.character_card or 'the default card'})"


async def _database(settings: Settings) -> tuple[list[Check], list[EmbeddingModel]]:
    """The server, its extension, the schema, and what is kept; each needs the one before it. The models there."""
    checks: list[Check] = []
    models: list[EmbeddingModel] = []
    async with AsyncExitStack() as stack:
        try:
            dsn = await stack.enter_async_context(database(settings, report=report))
            connection = await connect(dsn)
        except BotError as error:
            return [failed("database", error, cure="see what PostgreSQL logs")], models
        stack.push_async_callback(connection.close)
        kind = "embedded" if settings.database_url is None else "DATABASE_URL"
        shown = await connection.fetchval("SHOW server_version")
        checks.append(Check(name="database", ok=True, detail=f"PostgreSQL {shown} ({kind})"))

        async def extension() -> str:
            found = await find_extension(connection)
            return found.title

        async def schema() -> str:
            if missing := await pending(connection):
                raise SchemaOutdated(missing=missing)
            return "up to date"

        async def kept() -> str:
            return await _kept(dsn, models)

        for name, look in (("vector extension", extension), ("schema", schema), ("memory", kept)):
            checks.append(await _look(name, look))
            if not checks[-1].ok:
                break
    return checks, models


async def _kept(dsn: str, models: list[EmbeddingModel]) -> str:
    """How much is remembered, and what waits for its vector. Fills `models` with those in use so far."""
    async with open_store(dsn, may_migrate=False, report=report) as store:
        told = [f"{len(await store.chats.all())} chats, {await store.messages.count():,} messages"]
        models += await store.embeddings.all()
        for model in models:
            embedded, refused = await store.embeddings.counts(model)
            waiting = await store.embeddings.pending(model)
            told.append(
                f"{model.name} ({model.dimension}): {embedded:,} embedded, {waiting:,} waiting, {refused:,} refused"
            )
        return "; ".join(told)


async def _embedding(settings: Settings, models: list[EmbeddingModel]) -> str:
    """One text through the embedding model, and whether its length is the one set, or else that of before."""
    raw = embedder(settings)
    [vector] = await raw.embed(["hello"], purpose="query")
    check_length(len(vector), model=raw.name)
    before = [model.dimension for model in models if model.name == raw.name][-1:]
    if settings.embedding_dimension is None and before and len(vector) not in before:
        raise DimensionMismatch(model=raw.name, got=len(vector), want=before[0])
    return f"{raw.name}, {len(vector)} numbers"


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
