"""The shared corpus about cards: vectors of how macros, lorebooks and example dialogues behave."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.cards.card import shown_name
from bot.cards.macros import MacroValues
from tests.conftest import SHARED

CORPUS = SHARED / "cards" / "corpus"
BEHAVIOUR = CORPUS / "behaviour"
needs_corpus = pytest.mark.skipif(not BEHAVIOUR.exists(), reason=f"the shared corpus is not at {BEHAVIOUR}")


def vectors(kind: str, *, named: Callable[[Any], str]) -> list[Any]:
    """The vectors of a kind, each as a parameter with its name; none where the corpus is absent."""
    file = BEHAVIOUR / f"{kind}.json"
    if not file.exists():
        return [pytest.param(None, marks=needs_corpus)]
    return [
        pytest.param(vector, id=f"{n:02} {named(vector)}")
        for n, vector in enumerate(json.loads(file.read_text("utf-8")))
    ]


def values_of(context: dict[str, Any], **more: Any) -> MacroValues:
    """What a vector's context says that macros stand for."""
    return MacroValues(
        char=shown_name(context.get("nickname") or "") or shown_name(context["name"]),
        user=context["user"],
        original=context.get("original"),
        **more,
    )


def book_facts() -> list[Any]:
    """What is expected of the books in the corpus, each with its file."""
    file = CORPUS / "expected.json"
    if not file.exists():
        return [pytest.param(None, None, marks=needs_corpus)]
    rows = json.loads(file.read_text("utf-8")).items()
    return [pytest.param(name, row["book"], id=name) for name, row in rows if "book" in row and name.endswith(".json")]
