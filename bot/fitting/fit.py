"""Fits the ranker that comes with the bot: `python -m bot.fitting.fit FRIENDSQA.json`; writes bot/data/ranker.json.

It learns from FriendsQA's questions (Apache-2.0; a recall set, not shipped) and from template chats of our own. The
sets that recall is measured on are never seen. The weights make the messages that answer a question likely among all
that could (a softmax over each question's hardest candidates); the gate tells questions that a chat can answer from
small talk and from questions about another chat.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.fitting.pools import Conversation, Line, passage_texts
from bot.fitting.small_talk import SMALL_TALK
from bot.fitting.templates import generate
from bot.llm.local import DIMENSION, NAME, LocalEmbedder
from bot.memory.asking import parts
from bot.memory.features import FEATURES, SIGNS, Evidence
from bot.model import EmbeddingModel, Vector

CANDIDATES = 300
"""Messages of a question that are learned from: those that a first guess has for the likeliest."""
FRIENDSQA_SHARE = 0.3
"""How much of what is learned comes from FriendsQA; the rest from the templates."""
RIDGE, STEPS, RATE = 0.01, 150, 0.1
CONVERSATIONS, SEED = 45, 1
FOLDS = 5
KEPT = 0.98
"""The part of answerable questions that the gate must let pass."""
SURE = 0.95
"""The part that must get the whole budget; of what lies between the two, a taste is packed."""
_FIRST_GUESS = {"words": 1.0, "words_without_names": 1.0, "meaning": 2.0, "covered": 1.0, "session": 1.0}
_WHERE = Path(__file__).parent.parent / "data" / "ranker.json"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Asked:
    """One question (or one part of one) to learn from."""

    columns: Floats
    """(candidates, features)."""
    answers: npt.NDArray[np.bool_]
    """(candidates,): whether the message is evidence."""
    evidence: int
    """Messages that are, found or not."""
    any_of: bool
    weight: float
    gate: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Talked:
    """A conversation of a set, ready to be asked."""

    conversation: Conversation
    last: datetime
    ids: dict[str, int]
    questions: list[dict[str, Any]]
    vectors: list[list[tuple[str, Vector]]]
    """Of each question's parts."""


async def read(conversation: Mapping[str, Any], *, embedder: LocalEmbedder) -> Talked:
    """A conversation of a recall set with all its vectors."""
    lines = [
        Line(sent_at=datetime.fromisoformat(m["sent_at"]).astimezone(UTC), sender=m["sender"], text=m["text"])
        for m in conversation["messages"]
    ]
    model = EmbeddingModel(model_id=1, name=NAME, dimension=DIMENSION, threshold=0.3)
    vectors = np.array(await embedder.embed(passage_texts(lines), purpose="passage"))
    asked = [list(parts(question["question"])) for question in conversation["questions"]]
    flat = await embedder.embed([part for each in asked for part in each], purpose="query")
    given = iter(flat)
    return Talked(
        conversation=Conversation(lines, vectors, model=model),
        last=lines[-1].sent_at,
        ids={m["id"]: place for place, m in enumerate(conversation["messages"])},
        questions=conversation["questions"],
        vectors=[[(part, next(given)) for part in each] for each in asked],
    )


async def _read_all(recall_set: Mapping[str, Any], *, embedder: LocalEmbedder) -> list[Talked]:
    return [await read(conversation, embedder=embedder) for conversation in recall_set["conversations"]]


def examples(talked: Talked, *, weight: float) -> Iterator[Asked]:
    """What there is to learn from a conversation's questions."""
    for question, asked in zip(talked.questions, talked.vectors, strict=True):
        now = datetime.fromisoformat(question["asked_at"]).astimezone(UTC)
        pool = talked.conversation.pool(asked, now=now)
        evidence = Evidence(pool)
        right = {talked.ids[known] for known in question["evidence"] if known in talked.ids}
        for query in range(len(asked)):
            columns = evidence.of(query)
            guess = sum(columns[name] * much for name, much in _FIRST_GUESS.items())
            chosen = np.argsort(-guess, kind="stable")[:CANDIDATES]  # pyright: ignore
            yield Asked(
                columns=np.stack([columns[name][chosen] for name in FEATURES], axis=1),
                answers=np.isin(chosen, list(right)),
                evidence=len(right),
                any_of=question["kind"] == "any-of",
                weight=weight,
                gate=_signs(evidence, query),
            )


async def unanswerable(talks: Sequence[Talked], *, embedder: LocalEmbedder) -> list[Floats]:
    """The gate's view of small talk, and of questions that belong to the next conversation."""
    small = await embedder.embed(list(SMALL_TALK), purpose="query")
    found: list[Floats] = []
    for n, talked in enumerate(talks):
        foreign = [part for asked in talks[(n + 7) % len(talks)].vectors[:25] for part in asked]
        for text, vector in (*zip(SMALL_TALK, small, strict=True), *foreign):
            pool = talked.conversation.pool([(text, vector)], now=talked.last)
            found.append(_signs(Evidence(pool), 0))
    return found


def _signs(evidence: Evidence, query: int) -> Floats:
    signs = evidence.signs(query, evidence.of(query))
    return np.array([signs[name] for name in SIGNS])


