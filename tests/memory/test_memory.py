"""Windows, packing, and what is embedded: pure."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.memory.embed import passage_text
from bot.memory.pack import pack, packed_line
from bot.memory.window import merge
from bot.model import ChatId, MessageId, Passage, token_count
from tests.fakes.values import NOW, hit


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 6)), max_size=8))
def test_merged_windows_hold_every_message_once_and_in_order(drawn: list[tuple[int, int]]) -> None:
    hits = [hit(n, around=around) for n, around in drawn]
    stretches = merge(hits)
    told = [message.message_id for stretch in stretches for message in stretch]
    assert sorted(set(told)) == sorted(
        {message.message_id for each in hits for message in (*each.window, each.message)}
    )
    assert len(told) == len(set(told))
    assert told == sorted(told)


@given(st.lists(st.integers(1, 500), max_size=20, unique=True), st.integers(0, 100))
def test_what_is_packed_fits_and_keeps_its_order(numbers: list[int], budget: int) -> None:
    hits = [hit(n, score=1 / n) for n in numbers]
    packed = pack(hits, budget=budget)
    assert sum(token_count(packed_line(each.message)) for each in packed) <= budget
    assert [each for each in hits if each in packed] == list(packed)


def test_a_passage_says_who_and_when() -> None:
    told = Passage(chat_id=ChatId(1), message_id=MessageId(1), topic="", sender="小雨", sent_at=NOW, text="我搬家了")
    assert passage_text(told) == "[2026-03-05] 小雨: 我搬家了"


def test_nothing_is_embedded_of_a_text_without_words() -> None:
    told = Passage(chat_id=ChatId(1), message_id=MessageId(1), topic="", sender="Ann", sent_at=NOW, text=" \n ")
    assert passage_text(told) == ""


def test_tokens_are_cjk_characters_and_a_quarter_of_the_others() -> None:
    assert token_count("") == 0
    assert token_count("abcd") == 1
    assert token_count("abcde") == 2
    assert token_count("我搬家了") == 4
    assert token_count("我搬家了 ok") == 5
