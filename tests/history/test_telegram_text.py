from __future__ import annotations

from pathlib import Path
from typing import cast

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.history.telegram_text import join_text, page_text
from tests.fakes.telegram_export import Fields
from tests.history.samples import message, only, without


def test_formatted_text_is_joined_and_links_keep_their_words(tmp_path: Path) -> None:
    parts: list[object] = [
        "see ",
        {"type": "text_link", "text": "the menu", "href": "https://example.org"},
        " by ",
        {"type": "mention_name", "text": "小雨", "user_id": 612345678},
        " ",
        {"type": "custom_emoji", "text": "😮", "document_id": "stickers/1.webm"},
        "\n",
        {"type": "pre", "text": "x = 1", "language": "python"},
        "",
    ]
    assert only(tmp_path, message(text=parts)).text == "see the menu by 小雨 😮\nx = 1"


words = st.text(st.characters(exclude_categories=["Cs"]))


def bold(text: object) -> Fields:
    return {"type": "bold", "text": text, "none": 1}


def deeper(texts: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(texts) | texts.map(bold)


def words_in(text: object) -> str:
    match text:
        case str():
            return text
        case list():
            return "".join(words_in(part) for part in cast("list[object]", text))
        case dict():
            return words_in(cast("Fields", text)["text"])
        case _:
            raise AssertionError(text)


@settings(deadline=None)
@given(st.recursive(words, deeper))
def test_no_word_is_lost_or_moved_however_a_text_is_nested(text: object) -> None:
    assert join_text(text) == words_in(text)


def any_deeper(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(values) | st.dictionaries(st.sampled_from(["type", "text", "source", "blocks"]), values)


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | words, any_deeper))
def test_any_json_in_the_place_of_a_text_or_a_page_is_survived(value: object) -> None:
    assert isinstance(join_text(value), str)
    assert isinstance(page_text(value), str)


def test_a_text_nested_ten_thousand_deep_is_read() -> None:
    text: object = "deep"
    for _ in range(10_000):
        text = [{"type": "bold", "text": text}]
    assert join_text(text) == "deep"


def test_a_page_of_blocks_is_read_line_by_line(tmp_path: Path) -> None:
    page: Fields = {
        "rtl": False,
        "part": False,
        "blocks": [
            {"type": "heading", "level": 1, "text": {"type": "plain", "text": "Plan"}},
            {
                "type": "paragraph",
                "text": {
                    "type": "concat",
                    "text": [
                        {"type": "plain", "text": "Meet at "},
                        {"type": "bold", "text": {"type": "plain", "text": "three"}},
                    ],
                },
            },
            {
                "type": "list",
                "kind": "bullet",
                "items": [
                    {"task_state": "none", "content": "text", "text": {"type": "plain", "text": "tea"}},
                    {
                        "task_state": "none",
                        "content": "blocks",
                        "blocks": [{"type": "paragraph", "text": {"type": "plain", "text": "cake"}}],
                    },
                ],
            },
            {
                "type": "table",
                "title": {"type": "empty"},
                "rows": [{"cells": [{"text": {"type": "plain", "text": "一"}, "header": False}]}],
            },
            {
                "type": "photo",
                "photo_id": "1",
                "caption": {"text": {"type": "plain", "text": "us"}, "credit": {"type": "empty"}},
            },
        ],
    }
    rich = without(message(), "text", "text_entities") | {"rich_message": page}
    assert only(tmp_path, rich).text == "Plan\nMeet at three\ntea\ncake\n一\n[photo]\nus"
