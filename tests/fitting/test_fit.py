"""Fitting finds what is there to be found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.fitting.fit import Asked, fit, fit_gate, recall_at
from bot.memory.features import FEATURES, SIGNS

COLUMNS = list(FEATURES)


def questions(count: int, *, tells: str, misleads: str) -> Sequence[Asked]:
    """Questions whose evidence has much of one feature; another is noise that only looks like a sign."""
    random = np.random.default_rng(7)
    made: list[Asked] = []
    for _ in range(count):
        columns = random.random((30, len(COLUMNS)))
        answers = np.zeros(30, dtype=np.bool_)
        answers[random.integers(30)] = True
        columns[answers, COLUMNS.index(tells)] += 0.8
        columns[answers, COLUMNS.index(misleads)] *= 0.5
        signs = random.random(len(SIGNS))
        made.append(Asked(columns=columns, answers=answers, evidence=1, any_of=False, weight=1.0, gate=signs))
    return made


def test_what_tells_gets_the_weight_and_evidence_is_found() -> None:
    learned, unseen = (questions(150, tells="covered", misleads="length") for _ in range(2))
    weights = fit(learned)
    assert max(weights, key=lambda name: weights[name]) == "covered"
    assert weights["length"] < 0
    by_chance = dict.fromkeys(COLUMNS, 0.0)
    assert recall_at(unseen, weights, depth=5) > 80 > recall_at(unseen, by_chance, depth=5)


def test_the_gate_lets_pass_what_it_was_told_to_and_refuses_most_of_the_rest() -> None:
    random = np.random.default_rng(7)
    answerable = random.normal(1.0, 0.5, (400, len(SIGNS)))
    hopeless = random.normal(0.0, 0.5, (400, len(SIGNS)))
    weights, level, sure = fit_gate(answerable, hopeless)
    by = np.array(list(weights.values()))
    assert np.mean(answerable @ by >= level) >= 0.97
    assert np.mean(answerable @ by >= sure) >= 0.94
    assert sure > level
    assert np.mean(hopeless @ by < level) > 0.8
