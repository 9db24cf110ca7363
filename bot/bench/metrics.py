"""How well a ranking recalls its evidence. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean, median

from bot.memory.pack import pack, packed_line
from bot.model import Hit, token_count

DEPTHS = (5, 10, 20)
BUDGETS = (500, 1200)
"""Tokens of packed context."""
SMALL_TALK = (
    "good morning!", "haha", "ok, see you later", "thanks a lot", "what's up?",
    "早上好", "哈哈哈", "晚安", "好的，回头聊", "谢谢啦",
)  # fmt: skip
"""What nothing should come to mind for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One question, what was recalled for it, and how long that took."""

    kind: str
    evidence: frozenset[str]
    """External ids."""
    hits: tuple[Hit, ...]
    milliseconds: float
    """Embedding apart."""


def _share(found: Sequence[Hit], answered: Answered) -> float:
    """Which part of the evidence is among these; for kind `any-of`, 1 when any is."""
    there = {hit.message.external_id for hit in found} & answered.evidence
    if answered.kind == "any-of":
        return 1.0 if there else 0.0
    return len(there) / len(answered.evidence)


def _reciprocal_rank(answered: Answered) -> float:
    ranks = (n for n, hit in enumerate(answered.hits, 1) if hit.message.external_id in answered.evidence)
    return 1 / next(ranks, float("inf"))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of all does not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def packed_tokens(hits: Sequence[Hit]) -> int:
    """Tokens of what is packed of the hits into the smallest budget."""
    return sum(token_count(packed_line(hit.message)) for hit in pack(hits, budget=BUDGETS[0]))


def summary(answered: Sequence[Answered], *, unanswerable_tokens: Sequence[int]) -> dict[str, float]:
    """The row of a set, or of one kind of its questions, as contract.md names it."""
    row: dict[str, float] = {"questions": len(answered)}
    for depth in DEPTHS:
        row[f"recall@{depth}"] = fmean(_share(item.hits[:depth], item) for item in answered)
    row["mrr"] = fmean(_reciprocal_rank(item) for item in answered)
    for budget in BUDGETS:
        row[f"recall@{budget}tok"] = fmean(_share(pack(item.hits, budget=budget), item) for item in answered)
    if unanswerable_tokens:
        row["tokens_unanswerable"] = median(unanswerable_tokens)
    times = [item.milliseconds for item in answered]
    row["ms_p50"], row["ms_p95"] = percentile(times, 0.5), percentile(times, 0.95)
    return {name: round(value, 4) for name, value in row.items()}
