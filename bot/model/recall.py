"""Recall: what is searched with, what the store finds, and what comes to mind."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

import numpy as np
import numpy.typing as npt

from bot import telemetry_names as names
from bot.model.chat import ChatId, Lane, Message, MessageId
from bot.model.rerank import Reranked

Vector = npt.NDArray[np.float32]
"""One embedding: shape (dimension,), float32, not necessarily of unit length."""
Profile = Literal["combined", "ranked"]
"""How what comes to mind is chosen: by the combined score alone, or by everything cheap that helps."""
How = Literal["scan", "index", "none"]
"""How the nearest vectors were found: all were looked at, an index was asked, or nothing was searched."""
ModelState = Literal["new", "building", "in use", "kept", "leaving"]
"""What an embedding model is to the bot: `new` was never built up; `kept` and `leaving` were in use, or given up."""


def vector_sha256(vector: Vector) -> str:
    """What a trace names a vector by."""
    return hashlib.sha256(vector.tobytes()).hexdigest()


DIGITS = 5
"""Significant digits of a score that are kept on record."""


def rounded(value: float, digits: int = DIGITS) -> float:
    """A score as it is kept: no more of it than says something."""
    return float(f"{value:.{digits}g}")


FEWEST_SEEDS = 20
"""Seeds that a query has at least, however many queries share them."""
BY_WORDS, BY_VECTOR = 6, 3
"""Messages that are looked at for one that becomes a seed, by their words and by their similarity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """One embedding model's row: what its vectors are, and how its scores read."""

    model_id: int
    name: str
    dimension: int
    threshold: float
    """Cosine similarity above which two texts have to do with each other, for this model."""
    asks_dimension: bool = False
    """Whether the dimension was chosen, so that its server is asked for it; else it is what the model gives."""
    query_prefix: str = ""
    """What is put before a text to search with, as the model was trained to see it."""
    passage_prefix: str = ""
    """The same before a text to be found."""
    threshold_told: bool = False
    """Whether somebody set the threshold, or it was measured; else it is a guess, until there are texts to tell it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """An embedding model, and what it is to the bot now."""

    model: EmbeddingModel
    state: ModelState
    since: datetime
    instead_of: tuple[str, ...]
    """What gave way for it, as name/dimension: settings that still name one of these are out of date."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A message as it is embedded to be found: who said what, and when."""

    chat_id: ChatId
    message_id: MessageId
    topic: str
    sender: str
    sent_at: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The combined score: `similarity · s + time · t`, both terms within [0, 1] for texts that are related."""

    similarity: float = 1.2
    time: float = 0.2
    horizon_days: float = 30.0
    """The age from which time relevance is 0."""

    def time_relevance(self, age: timedelta) -> float:
        """1 now, falling evenly to 0 at the horizon; never less, never more."""
        return min(1.0, max(0.0, 1.0 - age.total_seconds() / (self.horizon_days * 86_400)))

    def score(self, similarity: float, age: timedelta) -> float:
        """The combined score."""
        return self.similarity * similarity + self.time * self.time_relevance(age)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a search reaches, for each of its queries."""

    by_words: int
    """Messages that are looked at for their words."""
    by_vector: int
    """Messages that are looked at for their similarity."""
    seeds: int
    """Those of both that are kept, the best by a first guess."""
    hits: int
    """Messages that are found by the combined score."""
    neighbours: int
    """Messages that come along on either side of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """How recall is done: in which model's vectors, with which weights, how much."""

    model: EmbeddingModel
    profile: Profile = "combined"
    weights: Weights = Weights()
    hits: int = 3
    """Hits of the combined score for each query."""
    window: int = 5
    """`combined`: messages shown on either side of a hit."""
    seeds: int = 120
    """`ranked`: messages that all queries together find by words and similarity."""
    neighbours: int = 2
    """`ranked`: messages that come along on either side of each."""
    most: int = 60
    """`ranked`: messages that come to mind at most."""
    budget: int | None = 500
    """`ranked`: tokens that they may have together; None: as many as they have."""
    order_budget: int = 1500
    """Tokens of the prompt in which a model is asked for another order, where one is."""

    def deep(self, hits: int) -> Recall:
        """The same with so many hits, whatever tokens they cost: to look at, not for a prompt."""
        return replace(self, hits=hits) if self.profile == "combined" else replace(self, most=hits, budget=None)

    def reach(self, queries: int) -> Reach:
        """How far so many queries reach, each: of many each reaches less far, so that what is found stays bounded."""
        if self.profile == "combined":
            return Reach(by_words=0, by_vector=0, seeds=0, hits=self.hits, neighbours=self.window)
        share = max(FEWEST_SEEDS, self.seeds // max(1, queries))
        return Reach(
            by_words=BY_WORDS * share, by_vector=BY_VECTOR * share, seeds=share, hits=self.hits,
            neighbours=self.neighbours,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Query:
    """One text to search with."""

    text: str
    vector: Vector | None
    """None: the model does not take it, or could not be asked; it can still be searched for by words."""
    terms: tuple[str, ...] = ()
    """Its terms, in their order and as often as they occur."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Search:
    """What the store is to look for, and where."""

    lane: Lane
    queries: tuple[Query, ...]
    recall: Recall
    now: datetime
    """What was sent later does not exist yet."""
    zone: tzinfo = UTC
    """Where those who ask are: their days begin at their midnight."""
    exclude: tuple[MessageId, ...] = ()
    """Messages that are never found: what is in view already."""
    persona: str | None = None
    """As whom: what another persona said as the bot never comes to mind. None: whoever said it."""

    @property
    def reach(self) -> Reach:
        """How far each query reaches."""
        return self.recall.reach(len(self.queries))

    def span_attributes(self) -> Mapping[str, object]:
        recall = self.recall
        return {
            names.COMPANION_RECALL_MODEL: recall.model.name,
            names.COMPANION_RECALL_THRESHOLD: recall.model.threshold,
            names.COMPANION_RECALL_WEIGHT_SIMILARITY: recall.weights.similarity,
            names.COMPANION_RECALL_WEIGHT_TIME: recall.weights.time,
            names.COMPANION_RECALL_K: recall.hits,
            names.COMPANION_RECALL_WINDOW: recall.window,
            names.COMPANION_RECALL_BUDGET: recall.budget,
            names.COMPANION_RECALL_EXCLUDED_IDS: list(self.exclude),
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Statistics:
    """What a chat is like as a whole, as of today: how common words are in it, how much it coheres."""

    indexed: int
    """Messages whose words can be searched for."""
    mean_length: float
    """Terms of such a message; never 0."""
    counts: Mapping[str, int]
    """In how many messages a term occurs, for each term of the queries; 0 when in none."""
    embedded: int
    """Messages of the chat that the model has seen, about."""
    vectors: int
    """Vectors of all chats in the model's table, about."""
    coherence: float = 0.0
    """How much messages that follow each other have to do with each other, within [0, 1]."""
    centroid: Vector | None = None
    """The mean of the chat's unit vectors; None when it was not reckoned yet."""

    def idf(self, term: str) -> float:
        """How rare a term is: ln(1 + (N - n + ½) / (n + ½)), which is never negative."""
        count = min(self.counts.get(term, 0), self.indexed)
        return math.log1p((self.indexed - count + 0.5) / (count + 0.5))

    def usual(self, vector: Vector) -> float:
        """How near the chat as a whole is to a vector: what is near to everything says little."""
        if self.centroid is None:
            return 0.0
        return float(self.centroid @ vector) / max(float(np.linalg.norm(vector)), 1e-12)

    def on_record(self, queries: Sequence[Query]) -> Mapping[str, object]:
        """What recall needs to be done again as it was: no words, and of the centroid what it is to the queries."""
        return {
            "indexed": self.indexed,
            "mean_length": rounded(self.mean_length, 9),
            "counts": [self.counts[term] for term in sorted(self.counts)],
            "embedded": self.embedded,
            "vectors": self.vectors,
            "coherence": rounded(self.coherence, 9),
            "usual": [None if query.vector is None else rounded(self.usual(query.vector), 7) for query in queries],
        }

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_RECALL_INDEXED: self.indexed,
            names.COMPANION_RECALL_EMBEDDED: self.embedded,
            names.COMPANION_RECALL_COHERENCE: self.coherence,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A message that the store found: for a query, or beside one that was."""

    message: Message
    session: int
    """The number of the first message of the stretch of talk that it is part of."""
    length: int | None
    """How many terms it has; None: its words are not indexed yet."""
    in_view: bool
    """The prompt shows it anyway: it is here only because it stands beside another."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pool:
    """All that the store found for a search, in order of time, with what ranking needs. n messages, q queries."""

    search: Search
    statistics: Statistics
    found: tuple[Found, ...]
    terms: tuple[str, ...]
    """What is counted."""
    counts: npt.NDArray[np.float32]
    """(n, terms): how often each occurs in each message."""
    similarities: npt.NDArray[np.float64]
    """(q, n): 1 − cosine distance; nan where one of the two has no vector."""
    by_words: npt.NDArray[np.bool_]
    """(q, n): whether it is a seed of the query that was found by words."""
    by_vector: npt.NDArray[np.bool_]
    """(q, n): whether it is a seed of the query that was found by similarity."""
    hits: tuple[tuple[int, ...], ...]
    """For each query the places in `found` of the best by the combined score, best first."""
    previous: npt.NDArray[np.int64]
    """(n,): the place of the message just before it in its topic; −1 when that was not found or there is none."""
    following: npt.NDArray[np.int64]
    """(n,): the same for the one just behind."""
    how: How
    """How the nearest were found."""

    def window(self, place: int, size: int) -> tuple[Message, ...]:
        """What was said around a message in its topic, at most `size` a side, oldest first, without what is in view."""
        before = self._walk(place, self.previous, size)
        around = (*reversed(before), *self._walk(place, self.following, size))
        return tuple(self.found[there].message for there in around if not self.found[there].in_view)

    def span_attributes(self) -> Mapping[str, object]:
        return {names.COMPANION_RECALL_HOW: self.how, names.COMPANION_RECALL_POOL: len(self.found)}

    @staticmethod
    def _walk(place: int, to: npt.NDArray[np.int64], size: int) -> list[int]:
        way: list[int] = []
        while len(way) < size and (place := int(to[place])) >= 0:
            way.append(place)
        return way


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A past message that came to mind, with its score in parts and what was said around it."""

    message: Message
    similarity: float
    """1 − cosine distance to the nearest query."""
    time_relevance: float
    """1 now, 0 from the horizon on."""
    score: float
    query: int
    """Which of the queries it answers, from 0."""
    window: tuple[Message, ...] = ()
    """What was said just before and after it in the same chat and topic, oldest first, itself left out."""
    doubted: bool = False
    """`ranked`: the chat may well have nothing to say to the query."""
    combined: float | None = None
    """`ranked`: the combined score, which is one number among others there."""
    evidence: Mapping[str, float] = field(default_factory=dict[str, float])
    """`ranked`: what each feature adds to the score."""

    @property
    def parts(self) -> dict[str, float]:
        """The score's parts by name."""
        combined = {} if self.combined is None else {"combined": self.combined}
        return {"similarity": self.similarity, "time_relevance": self.time_relevance, **combined, **self.evidence}

    def span_event(self) -> tuple[str, Mapping[str, object]]:
        """What a trace keeps of it: ids and scores."""
        return "hit", {
            names.COMPANION_MESSAGE_ID: self.message.message_id,
            names.COMPANION_RECALL_QUERY: self.query,
            names.COMPANION_RECALL_SCORE: self.score,
            names.COMPANION_RECALL_SIMILARITY: self.similarity,
            names.COMPANION_RECALL_TIME_RELEVANCE: self.time_relevance,
            names.COMPANION_RECALL_WINDOW_IDS: [message.message_id for message in self.window],
            names.COMPANION_RECALL_DOUBTED: self.doubted,
            **({} if self.combined is None else {names.COMPANION_RECALL_COMBINED: self.combined}),
            **{names.COMPANION_RECALL_PART + name: part for name, part in self.evidence.items()},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What came to mind for a turn, best first."""

    hits: tuple[Hit, ...] = ()
    profile: Profile = "combined"
    how: How = "none"
    """How the candidates were found."""
    missing: str | None = None
    """Why there is less than there could be: `embedding failed`, `nothing similar`, …"""
    ranking: tuple[MessageId, ...] = ()
    """`ranked`: all that would have come to mind, best first, had the budget been larger."""
    searched: Search | None = None
    """What the store was asked, for the record and the trace; `statistics` too."""
    statistics: Statistics | None = None
    reranked: Reranked | None = None
    """How a model put them in order; None when none was asked."""

    def span_attributes(self) -> Mapping[str, object]:
        return {
            names.COMPANION_RECALL_PROFILE: self.profile,
            names.COMPANION_RECALL_HOW: self.how,
            names.COMPANION_RECALL_HITS: len(self.hits),
            **({names.COMPANION_RECALL_MISSING: self.missing} if self.missing else {}),
            **(self.searched.span_attributes() if self.searched else {}),
            **(self.reranked.span_attributes() if self.reranked else {}),
        }

    def span_events(self) -> Sequence[tuple[str, Mapping[str, object]]]:
        return [hit.span_event() for hit in self.hits]
