"""Models with patience: an embedder and a chat model that are asked again, as far as it makes sense."""

from __future__ import annotations

import asyncio
import random as _random
import time
from collections.abc import Callable, Sequence

from bot.llm.batches import Batch
from bot.llm.patience import CHAT, JOB, TURN, Patience, Sleep, Tries
from bot.llm.texts import has_something_to_see
from bot.model import ModelReply, Prompt, Vector
from bot.ports import ChatModel, Embedder, Purpose

__all__ = ["CHAT", "JOB", "TURN", "Patience", "Patient", "PatientChat"]


class Patient:
    """Implements `ports.PatientEmbedder` around an embedder.

    One request for all texts. Unavailable: again, as `patience` says; then `ModelUnavailable`, with what the
    server asked for in `retry_after`. A batch refused for what is in it, or answered with nonsense: a control
    text shows whether the server works at all, and if so the texts to blame are left out, or looked for by
    halving (about 2·log2(n) requests for each). One text refused alone is given up when the error is about
    the text, or the control text is served. A text too long by itself is embedded by its beginning.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        patience: Patience,
        sleep: Sleep = asyncio.sleep,
        random: Callable[[], float] = _random.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._embedder = embedder
        self._patience = patience
        self._sleep, self._random, self._clock = sleep, random, clock

    @property
    def name(self) -> str:
        """The model's name, as its server or package calls it."""
        return self._embedder.name

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector | None]:
        """One vector a text, in order; None for what the model does not take, and for what shows nothing."""
        tries = Tries(self._patience, self._sleep, self._random, self._clock)
        batch = Batch(self._embedder, purpose, texts, tries)
        await batch.serve([position for position, text in enumerate(texts) if has_something_to_see(text)])
        return batch.found


class PatientChat:
    """Implements `ports.ChatModel` around one that may be unavailable: asks again then, not otherwise."""

    def __init__(
        self,
        chat: ChatModel,
        *,
        patience: Patience = CHAT,
        sleep: Sleep = asyncio.sleep,
        random: Callable[[], float] = _random.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chat = chat
        self._patience = patience
        self._sleep, self._random, self._clock = sleep, random, clock

    @property
    def name(self) -> str:
        """The model's name, as its server calls it."""
        return self._chat.name

    async def complete(self, prompt: Prompt) -> ModelReply:
        """As `ChatModel.complete`."""
        tries = Tries(self._patience, self._sleep, self._random, self._clock)
        return await tries.run(lambda: self._chat.complete(prompt))
