"""What comes back to something, and how well a turn's recall finds that beside BM25."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.bench.bm25 import Bm25
from bot.bench.recall import bench_recall, load_set
from bot.bench.returns import Line, Return, returns
from bot.bench.turns import Returned, turn_summary
from bot.memory.window import SILENCE
from bot.model import Recall
from bot.store import PostgresStore
from tests.fakes.ports import DIMENSION, WordEmbedder

START = datetime(2026, 1, 1, 10, tzinfo=UTC)
DAY = timedelta(days=1)


def talk(*said: tuple[str, str] | timedelta) -> list[Line]:
    """Messages a minute apart; a time in between is a silence."""
    lines: list[Line] = []
    at = START
    for each in said:
        if isinstance(each, timedelta):
            at += each
            continue
        at += timedelta(minutes=1)
        lines.append(Line(sent_at=at, sender=each[0], text=each[1]))
    return lines


def test_a_statement_comes_back_to_the_nearest_earlier_one_with_two_of_its_rare_words() -> None:
    lines = talk(
        ("Ann", "the copper kettle leaks"),
        ("Bob", "what a copper kettle that was, thrice mended"),
        ("Ann", "copper is dear"),
        DAY,
        ("Bob", "I found another copper kettle"),
    )
    assert returns(lines, in_view=1) == [Return(statement=3, evidence=1, kind="words")]


def test_what_is_in_view_or_of_the_same_session_is_nothing_to_come_back_to() -> None:
    lines = talk(("Ann", "the copper kettle leaks"), DAY, ("Bob", "I found another copper kettle"))
    assert returns(lines, in_view=2) == []
    assert len(returns(lines, in_view=1)) == 1
    together = talk(("Ann", "the copper kettle leaks"), SILENCE / 2, ("Bob", "I found another copper kettle"))
    assert returns(together, in_view=1) == []


def test_common_words_names_and_the_same_words_once_more_do_not_link() -> None:
    common = talk(*[("Ann", f"copper kettle {n}") for n in range(5)], DAY, ("Bob", "a copper kettle again"))
    assert returns(common, in_view=1) == []
    named = talk(("Marta Keller", "hello Marta Keller"), DAY, ("Bob", "so said Marta Keller"))
    assert returns(named, in_view=1) == []
    again = talk(("Ann", "happy birthday everybody"), DAY, ("Bob", "happy birthday everybody"))
    assert returns(again, in_view=1) == []


def test_the_answer_to_an_earlier_question_is_what_its_words_come_back_to() -> None:
    lines = talk(
        ("Ann", "who mended the copper kettle?"),
        ("Bob", "my uncle did"),
        DAY,
        ("Ann", "that copper kettle is beautiful"),
    )
    assert returns(lines, in_view=1) == [Return(statement=2, evidence=1, kind="answered")]


def test_an_answer_comes_back_to_what_its_question_is_about() -> None:
    lines = talk(
        ("Ann", "the copper kettle leaks"),
        DAY,
        ("Bob", "did you mend that copper kettle?"),
        ("Ann", "long ago"),
    )
    assert returns(lines, in_view=1) == [Return(statement=2, evidence=0, kind="answering")]


def test_overlapping_pairs_of_characters_are_one_word() -> None:
    lines = talk(
        ("小雨", "海洋馆"), DAY, ("阿明", "那个海洋馆"), DAY, ("小雨", "海洋馆的企鹅"), DAY, ("阿明", "企鹅在海洋馆")
    )
    assert returns(lines, in_view=1) == [Return(statement=3, evidence=2, kind="words")]


words = st.lists(st.sampled_from("copper kettle garden window rain? soup".split()), max_size=5).map(" ".join)  # noqa: SIM905


@given(
    st.lists(st.tuples(st.sampled_from(["Ann", "Bob"]), words) | st.just(DAY), max_size=25),
    st.integers(1, 5),
)
def test_evidence_is_an_earlier_statement_beyond_view_and_a_silence(
    said: list[tuple[str, str] | timedelta], in_view: int
) -> None:
    lines = talk(*said)
    found = returns(lines, in_view=in_view)
    assert [each.statement for each in found] == sorted({each.statement for each in found})
    for each in found:
        assert each.evidence <= each.statement - in_view
        assert lines[each.statement].sent_at - lines[each.evidence].sent_at > SILENCE
        assert "?" not in lines[each.statement].text + lines[each.evidence].text


def test_bm25_knows_only_what_was_said_before() -> None:
    classic = Bm25(["copper kettle", "garden soup", "copper", "kettle copper kettle"])
    assert classic.ranking("the copper kettle", before=3, most=10) == [0, 2]
    assert classic.ranking("the copper kettle", before=4, most=1) == [3]
    assert classic.ranking("copper", before=0, most=10) == []


@given(st.lists(words, max_size=15), words, st.integers(0, 15))
def test_bm25_ranks_just_what_shares_a_word(texts: list[str], asked: str, before: int) -> None:
    before = min(before, len(texts))
    ranking = Bm25(texts).ranking(asked, before=before, most=100)
    share = {n for n in range(before) if set(texts[n].split()) & set(asked.split())}
    assert sorted(ranking) == sorted(share)


def test_a_row_tells_both_ways_of_remembering_and_how_often_nothing_came() -> None:
    row = turn_summary(
        [
            Returned(kind="words", rank=6, bm25_rank=1, is_silent=False),
            Returned(kind="words", rank=None, bm25_rank=2, is_silent=True),
        ]
    )
    assert row == {
        "statements": 2, "turn_recall@5": 0.0, "turn_recall@10": 0.5, "turn_mrr": 0.0833, "bm25_recall@5": 1.0,
        "bm25_recall@10": 1.0, "bm25_mrr": 0.75, "turn_silent": 0.5,
    }  # fmt: skip
    assert turn_summary([]) == {"statements": 0}


async def test_statements_are_measured_beside_bm25_when_that_is_asked_for(store: PostgresStore, tmp_path: Path) -> None:
    lines = talk(
        ("Ann", "the copper kettle leaks"),
        *[("Bob", f"small talk {n}") for n in range(40)],
        DAY,
        ("Bob", "I found another copper kettle"),
    )
    messages = [
        {"id": f"m{n}", "sent_at": line.sent_at.isoformat(), "sender": line.sender, "text": line.text}
        for n, line in enumerate(lines)
    ]
    question = {"question": "a kettle", "asked_at": "2026-02-01T00:00:00Z", "kind": "single", "evidence": ["m0"]}
    file = tmp_path / "set.json"
    file.write_text(
        json.dumps({"name": "s", "conversations": [{"id": "c", "messages": messages, "questions": [question]}]})
    )
    model = await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.2)
    measured = await bench_recall(
        load_set(file),
        store=store,
        embedder=WordEmbedder(),
        recall=Recall(model=model, profile="ranked").deep(100),
        report=lambda _: None,
        turns=True,
    )
    turns = json.loads(json.dumps(measured))["turns"]
    assert turns["kinds"] == {"words": turns["all"]}
    row = turns["all"]
    assert (row["statements"], row["turn_mrr"], row["bm25_mrr"], row["turn_silent"]) == (1, 1.0, 1.0, 0.0)
