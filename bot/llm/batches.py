"""A batch of texts that is refused for what is in it: taken apart, so that one bad text costs only itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.errors import BadAnswer, ContextTooLong, ModelError, ModelUnavailable, RequestRefused
from bot.llm.patience import Tries
from bot.model import Vector
from bot.ports import Embedder, Purpose

CONTROL = "The weather is fine today."
"""A text that every embedding model takes. Whether it is served tells a bad text from a broken server."""
_ABOUT_A_TEXT = frozenset({None, 400, 413, 422, 500})
"""Statuses with which a request may be refused for a text in it; not a wrong key, nor want of credit."""
_SHORTEST = 64
"""Characters under which a text is not cut any further to fit a model."""


@dataclass(slots=True)
class Batch:
    """The texts of one call, and what has become of them."""

    embedder: Embedder
    purpose: Purpose
    texts: Sequence[str]
    tries: Tries
    found: list[Vector | None] = field(init=False)
    works: bool = False
    """Whether the server served anything in this call."""

    def __post_init__(self) -> None:
        self.found = [None] * len(self.texts)

    async def serve(self, which: Sequence[int]) -> None:
        """Find the vectors of the texts at these positions, as far as they have one."""
        if not which:
            return
        try:
            vectors = await self._ask([self.texts[position] for position in which])
        except (RequestRefused, BadAnswer, ModelUnavailable) as error:
            if not self._may_be_about_a_text(error):
                raise
            await self._take_apart(which, error)
        else:
            self.works = True
            for position, vector in zip(which, vectors, strict=True):
                self.found[position] = vector

    async def _take_apart(self, which: Sequence[int], error: ModelError) -> None:
        alone = len(which) == 1
        if blamed := _blamed(error, len(which)):
            await self.serve([position for place, position in enumerate(which) if place not in blamed])
            await self._be_sure_it_works(error, alone=True)
        elif alone:
            self.works = self.works and not isinstance(error, ModelUnavailable)
            await self._be_sure_it_works(error, alone=True)
            if isinstance(error, ContextTooLong):
                self.found[which[0]] = await self._beginning(self.texts[which[0]])
        else:
            await self._be_sure_it_works(error, alone=False)
            middle = len(which) // 2
            await self.serve(which[:middle])
            await self.serve(which[middle:])

    async def _be_sure_it_works(self, error: ModelError, *, alone: bool) -> None:
        """Raise the error, unless it is a text that is to blame, as far as that can be told."""
        if self.works or _was_never_sent(error):
            return
        if alone and not self.tries.patience.for_good:
            if _is_about_its_text(error):
                return
            raise error
        try:
            await self._ask([CONTROL])
        except ModelUnavailable:
            raise
        except ModelError:
            raise error from None
        self.works = True

    async def _beginning(self, text: str) -> Vector | None:
        """The vector of as much of a text as the model takes; None when it takes nothing of it."""
        while len(text) > _SHORTEST:
            text = text[: len(text) // 2]
            try:
                return (await self._ask([text]))[0]
            except ContextTooLong:
                continue
            except (RequestRefused, BadAnswer):
                return None
        return None

    async def _ask(self, texts: Sequence[str]) -> list[Vector]:
        return await self.tries.run(lambda: self.embedder.embed(texts, purpose=self.purpose))

    def _may_be_about_a_text(self, error: ModelError) -> bool:
        """Whether leaving a text out may help."""
        if isinstance(error, RequestRefused):
            return error.status in _ABOUT_A_TEXT
        if isinstance(error, ModelUnavailable):
            return self.tries.patience.for_good and error.status == 500
        return True


def _blamed(error: ModelError, size: int) -> frozenset[int]:
    """Places within a batch of that size that the error names."""
    named = error.texts if isinstance(error, RequestRefused | BadAnswer) else ()
    return frozenset(place for place in named if 0 <= place < size)


def _is_about_its_text(error: ModelError) -> bool:
    """Whether the error says itself that a text is to blame, and not the request."""
    if isinstance(error, RequestRefused):
        return bool(error.texts) or error.status == 500 or isinstance(error, ContextTooLong)
    return isinstance(error, BadAnswer) and bool(error.texts)


def _was_never_sent(error: ModelError) -> bool:
    """Whether the embedder itself, and no server, knows the text to blame."""
    return isinstance(error, RequestRefused) and error.status is None and bool(error.texts)
