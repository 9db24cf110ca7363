"""`companion embed`: which embedding models there are, and from one to another while the bot goes on."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time

from bot.app import App, database, open_app
from bot.commands.common import CLEAR_LINE, print_json, report, shown
from bot.embedding import Embeddings, add_model, prefixes_of
from bot.errors import BotError, DimensionMismatch, WrongArguments
from bot.llm import local
from bot.llm.prefixes import Prefixes, usual_prefixes
from bot.memory.switch import BUILD
from bot.model import EmbeddingModel, Standing
from bot.ports import Purpose
from bot.settings import Settings
from bot.store import PostgresStore, open_store

_LOOK = 0.3
"""Seconds between two looks at how far it is."""
_REMIND = 5.0
"""Seconds between two hints that there is something to build: one can be lost while the job ends."""


class Overtaken(BotError):
    """Somebody asked for another model meanwhile."""


class KnownOtherwise(BotError):
    """A model's vectors were made in another way than is asked for."""


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """`status` changes nothing; `switch` builds another model up and puts it in use."""
    return await (status(args, settings) if args.what == "status" else switch(args, settings))


async def status(args: argparse.Namespace, settings: Settings) -> int:
    """Print every model with what it has embedded and how it is searched; changes nothing."""
    async with database(settings, report=report) as dsn, open_store(dsn, may_migrate=False, report=report) as store:
        told = [await _told(each, store) for each in await store.embeddings.standings()]
    if args.json:
        print_json({"models": told})
        return 0
    for each in told:
        print(
            f"{each['state']:8}  {shown(str(each['name']))}, {each['dimension']:,} numbers, "
            f"threshold {each['threshold']:.2f}: {each['embedded']:,} embedded, {each['pending']:,} pending, "
            f"{each['refused']:,} refused; {each['index'] or 'no index, since ' + str(each['why_no_index'])}"
        )
    if not told:
        report("no embedding model was used here yet")
    return 0


async def switch(args: argparse.Namespace, settings: Settings) -> int:
    """Build a model up beside the one in use, and put it in use once it is whole. Ctrl-C leaves it to the bot."""
    if args.model == local.NAME and (args.query_prefix or args.passage_prefix):
        raise WrongArguments(f"{local.NAME} takes no prefixes; leave them out")
    started = time.monotonic()
    async with open_app(settings, report=report) as app:
        model = await _wanted(args, app.store, Embeddings(settings))
        if args.threshold is not None:
            await app.store.embeddings.set_threshold(model, args.threshold, again=True)
        before = await app.store.embeddings.in_use()
        if before is not None and before.model_id == model.model_id:
            await app.store.embeddings.give_up()
            report(f"{model.name} is in use already; nothing else is built up")
        else:
            if not await app.store.embeddings.build(model, keeps_old=args.keep):
                raise Overtaken(f"{model.name} was put in use, or dropped, at just this moment; try again")
            await app.store.hint(BUILD, alone=True)
            if not args.no_wait:
                await _wait(app, model)
        standing = await _standing(app.store, model)
        told = await _told(standing, app.store)
    if args.json:
        print_json({**told, "seconds": round(time.monotonic() - started, 3)})
    elif standing.state == "in use":
        print(f"{shown(model.name)} ({model.dimension:,} numbers) is the embedding model in use")
        if not _is_named(model, settings):
            report(f"name it in the settings of every process: EMBEDDING_MODEL={shown(model.name)}")
    else:
        waiting = f"{told['pending']:,} messages to go"
        print(f"{shown(model.name)} ({model.dimension:,} numbers) is being built up: {waiting}")
    return 0


async def _wanted(args: argparse.Namespace, store: PostgresStore, embeddings: Embeddings) -> EmbeddingModel:
    """The model that was asked for: one that is known, or a new one, which is added only if it answers."""
    name, dimension = args.model, args.dimension
    if name == local.NAME and dimension not in (None, local.DIMENSION):
        raise _other_length(name, got=local.DIMENSION, want=dimension)
    known = [model for model in await store.embeddings.all() if model.name == name]
    known = [model for model in known if dimension in (None, model.dimension)]
    there = known[-1] if known else None
    prefixes = _prefixes(args, usual_prefixes(name) if there is None else prefixes_of(there))
    if there is None:
        raw = embeddings.named(name, dimension=dimension, prefixes=prefixes)
        try:
            [vector] = await raw.embed(["hello"], purpose="query")
        except DimensionMismatch as error:
            raise _other_length(name, got=error.got, want=error.want) from None
        return await add_model(
            raw, store, dimension=len(vector), asks=dimension is not None, prefixes=prefixes, indexed=False
        )
    if prefixes != prefixes_of(there):
        raise KnownOtherwise(
            f"the vectors of {name} that are here were made with other prefixes; "
            "switch to another model without --keep, and add this one anew once it was dropped"
        )
    await embeddings.of(there).probe()
    return there


def _other_length(model: str, *, got: int, want: int) -> DimensionMismatch:
    return DimensionMismatch(model=model, got=got, want=want, cure=f"leave out --dimension or give --dimension {got}")


def _prefixes(args: argparse.Namespace, usual: Prefixes) -> Prefixes:
    """What is asked for, else what is usual."""
    given: dict[Purpose, str | None] = {"query": args.query_prefix, "passage": args.passage_prefix}
    return {purpose: usual[purpose] if prefix is None else prefix for purpose, prefix in given.items()}


async def _wait(app: App, model: EmbeddingModel) -> None:
    """Take part in the background work until the model is in use, showing how far it is."""
    reminded = time.monotonic()
    async with app.background():
        while (standing := await _standing(app.store, model)).state == "building":
            waiting = await app.store.embeddings.pending(model)
            _show(f"{shown(model.name)}: {waiting:,} messages to go" if waiting else f"{shown(model.name)}: indexing")
            if time.monotonic() > reminded + _REMIND:
                reminded = time.monotonic()
                await app.store.hint(BUILD, alone=True)
            await asyncio.sleep(_LOOK)
    _show("", last=True)
    if standing.state != "in use":
        raise Overtaken(f"{model.name} is not built up any more, since another model was asked for meanwhile")


async def _standing(store: PostgresStore, model: EmbeddingModel) -> Standing:
    found = next((each for each in await store.embeddings.standings() if each.model.model_id == model.model_id), None)
    if found is None:
        raise Overtaken(f"{model.name} was dropped, since another model was asked for meanwhile")
    return found


async def _told(standing: Standing, store: PostgresStore) -> dict[str, object]:
    model = standing.model
    embedded, refused = await store.embeddings.counts(model)
    index = await store.embeddings.index_kind(model)
    return {
        "name": model.name,
        "dimension": model.dimension,
        "threshold": model.threshold,
        "threshold_told": model.threshold_told,
        "query_prefix": model.query_prefix,
        "passage_prefix": model.passage_prefix,
        "state": standing.state,
        "since": standing.since.isoformat(),
        "embedded": embedded,
        "pending": await store.embeddings.pending(model),
        "refused": refused,
        "index": index,
        "why_no_index": None if index else store.embeddings.why_no_index(model) or "it is made once all is embedded",
    }


def _is_named(model: EmbeddingModel, settings: Settings) -> bool:
    served = settings.embedding_api_base_url is not None
    return model.name == (settings.embedding_model if served else local.NAME)


def _show(line: str, *, last: bool = False) -> None:
    """A line that the next one replaces; only where somebody watches."""
    if sys.stderr.isatty():
        print(f"{CLEAR_LINE}{line}", end="", file=sys.stderr, flush=not last)
