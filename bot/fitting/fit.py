"""Fits the ranker that comes with the bot: `python -m bot.fitting.fit FRIENDSQA.json`; writes bot/data/ranker.json.

It learns from FriendsQA's questions (Apache-2.0; a recall set, not shipped) and from template chats of our own. The
sets that recall is measured on are never seen. The weights make the messages that answer a question likely among all
that could (a softmax over each question's hardest candidates); the gate tells questions that a chat can answer from
small talk and from questions about another chat.

What asks nothing gets weights and a gate of its own, learned alike: from statements that come back to something, and
for the gate from small talk.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bot.fitting.pools import Conversation, Line, passage_texts
from bot.fitting.small_talk import SMALL_TALK
from bot.fitting.templates import generate
from bot.fitting.told import Told, statements
from bot.llm.local import DIMENSION, NAME, LocalEmbedder
from bot.memory.asking import asks, parts
from bot.memory.features import FEATURES, SIGNS, Evidence
from bot.model import EmbeddingModel, Vector
from bot.turn import RECENT

CANDIDATES = 300
"""Messages of a question that are learned from: those that a first guess has for the likeliest."""
FRIENDSQA_SHARE = 0.3
"""How much of what is learned comes from FriendsQA; the rest from the templates."""
OF_WHAT_IS_TOLD = (
    "words_without_names", "covered", "meaning", "session", "two_behind", "answers", "length", "asks",
)  # fmt: skip
"""Features that say something though nothing is asked; others tell what an answer looks like, or got no weight."""
EITHER_WAY = frozenset({"asks"})
"""Those of them that may speak against a message; the others are reasons to recall it, or none."""
FRIENDSQA_SHARE_TOLD = 0.7
"""More than of questions: templates come back in fewer ways than people. Held out, FriendsQA was worse with 0.3."""
OF_WHAT_WAS_TOLD = ("nearness", "matched")
"""Signs that something was told before: a statement's words are known since it is there, and it names whom it is to."""
ENOUGH = 20
"""Statements of a conversation that count as much as more of them."""
RIDGE, STEPS, RATE = 0.01, 150, 0.1
CONVERSATIONS, SEED = 45, 1
FOLDS = 5
KEPT = 0.98
"""The part of answerable questions that the gate must let pass."""
SURE = 0.95
"""The part that must get the whole budget; of what lies between the two, a taste is packed."""
KEPT_TOLD = 0.85
"""The part of statements that come back to something; some of the templates' do so in no way that could be told."""
_FIRST_GUESS = {"words": 1.0, "words_without_names": 1.0, "meaning": 2.0, "covered": 1.0, "session": 1.0}
_COLUMNS, _SIGNS = tuple(FEATURES), tuple(SIGNS)
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
    told: list[tuple[Told, Vector]]
    """What comes back to something."""


