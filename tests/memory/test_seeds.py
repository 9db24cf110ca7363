"""Which words find messages, and which are only counted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.asking import speaker
from bot.memory.dates import SEASON
from bot.memory.recall import as_queries
from bot.memory.seeds import (
    ALWAYS_RARE,
    BUDGET,
    COMMON,
    LEAST_BUDGET,
    MOST_BUDGET,
    MOST_DAYS,
    MOST_DAYS_IN_ALL,
    MOST_TERMS,
    budget,
    choose_words,
)
from bot.model import ChatId, EmbeddingModel, Lane, Profile, Query, Recall, Search, Statistics

MODEL = EmbeddingModel(model_id=1, name="test", dimension=64, threshold=0.3)
NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)


def search_for(*queries: str, profile: Profile = "ranked") -> Search:
    return Search(
        lane=Lane(ChatId(1)),
        queries=tuple(Query(text=text, vector=None, terms=tuple(text.split())) for text in queries),
        recall=Recall(model=MODEL, profile=profile),
        now=NOW,
    )


def statistics(indexed: int, **counts: int) -> Statistics:
    return Statistics(indexed=indexed, mean_length=5.0, counts=counts, embedded=indexed, vectors=indexed)


def seeding(search: Search, known: Statistics) -> list[list[str]]:
    words = choose_words(search, known)
    return [
        [words.terms[seed.term] for seed in words.seeds if seed.query == query] for query in range(len(search.queries))
    ]


def test_common_words_are_counted_and_find_nothing() -> None:
    search, known = search_for("tea in Lyon"), statistics(10_000, tea=500, Lyon=7, **{"in": 9_000})
    assert seeding(search, known) == [["Lyon"]]
    assert set(choose_words(search, known).terms) == {"tea", "in", "Lyon"}


def test_of_common_words_alone_the_rarest_finds() -> None:
    assert seeding(search_for("tea in"), statistics(10_000, tea=500, **{"in": 9_000})) == [["tea"]]


def test_in_a_small_chat_no_word_is_common() -> None:
    assert seeding(search_for("tea in"), statistics(50, tea=50, **{"in": 49})) == [["in", "tea"]]


def test_each_query_has_its_own_words() -> None:
    assert seeding(search_for("tea", "Lyon tea", ""), statistics(100, tea=9, Lyon=1)) == [["tea"], ["Lyon", "tea"], []]


def test_what_was_never_said_is_not_looked_for() -> None:
    assert choose_words(search_for("zebra"), statistics(100, zebra=0)).terms == ()


def test_the_combined_profile_looks_for_no_words() -> None:
    assert choose_words(search_for("tea", profile="combined"), statistics(100, tea=9)).terms == ()


@given(st.integers(1, 2_000_000), st.lists(st.integers(0, 200_000), max_size=60))
def test_what_is_looked_at_for_words_stays_bounded(indexed: int, drawn: list[int]) -> None:
    counts = {f"w{n}": min(count, indexed) for n, count in enumerate(drawn)}
    search, known = search_for(" ".join(counts)), statistics(indexed, **counts)
    words = choose_words(search, known)
    [found_by] = seeding(search, known)
    assert len(words.terms) <= MOST_TERMS
    assert bool(found_by) == any(counts.values())
    if len(found_by) > 1:
        assert sum(counts[term] for term in found_by) <= BUDGET
        assert all(counts[term] <= max(COMMON * indexed, ALWAYS_RARE) for term in found_by)
    rarest = sorted(count for count in counts.values() if count)
    assert [counts[term] for term in found_by] == rarest[: len(found_by)]


@given(st.integers(0, 1000))
def test_many_queries_share_what_may_be_looked_at_for_words(queries: int) -> None:
    assert min(LEAST_BUDGET, MOST_BUDGET // max(1, queries)) <= budget(queries) <= BUDGET
    assert budget(queries) * queries <= max(BUDGET, min(LEAST_BUDGET * queries, MOST_BUDGET))


@given(st.integers(1, 100), st.integers(1, 1000))
def test_many_queries_reach_less_far_each(queries: int, seeds: int) -> None:
    reach = Recall(model=MODEL, profile="ranked", seeds=seeds).reach(queries)
    assert reach.seeds >= 20
    assert reach.seeds * queries <= max(seeds, 20 * queries)
    assert reach.by_words > reach.seeds < reach.by_vector


def test_times_that_are_asked_about_are_looked_for_and_the_week_after_a_little() -> None:
    search = search_for("what did Anna buy last Friday?", "tea?", "on 31 December 9999")
    [day, after] = choose_words(search, statistics(100)).seasons
    assert (day.query, day.first.isoformat(), day.until.isoformat()) == (
        0, "2026-02-27T00:00:00+00:00", "2026-02-28T00:00:00+00:00",
    )  # fmt: skip
    assert (after.query, after.first, after.until) == (0, day.until, day.until + timedelta(days=7))
    assert day.worth > after.worth > 0


@pytest.mark.parametrize(
    ("zone", "now", "beside"),
    [("Asia/Shanghai", "2026-03-04T23:30+00:00", "@2026-03-03"), ("America/Lima", "2026-03-06T02:00Z", "@2026-03-05")],
)
def test_yesterday_is_that_of_who_asks_and_spoken_of_by_two_days_of_utc(zone: str, now: str, beside: str) -> None:
    there = ZoneInfo(zone)
    search = replace(search_for("昨天聊了什么？"), now=datetime.fromisoformat(now), zone=there)
    words = choose_words(search, statistics(100))
    [season] = [each for each in words.seasons if each.finds]
    assert (season.first, season.until) == (datetime(2026, 3, 4, tzinfo=there), datetime(2026, 3, 5, tzinfo=there))
    assert {"@2026-03-04", beside} == {day.term for day in words.days if len(day.term) == len(beside)}


def test_the_times_that_many_queries_ask_about_are_bounded_and_the_first_of_each_comes_first() -> None:
    asked = "last Friday, in July 2025, last summer, in 2024 and yesterday?"
    few, many = (choose_words(search_for(*[asked] * queries), statistics(100)) for queries in (2, 160))
    assert [sum(each.finds for each in words.seasons) for words in (few, many)] == [2 * MOST_DAYS, MOST_DAYS_IN_ALL]
    assert {each.query for each in many.seasons} == set(range(MOST_DAYS_IN_ALL))
    assert len(many.days) <= MOST_DAYS_IN_ALL * 2 * SEASON


def test_whoever_is_called_like_a_word_may_be_named_by_it() -> None:
    search = Search(
        lane=Lane(ChatId(1)),
        queries=as_queries(["Did ANNA's cat…", "小雨喜欢什么？"], [None, None]),
        recall=Recall(model=MODEL, profile="ranked"),
        now=NOW,
    )
    called = choose_words(search, statistics(9)).called
    for query, name, other in ((0, "Anna Lee", "Annabel"), (1, "小雨", "小云"), (1, "陈小雨", "小")):
        of_query = {each.speaker for each in called if each.query == query}
        assert speaker(name) in of_query
        assert speaker(other) not in of_query or other == "小"
    assert sum(each.share for each in called if each.query == 0) == pytest.approx(1)
    assert speaker("") is speaker("🙂") is None
