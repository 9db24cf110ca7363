"""The responder that answers without a chat model."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.offline import OfflineResponder, one_line, quotable
from bot.llm.phrases import NOTICE_MARK, PHRASES
from bot.model import Hit, Prompt
from tests.llm.samples import MARCH, hit, message, prompt

LYON = hit(message("We are moving to Lyon in May"), 0.8)
BOT = hit(message("Lyon has two rivers", number=2, sender="Mia", sender_id=None, persona="Mia"), 0.75)


async def said(asked: Prompt, responder: OfflineResponder | None = None) -> list[str]:
    """The bubbles of one answer."""
    reply = await (responder or OfflineResponder()).complete(asked)
    action = json.loads(reply.text)
    assert action.keys() == {"action", "messages", "reply_to"}
    assert action["action"] == "send_message"
    assert action["reply_to"] is None
    return action["messages"]


async def answer(asked: Prompt) -> str:
    """The first bubble, which is the answer proper."""
    return (await said(asked))[0]


async def test_a_question_is_answered_with_what_was_said_by_whom_and_when() -> None:
    assert await answer(prompt("Where is Anna moving?", hits=[LYON])) == (
        "Anna said on 5 March 2026, 10:12: “We are moving to Lyon in May”"
    )


async def test_the_time_is_that_of_the_chats_zone() -> None:
    assert "5 March 2026, 18:12" in await answer(prompt("Where?", hits=[LYON], zone="Asia/Tokyo"))


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("安娜要搬去哪里？", "Anna 在 2026年3月5日 10:12 说过：“"),
        ("安娜要搬去哪裡？", "Anna 在 2026年3月5日 10:12 說過：「"),
        ("アンナはどこに引っ越すの？", "Annaさんが2026年3月5日 10:12に言っていました：「"),
        ("안나는 어디로 이사 가?", "Anna 님이 2026년 3월 5일 10:12에 이렇게 말했어요: “"),
        ("Куда переезжает Анна?", "Anna, 5 марта 2026 г. в 10:12: «"),
        ("¿Adónde se muda Ana?", "Anna dijo el 5 de marzo de 2026, 10:12: «"),
        ("Où est-ce qu'Anna déménage ?", "Anna a dit le 5 mars 2026 à 10:12 : «"),
        ("Wohin zieht Anna um, weißt du das?", "Anna schrieb am 5. März 2026, 10:12 Uhr: „"),
        ("Anna nereye taşınıyor?", "Anna said on 5 March 2026, 10:12: “"),
    ],
)
async def test_the_answer_is_in_the_language_of_the_question(question: str, begins: str) -> None:
    told = await answer(prompt(question, hits=[LYON]))
    assert told.startswith(begins)
    assert "We are moving to Lyon in May" in told


async def test_the_last_message_with_letters_decides_the_language() -> None:
    assert (await answer(prompt("Where is Anna?", "安娜在哪里", "😂", hits=[LYON]))).startswith("Anna 在")


async def test_what_the_bot_said_itself_is_told_as_i_and_what_the_asker_said_as_you() -> None:
    own = hit(message("I like tea", number=3, sender="Bob", sender_id="user2"), 0.8)
    lines = (await answer(prompt("Which rivers, what do I like?", hits=[own, BOT]))).splitlines()
    assert [line.split(" on ")[0] for line in lines] == ["You said", "I said"]


async def test_at_most_three_hits_are_quoted_and_only_those_near_the_best() -> None:
    hits = [hit(message(f"fact {n}", number=n, sent_at=MARCH + timedelta(days=n)), 0.9 - n / 100) for n in range(9)]
    assert len((await answer(prompt("facts?", hits=hits))).splitlines()) == 3
    far = [LYON, hit(message("something else", number=5), 0.4)]
    assert len((await answer(prompt("where?", hits=far))).splitlines()) == 1


def test_statements_are_quoted_rather_than_questions_and_nothing_that_repeats() -> None:
    asked_before = hit(message("Where is Anna moving?", number=4), 0.99)
    other_question = hit(message("Is Anna moving?", number=5), 0.95)
    doubled = hit(message("we are moving to Lyon in May!", number=6), 0.7)
    hits = [asked_before, other_question, LYON, doubled]
    assert quotable(hits, unread=["where is anna moving"]) == [LYON]
    assert quotable([asked_before, other_question], unread=["hm"]) == [asked_before, other_question]
    assert quotable([hit(message("", number=7))], unread=[]) == []


@pytest.mark.parametrize("question", ["Where is Anna moving?", "安娜搬去哪里？", "Wohin zieht Anna, weißt du das?"])
async def test_it_does_not_quote_its_own_quotes(question: str) -> None:
    for line in (await said(prompt(question, hits=[LYON])))[:2]:
        earlier = hit(message(line, number=9, persona="Mia", sender_id=None), 0.99)
        assert quotable([earlier, LYON], unread=[question]) == [LYON]


async def test_when_nothing_is_remembered_it_says_so() -> None:
    assert await answer(prompt("Where is Anna moving?")) == PHRASES["en"].nothing
    assert await answer(prompt("安娜搬去哪里了")) == PHRASES["zh"].nothing


@pytest.mark.parametrize(
    "greeting",
    ["hi", "Hello Mia!", "thanks 😂", "good morning all", "你好", "谢谢你好呀", "おはよう", "Guten Morgen!", "👍"],
)
async def test_small_talk_gets_a_friendly_line_whatever_came_to_mind(greeting: str) -> None:
    told = await answer(prompt(greeting, hits=[hit(message("hi all"), 0.9)]))
    assert told in {phrases.hello for phrases in PHRASES.values()}


async def test_a_statement_that_nothing_is_known_about_gets_a_friendly_line() -> None:
    assert await answer(prompt("I bought a bicycle today")) == PHRASES["en"].hello


async def test_that_no_chat_model_is_set_is_said_once_a_process() -> None:
    responder = OfflineResponder()
    first = await said(prompt("Where?", hits=[LYON]), responder)
    second = await said(prompt("安娜在哪里？", hits=[LYON]), responder)
    assert [NOTICE_MARK in line for line in first] == [False, True]
    assert len(second) == 1


async def test_it_is_not_said_again_by_another_process_while_it_can_still_be_read() -> None:
    notice = message(PHRASES["de"].notice, number=8, persona="Mia", sender_id=None)
    assert len(await said(prompt("Where?", hits=[LYON], recent=[notice]))) == 1
    quoted_by_a_person = message(PHRASES["de"].notice, number=8)
    assert len(await said(prompt("Where?", hits=[LYON], recent=[quoted_by_a_person]))) == 2


async def test_the_same_question_is_answered_with_the_same_words() -> None:
    asked = prompt("Where is Anna moving?", hits=[LYON, BOT])
    assert await said(asked) == await said(asked)


words = st.text(max_size=400)


@given(text=words, name=st.text(max_size=80), question=words)
async def test_nobodys_words_or_name_can_break_the_answer(text: str, name: str, question: str) -> None:
    told: Hit = hit(message(text, sender=name))
    messages = await said(prompt(f"{question}?", hits=[told]))
    assert 1 <= len(messages) <= 2
    for line in messages:
        line.encode()
        assert len(line) <= 400
    assert len(messages[0].splitlines()) == 1


@given(text=words, longest=st.integers(10, 200))
def test_a_quote_is_one_line_of_bounded_length_without_hidden_characters(text: str, longest: int) -> None:
    line = one_line(text, longest=longest)
    assert len(line) <= longest
    assert not any(character in line for character in "\n\r\t\0\u202e\u2028\u200b")
    assert line == line.strip()


@pytest.mark.parametrize(
    ("text", "longest", "cut"),
    [
        ("short", 10, "short"),
        ("two\nlines\tand tabs", 40, "two lines and tabs"),
        ("the quick brown fox jumps", 20, "the quick brown fox…"),
        ("一二三四五六七八九十百千", 10, "一二三四五六七八九…"),
        ("family: 👩‍👩‍👧 and more", 12, "family:…"),
        ("cafe\u0301s are open", 6, "cafe\u0301…"),
        ("cafe\u0301s are open", 5, "caf…"),
    ],
)
def test_a_long_quote_is_cut_where_a_word_or_a_character_ends(text: str, longest: int, cut: str) -> None:
    assert one_line(text, longest=longest) == cut


async def test_what_was_just_said_is_quoted_though_recall_leaves_it_out() -> None:
    told = [message("My sister Anna lives in Lisbon", number=1), message("I like oranges", number=2)]
    answer = await first_words(prompt("Where does my sister Anna live?", recent=told))
    assert "Lisbon" in answer
    assert "oranges" not in answer


async def test_what_was_just_said_in_chinese_is_quoted() -> None:
    answer = await first_words(prompt("我的猫叫什么？", recent=[message("我的猫叫豆豆，今年三岁")]))
    assert "豆豆" in answer


async def test_what_has_little_to_do_with_the_question_is_not_quoted() -> None:
    told = [message("I like the oranges you gave me")]
    assert "oranges" not in await first_words(prompt("Who has the spare key?", recent=told))


async def first_words(asked: Prompt) -> str:
    """What a responder that was never asked before answers."""
    reply = await OfflineResponder().complete(asked)
    return json.loads(reply.text)["messages"][0]
