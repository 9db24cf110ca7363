"""An embedding model behind an OpenAI-compatible API.

One call is one request. Vectors are paired with their texts by `index` and believed only when they are whole;
neither retries nor the splitting of batches live here (see retries.py).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.errors import BadAnswer, DimensionMismatch, SettingsError
from bot.invalid import what_is_wrong
from bot.llm.failures import ParameterRefused
from bot.llm.prefixes import NO_PREFIXES, Prefixes
from bot.llm.server import Server
from bot.llm.texts import sendable
from bot.model import Vector
from bot.ports import Purpose


class _Item(BaseModel):
    model_config = ConfigDict(strict=True)

    index: int
    embedding: list[float]


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True)

    data: list[_Item]


class OpenAIEmbedder:
    """Implements `ports.Embedder`."""

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        api_key: str | None = None,
        dimension: int | None = None,
        prefixes: Prefixes = NO_PREFIXES,
        timeout: float = 30.0,
    ) -> None:
        """`dimension` is what every vector must have, and is asked for; None: whatever the first answer has.

        It is sent as `dimensions` only when given, since many servers refuse the parameter; one that does is
        asked again without it, and its vectors still have to be of that length. `prefixes` go before the texts.
        """
        if not model.strip():
            raise SettingsError("EMBEDDING_MODEL is not set; name a model that the server has")
        self._server = Server(base_url=base_url, api_key=api_key, model=model, settings="EMBEDDING", timeout=timeout)
        self._model = model
        self._dimension = dimension
        self._prefixes = prefixes
        self._wishes: dict[str, object] = {"encoding_format": "float"}
        """Sent with every request until the server refuses it."""
        if dimension is not None:
            self._wishes["dimensions"] = dimension

    @property
    def name(self) -> str:
        """The model's name, as its server calls it."""
        return self._model

    @property
    def dimension(self) -> int | None:
        """How many numbers a vector has; None before the first answer when it was not configured."""
        return self._dimension

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        """One vector a text, in order.

        Raises `ModelUnavailable`, `RequestRefused`, `BadAnswer`, or `DimensionMismatch` when the vectors are
        whole but of another length than configured or than before.
        """
        if not texts:
            return []
        asked = [sendable(f"{self._prefixes[purpose]}{text}") for text in texts]
        wishes = dict(self._wishes)
        while True:
            try:
                body = await self._server.post("/embeddings", {"model": self._model, "input": asked} | wishes)
            except ParameterRefused as error:
                granted = {name: value for name, value in wishes.items() if name not in error.parameters}
                if granted == wishes:
                    raise
                wishes = granted
            else:
                vectors = self._vectors(body, count=len(asked))
                self._wishes = wishes
                return vectors

    async def aclose(self) -> None:
        """Close its connections."""
        await self._server.aclose()

    def _vectors(self, body: str, *, count: int) -> list[Vector]:
        try:
            items = _Answer.model_validate_json(body).data
        except ValidationError as error:
            raise BadAnswer(f"{self._server.asked} answered with {_shape(error)}") from None
        by_index = {item.index: item.embedding for item in items}
        if len(items) != count or by_index.keys() != set(range(count)):
            raise BadAnswer(
                f"{self._server.asked} gave {len(items)} vectors with {len(by_index)} different numbers "
                f"for {count} texts, so which is whose cannot be told"
            )
        rows = [by_index[index] for index in range(count)]
        lengths = {len(row) for row in rows}
        if len(lengths) > 1 or 0 in lengths:
            raise BadAnswer(f"{self._server.asked} gave vectors of {sorted(lengths)} numbers in one answer")
        with np.errstate(over="ignore"):
            table = np.array(rows, dtype=np.float64).astype(np.float32)
        wrong = np.flatnonzero(~(np.isfinite(table).all(axis=1) & table.any(axis=1)))
        if len(wrong):
            raise BadAnswer(
                f"{self._server.asked} gave vectors that are zero or hold what is no number ({len(wrong)} of {count})",
                texts=tuple(int(position) for position in wrong),
            )
        self._check_dimension(lengths.pop())
        return list(table)

    def _check_dimension(self, got: int) -> None:
        if self._dimension is None:
            self._dimension = got
        if got != self._dimension:
            raise DimensionMismatch(model=self._model, got=got, want=self._dimension)


def _shape(error: ValidationError) -> str:
    """What is wrong with an answer: where and of which kind, never with what was in it."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return "something that is not JSON; is EMBEDDING_API_BASE_URL that of an OpenAI-compatible API?"
    return f"no list of embeddings ({what_is_wrong(error)})"
