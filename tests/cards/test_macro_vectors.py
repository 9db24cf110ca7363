"""Every macro and example vector of the shared corpus."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.cards.examples import example_blocks
from bot.cards.macros import expand, expand_for_scan
from tests.cards.corpus import values_of, vectors

TURNS = [f"turn {n}" for n in range(40)]


@pytest.mark.parametrize("vector", vectors("macros", named=lambda vector: vector["template"]))
def test_a_macro_vector_holds(vector: dict[str, Any]) -> None:
    told = [
        expand(vector["template"], values_of(vector["context"], turn_seed=turn, stable_seed="chat")) for turn in TURNS
    ]
    if "expect" in vector:
        assert set(told) == {vector["expect"]}
    if "one_of" in vector:
        assert set(told) <= set(vector["one_of"])
    if "regex" in vector:
        assert all(re.search(vector["regex"], one) for one in told)
    if vector.get("stable"):
        assert len(set(told)) == 1
    if "recursive_scan_text_contains" in vector:
        found = expand_for_scan(vector["template"], values_of(vector["context"]))
        assert vector["recursive_scan_text_contains"] in found


@pytest.mark.parametrize("vector", vectors("examples", named=lambda vector: f"{vector['blocks']} blocks"))
def test_an_example_vector_holds(vector: dict[str, Any]) -> None:
    values = values_of({"name": vector["char"], "user": vector["user"]})
    blocks = [expand(block, values) for block in example_blocks(vector["mes_example"])]
    assert len(blocks) == vector["blocks"]
    assert "<start>" not in "".join(blocks).lower()
    assert "\r" not in "".join(blocks)
    assert all(vector["char"] in block for block in blocks)
