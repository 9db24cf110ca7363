"""What came to mind, in a model's order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot import telemetry_names as names
from bot.model.chat import MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranked:
    """What a model was asked to put in order, and what became of it."""

    model: str
    before: tuple[MessageId, ...]
    """The messages that it was shown, in our order."""
    after: tuple[MessageId, ...]
    """The same in the order in which they are used."""
    tokens: int
    """Of what it was shown, about; the turn has so many less."""
    kept: str | None = None
    """Why our order was kept: the error there was; None when the order is the model's."""

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_RERANK_BEFORE_IDS: list(self.before),
            names.COMPANION_RERANK_AFTER_IDS: list(self.after),
            names.COMPANION_RERANK_TOKENS: self.tokens,
            names.COMPANION_RERANK_KEPT: self.kept,
        }
