"""What goes before a text that is embedded: some models were trained to see what it is for, and find less without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from bot.ports import Purpose

Prefixes: TypeAlias = Mapping[Purpose, str]

NO_PREFIXES: Prefixes = {"query": "", "passage": ""}
_BY_NAME: Mapping[str, Prefixes] = {
    "nomic-embed-text": {"query": "search_query: ", "passage": "search_document: "},
    "e5-": {"query": "query: ", "passage": "passage: "},
}
"""Those of the models with such a part in their names."""


def usual_prefixes(model: str) -> Prefixes:
    """What is known to go before a text for that model. Instruction-tuned models are left alone."""
    name = model.lower()
    if "instruct" in name or "mistral" in name:
        return NO_PREFIXES
    return next((prefixes for part, prefixes in _BY_NAME.items() if part in name), NO_PREFIXES)
