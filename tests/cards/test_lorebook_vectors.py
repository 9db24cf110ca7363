"""Every lorebook vector of the shared corpus."""

from __future__ import annotations

from typing import Any

import pytest

from bot.cards.lorebook import Lore, LoreScene, LoreState, SceneLine, Seen, evaluate, read_lorebook
from bot.cards.macros import MacroValues
from bot.model import token_count
from tests.cards.corpus import values_of, vectors

MIRELLE = {"name": "Mirelle", "nickname": "Miri", "user": "Robin"}


def words(text: str) -> int:
    return len(text.split())


def looked_through(vector: dict[str, Any], values: MacroValues) -> Lore:
    book = read_lorebook(vector["book"])
    lines = [SceneLine(role=message["role"], text=message["text"]) for message in vector["messages"]]
    scene = LoreScene(lines=lines, values=values, greeting=vector.get("greeting_index", 0))
    before = {entry.key: Seen(0, 0) for entry in book.entries if entry.id in vector.get("previously_active", ())}
    counted = words if vector.get("tokenizer") == "whitespace" else token_count
    return evaluate(book, scene, LoreState(before), budget=10_000, tokens=counted)


@pytest.mark.parametrize("vector", vectors("lorebook", named=lambda vector: vector["title"]))
def test_a_lorebook_vector_holds(vector: dict[str, Any]) -> None:
    lore = looked_through(vector, values_of(vector.get("context", MIRELLE)))
    told = {str(told.entry.id): told for told in lore.told}
    assert sorted(told) == sorted(str(id_) for id_ in vector["expect_active_ids"])
    if "expect_order" in vector:
        assert list(told) == [str(id_) for id_ in vector["expect_order"]]
    for id_, text in vector.get("expect_text", {}).items():
        assert told[id_].text == text
    for id_, place in vector.get("expect_position", {}).items():
        assert (told[id_].place, told[id_].depth) == (place, None)
    for id_, depth in vector.get("expect_depth", {}).items():
        assert told[id_].depth == depth
    for id_, role in vector.get("expect_role", {}).items():
        assert told[id_].role == role
    for text, times in vector.get("expect_text_count", {}).items():
        assert [one.text for one in lore.told].count(text) == times
    assert lore.disabled == set(vector.get("expect_disabled", ()))
