"""Small hand-written stand-ins for a chat model and an embedder. They keep what they were asked."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from bot.errors import ModelError, ModelUnavailable
from bot.model import ModelReply, Prompt, Vector
from bot.ports import Purpose

DIMENSION = 64


class ScriptedChat:
    """Gives its answers in order, the last one again and again; an error among them is raised."""

    name = "scripted"

    def __init__(self, *answers: str | ModelReply | ModelError) -> None:
        self.answers = list(answers)
        self.asked: list[Prompt] = []

    async def complete(self, prompt: Prompt) -> ModelReply:
        self.asked.append(prompt)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, ModelError):
            raise answer
        return answer if isinstance(answer, ModelReply) else ModelReply(text=answer, finish_reason="stop")


class WordEmbedder:
    """Texts that share words are near; implements both embedder ports. Set `fails` to make it fail."""

    name = "words"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.fails: ModelError | None = None

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        self.asked.append(list(texts))
        if self.fails is not None:
            raise self.fails
        return [self._vector(text) for text in texts]

    @staticmethod
    def _vector(text: str) -> Vector:
        total = np.full(DIMENSION, 0.01)
        for word in text.lower().replace("?", "").replace(".", "").split():
            seed = int.from_bytes(word.encode().ljust(8, b"\0")[:8], "big")
            total += np.random.default_rng(seed).normal(size=DIMENSION)
        return (total / np.linalg.norm(total)).astype(np.float32)


class RandomEmbedder:
    """Random vectors of a length, the same for the same text; implements both embedder ports."""

    name = "random"

    def __init__(self, dimension: int, *, fails_after: int | None = None) -> None:
        self._dimension, self.fails_after = dimension, fails_after
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        if self.fails_after is not None and len(self.asked) >= self.fails_after:
            raise ModelUnavailable("away")
        self.asked += texts
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> Vector:
        """That of a text."""
        return np.random.default_rng(list(text.encode())).normal(size=self._dimension).astype(np.float32)


def say(*messages: str) -> str:
    """An answer that says something."""
    return json.dumps({"action": "send_message", "messages": list(messages)})


def do(action: str, **fields: object) -> str:
    """An answer that does something else."""
    return json.dumps({"action": action, **fields})
