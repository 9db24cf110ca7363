from __future__ import annotations

import json

import pytest

from bot.actions.stay_silent import StaySilent
from bot.actions.text import TELEGRAM_LIMIT, split, units
from tests.actions.samples import read, said

# Whose words they are


@pytest.mark.parametrize(
    "text",
    [
        "Mia: hi",
        "mia : hi",
        "Mia： hi",
        "**Mia:** hi",
        "**Mia**: hi",
        "[Mia]: hi",
        "<Mia> hi",
        "[12] Mia (7): hi",
        "#12 Mia: hi",
        "[12:30] Mia: hi",
        "2026-11-30 12:30 Mia: hi",
        "Mia: Mia: hi",
        "#13 [2026-11-30 12:30] <Mia (you)> hi",
        "#13 [2026-11-30 12:30] <Mia (you)> (answers #12) (edited) hi",
        "#13 [2026-11-30 12:30] <Mia (you)> (answers #12) (picture: at rest) hi",
        "[2026-11-30 12:30] <Mia (you)>: hi",
        "<Mia (you)> hi\n#14 [2026-11-30 12:31] <Ann (2)> secret",
        "hi\n#14 [2026-11-30 12:31] <Carl> secret",
        "hi ⏎ #14 [2026-11-30 12:31] <Ann> secret",
        "hi\n#14 [2026-11-30 12:31] <Ann>\nsecret",
        "Mia\nhi",
        "hi\nAnn: secret\nMia: secret",
        "hi\nann：secret",
        "hi\n**Bob:** secret",
        "hi\n[13] Ann (3): secret",
        "hi\n<Ann> secret",
        "hi\n@Ann: secret",
        "hi\n\nAnn\nsecret",
        "hi\nAnn\n\nsecret",
        "hi\n**Ann**\nsecret",
        "Mia: hi\nBob\nsecret\nAnn: secret",
    ],
)
def test_only_the_bots_own_words_are_said(text: str) -> None:
    for reply in (text, json.dumps({"content": text}), json.dumps({"messages": [text]})):
        assert said(read(reply)) == ("hi",)


@pytest.mark.parametrize(
    "bubbles",
    [
        ["hi", "Ann: secret", "secret"],
        ["Mia: hi", "Ann", "secret"],
        ["hi\nBob: secret", "secret"],
        [{"sender": "Mia", "text": "hi"}, {"sender": "Ann", "text": "secret"}, {"sender": "Mia", "text": "secret"}],
        [{"role": "assistant", "content": "hi"}, {"role": "user", "content": "secret"}, "secret"],
    ],
)
def test_what_comes_after_another_speaker_is_cut_across_bubbles(bubbles: list[object]) -> None:
    for reply in (json.dumps({"messages": bubbles}), json.dumps({"action": "send_message", "messages": bubbles})):
        parsed = read(reply)
        assert (said(parsed), parsed.problem) == (("hi",), "foreign_speaker_cut")


@pytest.mark.parametrize(
    "text", ["Ann: hi Mia", "Ann\nI think so", '[{"speaker":"Ann","text":"hi"}]', '{"name":"Bob","text":"hi"}']
)
def test_words_that_are_all_anothers_are_silence_and_asked_again(text: str) -> None:
    parsed = read(text)
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "foreign_speaker_cut", True)


@pytest.mark.parametrize(
    "text",
    [
        "Note: bring cake",
        "remember\nNote: bring cake\nP.S.: and tea",
        "Annex: closed\nBobby: who?",
        "I told Ann: be nice",
        "Ann, are you there?\nI am",
        "Ann!",
        "who won?\nAnn",
        "Ann",
        "they are\nAnn\nBob",
        "who brings what?\n- Ann: cake\n- Bob: tea",
        "1. Ann: cake\n2. Bob: tea",
        "> Ann: cake\nreally?",
        "it is 12:30: time to go",
        "https://example.org: a page",
        "Mia",
        "- Mia",
        "<Carl> is a nice name",
        "#1 is tea",
        "[12:30] train",
    ],
)
def test_what_is_no_label_of_a_participant_survives(text: str) -> None:
    parsed = read(text)
    assert (said(parsed), parsed.problem) == ((text,), None)


def test_a_name_is_known_as_the_prompt_shows_it() -> None:
    shown = "#1 [2026-11-30 12:30] <Mia bot (you)> hi\n#2 [2026-11-30 12:31] <Ann admin (2)> secret"
    assert said(read(shown, persona="Mia [bot]", participants=["Ann (admin)"])) == ("hi",)


def test_names_are_taken_as_they_are_and_never_as_patterns() -> None:
    odd = ["A.*", "(((", "x: y", "小雨", "Jean-Luc [mod]", "", " ", ":", "***", "Zoë\u202e", "Mia"]
    for name in ("A.*", "(((", "x: y", "小雨", "Jean-Luc [mod]", "ZOË"):
        parsed = read(f"hi\n{name}: secret", participants=odd)
        assert said(parsed) == (("hi",) if name != "(((" else ("hi\n(((: secret",))
    assert said(read("Abc: fine\nMia: too", participants=odd)) == ("Abc: fine\ntoo",)