async def read(conversation: Mapping[str, Any], *, embedder: LocalEmbedder) -> Talked:
    """A conversation of a recall set with all its vectors."""
    lines = [
        Line(sent_at=datetime.fromisoformat(m["sent_at"]).astimezone(UTC), sender=m["sender"], text=m["text"])
        for m in conversation["messages"]
    ]
    model = EmbeddingModel(model_id=1, name=NAME, dimension=DIMENSION, threshold=0.3)
    vectors = np.array(await embedder.embed(passage_texts(lines), purpose="passage"))
    asked = [list(parts(question["question"])) for question in conversation["questions"]]
    told = statements(conversation)
    texts = [*(part for each in asked for part in each), *(each.text for each in told)]
    given = iter(await embedder.embed(texts, purpose="query"))
    return Talked(
        conversation=Conversation(lines, vectors, model=model),
        last=lines[-1].sent_at,
        ids={m["id"]: place for place, m in enumerate(conversation["messages"])},
        questions=conversation["questions"],
        vectors=[[(part, next(given)) for part in each] for each in asked],
        told=[(each, next(given)) for each in told],
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
            yield _example(evidence, query, right, any_of=question["kind"] == "any-of", weight=weight)


def reminders(talked: Talked, *, weight: float) -> Iterator[Asked]:
    """What there is to learn from a conversation's statements; each conversation that has enough counts the same."""
    for told, vector in talked.told:
        pool = talked.conversation.pool([(told.text, vector)], now=told.said_at, in_view=RECENT)
        yield _example(Evidence(pool), 0, told.evidence, any_of=True, weight=weight / max(len(talked.told), ENOUGH))


def _example(evidence: Evidence, query: int, right: Collection[int], *, any_of: bool, weight: float) -> Asked:
    columns = evidence.of(query)
    guess = sum(columns[name] * much for name, much in _FIRST_GUESS.items())
    chosen = np.argsort(-guess, kind="stable")[:CANDIDATES]  # pyright: ignore
    return Asked(
        columns=np.stack([columns[name][chosen] for name in FEATURES], axis=1),
        answers=np.isin(chosen, list(right)),
        evidence=len(right),
        any_of=any_of,
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


async def small_talk(talks: Sequence[Talked], *, embedder: LocalEmbedder) -> list[Floats]:
    """The gate's view of what asks nothing and comes back to nothing."""
    texts = [text for text in SMALL_TALK if not asks(text)]
    said = list(zip(texts, await embedder.embed(texts, purpose="query"), strict=True))
    pools = (talked.conversation.pool([each], now=talked.last) for talked in talks for each in said)
    return [_signs(Evidence(pool), 0) for pool in pools]


def _signs(evidence: Evidence, query: int) -> Floats:
    signs = evidence.signs(query, evidence.of(query))
    return np.array([signs[name] for name in SIGNS])


def fit(
    asked: Sequence[Asked], names: Sequence[str] = tuple(FEATURES), *, either_way: Collection[str] = tuple(FEATURES)
) -> dict[str, float]:
    """The weights under which the evidence of each question is likeliest: a softmax, a ridge, and Adam's steps.

    Only features that may speak `either_way` get weights below 0.
    """
    asked = [each for each in asked if each.answers.any()]
    widest = max(len(each.answers) for each in asked)
    chosen = [_COLUMNS.index(name) for name in names]
    lowest = np.array([-np.inf if name in either_way else 0.0 for name in names])
    x = np.zeros((len(asked), widest, len(names)), dtype=np.float32)
    right, there = (np.zeros((len(asked), widest), dtype=np.bool_) for _ in range(2))
    for n, each in enumerate(asked):
        size = len(each.answers)
        x[n, :size], right[n, :size], there[n, :size] = each.columns[:, chosen], each.answers, True
    spread = x[there].std(axis=0)
    spread = np.where(spread > 1e-6, spread, 1.0)
    x /= spread
    share = np.array([each.weight for each in asked])
    share /= share.sum()
    any_of = np.array([each.any_of for each in asked])[:, None]
    even: Floats = right / right.sum(axis=1, keepdims=True)
    weights: Floats = np.zeros(len(names))
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
        weights = np.maximum(weights, lowest)
    return dict(zip(names, (weights / spread).tolist(), strict=True))


def recall_at(asked: Iterable[Asked], weights: dict[str, float], *, depth: int = 10) -> float:
    """Evidence recall, in percent."""
    by = np.array([weights.get(name, 0.0) for name in FEATURES])
    found: list[float] = []
    for each in asked:
        best = np.argsort(-(each.columns @ by), kind="stable")[:depth]
        hits = int(each.answers[best].sum())
        found.append(float(hits > 0) if each.any_of else hits / max(1, each.evidence))
    return 100 * float(np.mean(found))


def fit_gate(
    answerable: Floats, hopeless: Floats, names: Sequence[str] = tuple(SIGNS), *, kept: float = KEPT, sure: float = SURE
) -> tuple[dict[str, float], float, float]:
    """A logistic regression (Newton's steps), and the levels above which `kept` and `sure` of the answerable lie."""
    chosen = [_SIGNS.index(name) for name in names]
    answerable, hopeless = answerable[:, chosen], hopeless[:, chosen]
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
    sums = answerable @ beta[:-1]
    return (
        dict(zip(names, beta[:-1].tolist(), strict=True)),
        float(np.quantile(sums, 1 - kept)),
        float(np.quantile(sums, 1 - sure)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fitted:
    written: dict[str, object]
    report: dict[str, float]


def _fit_both(
    theirs: Sequence[Asked],
    ours: Sequence[Asked],
    hopeless: Floats,
    *,
    share: float,
    kept: float,
    sure: float,
    names: Sequence[str] = _COLUMNS,
    signs: Sequence[str] = _SIGNS,
    either_way: Collection[str] = _COLUMNS,
) -> _Fitted:
    """Weights and gate from FriendsQA, which counts for `share`, and the templates; and how good they are."""
    rate = (1 - share) / share * sum(each.weight for each in theirs) / sum(each.weight for each in ours)
    ours = [replace(each, weight=each.weight * rate) for each in ours]
    fold_size = -(-len(theirs) // FOLDS)
    held_out: list[float] = []
    for first in range(0, len(theirs), fold_size):
        left_out = slice(first, first + fold_size)
        weights = fit([*theirs[: left_out.start], *theirs[left_out.stop :], *ours], names, either_way=either_way)
        held_out.append(recall_at(theirs[left_out], weights))
    weights = fit([*theirs, *ours], names, either_way=either_way)
    answerable = np.array([each.gate for each in (*theirs, *ours)])
    gate, level, whole = fit_gate(answerable, hopeless, signs, kept=kept, sure=sure)
    sums = hopeless[:, [_SIGNS.index(name) for name in signs]] @ np.array(list(gate.values()))
    return _Fitted(
        written={
            "weights": {name: round(value, 3) for name, value in weights.items()},
            "gate": {
                "weights": {name: round(value, 3) for name, value in gate.items()},
                "level": round(level, 3),
                "sure": round(whole, 3),
            },
        },
        report={
            "friendsqa_recall@10_cross_validated": round(float(np.mean(held_out)), 1),
            "friendsqa_recall@10": round(recall_at(theirs, weights), 1),
            "templates_recall@10": round(recall_at(ours, weights), 1),
            "kept": kept,
            "refused": round(float(np.mean(sums < level)), 3),
            "sure": sure,
            "doubted": round(float(np.mean(sums < whole)), 3),
        },
    )


async def main(arguments: Sequence[str]) -> int:
    """Fit, say how good it is, and write."""
    parser = argparse.ArgumentParser(prog="python -m bot.fitting.fit", description=__doc__)
    parser.add_argument("friendsqa", type=Path, help="friendsqa-dev.json, a recall set")
    parser.add_argument("--write", type=Path, default=_WHERE)
    given = parser.parse_args(arguments)
    embedder = LocalEmbedder()
    friends = await _read_all(json.loads(given.friendsqa.read_text("utf-8")), embedder=embedder)
    templates = await _read_all(generate(SEED, conversations=CONVERSATIONS), embedder=embedder)
    told = _fit_both(
        [each for talked in friends for each in reminders(talked, weight=1.0)],
        [each for talked in templates for each in reminders(talked, weight=1.0)],
        np.array(await small_talk(templates, embedder=embedder)),
        share=FRIENDSQA_SHARE_TOLD, kept=KEPT_TOLD, sure=KEPT_TOLD, names=OF_WHAT_IS_TOLD, signs=OF_WHAT_WAS_TOLD,
        either_way=EITHER_WAY,
    )  # fmt: skip
    asked = _fit_both(
        [each for talked in friends for each in examples(talked, weight=1.0)],
        [each for talked in templates for each in examples(talked, weight=1.0)],
        np.array(await unanswerable(templates, embedder=embedder)),
        share=FRIENDSQA_SHARE, kept=KEPT, sure=SURE,
    )  # fmt: skip
    report = {"asked": asked.report, "told": told.report}
    written = {"asked": asked.written, "told": told.written, "fitted": report}
    given.write.write_text(json.dumps(written, indent=2) + "\n")
    print(json.dumps(report, indent=2))  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
