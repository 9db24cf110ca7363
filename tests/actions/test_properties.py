"""Laws that hold for any reply."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.actions import ACTIONS, Parsed
from bot.actions.send_message import SendMessage
from bot.actions.text import TELEGRAM_LIMIT, clean, is_blank, units
from tests.actions.samples import OTHERS, read, said

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=[]), max_size=200)
"""Lone surrogates, NUL and all."""
BITS = st.sampled_from(
    [
        *(
            '{"action":"send_message","messages":["',
            '{"content":"',
            '{"action":"recall","query":"',
            "{'a': '",
            "[{",
            "{a:",
        ),
        *(
            '{"',
            '":"',
            '"}',
            '"]}',
            "]",
            "}",
            '"',
            "'",
            "“",
            "”",
            "\\",
            "\\u",
            "\\ud83d",
            ",",
            ":",
            "：",
            "null",
            "1e999",
        ),
        *(
            "<think>",
            "</think>",
            "<final>",
            "</final>",
            "[THINK]",
            "<|channel|>final<|message|>",
            "<|end|>",
            "```",
            "`",
        ),
        *(
            "Mia: ",
            "Ann: ",
            "Ann",
            "\n",
            " ",
            ". ",
            "Done. ",
            "ha",
            "茶",
            "😀",
            "\u202e",
            "\x00",
            "\ud800",
            "stay_silent",
        ),
    ]
)
MANGLED = st.lists(BITS | ANY_TEXT, max_size=40).map("".join)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | st.sampled_from(list(ACTIONS)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["action", "messages", "content", "text", "type", "name", "arguments", "answer", "seconds", "picture"]
            )
            | ANY_TEXT,
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)
WORDS = st.lists(
    st.sampled_from(["tea", "cake", "rain", "茶", "it's", "fine", "😀", "{x}", "[y]", '"z"', "a\\b"]),
    min_size=1,
    max_size=8,
)
SENTENCES = WORDS.map(lambda words: " ".join(words) + ".")
BUBBLES = st.lists(SENTENCES, min_size=1, max_size=3, unique=True)


def is_sendable(parsed: Parsed) -> bool:
    """Whether Telegram and PostgreSQL would take every bubble."""
    bubbles = said(parsed)
    assert len(bubbles) <= 3
    return all(
        not is_blank(bubble) and units(bubble) <= TELEGRAM_LIMIT and bubble == clean(bubble) and bubble.encode()
        for bubble in bubbles
    )


@settings(max_examples=400, deadline=None)
@given(text=MANGLED, finish=st.sampled_from([None, "stop", "length", "tool_calls"]), name=ANY_TEXT)
def test_any_text_comes_to_one_action_that_can_be_carried_out(text: str, finish: str | None, name: str) -> None:
    assert is_sendable(read(text, finish=finish, participants=[*OTHERS, name]))
    assert is_sendable(read("", finish=finish, persona=name, calls=[(name, text), ("send_message", text)]))


@settings(max_examples=300, deadline=None)
@given(value=JSON_VALUES)
def test_any_json_comes_to_one_action_that_can_be_carried_out(value: object) -> None:
    for text in (json.dumps(value), repr(value), json.dumps({"content": json.dumps(value)})):
        parsed = read(text)
        assert is_sendable(parsed)
        assert json.loads(parsed.span_content()["companion.parse.parsed"]) == parsed.action.answer()


@settings(max_examples=200, deadline=None)
@given(bubbles=BUBBLES, written=JSON_VALUES, pictures=st.lists(st.sampled_from(["Joy", "calm", "茶", "😀"])))
def test_only_a_picture_that_is_offered_is_chosen_and_the_words_are_the_same_without(
    bubbles: list[str], written: object, pictures: list[str]
) -> None:
    answer = {"action": "send_message", "messages": bubbles}
    parsed = read(json.dumps({**answer, "picture": written}), pictures=pictures)
    assert isinstance(parsed.action, SendMessage)
    assert parsed.action.picture in (None, *pictures)
    assert said(parsed) == said(read(json.dumps(answer)))
    for name in pictures:
        assert read(json.dumps({**answer, "picture": name}), pictures=pictures).action == SendMessage(
            messages=tuple(bubbles), picture=name
        )


@settings(max_examples=200, deadline=None)
@given(bubbles=BUBBLES, before=SENTENCES, after=SENTENCES)
def test_a_valid_answer_means_the_same_whatever_stands_around_it(bubbles: list[str], before: str, after: str) -> None:
    before, after = (text.replace("{", "(").replace("[", "(") for text in (before, after))
    answer = json.dumps({"action": "send_message", "messages": bubbles}, ensure_ascii=False)
    for text in (
        answer,
        f"{before}\n{answer}\n{after}",
        f"```json\n{answer}\n```",
        f"<think>{before} {answer[:9]}</think>{answer}",
        f"{before}</think>\n{answer}",
        f"{answer}\n{answer}",
    ):
        assert said(read(text)) == tuple(bubbles)


@settings(max_examples=200, deadline=None)
@given(bubbles=BUBBLES, data=st.data())
def test_of_an_answer_cut_anywhere_only_whole_bubbles_are_ever_said(bubbles: list[str], data: st.DataObject) -> None:
    answer = json.dumps({"action": "send_message", "messages": bubbles, "reply_to": 12}, ensure_ascii=False)
    cut = answer[: data.draw(st.integers(1, len(answer) - 1))]
    for finish in ("length", "stop", None):
        parsed = read(cut, finish=finish)
        assert said(parsed) == tuple(bubbles)[: len(said(parsed))]
        if finish == "length":
            assert (parsed.problem, parsed.retry) == ("truncated", True)
    dropped = read(finish="tool_calls", calls=[("send_message", cut)])
    assert (said(dropped), dropped.problem) == ((), "truncated")


@settings(max_examples=200, deadline=None)
@given(bubbles=BUBBLES)
def test_a_bubble_in_loose_json_is_said_as_it_was_meant(bubbles: list[str]) -> None:
    assert said(read(repr({"action": "send_message", "messages": bubbles}))) == tuple(bubbles)
    loose = json.dumps({"messages": bubbles}, ensure_ascii=False, indent=2).replace("\n]", ",\n]")
    assert said(read(f"{loose[:-2]},}} // done")) == tuple(bubbles)


@settings(max_examples=200, deadline=None)
@given(own=SENTENCES, others=SENTENCES, name=st.sampled_from(OTHERS), mark=st.sampled_from([":", "：", " :", "\n"]))
def test_nobody_elses_words_are_ever_said(own: str, others: str, name: str, mark: str) -> None:
    parsed = read(f"{own}\n{name}{mark}{others} secret\nMia: secret")
    assert said(parsed) == (own,)
    assert parsed.problem == "foreign_speaker_cut"


@settings(max_examples=200, deadline=None)
@given(
    own=SENTENCES,
    thoughts=st.lists(SENTENCES, min_size=1, max_size=3),
    tag=st.sampled_from(["think", "thinking", "reasoning", "THINK", "Thought"]),
)
def test_no_thought_is_ever_said(own: str, thoughts: list[str], tag: str) -> None:
    blocks = "".join(f"<{tag}>secret {thought}</{tag}>" for thought in thoughts)
    assert said(read(blocks + own)) == (own,)
    assert said(read(blocks.removeprefix(f"<{tag}>") + own)) == (own,)
    assert said(read(f"{blocks}<{tag}>secret {thoughts[0]}<final>{own}</final>")) == (own,)
    assert said(read(f"{own}<{tag}>secret {thoughts[0]}")) == (own,)


@settings(max_examples=300, deadline=None)
@given(texts=st.lists(ANY_TEXT, min_size=1, max_size=3))
def test_an_answer_that_was_acted_on_as_it_stood_is_not_called_repaired(texts: list[str]) -> None:
    parsed = read(json.dumps({"action": "send_message", "messages": texts}))
    as_it_stood = isinstance(parsed.action, SendMessage) and list(parsed.action.messages) == texts
    assert parsed.repaired is not as_it_stood


HOSTILE = [
    *(
        "{",
        "[",
        '"',
        "\\",
        '{"',
        '{"a":',
        '{"a":[',
        "[{",
        '{"a":"',
        '{"a" ',
        '"a" ',
        "{'",
        "“",
        "/*",
        "{a:",
        '\\"',
        "```",
    ),
    *("<think>", "</think>", "<final>", "<", "[THINK]", "<|", "`", ".", "!", "…", "\n", " ", "a\n", "\n ", "*", "_"),
    *(
        "Ann:",
        "Ann\n",
        "Mia: ",
        "[1] ",
        "12:30 ",
        "#1 ",
        "ha",
        "ab. ",
        "😀",
        "\u0301",
        "\u200d",
        "\ud83d",
        "\x00",
        ":",
        "x: ",
    ),
    *(
        '{"action":"send_message","messages":["',
        '{"messages":[',
        '{"content":{',
        '"},{"',
        '","',
        "</tool_call>",
        "(",
        "null,",
    ),
]


@pytest.mark.parametrize("bit", HOSTILE)
def test_no_reply_takes_long(bit: str) -> None:
    flood = (bit * 200_000)[:200_000]
    for text in (flood, '{"messages":["' + flood, "{'a': \"" + flood + '"}', "Mia: hi " + flood):
        for finish in ("stop", "length"):
            started = time.process_time()
            assert is_sendable(read(text, finish=finish))
            assert time.process_time() - started < 1
    started = time.process_time()
    assert is_sendable(read(calls=[("send_message", flood)] * 3))
    assert time.process_time() - started < 1
