"""What the ranker makes of a pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.fitting.fit import OF_WHAT_IS_TOLD
from bot.fitting.pools import Conversation, Line
from bot.memory.features import FEATURES, LEAST_ROOM, SAME_DAY, Column, Evidence
from bot.memory.pack import TASTE, packed_line
from bot.memory.rank import Ranker, ranked, shipped
from bot.model import EmbeddingModel, Pool, Vector, token_count
from tests.fakes.vectors import squeezed

MODEL = EmbeddingModel(model_id=1, name="stub", dimension=64, threshold=0.3)
START = datetime(2024, 3, 1, 12, tzinfo=UTC)
LATER = START + timedelta(days=30)
WORDS = ["lyon", "piano", "garden", "oslo", "train", "soup", "Anna", "yesterday", "?", "three", "I", "钢琴", "昨天"]


def vector(text: str) -> Vector:
    """Texts that share characters are near."""
    counts = np.zeros(64, dtype=np.float32)
    for character in text.lower():
        counts[ord(character) % 64] += 1
    return counts / max(float(np.linalg.norm(counts)), 1e-6)


def chat(*lines: tuple[str, str], minutes: float = 1) -> Conversation:
    said = [
        Line(sent_at=START + n * timedelta(minutes=minutes), sender=sender, text=text)
        for n, (sender, text) in enumerate(lines)
    ]
    vectors: npt.NDArray[np.float32] = np.array([vector(line.text) for line in said]).reshape(len(said), 64)
    return Conversation(said, vectors, model=MODEL)


def asked(conversation: Conversation, *texts: str, most: int = 30, budget: int | None = None) -> Pool:
    pool = conversation.pool([(text, vector(text)) for text in texts], now=LATER)
    recall = replace(pool.search.recall, profile="ranked", most=most, budget=budget)
    return replace(pool, search=replace(pool.search, recall=recall))


def open_ranker() -> Ranker:
    """The shipped one, to which everything is worth an answer."""
    return shipped().open()


said_lines = st.lists(
    st.tuples(st.sampled_from(["Anna", "Bob"]), st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)),
    min_size=1,
    max_size=25,
)
questions = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=3)


def texts(pool: Pool, *, ranker: Ranker | None = None) -> list[str]:
    return [hit.message.text for hit in ranked(pool, ranker=ranker or open_ranker())]


def test_what_answers_comes_first() -> None:
    conversation = chat(
        ("Anna", "good morning everybody"),
        ("Bob", "I moved to Lyon last Friday, the flat is tiny"),
        ("Anna", "and how is the piano?"),
        ("Bob", "it did not fit through the door"),
        ("Anna", "soup is on at seven"),
    )
    assert texts(asked(conversation, "When did Bob move to Lyon?"))[0].startswith("I moved to Lyon")


def test_who_is_asked_about_matters() -> None:
    conversation = chat(
        ("Anna", "I bought a red scarf for my mother"),
        ("Bob", "I bought a red scarf for my mother, too"),
        ("Anna", "nice weather"),
    )
    best = ranked(asked(conversation, "What did Bob buy for his mother?"), ranker=open_ranker())[0]
    assert best.message.sender == "Bob"


def test_dates_meet() -> None:
    conversation = chat(
        ("Anna", "my concert was yesterday and it went fine"),
        ("Bob", "my concert is next month and I am nervous"),
        ("Anna", "see you"),
    )
    assert "yesterday" in texts(asked(conversation, "Whose concert was on 29 February 2024?"))[0]


def test_who_speaks_of_a_year_does_not_speak_of_yesterday() -> None:
    conversation = chat(
        ("Anna", "our plans for this year, one each, written down so that nobody can get out of it"),
        ("Bob", "our plans from yesterday, one each, written down so that nobody can get out of it"),
        minutes=24 * 60 * 30,
    )
    pool = asked(conversation, "what plans were made yesterday?")
    assert Evidence(pool).of(0)["date"].tolist() == [0.0, 1.0]


def test_a_day_is_that_of_those_who_ask() -> None:
    conversation = chat(("Anna", "I watered the tomatoes"), ("Bob", "I watered the beans"), minutes=6 * 60)
    pool = asked(conversation, "what was watered on 2 March?")  # sent on 1 March at 12:00 and at 18:00 UTC
    there = replace(pool, search=replace(pool.search, zone=ZoneInfo("Asia/Shanghai")))
    assert [Evidence(each).of(0)["date"].tolist() for each in (pool, there)] == [[0, 0], [0, SAME_DAY]]


def test_nothing_comes_to_mind_for_small_talk_and_for_what_was_never_spoken_of() -> None:
    lines = [("Anna" if n % 2 else "Bob", f"{word} with the neighbours in the evening") for n, word in enumerate(
        ["dinner", "chess", "rowing", "pottery", "karate", "gardening", "painting", "choir", "hiking", "tennis"] * 10
    )]  # fmt: skip
    conversation = chat(*lines, minutes=50)
    # Vectors that say nothing, as an embedder gives for texts that have nothing to do with one another.
    for text in ("haha", "Which submarine did the zoologist repaint?"):
        pool = conversation.pool([(text, np.zeros(64, dtype=np.float32))], now=LATER)
        assert ranked(pool, ranker=shipped()) == []
    assert texts(asked(conversation, "What does Anna do with the neighbours, pottery?"), ranker=shipped())


def test_what_may_be_beside_the_point_is_a_taste() -> None:
    lines = [
        ("Anna", f"I went {what} with the neighbours and it was a long evening") for what in ["rowing", "hiking"] * 60
    ]
    pool = asked(chat(*lines, minutes=50), "what did Anna do with the neighbours?", most=60, budget=500)
    sure = ranked(pool, ranker=open_ranker())
    doubted = ranked(pool, ranker=replace(open_ranker(), asked=replace(open_ranker().asked, sure=1e9)))
    assert not any(hit.doubted for hit in sure)
    assert all(hit.doubted for hit in doubted)
    assert TASTE < sum(token_count(packed_line(hit.message)) for hit in sure) <= 500
    assert 0 < sum(token_count(packed_line(hit.message)) for hit in doubted) <= TASTE
    assert [hit.message for hit in doubted] == [hit.message for hit in sure][: len(doubted)]


@given(lines=said_lines, queries=questions, most=st.integers(1, 10), budget=st.none() | st.integers(1, 60))
def test_each_message_comes_once_within_most_and_budget(
    lines: Sequence[tuple[str, str]], queries: Sequence[str], most: int, budget: int | None
) -> None:
    pool = asked(chat(*lines), *queries, most=most, budget=budget)
    hits = ranked(pool, ranker=open_ranker())
    ids = [hit.message.message_id for hit in hits]
    assert len(ids) == len(set(ids)) <= most
    if budget is None:
        assert len(ids) == min(most, len(lines))
    else:
        assert sum(token_count(packed_line(hit.message)) for hit in hits) <= budget


@given(lines=said_lines, queries=questions)
def test_a_score_is_the_sum_of_its_parts_and_carries_the_combined_one(
    lines: Sequence[tuple[str, str]], queries: Sequence[str]
) -> None:
    pool = asked(chat(*lines), *queries)
    for hit in ranked(pool, ranker=open_ranker()):
        assert np.isclose(hit.score, sum(hit.evidence.values()))
        age = pool.search.now - hit.message.sent_at
        assert hit.combined == pool.search.recall.weights.score(hit.similarity, age)
        assert hit.parts == {
            "similarity": hit.similarity, "time_relevance": hit.time_relevance, "combined": hit.combined, **hit.evidence
        }  # fmt: skip
        assert not hit.evidence.keys() & {"similarity", "time_relevance", "combined"}


@given(lines=said_lines, queries=questions, data=st.data())
def test_what_is_in_view_never_comes_to_mind(
    lines: Sequence[tuple[str, str]], queries: Sequence[str], data: st.DataObject
) -> None:
    pool = asked(chat(*lines), *queries)
    seen = data.draw(st.sets(st.integers(0, len(lines) - 1)))
    found = tuple(replace(each, in_view=place in seen) for place, each in enumerate(pool.found))
    hits = ranked(replace(pool, found=found), ranker=open_ranker())
    assert {int(hit.message.external_id) for hit in hits} == set(range(len(lines))) - seen


@given(lines=said_lines, queries=questions)
def test_features_are_finite_also_without_vectors(lines: Sequence[tuple[str, str]], queries: Sequence[str]) -> None:
    pool = asked(chat(*lines), *queries)
    blind = replace(pool, similarities=np.full_like(pool.similarities, np.nan))
    for each in (pool, blind):
        evidence = Evidence(each)
        for query in range(len(queries)):
            columns = evidence.of(query)
            assert columns.keys() >= FEATURES.keys()
            assert all(np.isfinite(column).all() and len(column) == len(lines) for column in columns.values())
            assert all(np.isfinite(value) for value in evidence.signs(query, columns).values())


@given(lines=said_lines, question=questions.map(" ".join), first=st.floats(0.3, 0.9), second=st.floats(0.3, 0.9))
def test_models_that_find_all_texts_more_or_less_alike_are_read_the_same(
    lines: Sequence[tuple[str, str]], question: str, first: float, second: float
) -> None:
    said = [Line(sent_at=START, sender=sender, text=f"{text} ok") for sender, text in lines]
    rows, wanted = np.array([vector(line.text) for line in said]), vector(question)
    read: list[Column] = []
    for alike in (first, second):
        squeezed_question = squeezed(wanted[None], alike)[0]
        pool = Conversation(said, squeezed(rows, alike), model=MODEL).pool([(question, squeezed_question)], now=LATER)
        assume(1 - pool.statistics.usual(squeezed_question) > LEAST_ROOM)
        read.append(Evidence(pool).of(0)["nearness"])
    assert read[0] == pytest.approx(read[1], abs=1e-3)


def test_a_model_that_tells_texts_apart_is_read_as_it_is() -> None:
    # What is asked is like one message, and unlike the other three: .25 on the whole, and so .75 over that.
    said = [Line(sent_at=START, sender="Anna", text=text) for text in ("lyon", "soup", "garden", "train")]
    vectors = np.eye(4, 64, dtype=np.float32)
    pool = Conversation(said, vectors, model=MODEL).pool([("lyon", vectors[0])], now=LATER)
    assert Evidence(pool).of(0)["nearness"].tolist() == [0.75, -0.25, -0.25, -0.25]


def test_an_empty_pool_brings_nothing() -> None:
    pool = asked(chat(("Anna", "hello")), "hello")
    empty = replace(
        pool, found=(), counts=pool.counts[:0], similarities=pool.similarities[:, :0], previous=pool.previous[:0],
        following=pool.following[:0],
    )  # fmt: skip
    assert ranked(empty, ranker=open_ranker()) == []


def test_the_shipped_ranker_weighs_every_feature_for_a_question_and_for_what_is_told_none_that_only_answers() -> None:
    assert shipped().asked.weights.keys() == FEATURES.keys()
    assert shipped().told.weights.keys() == set(OF_WHAT_IS_TOLD)
    assert shipped().told.weights.keys() < FEATURES.keys()


def test_what_is_asked_and_what_is_told_are_weighed_each_by_its_own() -> None:
    conversation = chat(
        ("Anna", "the old lighthouse in Oslo was closed"),
        ("Bob", "soup again"),
        ("Anna", "nice weather"),
    )
    queries = ("when was the lighthouse closed?", "we saw the lighthouse today")
    by_query = [ranked(asked(conversation, query), ranker=open_ranker())[0] for query in queries]
    assert [hit.evidence.keys() for hit in by_query] == [shipped().asked.weights.keys(), shipped().told.weights.keys()]
    assert {hit.message.text for hit in by_query} == {"the old lighthouse in Oslo was closed"}


@given(text=st.text(max_size=60))
def test_the_ranker_keeps_its_weights_for_questions_whatever_stands_before_the_mark(text: str) -> None:
    assert shipped().of(text + "?") is shipped().asked
