"""`companion bench`: our own measurements, in a scratch database."""

from __future__ import annotations

import argparse
from dataclasses import replace

from bot.app import database
from bot.bench.agreement import bench_agreement
from bot.bench.evening import bench_evening
from bot.bench.latency import bench_latency, material_of
from bot.bench.lore import bench_lore
from bot.bench.recall import DEEPEST, bench_recall, load_set
from bot.bench.scratch import scratch_store
from bot.bench.turn import bench_turn
from bot.commands.common import print_json, report
from bot.embedding import add_model, embedder
from bot.llm.patience import JOB
from bot.llm.retries import Patient
from bot.model import Recall
from bot.settings import Settings


async def recall(args: argparse.Namespace, settings: Settings) -> int:
    """Print how much evidence recall finds on sets of questions."""
    sets = [load_set(path) for path in args.sets]
    rows: dict[str, object] = {}
    async with database(settings, report=report) as dsn:
        for recall_set in sets:
            async with scratch_store(dsn) as store:
                raw = embedder(settings)
                model = await add_model(raw, store, dimension=settings.embedding_dimension)
                if args.threshold is not None:
                    model = replace(model, threshold=args.threshold)
                rows[recall_set.name] = await bench_recall(
                    recall_set,
                    store=store,
                    embedder=Patient(raw, patience=JOB),
                    recall=Recall(model=model, profile=settings.recall_profile).deep(DEEPEST),
                    report=report,
                    turns=args.turns,
                )
    print_json({"sets": rows, "llm_calls": 0})
    return 0


async def latency(args: argparse.Namespace, settings: Settings) -> int:
    """Print how long recall takes in chats of several sizes, beside the classic way."""
    sets = [load_set(path) for path in args.sets]
    raw = embedder(settings)
    report("embedding what the chats are made of")
    material = await material_of(
        sets, embedder=Patient(raw, patience=JOB), count=min(args.embedded, max(args.messages))
    )
    rows: list[dict[str, object]] = []
    async with database(settings, report=report) as dsn:
        for messages in args.messages:
            for chats in sorted({1, min(args.chats, messages)}):
                async with scratch_store(dsn) as store:
                    rows += await bench_latency(
                        store=store,
                        model=await add_model(raw, store, dimension=settings.embedding_dimension),
                        material=material,
                        messages=messages,
                        chats=chats,
                        queries=args.queries,
                        report=report,
                    )
    print_json({"rows": rows})
    return 0


async def agreement(args: argparse.Namespace, settings: Settings) -> int:
    """Print how much of what would be best of all messages is found in a very large chat."""
    recall_set, raw = load_set(args.set), embedder(settings)
    patient = Patient(raw, patience=JOB)
    report("embedding what the chat is made of")
    material = await material_of([], embedder=patient, count=min(args.embedded, args.messages))
    async with database(settings, report=report) as dsn, scratch_store(dsn) as store:
        row = await bench_agreement(
            recall_set,
            store=store,
            model=await add_model(raw, store, dimension=settings.embedding_dimension),
            material=material,
            embedder=patient,
            messages=args.messages,
            questions=args.questions,
            report=report,
        )
    print_json(row)
    return 0


async def turn(args: argparse.Namespace, settings: Settings) -> int:
    """Print what a turn costs beside the model's calls."""
    async with database(settings, report=report) as dsn, scratch_store(dsn) as store:
        print_json(await bench_turn(store=store, settings=settings, messages=args.messages))
    return 0


async def evening(args: argparse.Namespace, settings: Settings) -> int:
    """Print how many messages a process takes in, and how soon it answers."""
    async with database(settings, report=report) as dsn, scratch_store(dsn) as store:
        print_json(await bench_evening(store=store, settings=settings, chats=args.chats, messages=args.messages))
    return 0


async def lore(args: argparse.Namespace, _: Settings) -> int:
    """Print how long a lorebook is looked through."""
    print_json(bench_lore(entries=args.entries, patterns=args.entries // 5))
    return 0


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Run one measurement."""
    measures = {
        "recall": recall,
        "latency": latency,
        "agreement": agreement,
        "turn": turn,
        "evening": evening,
        "lore": lore,
    }
    return await measures[args.what](args, settings)
