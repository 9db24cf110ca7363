"""Damaged cards, many of them and always the same: run as a program, it reads them and says how that went.

A process of its own, so that the memory it took is what reading cards takes.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from bot.cards import load, to_json, to_png
from bot.cards.card import ErrorKind
from tests.cards.reading import peak_mib, read
from tests.cards.samples import NOW, every_container, undated

SEED = 20260501


def mutated(files: list[bytes], count: int) -> Iterator[bytes]:
    """So many files, each with some bytes flipped, cut out, doubled, or put in from another one."""
    rng = random.Random(SEED)  # noqa: S311 - the same each time, and nobody's secret
    for n in range(count):
        data = bytearray(files[n % len(files)])
        for _ in range(rng.choice((1, 1, 2, 4))):
            _damage(data, rng.choice(files), rng)
        yield bytes(data)


def _damage(data: bytearray, other: bytes, rng: random.Random) -> None:
    at = rng.randrange(len(data) + 1)
    size = rng.choice((1, 2, 4, 16, 64, len(data) // 4 + 1))
    match rng.randrange(6):
        case 0 | 1:
            for place in (rng.randrange(len(data)) for _ in range(rng.randrange(1, 9)) if data):
                data[place] ^= 1 << rng.randrange(8)
        case 2:
            del data[at : at + size]
        case 3:
            del data[at:]
        case 4:
            data[at:at] = data[at : at + size]
        case _:
            begin = rng.randrange(len(other) + 1)
            data[at : at + rng.choice((0, size))] = other[begin : begin + size]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--export", action="store_true", help="export each card and read it again")
    args = parser.parse_args()
    files = every_container()
    if args.corpus is not None:
        files += [file.read_bytes() for file in sorted(args.corpus.rglob("*")) if file.is_file()]
    outcomes = Counter[str]()
    slowest = 0.0
    for data in mutated([file for file in files if file], args.count):
        started = time.process_time()
        kind = read(data)
        slowest = max(slowest, time.process_time() - started)
        outcomes[kind] += 1
        if kind == "card" and args.export:
            card = load(data, name="card")
            for written in (to_json(card, now=NOW), to_png(card, now=NOW)):
                assert undated(load(written)) == undated(card)
    unknown = outcomes.keys() - {"card", *get_args(ErrorKind)}
    assert not unknown, unknown
    print(json.dumps({"outcomes": dict(outcomes.most_common()), "slowest_s": slowest, "peak_mib": peak_mib()}))


if __name__ == "__main__":
    main()
