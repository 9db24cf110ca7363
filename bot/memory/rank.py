"""The `ranked` profile: what of a pool comes to mind, by everything cheap that helps.

A message's score is a weighted sum of its features; the weights were fitted (bot/fitting) and lie in
bot/data/ranker.json, for people to read. There are two sets of them: what is asked wants an answer, what is told is
reminded of what it comes back to. No model is called. Pure.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.memory.asking import asks
from bot.memory.features import FEATURES, SIGNS, Column, Evidence
from bot.memory.pack import pack
from bot.model import Hit, Pool, Recall

FEWEST_TO_TELL = 100
"""Messages of a chat from which on it can be told that it has nothing to say: in fewer, no word is rare or common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scales:
    """Weights of the features, and of what has to be there for anything to come to mind at all."""

    weights: Mapping[str, float]
    gate: Mapping[str, float]
    level: float
    """What the gate's sum must reach."""
    sure: float
    """From where on the chat rather has something to say than not."""

    def evidence(self, columns: Mapping[str, Column]) -> npt.NDArray[np.float64]:
        """(weights, n): what each feature adds to the score of each message."""
        return np.array([weight * columns[name] for name, weight in self.weights.items()])

    def gate_sum(self, signs: Mapping[str, float]) -> float:
        """How much speaks for the chat having anything to say to a query."""
        return sum(weight * signs[name] for name, weight in self.gate.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """What messages are weighed with."""

    asked: Scales
    """For what asks something."""
    told: Scales
    """For what asks nothing."""

    def of(self, text: str) -> Scales:
        """Those for a query."""
        return self.asked if asks(text) else self.told

    def open(self) -> Ranker:
        """The same, to which everything is worth an answer."""
        asked, told = (replace(scales, level=-math.inf, sure=-math.inf) for scales in (self.asked, self.told))
        return Ranker(asked=asked, told=told)


@cache
def shipped() -> Ranker:
    """The ranker that comes with the bot."""
    written = json.loads(files("bot.data").joinpath("ranker.json").read_text("utf-8"))
    return Ranker(asked=_scales(written["asked"]), told=_scales(written["told"]))


def _scales(written: Mapping[str, Any]) -> Scales:
    unknown = (written["weights"].keys() - FEATURES.keys()) | (written["gate"]["weights"].keys() - SIGNS.keys())
    if unknown:
        raise ValueError(f"ranker.json weighs what is no feature: {', '.join(sorted(unknown))}")
    gate = written["gate"]
    return Scales(weights=written["weights"], gate=gate["weights"], level=gate["level"], sure=gate["sure"])


def ranked(pool: Pool, *, ranker: Ranker) -> list[Hit]:
    """The best messages for all queries, best first, each once, as many as recall's budget holds."""
    return packed(in_order(pool, ranker=ranker), pool.search.recall)


def packed(hits: Sequence[Hit], recall: Recall) -> list[Hit]:
    """Of messages, best first, as many as recall's budget holds."""
    return list(hits if recall.budget is None else pack(hits, budget=recall.budget))


def in_order(pool: Pool, *, ranker: Ranker) -> list[Hit]:
    """The best messages for all queries, best first, each once, whatever tokens they cost.

    What counts is a message's best place in the order of any of the queries. A query to which the chat has nothing to
    say brings nothing, one to which it may have nothing to say a taste.
    """
    if not pool.found:
        return []
    most = pool.search.recall.most
    evidence = Evidence(pool)
    can_tell = pool.statistics.indexed >= FEWEST_TO_TELL
    in_view = np.array([found.in_view for found in pool.found])
    best: dict[int, tuple[int, int]] = {}
    scales = [ranker.of(query.text) for query in pool.search.queries]
    added: list[npt.NDArray[np.float64]] = []
    doubted: list[bool] = []
    for query in range(len(pool.search.queries)):
        columns = evidence.of(query)
        added.append(scales[query].evidence(columns))
        gate_sum = scales[query].gate_sum(evidence.signs(query, columns)) if can_tell else math.inf
        doubted.append(gate_sum < scales[query].sure)
        if gate_sum < scales[query].level:
            continue
        # Rows are in order of time: of two that score the same the later is the better.
        order = np.lexsort((-np.arange(len(in_view)), -added[-1].sum(axis=0)))
        for rank, place in enumerate(order[~in_view[order]][:most].tolist()):
            if place not in best or rank < best[place][0]:
                best[place] = (rank, query)
    in_order = sorted(best, key=lambda place: (best[place], -place))[:most]
    return [
        _hit(
            pool,
            place,
            query,
            doubted=doubted[query],
            evidence=dict(zip(scales[query].weights, added[query][:, place].tolist(), strict=True)),
        )
        for place, query in ((place, best[place][1]) for place in in_order)
    ]


def _hit(pool: Pool, place: int, query: int, *, doubted: bool, evidence: Mapping[str, float]) -> Hit:
    message, weights = pool.found[place].message, pool.search.recall.weights
    similarity = float(pool.similarities[query, place])
    similarity = 0.0 if math.isnan(similarity) else similarity
    age = pool.search.now - message.sent_at
    return Hit(
        message=message,
        similarity=similarity,
        time_relevance=weights.time_relevance(age),
        score=math.fsum(evidence.values()),
        query=query,
        doubted=doubted,
        evidence=evidence,
        combined=weights.score(similarity, age),
    )
