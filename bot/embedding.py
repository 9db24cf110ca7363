"""Which embedding model is in use, and whom to ask for its vectors: what the database says, before the settings."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bot.errors import (
    BadAnswer,
    DimensionMismatch,
    ModelError,
    ModelUnavailable,
    NothingEmbedded,
    RequestRefused,
    SettingsError,
)
from bot.llm import local
from bot.llm.local import LocalEmbedder
from bot.llm.patience import JOB
from bot.llm.prefixes import Prefixes, usual_prefixes
from bot.llm.retries import Patient
from bot.memory.embed import passage_text
from bot.model import EmbeddingModel, Standing, Vector
from bot.ports import Embedder, PatientEmbedder, Purpose
from bot.settings import LONGEST_VECTOR, SHORTEST_VECTOR, Settings
from bot.store import PostgresStore
from bot.traced import TracedEmbedder, served_at

THRESHOLD = 0.5
"""For an embedding model of which nothing else is known: the classic value."""
THRESHOLDS: Mapping[str, float] = {local.NAME: 0.3}
"""Measured: see ARCHITECTURE.md."""
SAME = 0.95
"""Similarity from which on two vectors of one text are of one model: servers round, and batches differ a little."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """An embedding model: its row, and who is asked for vectors."""

    model: EmbeddingModel
    embedder: Embedder
    """One attempt, however it ends."""
    patient: PatientEmbedder
    """As background work uses it: it waits longer."""
    is_served: bool
    """Whether a server is asked; else the bundled model."""

    async def probe(self) -> None:
        """See that a served model works, as `try_out` does; the bundled one does, once it is loaded."""
        if self.is_served:
            await self.try_out()

    async def try_out(self) -> None:
        """Embed one text; raise `ModelError`, or `DimensionMismatch` when it is another model than before."""
        [vector] = await self.embedder.embed(["hello"], purpose="query")
        check_length(len(vector), model=self.model.name)
        if len(vector) != self.model.dimension:
            raise DimensionMismatch(model=self.model.name, got=len(vector), want=self.model.dimension)


class Nobody:
    """Stands for a served model where no server is set. Implements `ports.Embedder`."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        """Raises `RequestRefused`."""
        raise RequestRefused(
            f"the embedding model {self.name!r} is not the bundled one, and no server is set to ask for it; "
            f"set EMBEDDING_API_BASE_URL, and EMBEDDING_MODEL={self.name}"
        )


class Embeddings:
    """Whom to ask for the vectors of each model: all served ones at the server that the settings name."""

    def __init__(self, settings: Settings) -> None:
        """Raises `SettingsError` for settings that make no sense."""
        self._settings = settings
        self.raw = embedder(settings)
        """The one that the settings name."""
        self._bundled = self.raw if isinstance(self.raw, LocalEmbedder) else None
        self._wired: dict[int, Embedding] = {}

    def of(self, model: EmbeddingModel) -> Embedding:
        """A model, wired; one that cannot be asked says so when it is."""
        known = self._wired.get(model.model_id)
        if known is None:
            raw = self._raw_of(model)
            server = None if isinstance(raw, LocalEmbedder) else self._settings.embedding_api_base_url
            traced_one = TracedEmbedder(raw, about=served_at(server))
            known = Embedding(
                model=model,
                embedder=traced_one,
                patient=Patient(traced_one, patience=JOB),
                is_served=not isinstance(raw, LocalEmbedder),
            )
            self._wired[model.model_id] = known
        return replace(known, model=model)

    def _raw_of(self, model: EmbeddingModel) -> Embedder:
        # What is in the settings is asked for, also by a row from when that was not kept there.
        asks = model.asks_dimension or (self.raw.name, self._settings.embedding_dimension) == (
            model.name,
            model.dimension,
        )
        return self.named(model.name, dimension=model.dimension if asks else None, prefixes=prefixes_of(model))

    def named(self, name: str, *, dimension: int | None = None, prefixes: Prefixes | None = None) -> Embedder:
        """Whoever is asked for a model of that name, for vectors of that dimension if it is given."""
        if name == local.NAME:
            self._bundled = self._bundled or LocalEmbedder()
            return self._bundled
        if self._settings.embedding_api_base_url is None:
            return Nobody(name)
        return served(self._settings, name, dimension=dimension, prefixes=prefixes)


def embedder(settings: Settings) -> Embedder:
    """The embedding model that the settings name, else the bundled one."""
    if settings.embedding_api_base_url is None:
        return LocalEmbedder()
    return served(settings, settings.embedding_model or "", dimension=settings.embedding_dimension)


def served(settings: Settings, name: str, *, dimension: int | None, prefixes: Prefixes | None = None) -> Embedder:
    """A model at the embedding server that the settings name, which sees its usual prefixes if none are given."""
    from bot.llm.embeddings import OpenAIEmbedder

    return OpenAIEmbedder(
        base_url=settings.embedding_api_base_url or "",
        api_key=settings.embedding_api_key.get_secret_value() if settings.embedding_api_key else None,
        model=name,
        dimension=dimension,
        prefixes=usual_prefixes(name) if prefixes is None else prefixes,
    )


def prefixes_of(model: EmbeddingModel) -> Prefixes:
    """What goes before the texts of a model."""
    return {"query": model.query_prefix, "passage": model.passage_prefix}


def check_length(dimension: int, *, model: str) -> None:
    """Raise `SettingsError` for a model whose vectors the database cannot keep."""
    if not SHORTEST_VECTOR <= dimension <= LONGEST_VECTOR:
        raise SettingsError(
            f"{model!r} gives vectors of {dimension:,} numbers, and {SHORTEST_VECTOR} to {LONGEST_VECTOR:,} are "
            "possible; choose another EMBEDDING_MODEL"
        )


async def add_model(
    raw: Embedder,
    store: PostgresStore,
    *,
    dimension: int | None,
    asks: bool = False,
    prefixes: Prefixes | None = None,
    indexed: bool = True,
) -> EmbeddingModel:
    """The row and table of a model, made when they are missing. Its length is given, or asked for once."""
    given = usual_prefixes(raw.name) if prefixes is None else prefixes
    if isinstance(raw, LocalEmbedder):
        dimension, asks = local.DIMENSION, False
    if dimension is None:
        dimension = len((await raw.embed(["hello"], purpose="query"))[0])
    check_length(dimension, model=raw.name)
    return await store.embeddings.open(
        name=raw.name,
        dimension=dimension,
        threshold=THRESHOLDS.get(raw.name, THRESHOLD),
        threshold_told=raw.name in THRESHOLDS,
        asks_dimension=asks,
        query_prefix=given["query"],
        passage_prefix=given["passage"],
        indexed=indexed,
    )


async def open_embedding(
    settings: Settings, embeddings: Embeddings, store: PostgresStore, *, may_add: bool = True
) -> Embedding:
    """The embedding model in use, wired.

    It is what the database says. The settings choose the first one; when they name another later, that one is built
    up in the background and put in use once it is whole, as by `companion embed switch`; at once if the one in use
    cannot be asked any more, or has embedded nothing. Without `may_add` nothing is changed, and for a model that was
    never heard of here `NothingEmbedded` is raised.
    """
    standings = await store.embeddings.standings()
    used = next((each for each in standings if each.state == "in use"), None)
    raw, dimension = embeddings.raw, settings.embedding_dimension
    if used is not None and (
        _means(used.model.name, used.model.dimension, raw, dimension) or _is_outdated(used, raw, dimension)
    ):
        if may_add:
            await store.embeddings.index(used.model)  # the vector extension may have learned to
        return embeddings.of(used.model)
    known = [each for each in standings if _means(each.model.name, each.model.dimension, raw, dimension)]
    if not may_add:
        if not known:
            raise NothingEmbedded(model=raw.name)
        return embeddings.of((used or known[-1]).model)
    try:
        wanted = await add_model(
            raw,
            store,
            dimension=dimension or (known[-1].model.dimension if known else None),
            asks=dimension is not None,
            indexed=used is None,
        )
    except ModelError as error:
        if used is None:
            raise
        log.warning("%s stays the embedding model in use: %s", used.model.name, error)
        return embeddings.of(used.model)
    if used is None:
        return embeddings.of(await store.embeddings.use_first(wanted))
    building = await store.embeddings.building()
    if building is None:
        await store.embeddings.build(wanted, keeps_old=True)
    elif building.model_id != wanted.model_id:  # asked for by a command: it goes before what settings say
        log.warning("%s is being built up, and not %s, which EMBEDDING_MODEL names", building.name, wanted.name)
        return embeddings.of(used.model)
    if await is_still_there(embeddings.of(used.model), store):
        log.warning(
            "%s is being built up, and %s stays the embedding model in use meanwhile; see `companion embed status`",
            wanted.name,
            used.model.name,
        )
        return embeddings.of(used.model)
    await store.embeddings.index(wanted)
    await store.embeddings.switch(wanted, as_it_is=True)
    return embeddings.of(await store.embeddings.in_use() or wanted)


def _means(name: str, dimension: int, raw: Embedder, wanted: int | None) -> bool:
    """Whether the settings mean a model: by its name, and by its length if they name one."""
    return name == raw.name and (wanted is None or isinstance(raw, LocalEmbedder) or wanted == dimension)


def _is_outdated(used: Standing, raw: Embedder, wanted: int | None) -> bool:
    """Whether the settings name what gave way for the model in use: they were not changed behind a switch."""
    gone = [known_as.rpartition("/") for known_as in used.instead_of]
    if not any(_means(name, int(dimension), raw, wanted) for name, _, dimension in gone):
        return False
    log.warning(
        "EMBEDDING_MODEL names %s, which gave way for %s (%d numbers); name that one, or switch back by "
        "`companion embed switch`",
        raw.name,
        used.model.name,
        used.model.dimension,
    )
    return True


async def is_still_there(embedding: Embedding, store: PostgresStore) -> bool:
    """Whether a model can be asked and is the one that made its vectors: it makes one of them again.

    A server that is away may have it once it is back. A server may also answer by whatever model it has.
    """
    some = await store.embeddings.some(embedding.model, limit=1)
    if not some:
        return False
    passage, vector = some[0].passage, some[0].vector
    try:
        [again] = await embedding.embedder.embed([passage_text(passage)], purpose="passage")
    except ModelUnavailable:
        return True
    except (RequestRefused, BadAnswer, DimensionMismatch):
        return False
    if again.shape != vector.shape:
        return False
    return float(again @ vector) >= SAME * float(np.linalg.norm(again) * np.linalg.norm(vector))
