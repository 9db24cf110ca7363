"""What the measurements mean, and that they measure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.bench.metrics import Answered, percentile, summary
from bot.bench.recall import RecallSetError, bench_recall, load_set
from bot.bench.turn import bench_turn
from bot.model import Recall
from bot.settings import Settings
from bot.store import PostgresStore
from tests.fakes.ports import DIMENSION, WordEmbedder
from tests.fakes.values import hit


def answered(*found: int, evidence: tuple[int, ...], kind: str = "single") -> Answered:
    return Answered(
        kind=kind,
        evidence=frozenset(str(n) for n in evidence),
        hits=tuple(hit(n) for n in found),
        milliseconds=1.0,
    )


def test_recall_is_the_share_of_the_evidence_within_the_depth() -> None:
    row = summary([answered(9, 1, 8, 7, 6, 5, 2, evidence=(1, 2, 3, 4))], unanswerable_tokens=[0])
    assert (row["recall@5"], row["recall@10"], row["mrr"]) == (0.25, 0.5, 0.5)


def test_any_of_is_all_or_nothing() -> None:
    row = summary([answered(9, 1, evidence=(1, 2, 3), kind="any-of")], unanswerable_tokens=[])
    assert row["recall@5"] == 1.0
    assert "tokens_unanswerable" not in row


def test_nothing_found_is_nought() -> None:
    row = summary([answered(evidence=(1,))], unanswerable_tokens=[4, 0, 9])
    assert (row["recall@20"], row["mrr"], row["recall@500tok"], row["tokens_unanswerable"]) == (0, 0, 0, 4)


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.01, 1))
def test_a_percentile_is_one_of_the_values_and_bounds_its_share(values: list[float], share: float) -> None:
    bound = percentile(values, share)
    assert bound in values
    assert sum(value <= bound for value in values) >= share * len(values)


async def test_a_set_is_measured_over_the_whole_way_of_recall(store: PostgresStore, tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    messages = [
        {"id": f"m{n}", "sent_at": f"2026-01-01T10:{n:02}:00Z", "sender": "Ann", "text": text}
        for n, text in enumerate(["the cat is called Biscuit", "rain again", "tea is ready"])
    ]
    question = {
        "question": "the cat is called what",
        "asked_at": "2026-02-01T00:00:00Z",
        "kind": "single",
        "evidence": ["m0"],
    }
    file.write_text(
        json.dumps({"name": "s", "conversations": [{"id": "c", "messages": messages, "questions": [question]}]})
    )
    model = await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.2)
    measured = await bench_recall(
        load_set(file),
        store=store,
        embedder=WordEmbedder(),
        recall=Recall(model=model, hits=20),
        report=lambda _: None,
    )
    row = json.loads(json.dumps(measured))["all"]
    assert (row["questions"], row["recall@5"], row["mrr"]) == (1, 1.0, 1.0)
    assert row["ms_p50"] > 0


@pytest.mark.parametrize("content", ["", "{", "[]", '{"name": "s", "conversations": [{"id": 1}]}'])
def test_what_is_no_set_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "set.json"
    file.write_text(content)
    with pytest.raises(RecallSetError, match=r"set\.json"):
        load_set(file)


async def test_a_turn_is_measured_with_its_round_trips_spans_and_tokens(store: PostgresStore) -> None:
    row = await bench_turn(store=store, settings=Settings(), messages=300, turns=6)
    assert set(row) == {
        "messages", "turns", "turn_ms_p50", "turn_ms_p95", "traced_cpu_ms", "sql_round_trips", "spans", "tokens_a_day",
        "long_traced_cpu_ms", "long_spans",
    }  # fmt: skip
    trips, spans, long_spans = row["sql_round_trips"], row["spans"], row["long_spans"]
    assert isinstance(trips, int)
    assert 1 <= trips <= 4
    assert isinstance(spans, int)
    assert spans >= 8
    assert isinstance(long_spans, int)
    assert long_spans >= 25, "what a turn of so many spans costs is what is promised"
