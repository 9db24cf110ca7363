"""Laws of cutting a text for Telegram."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.split import LIMIT, sendable, split_for_telegram

WORDS = ("tea", "Tee. ", "чай! ", "茶。", "“茶！”", "\n", "\n\n", " ", "\r\n", "\u3000", "e\u0301", "x" * 30)
SIGNS = ("😀", "👍🏽", "👨‍👩‍👧", "🇩🇪", "🇫🇷", "❤️", "नि", "각")
BROKEN = ("\0", "\ud83d", "\ude00")
texts = st.lists(st.sampled_from([*WORDS, *SIGNS, *BROKEN]) | st.text(max_size=5), max_size=60).map("".join)
limits = st.integers(2, 60)


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def without_space(text: str) -> str:
    return "".join(text.split())


@given(text=texts, limit=limits)
def test_no_part_is_longer_than_telegram_takes_and_each_shows_something(text: str, limit: int) -> None:
    for part in split_for_telegram(text, limit=limit):
        assert units(part) <= limit
        assert part.strip()


@given(text=texts, limit=limits)
def test_nothing_is_lost_but_white_space(text: str, limit: int) -> None:
    parts = split_for_telegram(text, limit=limit)
    assert without_space("".join(parts)) == without_space(sendable(text))


@given(text=texts)
def test_what_fits_stays_as_it_is(text: str) -> None:
    clean = sendable(text)
    assert split_for_telegram(text) == ([clean] if clean.strip() else [])


@given(text=texts)
def test_what_is_sendable_can_be_encoded_and_stays_so(text: str) -> None:
    clean = sendable(text)
    clean.encode()
    assert "\0" not in clean
    assert sendable(clean) == clean


@given(text=texts, limit=limits)
def test_parts_are_not_cut_again(text: str, limit: int) -> None:
    parts = split_for_telegram(text, limit=limit)
    assert [split_for_telegram(part, limit=limit) for part in parts] == [[part] for part in parts]


@given(signs=st.lists(st.sampled_from(SIGNS), min_size=1, max_size=40), limit=st.integers(12, 40))
def test_no_sign_is_taken_apart(signs: list[str], limit: int) -> None:
    left = list(signs)
    for part in split_for_telegram("".join(signs), limit=limit):
        while part:
            assert part.startswith(left[0])
            part = part.removeprefix(left.pop(0))
    assert left == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One. Two.\nThree\n\nFour five six seven", "One. Two.\nThree"),
        ("One. Two. Three\nFour five six seven", "One. Two. Three"),
        ("One two. Three four five six seven", "One two. Three four five"),
        ("One two three four. Five six seven", "One two three four."),
        ("他说：“今天很好。”我们去喝茶吧，然后再回家去看书写字", "他说：“今天很好。”我们去喝茶吧，然后再回家去看书"),
        (
            "我们今天去喝茶吧，好不好呀？好。然后再回家看书。行不行呢",
            "我们今天去喝茶吧，好不好呀？好。然后再回家看书。",
        ),
        ("Onetwothreefourfivesixseveneight", "Onetwothreefourfivesixsev"),
    ],
)
def test_the_cut_is_where_it_reads_best(text: str, first: str) -> None:
    assert split_for_telegram(text, limit=25)[0] == first


def test_halves_of_a_pair_that_belong_together_are_joined() -> None:
    assert split_for_telegram("tea \ud83d\ude00 \ud83d") == ["tea 😀 "]


@pytest.mark.parametrize("text", ["", " \n\t", "\0", "\ud83d", " \ude00 "])
def test_what_shows_nothing_has_no_parts(text: str) -> None:
    assert split_for_telegram(text) == []


def test_a_mark_that_never_ends_is_cut_all_the_same() -> None:
    assert [len(part) for part in split_for_telegram("a" + "\u0301" * (2 * LIMIT))] == [LIMIT, LIMIT, 1]
    assert unicodedata.category("\u0301") == "Mn"


def test_a_very_long_run_is_cut_in_no_time() -> None:
    assert len(split_for_telegram("🇩🇪" * 100_000)) == 98
    assert len(split_for_telegram("word. " * 100_000)) == 147
