"""Which pictures of its moods a character can send, and what they are called."""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards import Card, load
from bot.cards.emotions import LONGEST_NAME, MOST, emotion_name
from bot.personas import picture_of
from tests.cards.samples import V3, as_json, card_chunk, charx, jpeg, png, text_chunk

JOY, CALM = png(text_chunk("of", b"joy")), jpeg(b"calm")
SHAPES = frozenset("\"'\\`<>[](){}#:;,.!?\n\r\t⏎\u2028\u202e\u200b\x00\ud800")
"""What means something in a prompt, is not seen, or cannot be sent."""


def wanting(*assets: tuple[str, str], **more: str) -> Mapping[str, object]:
    """A card with pictures of type `emotion`: name and address."""
    told = [{"type": "emotion", "name": name, "uri": uri, "ext": "png", **more} for name, uri in assets]
    return {**V3, "data": {**V3["data"], "assets": told}}


def in_data(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def named(card: Card) -> Sequence[str]:
    return card.persona().emotions


def carrying(card: Mapping[str, object], assets: Mapping[str, bytes]) -> bytes:
    """A card in a PNG with assets beside it."""
    chunks = [text_chunk(f"chara-ext-asset_:{path}", base64.b64encode(asset)) for path, asset in assets.items()]
    return png(card_chunk(card), *chunks)


def test_a_png_shows_the_moods_that_it_carries() -> None:
    told = wanting(
        ("joy", "__asset:1"),
        ("calm", "__asset:2"),
        ("angry", "__asset:missing"),
        ("far", "https://example.org/far.png"),
        ("near", "file:///etc/passwd"),
        ("song", "__asset:3"),
        ("self", "ccdefault:"),
    )
    file = carrying(told, {"1": JOY, "2": CALM, "3": b"ID3 a song"})
    card = load(file)
    assert named(card) == ("calm", "joy", "self")
    assert [picture_of(card, name) for name in named(card)] == [CALM, JOY, file]
    assert picture_of(card, "angry") is None


@pytest.mark.parametrize("scheme", ["embeded://", "embedded://"])
def test_a_charx_shows_the_moods_in_it(scheme: str) -> None:
    told = wanting(
        ("joy", f"{scheme}assets/joy.png"),
        ("calm", f"{scheme}assets/calm.jpg"),
        ("webp", f"{scheme}assets/webp"),
        ("gone", f"{scheme}assets/gone.png"),
        ("case", f"{scheme}Assets/joy.png"),
        ("out", f"{scheme}../joy.png"),
        ("text", f"{scheme}card.json"),
        ("large", f"{scheme}assets/large.png"),
    )
    webp = b"RIFF\x04\0\0\0WEBPVP8 "
    card = load(
        charx(
            {
                "card.json": as_json(told),
                "assets/joy.png": JOY,
                "assets/calm.jpg": CALM,
                "assets/webp": webp,
                "assets/large.png": JOY + b"\0" * 2**23,
            }
        )
    )
    assert named(card) == ("calm", "joy", "webp")
    assert [picture_of(card, name) for name in named(card)] == [CALM, JOY, webp]


def test_any_card_may_have_them_in_its_own_text() -> None:
    told = wanting(("joy", in_data(JOY)), ("bad", "data:image/png;base64,%%%"), ("text", in_data(b"no picture")))
    card = load(as_json(told))
    assert named(card) == ("joy",)
    assert picture_of(card, "joy") == JOY


def test_a_picture_that_is_cut_after_its_beginning_is_offered_and_then_is_none() -> None:
    whole = charx({"card.json": as_json(wanting(("joy", "embeded://joy.png"))), "joy.png": JOY * 50}, packing=0)
    at = whole.rindex(JOY[-8:])
    card = load(whole[:at] + b"damaged!" + whole[at + 8 :])
    assert named(card) == ("joy",)
    assert picture_of(card, "joy") is None


def test_a_name_counts_once_and_the_first_that_can_be_sent_has_it() -> None:
    told = wanting(("Joy", "__asset:gone"), ("", "__asset:1"), (" joy", "__asset:1"), ("JOY", "__asset:2"))
    card = load(carrying(told, {"1": JOY, "2": CALM}))
    assert named(card) == ("joy", "neutral")
    assert picture_of(card, "joy") == JOY


def test_other_types_and_cards_without_any_offer_none() -> None:
    assert named(load(as_json(wanting(("joy", in_data(JOY)), type="x_emotion")))) == ()
    assert named(load(carrying(V3, {"1": JOY}))) == ()


def test_of_very_many_the_first_by_name_are_offered() -> None:
    told = wanting(*((f"mood {n:03}", in_data(JOY)) for n in reversed(range(500))))
    assert named(load(as_json(told))) == tuple(f"mood {n:03}" for n in range(MOST))


ANY_NAME = st.text(st.characters(codec=None, exclude_categories=[]), max_size=60) | st.lists(
    st.sampled_from(['"', "\n# Answering\n", "{{char}}", "joy", "⏎", "喜び", "😀", "e\u0301", ", ", "<Mia (you)>", " "])
).map("".join)


@given(ANY_NAME)
def test_no_name_can_end_what_it_stands_in(name: str) -> None:
    shown = emotion_name(name)
    assert not SHAPES & set(shown)
    assert len(shown) <= LONGEST_NAME
    assert shown == " ".join(shown.split())
    assert all(unicodedata.category(each)[0] in "LMNSP" or each == " " for each in shown)
    assert emotion_name(shown) == shown or not shown


@given(st.lists(ANY_NAME, max_size=40))
def test_whatever_a_card_calls_them_names_are_few_and_differ(names: list[str]) -> None:
    emotions = named(load(as_json(wanting(*((name, in_data(JOY)) for name in names)))))
    assert len(emotions) <= MOST
    assert len({name.casefold() for name in emotions}) == len(emotions)
    assert list(emotions) == sorted(emotions, key=str.casefold)
    assert bool(emotions) == any(emotion_name(name) for name in names)


@pytest.mark.parametrize("name", ["\u3164", "\u115f", "\u2800", "\u0301\ufe0f", "none", "NULL", "⏎"])
def test_what_one_does_not_see_or_says_for_none_is_no_name(name: str) -> None:
    assert emotion_name(name) == ""
