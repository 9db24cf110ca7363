"""Statements that the ranker learns from."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.fitting.chat import TemplateConversation
from bot.fitting.templates import generate
from bot.fitting.told import statements
from bot.memory.asking import asks
from bot.turn import RECENT


@pytest.fixture(scope="module")
def chats() -> list[TemplateConversation]:
    """A chat of every kind, in both languages."""
    return generate(1, conversations=12)["conversations"]


def test_every_chat_has_statements_of_its_own_language(chats: list[TemplateConversation]) -> None:
    for chat in chats:
        texts = [told.text for told in statements(chat)]
        assert texts, chat["id"]
        if chat["language"] != "mixed":
            wide = sum(not text.isascii() for text in texts) / len(texts)
            assert wide > 0.8 if chat["language"] == "zh" else wide < 0.3, chat["id"]


def test_statements_ask_nothing_and_come_back_to_what_is_long_out_of_view(chats: list[TemplateConversation]) -> None:
    for chat in chats:
        times = [datetime.fromisoformat(message["sent_at"]) for message in chat["messages"]]
        for told in statements(chat):
            assert not asks(told.text)
            said = sum(time <= told.said_at for time in times)
            assert told.evidence
            assert max(told.evidence) < said - RECENT


def test_what_might_be_said_is_said_after_what_it_comes_back_to(chats: list[TemplateConversation]) -> None:
    made = [statement for chat in chats for statement in chat["statements"]]
    assert len(made) > 50
    for chat in chats:
        sent_at = {message["id"]: message["sent_at"] for message in chat["messages"]}
        for statement in chat["statements"]:
            assert all(sent_at[number] < statement["said_at"] for number in statement["evidence"])


def _conversation(*texts: str) -> dict[str, Any]:
    start = datetime.fromisoformat("2026-01-01T10:00:00+00:00")
    return {
        "messages": [
            {"id": f"m{n}", "sent_at": (start + n * timedelta(hours=1)).isoformat(), "sender": "Ann", "text": text}
            for n, text in enumerate(texts)
        ]
    }


def test_sentences_that_a_template_says_again_are_nothing_to_be_reminded_by() -> None:
    quiet = [f"nothing {n}" for n in range(RECENT)]
    chat = _conversation("The kettle leaks. Life is odd.", *quiet, "My kettle is mended. Life is odd.")
    chat |= {"returns": [{"id": f"m{RECENT + 1}", "evidence": ["m0"]}], "statements": []}
    assert [(told.text, told.evidence) for told in statements(chat)] == [("My kettle is mended.", frozenset([0]))]


def test_where_nobody_noted_what_comes_back_the_rule_of_the_benchmark_tells() -> None:
    quiet = [f"nothing {n}" for n in range(RECENT)]
    chat = _conversation("the copper kettle leaks", *quiet, "another copper kettle", "which copper kettle?")
    assert [(told.text, told.evidence) for told in statements(chat)] == [("another copper kettle", frozenset([0]))]
