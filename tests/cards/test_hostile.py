"""Files that were made to be trouble: each is refused or read soon, and in little memory."""

from __future__ import annotations

import itertools
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.cards import load, to_png
from tests.cards.reading import read, run
from tests.cards.samples import (
    MIA,
    NOW,
    V3,
    as_json,
    card_chunk,
    charx,
    chunk,
    every_container,
    exif,
    png,
    text_chunk,
    undated,
    webp,
)
from tests.conftest import SHARED

MIB = 2**20
LONGEST = 2.0
"""Seconds of computing."""
MOST_MEMORY = 150
"""MiB of the whole process, of which the interpreter takes forty."""


def card(**fields: object) -> bytes:
    return as_json({"spec": "chara_card_v2", "data": {**MIA, **fields}})


def listed(item: str, count: int, *, begin: str = "[", end: str = "]") -> bytes:
    """A card with a long list among its fields, written without making it first."""
    inner = begin + ",".join(itertools.repeat(item, count)) + end
    return card(x="?").replace(b'"?"', inner.encode())


EMPTY: dict[str, object] = {}
BAD_ENTRY = {"keys": 5, "id": EMPTY, "position": 9, "enabled": "?"}
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "8 MB of text": (lambda: b"a" * (8 * MIB), "too_large"),
    "8 MB of text in a card, one character of it an emoji": (
        lambda: json.dumps(V3 | {"x": "a" * (8 * MIB - 3000) + "🦊"}, ensure_ascii=False).encode(),
        "card",
    ),
    "a text of headings": (lambda: b"Name: x\n" * MIB, "too_large"),
    "a text of titles": (lambda: b"# x\n" * (2 * MIB - 1), "too_large"),
    "a million entries": (
        lambda: card(character_book="?").replace(b'"?"', b'{"entries":[' + b"{}," * 10**6 + b"{}]}"),
        "too_large",
    ),
    "as many bad entries as are read": (
        lambda: card(character_book={"entries": [BAD_ENTRY] * 20_000}),
        "card",
    ),
    "one entry more": (lambda: card(character_book={"entries": [EMPTY] * 20_001}), "too_large"),
    "empty lists": (lambda: listed("[]", 149_000), "card"),
    "objects": (lambda: listed('{"a":1}', 149_000), "card"),
    "lone surrogates": (lambda: listed('"\\ud800"', 299_000), "card"),
    "numbers beyond numbers": (lambda: listed("1e999", 299_000), "card"),
    "long integers": (lambda: listed("9" * 299, 25_000), "card"),
    "tags that are no texts": (lambda: card(tags=[{"a": 1}] * 50_000), "too_large"),
    "assets": (lambda: card(assets=[{"type": "icon", "uri": "embeded://x"}] * 20_001), "too_large"),
    "a million chunks": (lambda: png(chunk(b"tEXt", b"") * 10**6), "too_large"),
    "chunks that unpack to much": (
        lambda: png(chunk(b"zTXt", b"ccv3\0\0" + zlib.compress(b"A" * 50 * MIB)) * 100),
        "too_large",
    ),
    "base64 of spaces": (lambda: png(text_chunk("ccv3", b"A " * (7 * MIB))), "bad_json"),
    "50 MB in card.json": (lambda: charx({"card.json": b" " * (50 * MIB)}), "too_large"),
    "many members": (lambda: charx({str(n): b"" for n in range(30_000)}), "too_large"),
    "a list of bytes": (lambda: webp(exif(b"ASCII\0\0\0" + b"1," * (7 * MIB))), "too_large"),
    "segments of a JPEG": (lambda: b"\xff\xd8" + b"\xff\xe0\0\2" * (4 * MIB - 1), "not_a_card"),
    "chunks of a WebP": (lambda: b"RIFF\0\0\0\0WEBP" + b"ABCD\0\0\0\0" * (2 * MIB - 2), "not_a_card"),
    "lines of YAML": (lambda: b"name: x\ncontext: y\n" * MIB, "too_large"),
    "a text in YAML": (lambda: b"name: x\ncontext: |\n" + b"  abc def\n" * (MIB // 2), "card"),
    "aliases of YAML": (lambda: b"name: x\na: &a [b]\ncontext: [" + b"*a," * 60_000 + b"]\n", "too_large"),
}


def test_hostile_files_are_dealt_with_soon_and_in_little_memory(tmp_path: Path) -> None:
    for name, (make, _) in HOSTILE.items():
        (tmp_path / name).write_bytes(make())
    came = run("tests.cards.reading", tmp_path)
    assert came["outcomes"] == {name: expected for name, (_, expected) in HOSTILE.items()}
    assert max(came["seconds"].values()) < LONGEST, came["seconds"]
    assert came["peak_mib"] < MOST_MEMORY


def test_the_largest_card_that_is_read_is_read_again_when_it_was_exported() -> None:
    largest = 8 * MIB - 64 - len(load(as_json(MIA)).v3)
    loaded = load(as_json({**MIA, "description": MIA["description"] + "a" * largest}))
    assert undated(load(to_png(loaded, now=NOW))) == undated(loaded)
    assert read(as_json({**MIA, "description": MIA["description"] + "a" * (largest + 1)})) == "too_large"


def test_a_picture_too_large_to_be_read_again_is_left_out_of_an_export() -> None:
    loaded = load(png(chunk(b"junk", b"x" * (15 * MIB)), card_chunk({**V3, "x": "a" * (MIB // 2)})))
    exported = to_png(loaded, now=NOW)
    assert len(exported) < 4 * MIB
    assert undated(load(exported)) == undated(loaded)


def damaged(count: int, *options: str | Path) -> dict[str, int]:
    """How often each outcome was that of so many damaged files."""
    came = run("tests.cards.mutations", "--count", str(count), "--export", *options)
    print(came)
    assert came["slowest_s"] < LONGEST
    assert came["peak_mib"] < MOST_MEMORY
    assert sum(came["outcomes"].values()) == count
    return came["outcomes"]


def test_two_thousand_damaged_files_give_a_card_or_a_kind_of_error() -> None:
    assert len(damaged(2_000)) > 8


@pytest.mark.soak
@pytest.mark.skipif(not (SHARED / "cards").exists(), reason=f"the shared cards are not at {SHARED / 'cards'}")
def test_twenty_thousand_damaged_files_of_the_corpus_give_a_card_or_a_kind_of_error() -> None:
    assert len(damaged(20_000, "--corpus", SHARED / "cards" / "corpus")) > 12


def test_each_container_cut_at_every_byte_gives_a_card_or_a_kind_of_error() -> None:
    kinds = {read(file[:end]) for file in every_container() for end in range(len(file))}
    assert {"card", "truncated", "bad_archive", "bad_json", "not_a_card"} <= kinds
