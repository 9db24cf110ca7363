"""Texts as terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.memory.words import LONGEST_TERM, frequencies, language_of, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went to Caroline's support groups and it wasn't bad", ["went", "carolin", "support", "group", "bad"]),
        ("Wir fahren nächste Woche nach Lyon, nicht wahr?", ["fahr", "nach", "woch", "lyon", "wahr"]),
        ("Мы переезжаем в Лион весной", ["переезжа", "лион", "весн"]),
        ("C’est l'école de la rue, qu'il aime", ["écol", "ru", "aim"]),
        ("我妈妈叫王思琪", ["我", "我妈", "妈", "妈妈", "妈", "妈叫", "叫", "叫王", "王", "王思", "思", "思琪", "琪"]),
        ("meet at 7pm on 2024-03-05", ["meet", "7pm", "2024", "03", "05"]),
        ("Ｆｕｌｌ width", ["full", "width"]),
        ("👍🏽 …", []),
        ("", []),
    ],
)
def test_texts_become_stems_and_pairs(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("where did you put the keys", "english"),
        ("wo hast du die schlüssel", "german"),
        ("dónde están las llaves de mi casa", "spanish"),
        ("где ключи", "russian"),
        ("πού είναι τα κλειδιά", "greek"),
        ("lyon friday", "english"),
    ],
)
def test_the_language_is_told_by_common_words_and_script(text: str, language: str) -> None:
    assert language_of(text.split()) == language


@given(st.text(max_size=300))
def test_any_text_has_terms_that_can_be_kept_and_found_again(text: str) -> None:
    found = terms(text)
    assert all(0 < len(term) <= LONGEST_TERM and " " not in term for term in found)
    assert terms(text) == found
    assert frequencies(text).total() == len(found)


@given(st.lists(st.sampled_from(["lyon", "piano", "garden", "oslo"]), min_size=1, max_size=6))
def test_case_does_not_matter(words: list[str]) -> None:
    assert terms(" ".join(words)) == terms(" ".join(words).upper())
