"""A card written again: nothing of it is lost, and nothing old stays beside it."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards import load, to_json, to_png
from bot.cards.png import is_whole, keyword, walk
from bot.errors import CardError
from tests.cards.samples import (
    MIA,
    NOW,
    V2,
    V3,
    as_json,
    card_chunk,
    charx,
    chunk,
    every_container,
    png,
    text_chunk,
    undated,
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
odd_fields = st.dictionaries(
    st.sampled_from([*V3["data"], "creation_date", "source", "creator_notes_multilingual", "unknown"]), anything
)
odd_entries = st.dictionaries(
    st.sampled_from(["keys", "key", "content", "order", "position", "id", "enabled", "disable", "x", "extensions"]),
    anything,
)


def keywords(picture: bytes) -> list[str]:
    return [name for part in walk(picture) if (name := keyword(part, picture)) is not None]


@pytest.mark.parametrize("file", every_container())
def test_a_card_of_any_container_is_the_same_after_an_export(file: bytes) -> None:
    loaded = load(file)
    for export in (to_json, to_png):
        assert undated(load(export(loaded, now=NOW))) == undated(loaded)


@given(odd_fields, st.lists(odd_entries, max_size=3), st.dictionaries(st.text(max_size=5), anything, max_size=2))
def test_a_card_of_any_types_is_the_same_after_an_export(
    fields: dict[str, Any], entries: list[Any], beside: dict[str, Any]
) -> None:
    data = {**MIA, "character_book": {"entries": entries}, **fields}
    try:
        loaded = load(as_json({**beside, "spec": "chara_card_v3", "spec_version": "3.0", "data": data}), name="file")
    except CardError:
        return
    again = load(to_png(loaded, now=NOW))
    assert undated(again) == undated(loaded)
    assert {warning.kind for warning in again.warnings} <= {"asset_missing", "unsafe_asset_path"}


@given(odd_fields)
def test_a_card_of_any_types_at_the_top_is_the_same_after_an_export(fields: dict[str, Any]) -> None:
    try:
        loaded = load(as_json({**MIA, **fields}), name="file")
    except CardError:
        return
    assert undated(load(to_json(loaded, now=NOW))) == undated(loaded)


def test_what_has_no_use_where_it_stood_is_kept_in_the_extensions() -> None:
    fields: dict[str, Any] = {
        "tags": ["a", {"b": 1}],
        "extensions": [1],
        "creation_date": "in spring",
        "assets": "none",
        "character_book": {"entries": [{}, "x"]},
    }
    loaded = load(as_json({**V2, "data": {**MIA, **fields}}))
    kept = load(to_json(loaded, now=NOW)).document["data"]["extensions"]["companion"]["as_found"]
    assert kept == {
        "/data/tags/1": {"b": 1},
        "/data/extensions": [1],
        "/data/creation_date": "in spring",
        "/data/assets": "none",
        "/data/character_book/entries/1": "x",
    }


def test_dates_of_creation_are_kept_and_that_of_the_change_is_now() -> None:
    data = json.loads(to_json(load(as_json(V3)), now=NOW))["data"]
    assert (data["creation_date"], data["modification_date"]) == (1718000000, NOW.timestamp())


def test_a_picture_keeps_its_pixels_and_assets_and_loses_its_old_cards() -> None:
    old = [card_chunk(V2, keyword="Chara"), chunk(b"zTXt", b"CCV3\0\0x"), chunk(b"iTXt", b"chara\0\0\0\0\0x")]
    others = [text_chunk("chara-ext-asset_:0", base64.b64encode(b"joy")), text_chunk("Software", b"x")]
    exported = to_png(load(png(*old, *others, card_chunk(V3))), now=NOW)
    assert keywords(exported) == ["ccv3", "chara", "chara-ext-asset_:0", "Software"]
    assert all(part.is_sound(exported) for part in walk(exported))
    assert next(part for part in walk(png()) if part.kind == b"IDAT").raw(png()) in exported


def test_the_copy_for_older_programs_says_the_same() -> None:
    loaded = load(as_json(V3))
    exported = to_png(loaded, now=NOW)
    [copy] = [part for part in walk(exported) if keyword(part, exported) == "chara"]
    older = load(base64.b64decode(copy.value(exported).partition(b"\0")[2]))
    assert (older.version, older.document["data"]) == ("v2", load(exported).document["data"])


def test_a_card_without_a_picture_is_put_into_its_main_icon_or_a_plain_one() -> None:
    icon = png(text_chunk("Software", b"x"))
    archive = charx({"card.json": as_json(V3), "assets/main.png": icon})
    assert keywords(to_png(load(archive), now=NOW)) == ["ccv3", "chara", "Software"]
    assert is_whole(to_png(load(as_json(V3)), now=NOW))
    cut = png(card_chunk(V3))[:-20]
    assert is_whole(to_png(load(cut), now=NOW))
