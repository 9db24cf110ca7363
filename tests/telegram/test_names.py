"""Whether a text calls the bot by name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.names import names_me

anything = st.text(max_size=40)
latin = st.text("abcdefghijklmnopqrstuvwxyzäöüßéабвгд", min_size=1, max_size=8)
han = st.text("米娅小雨天月美花アミ", min_size=1, max_size=4)


@pytest.mark.parametrize(
    "text",
    [
        "Mia?",
        "MIA",
        "mia-chan, good morning",
        "so, Mia's cat",
        "你好Mia在吗",
        "(mia)",
        "Ｍｉａ！",
        "hey mia",
        "米娅你好",
        "我问了米娅吗",
    ],
)
def test_a_name_is_heard(text: str) -> None:
    assert names_me(text, ["Mia", "米娅"])


@pytest.mark.parametrize("text", ["bohemian", "Miami", "mia_bot", "miaÌ", "mia\u0301", "m i a", "", "米 娅", "Miaä"])
def test_a_part_of_another_word_is_not(text: str) -> None:
    assert not names_me(text, ["Mia", "米娅"])


def test_a_korean_name_may_have_a_particle_behind_it() -> None:
    assert names_me("미아야 안녕", ["미아"])


def test_accents_count_however_they_are_encoded() -> None:
    assert names_me(unicodedata.normalize("NFD", "Zoë, come"), ["Zoë"])
    assert not names_me(unicodedata.normalize("NFD", "Zoë, come"), ["Zoe"])


def test_a_name_of_several_words_may_be_spaced_anyhow() -> None:
    assert names_me("dear  Mia\nRose!", ["Mia Rose"])


@given(before=anything, name=latin | han, after=anything)
def test_a_name_set_apart_by_spaces_is_always_heard(before: str, name: str, after: str) -> None:
    assert names_me(f"{before} {name} {after}", [name])


@given(before=anything, name=han, after=anything)
def test_a_name_without_word_edges_is_heard_anywhere(before: str, name: str, after: str) -> None:
    # Only what would combine with a kana of the name, and so change it, must not follow at once.
    after = "" if after[:1] and not unicodedata.is_normalized("NFKC", name + after[:1]) else after
    if unicodedata.combining(after[:1] or " ") or after[:1] in "\u3099\u309a\uff9e\uff9f":
        after = ""
    assert names_me(before + name + after, [name])


@given(letters=latin, name=latin)
def test_a_name_inside_a_longer_word_is_not_heard(letters: str, name: str) -> None:
    assert not names_me(f"{letters}{name}{letters}", [name]) or name in letters * 2


@given(text=anything)
def test_nothing_is_called_by_no_name(text: str) -> None:
    assert not names_me(text, ["", "  ", "!?"])


@given(text=anything, name=latin)
def test_letter_case_makes_no_difference(text: str, name: str) -> None:
    assert names_me(text, [name]) == names_me(text, [name.upper()])
