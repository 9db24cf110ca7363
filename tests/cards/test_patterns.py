"""Regex keys: written as JavaScript, matched in linear time, and never an error."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards.lorebook.keys import FEW, KeyIndex
from bot.cards.lorebook.patterns import MOST_INSTRUCTIONS, PatternSet, quoted


def matches(key: str, text: str, *, case_sensitive: bool = False) -> bool:
    return (key, case_sensitive) in PatternSet([(key, case_sensitive)]).found(text)


@pytest.mark.parametrize(
    ("key", "text", "there"),
    [
        ("/lanterns?/i", "Two LANTERNS", True),
        ("/lanterns?/", "Two LANTERNS", False),
        ("/^nope$/m", "yes\nnope\nyes", True),
        ("/^nope$/", "yes\nnope\nyes", False),
        ("/a.b/s", "a\nb", True),
        ("/a.b/", "a\nb", False),
        ("/a[^]b/", "a\nb", True),
        (r"/a[\s\S]b/", "a\nb", True),
        (r"/a\sb/", "a\u3000b", True),
        (r"/a\Sb/", "a\u3000b", False),
        (r"/\u732b/", "猫", True),
        (r"/\u{1f431}/u", "🐱", True),
        (r"/and\/or/", "and/or", True),
        ("/and/or/", "and/or", True),
        ("/月島|灯里/g", "昨日灯里が来た", True),
        (r"/(?<who>cat)/", "a cat", True),
        (r"/\bcat\b/", "concatenate", False),
        ("storm|rain", "RAIN again", True),
        ("/ПРИВЕТ/i", "привет", True),
        ("/Straße/i", "STRASSE", False),
    ],
)
def test_a_pattern_means_what_its_author_wrote(key: str, text: str, *, there: bool) -> None:
    assert matches(key, text) is there


@pytest.mark.parametrize(
    "key",
    [
        "/([/",
        "(",
        "/a)(b/i",
        "/a)|(?:b/i",
        "/x/q",
        "/(?=a)/",
        r"/(a)\1/",
        "/a{2000}/",
        "/" + "a" * 2000 + "/",
        "/*/",
    ],
)
def test_what_cannot_be_matched_in_linear_time_or_at_all_never_matches(key: str) -> None:
    patterns = PatternSet([(key, False), ("/storm/", False)])
    assert patterns.found("storm aab x /*/ ( " + "a" * 3000) == {("/storm/", False)}
    assert patterns.refused == (key,)


@pytest.mark.parametrize("key", ["/^(a+)+$/", r"/(\w+\s*)+Z$/", "/(a|aa)+$/", "/(.*a){20}/", r"/([^u-z]+a.{0,40})+Z/"])
def test_a_pattern_that_would_hang_another_engine_ends(key: str) -> None:
    started = time.thread_time()
    patterns = PatternSet([(key, False)])
    patterns.found("a" * 40 + "!")
    patterns.found("ab" * 8_000)
    assert time.thread_time() - started < 5  # of this thread; it takes a hundredth


def test_patterns_beyond_the_largest_size_are_refused_and_the_rest_matches() -> None:
    large = [(f"/[a-q][^u-z]{{900}}{n}/", False) for n in range(20)]
    patterns = PatternSet([("/first/", False), *large])
    assert 15 <= len(patterns.refused) <= 19
    assert patterns.found("first") == {("/first/", False)}
    assert MOST_INSTRUCTIONS < 20 * 900 * 7


WORDS = st.text("abc猫Äß", min_size=1, max_size=4)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=8), st.text("abcABC猫Äß ", max_size=30))
def test_many_patterns_find_what_each_finds_alone(pairs: list[tuple[str, str]], text: str) -> None:
    keys = [(f"/{one}+|{two}$/", False) for one, two in pairs]
    expected = {(key, False) for key, _ in keys if re.search(key[1:-1], text)}
    assert PatternSet(keys).found(text) == expected


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_quoted_text_matches_itself_and_no_other(text: str, other: str) -> None:
    text, other = (one.encode("utf-8", "replace").decode() for one in (text, other))
    if text.strip() and "\0" not in text:
        key = f"/^(?:{quoted(text)})$/"
        assert matches(key, text)
        assert matches(key, other) == (text == other)


@given(st.text())
def test_any_text_may_be_a_key_or_be_looked_through(text: str) -> None:
    PatternSet([(text, False), (f"/{text}/i", True)]).found(text)


@given(
    st.lists(st.text("abcAB猫ß", max_size=6), max_size=30), st.integers(0, 2 * FEW), st.text("abcABC猫ßS ", max_size=60)
)
def test_an_index_of_keys_finds_just_those_that_are_in_a_text(keys: list[str], more: int, text: str) -> None:
    keys += [f"abc{n}" for n in range(more)] + [f"{chr(0x4E00 + n)}" * 2 for n in range(more)]
    folded = text.casefold()
    assert KeyIndex(keys).found(text) == {key.casefold() for key in keys if key and key.casefold() in folded}