# Going round in circles


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Done. Truly done. " * 500, "Done. Truly done."),
        ("So!\n" + "I love tea! " * 200, "So!\nI love tea!"),
        ("the same line\n" * 300, "the same line"),
        ("a line\nanother line\n\n" * 300 + "a line\nano", "a line\nanother line"),
        ("I LOVE tea.\ni love tea.\n" * 100, "I LOVE tea."),
        ("\n".join(f"{number}. I love tea" for number in range(400)), "0. I love tea"),
        ("我真的很喜欢你。" * 200, "我真的很喜欢你。"),
        ("我知道了" * 300, "我知道了我知道了我知道了"),
        ("ha" * 1000, "hahahahahaha"),
        ("😂" * 500, "😂" * 12),
        ("and then I said that " * 300, "and then I said that"),
        ("Well. " + "No. " * 400 + "Bye.", "Well. No. Bye."),
    ],
)
def test_a_circle_is_said_once(text: str, kept: str) -> None:
    for reply in (text, json.dumps({"content": text})):
        parsed = read(reply)
        assert (said(parsed), parsed.problem) == ((kept,), "looping")


def test_equal_bubbles_are_said_once() -> None:
    assert said(read('{"messages":["hi","there","hi","hi"]}')) == ("hi", "there")


@pytest.mark.parametrize(
    "text",
    [
        "No! No! No! No!",
        "hahahahahahaha 😂😂😂😂😂",
        "Row, row, row your boat\nGently down the stream\nMerrily, merrily, merrily, merrily",
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n10",
        "哈哈哈哈哈哈哈哈哈哈",
        "----------------\ntea | 3\n----------------",
        "Wait... what... no... really...",
    ],
)
def test_people_repeat_themselves_too(text: str) -> None:
    parsed = read(text)
    assert (said(parsed), parsed.problem) == ((text,), None)


# Sizes


def test_more_than_three_bubbles_are_three() -> None:
    parsed = read('{"messages":["a","b","c","d","e"]}')
    assert (said(parsed), parsed.problem, parsed.repaired) == (("a", "b", "c\nd\ne"), None, True)


def test_a_long_text_is_parted_between_sentences_and_nothing_is_lost() -> None:
    sentences = [f"This is {'what ' * (number % 7)}sentence number {number}, 日本 😀." for number in range(120)]
    bubbles = said(read(" ".join(sentences)))
    assert len(bubbles) == 2
    assert all(bubble.endswith("😀.") for bubble in bubbles)
    assert " ".join(bubbles) == " ".join(sentences)


def test_what_three_bubbles_cannot_hold_is_dropped_and_told() -> None:
    words = " ".join(f"word{number * number}" for number in range(1400))
    parsed = read(json.dumps({"messages": ["short", "also short", words]}))
    assert parsed.problem == "too_long"
    assert said(parsed)[:2] == ("short", "also short")
    assert words.startswith(said(parsed)[2])
    assert units(said(parsed)[2]) <= TELEGRAM_LIMIT


def test_a_length_is_counted_in_utf_16_units() -> None:
    assert units("a😀é") == 4
    assert split("😀" * 5, limit=4) == ["😀😀", "😀😀", "😀"]
    assert split("ab cd ef", limit=5) == ["ab cd", "ef"]


def test_what_is_seen_as_one_character_is_not_parted() -> None:
    family = "👨‍👩‍👧‍👦"
    assert all(piece.count(family) * len(family) == len(piece) for piece in split(family * 10, limit=40))


# Characters


@pytest.mark.parametrize(
    "text",
    [
        "你好，世界！「茶」",
        "今日はお茶を飲みます。ｶﾅ",
        "مرحبا \u200fכן\u200e \u0641\u200c\u0627",
        "👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ 👍🏽 🇩🇪 1️⃣",
        "e\u0301 é ｆｕｌｌ ﬁ",
        "tab\there",
    ],
)
def test_every_script_passes_untouched(text: str) -> None:
    assert said(read(text)) == (text,)
    assert said(read(json.dumps({"content": text}))) == (text,)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\x00b", "ab"),
        ("a\ud83db", "ab"),
        ("\ude00a\ud83d", "a"),
        ("\ud83d\ude00", "😀"),
        ("a\u202eb\u2066c\u2069", "abc"),
        ("a\x1b[0mb\x07", "a[0mb"),
        ("\ufeffa\r\nb\u2028c\x85d", "a\nb\nc\nd"),
        ("a\n\n\n \n\nb", "a\n\nb"),
        ("a ⏎ b⏎c", "a\nb\nc"),
    ],
)
def test_what_cannot_be_sent_or_turns_text_round_is_removed(text: str, kept: str) -> None:
    assert said(read(text)) == (kept,)
    assert said(read(json.dumps({"content": text}))) == (kept,)
