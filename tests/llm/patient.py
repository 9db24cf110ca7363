"""Models that fail as they are told to, and a sleep that takes no time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from bot.errors import ModelError, RequestRefused
from bot.llm.retries import TURN, Patience, Patient
from bot.model import ModelReply, Prompt, Vector
from bot.ports import Purpose


@dataclass
class ScriptedEmbedder:
    """Embeds a text as its length; fails as the rule says."""

    rule: Callable[[Sequence[str], int], ModelError | None]
    """The texts of a request and its number, from 0 → what it fails with."""
    asked: list[list[str]] = field(default_factory=list[list[str]])
    name: str = "scripted"

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        self.asked.append(list(texts))
        error = self.rule(texts, len(self.asked) - 1)
        if error:
            raise error
        return [np.array([len(text), 1.0], dtype=np.float32) for text in texts]


@dataclass
class ScriptedChat:
    """Fails with these, then answers."""

    errors: list[ModelError]
    asked: int = 0
    name: str = "scripted"

    async def complete(self, prompt: Prompt) -> ModelReply:
        self.asked += 1
        if self.errors:
            raise self.errors.pop(0)
        return ModelReply(text="hi")


@dataclass
class Sleeper:
    """Sleeps at once, and keeps for how long it should have been."""

    slept: list[float] = field(default_factory=list[float])

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


def patient(
    embedder: ScriptedEmbedder, patience: Patience = TURN, sleeper: Sleeper | None = None, by_chance: float = 1.0
) -> Patient:
    return Patient(
        embedder,
        patience=patience,
        sleep=sleeper or Sleeper(),
        random=lambda: by_chance,
        clock=lambda: 0.0,
    )


def always(error: ModelError) -> ScriptedEmbedder:
    return ScriptedEmbedder(lambda texts, number: error)


def refusing(*bad: str, error: ModelError | None = None) -> ScriptedEmbedder:
    """Refuses every request with one of these texts in it."""
    refusal = error or RequestRefused("no", status=400)
    return ScriptedEmbedder(lambda texts, number: refusal if set(texts) & set(bad) else None)


def lengths(vectors: Sequence[Vector | None]) -> list[int | None]:
    return [None if vector is None else int(vector[0]) for vector in vectors]