def fit(asked: Sequence[Asked]) -> dict[str, float]:
    """The weights under which the evidence of each question is likeliest: a softmax, a ridge, and Adam's steps."""
    asked = [each for each in asked if each.answers.any()]
    widest = max(len(each.answers) for each in asked)
    x = np.zeros((len(asked), widest, len(FEATURES)), dtype=np.float32)
    right, there = (np.zeros((len(asked), widest), dtype=np.bool_) for _ in range(2))
    for n, each in enumerate(asked):
        size = len(each.answers)
        x[n, :size], right[n, :size], there[n, :size] = each.columns, each.answers, True
    spread = x[there].std(axis=0)
    spread = np.where(spread > 1e-6, spread, 1.0)
    x /= spread
    share = np.array([each.weight for each in asked])
    share /= share.sum()
    any_of = np.array([each.any_of for each in asked])[:, None]
    even: Floats = right / right.sum(axis=1, keepdims=True)
    weights: Floats = np.zeros(len(FEATURES))
    mean, square = weights, weights
    for step in range(1, STEPS + 1):
        score: Floats = np.where(there, x @ weights, -np.inf)
        likely: Floats = np.exp(score - score.max(axis=1, keepdims=True))
        of_right: Floats = np.where(right, likely, 0.0)
        aim: Floats = np.where(any_of, of_right / np.maximum(of_right.sum(axis=1, keepdims=True), 1e-30), even)
        off: Floats = (likely / likely.sum(axis=1, keepdims=True) - aim) * share[:, None]
        slope: Floats = np.tensordot(off, x, axes=([0, 1], [0, 1])) + RIDGE * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return dict(zip(FEATURES, (weights / spread).tolist(), strict=True))


def recall_at(asked: Iterable[Asked], weights: dict[str, float], *, depth: int = 10) -> float:
    """Evidence recall, in percent."""
    by = np.array([weights[name] for name in FEATURES])
    found: list[float] = []
    for each in asked:
        best = np.argsort(-(each.columns @ by), kind="stable")[:depth]
        hits = int(each.answers[best].sum())
        found.append(float(hits > 0) if each.any_of else hits / max(1, each.evidence))
    return 100 * float(np.mean(found))


def fit_gate(answerable: Floats, hopeless: Floats) -> tuple[dict[str, float], float, float]:
    """A logistic regression (Newton's steps), and the levels above which `KEPT` and `SURE` of the answerable lie."""
    x = np.concatenate([answerable, hopeless])
    y = np.concatenate([np.ones(len(answerable)), np.zeros(len(hopeless))])
    weigh = np.where(y > 0, 0.5 / len(answerable), 0.5 / len(hopeless))
    inputs = np.concatenate([x, np.ones((len(x), 1))], axis=1)
    beta = np.zeros(inputs.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-inputs @ beta))
        slope = inputs.T @ (weigh * (y - p)) - 1e-4 * beta
        curve = (inputs * (weigh * p * (1 - p))[:, None]).T @ inputs + 1e-4 * np.eye(len(beta))
        beta += np.linalg.solve(curve, slope)
    level, sure = (float(np.quantile(answerable @ beta[:-1], 1 - share)) for share in (KEPT, SURE))
    return dict(zip(SIGNS, beta[:-1].tolist(), strict=True)), level, sure


async def main(arguments: Sequence[str]) -> int:
    """Fit, say how good it is, and write."""
    parser = argparse.ArgumentParser(prog="python -m bot.fitting.fit", description=__doc__)
    parser.add_argument("friendsqa", type=Path, help="friendsqa-dev.json, a recall set")
    parser.add_argument("--write", type=Path, default=_WHERE)
    given = parser.parse_args(arguments)
    embedder = LocalEmbedder()
    friends = await _read_all(json.loads(given.friendsqa.read_text("utf-8")), embedder=embedder)
    templates = await _read_all(generate(SEED, conversations=CONVERSATIONS), embedder=embedder)
    theirs = [each for talked in friends for each in examples(talked, weight=1.0)]
    ours = [each for talked in templates for each in examples(talked, weight=1.0)]
    rate = (1 - FRIENDSQA_SHARE) / FRIENDSQA_SHARE * len(theirs) / len(ours)
    ours = [replace(each, weight=rate) for each in ours]
    fold_size = -(-len(theirs) // FOLDS)
    held_out: list[float] = []
    for first in range(0, len(theirs), fold_size):
        left_out = slice(first, first + fold_size)
        weights = fit([*theirs[: left_out.start], *theirs[left_out.stop :], *ours])
        held_out.append(recall_at(theirs[left_out], weights))
    weights = fit(theirs + ours)
    hopeless = np.array(await unanswerable(templates, embedder=embedder))
    gate, level, sure = fit_gate(np.array([each.gate for each in theirs + ours]), hopeless)
    sums = hopeless @ np.array(list(gate.values()))
    report = {
        "friendsqa_recall@10_cross_validated": round(float(np.mean(held_out)), 1),
        "friendsqa_recall@10": round(recall_at(theirs, weights), 1),
        "templates_recall@10": round(recall_at(ours, weights), 1),
        "answerable_kept": KEPT,
        "answerable_sure": SURE,
        "unanswerable_refused": round(float(np.mean(sums < level)), 3),
        "unanswerable_doubted": round(float(np.mean(sums < sure)), 3),
    }
    written = {
        "weights": {name: round(value, 3) for name, value in weights.items()},
        "gate": {
            "weights": {name: round(value, 3) for name, value in gate.items()},
            "level": round(level, 3),
            "sure": round(sure, 3),
        },
        "fitted": report,
    }
    given.write.write_text(json.dumps(written, indent=2) + "\n")
    print(json.dumps(report, indent=2))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
