"""Which language a text is in, and its dates."""

from __future__ import annotations

from datetime import datetime
from string import Formatter
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.languages import date_in, language_of
from bot.llm.phrases import NOTICE_MARK, PHRASES, Language

TOLD: list[tuple[str, Language | None]] = [
    ("When did Anna move to Lyon?", "en"),
    ("hi", "en"),
    ("ok lol", "en"),
    ("安娜什么时候搬到里昂？", "zh"),
    ("安娜什麼時候搬到里昂？", "zh-Hant"),
    ("你好", "zh"),
    ("我用 Python 写了一个 bot", "zh"),
    ("アンナはいつリヨンに引っ越しましたか？", "ja"),
    ("昨日の会議", "ja"),
    ("안나는 언제 이사했어?", "ko"),
    ("ㅋㅋㅋ", "ko"),
    ("Когда Анна переехала в Лион?", "ru"),
    ("Коли Анна переїхала до Ліона?", "en"),
    ("¿Cuándo se mudó Ana a Lyon?", "es"),
    ("hola, cómo está mi gato", "es"),
    ("Quand est-ce qu'Anna a déménagé à Lyon ?", "fr"),
    ("bonjour, tu te souviens de moi", "fr"),
    ("Wann ist Anna nach Lyon gezogen?", "de"),
    ("Weißt du noch, was ich dir über den Hund erzählt habe?", "de"),
    ("Quando é que a Ana se mudou? Não sei", "en"),
    ("Ania przeprowadziła się do Łodzi", "en"),
    ("متى انتقلت آنا؟", "en"),
    ("😂👍 123 !!", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "language"), TOLD)
def test_a_language_is_told_by_its_script_or_its_commonest_words(text: str, language: Language | None) -> None:
    assert language_of(text) == language


@given(text=st.text())
def test_any_text_has_one_of_the_languages_or_no_letters(text: str) -> None:
    language = language_of(text)
    assert language in PHRASES or not any(character.isalpha() for character in text)


@given(
    moment=st.datetimes(
        min_value=datetime(1900, 1, 1)  # noqa: DTZ001 (Hypothesis wants it naive)
    ),
    language=st.sampled_from(list(PHRASES)),
)
def test_every_date_holds_day_year_and_time(moment: datetime, language: Language) -> None:
    shown = date_in(language, moment)
    assert str(moment.day) in shown
    assert str(moment.year) in shown
    assert f"{moment:%H:%M}" in shown


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "1 March 2026, 10:12"),
        ("zh", "2026年3月1日 10:12"),
        ("ko", "2026년 3월 1일 10:12"),
        ("ru", "1 марта 2026 г. в 10:12"),
        ("es", "1 de marzo de 2026, 10:12"),
        ("fr", "1er mars 2026 à 10:12"),
        ("de", "1. März 2026, 10:12 Uhr"),
    ],
)
def test_dates_are_written_as_the_language_has_them(language: Language, shown: str) -> None:
    assert date_in(language, datetime(2026, 3, 1, 10, 12, tzinfo=ZoneInfo("Europe/Berlin"))) == shown


@pytest.mark.parametrize("language", PHRASES)
def test_every_language_has_all_its_phrases(language: Language) -> None:
    phrases = PHRASES[language]
    for template, names in (
        (phrases.they, {"who", "when", "text"}),
        (phrases.you, {"when", "text"}),
        (phrases.me, {"when", "text"}),
    ):
        assert {name for _, name, _, _ in Formatter().parse(template) if name} == names
    assert NOTICE_MARK in phrases.notice
    assert len(phrases.months.split()) in {0, 12}
