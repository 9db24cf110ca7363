"""Every lorebook vector and every odd book of the shared corpus."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from bot.cards.lorebook import Lore, LoreScene, LoreState, SceneLine, Seen, evaluate, read_lorebook
from bot.cards.macros import MacroValues
from bot.model import token_count
from tests.cards.corpus import CORPUS, book_facts, needs_corpus, values_of, vectors

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


@pytest.mark.parametrize(("file", "facts"), book_facts())
def test_a_book_of_the_corpus_is_read_as_it_was_meant(file: str, facts: dict[str, Any]) -> None:
    book = read_lorebook(json.loads((CORPUS / file).read_text("utf-8"))["data"]["character_book"])
    count = len(book.entries)
    assert count == facts.get("n_entries", count)
    assert count in facts.get("any_n", [count])
    assert count >= facts.get("min_entries", 0)
    for told, wanted in zip(book.entries, facts.get("keys", ()), strict=False):
        assert list(told.keys) == wanted
    assert [told.order for told in book.entries][: len(facts.get("order_values", ()))] == facts.get("order_values", [])
    assert [told.enabled for told in book.entries] == facts.get("enabled", [told.enabled for told in book.entries])
    assert book.scan_depth == facts.get("scan_depth", book.scan_depth)
    assert book.token_budget == facts.get("token_budget", book.token_budget)


@needs_corpus
@pytest.mark.parametrize(("file", "told"), [("book/redos.json", 0), ("book/bad_regex.json", 1)])
def test_a_hostile_pattern_of_the_corpus_ends_and_a_broken_one_harms_no_other(file: str, told: int) -> None:
    book = read_lorebook(json.loads((CORPUS / file).read_text("utf-8"))["data"]["character_book"])
    lines = [SceneLine(role="user", text="a" * 40 + "! lanterns (")]
    started = time.thread_time()
    lore = evaluate(book, LoreScene(lines=lines, values=values_of(MIRELLE)), LoreState(), budget=1_000)
    assert len(lore.told) == told
    assert time.thread_time() - started < 1
