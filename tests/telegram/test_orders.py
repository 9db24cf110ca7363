"""What is a command of ours, and what the bot says to it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from bot.cards import load
from bot.cards.greetings import first_greeting, greeting_text, greetings
from bot.telegram import wording
from bot.telegram.called import FRESH, CalledHere
from bot.telegram.split import CAPTION, units
from bot.telegram.updates import group_of, read_update
from bot.telegram.values import Came, Order
from tests.cards.samples import V3, as_json
from tests.telegram.intake_rig import ME, now
from tests.telegram.persona_rig import a_card

DOCUMENT = {"document": {"file_id": "f", "file_unique_id": "f", "file_size": 9}}
NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
GROUP = {"id": -1001, "type": "supergroup", "title": "Tea"}


def ordered(text: str, **fields: Any) -> Order | None:
    """The order in a message that begins with a command."""
    command = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
    sender = {"id": 5, "is_bot": False, "first_name": "Ann", "language_code": "de-AT"}
    words = (
        {"caption": text, "caption_entities": [command]}
        if "document" in fields
        else {"text": text, "entities": [command]}
    )
    message = {
        "message_id": 1, "date": int(now().timestamp()), "chat": {"id": 5, "type": "private", "first_name": "Ann"},
        "from": sender, **words, **fields,
    }  # fmt: skip
    read = read_update({"update_id": 1, "message": message}, ME, aliases=[], now=now())
    assert isinstance(read.what, Came)
    return read.what.order


def test_an_order_is_whole_again_after_it_was_kept() -> None:
    order = ordered("/persona", **DOCUMENT)
    assert order is not None
    assert order == Order(
        command="persona", file_id="f", file_size=9, person="Ann", sender_id="5", user_id=5, in_group=False,
        language="de-AT",
    )  # fmt: skip
    assert Order.from_record(order.on_record()) == order


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("/persona@other_bot", {}),
        ("/personal", {}),
        ("/persona", {"forward_origin": {"type": "hidden_user", "sender_user_name": "Bob", "date": 1}}),
        ("/persona", {"from": {"id": 9, "is_bot": True, "first_name": "Bot"}, "chat": GROUP}),
        ("/start", {"chat": GROUP}),
        ("/start", {"date": int(now().timestamp()) - 3600}),
    ],
)
def test_what_is_another_bots_anothers_word_or_of_no_use_is_no_order(text: str, fields: dict[str, Any]) -> None:
    assert ordered(text, **fields) is None


def test_who_speaks_as_the_group_is_told_from_who_speaks_as_a_channel() -> None:
    anonymous = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    as_group = ordered("/persona reset  NOW", chat=GROUP, sender_chat=GROUP, **{"from": anonymous})
    assert as_group is not None
    assert (as_group.as_group, as_group.user_id, as_group.argument) == (True, None, "reset now")
    channel = {"id": -1002, "type": "channel", "title": "Club"}
    as_channel = ordered("/persona", chat=GROUP, sender_chat=channel, **{"from": {**anonymous, "id": 136817688}})
    assert as_channel is not None
    assert (as_channel.as_group, as_channel.user_id) == (False, None)


@pytest.mark.parametrize(
    ("raw", "group"),
    [
        ({"message": {"chat": {"id": -5}}}, -5),
        ({"message": {"chat": {"id": 5}}}, None),
        ({"message": {"chat": {"id": -(2**80)}}}, None),
        ({"message": {"chat": []}}, None),
        ({"edited_message": {"chat": {"id": -5}}}, None),
        ("x", None),
    ],
)
def test_the_group_of_an_update_is_seen_at_a_glance(raw: object, group: int | None) -> None:
    assert group_of(raw) == group


def test_greetings_keep_the_positions_of_the_specification() -> None:
    card = load(as_json(V3))
    private = ("Hello!", "Good evening!", "Welcome back!")
    assert greetings(card, in_group=False) == private
    assert greetings(card, in_group=True) == (*private, "Hello, all of you!")
    assert first_greeting(load(a_card(first_mes=" ", alternate_greetings=["", "Hi"])), in_group=False) == 2
    assert first_greeting(load(a_card(first_mes="")), in_group=True) is None


@given(name=some.text(max_size=40))
def test_a_persons_name_in_a_greeting_is_data(name: str) -> None:
    card = load(a_card(first_mes="[{{user}}]"))
    assert greeting_text(card, card.first_mes, user=name, seed="1", now=NOON) == f"[{name}]"


def test_a_greeting_tells_the_time_and_a_macro_of_no_use_there_stays() -> None:
    text = "{{weekday}} {{date}} {{isodate}} {{time}}<char>{{original}}"
    told = greeting_text(load(a_card(first_mes=text)), text, user="Ann", seed="1", now=NOON)
    assert told == "Tuesday 3 March 2026 2026-03-03 12:00Mirelle{{original}}"


words = some.text(some.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=1500)


@given(name=words, notes=words, default=some.none() | words, in_group=some.booleans())
def test_whatever_a_card_says_of_itself_fits_below_its_picture(
    name: str, notes: str, default: str | None, in_group: bool
) -> None:
    card = load(a_card(f"N{name}", creator_notes=notes))
    default = load(a_card(f"D{default}")).shown_name if default else None
    told = wording.about(card, language=None, default=default, in_group=in_group)
    assert units(told) <= CAPTION
    assert told.startswith(f"I am {card.shown_name}.")
    assert told.endswith("greeting.")


@given(texts=some.lists(some.sampled_from(["", "Hi"]), max_size=200))
def test_which_greetings_there_are_is_told_in_one_line(texts: Sequence[str]) -> None:
    line = wording.which_greeting("Mia", texts)
    assert "\n" not in line
    assert len(line) < 200


def test_notes_are_shown_in_the_language_that_one_reads() -> None:
    card = load(a_card(creator_notes="Be kind.", creator_notes_multilingual={"de": "Sei lieb.", "fr": "Sois gentil."}))
    shown = {language: wording.notes_of(card, language) for language in ("de-AT", "fr", "it", None)}
    assert shown == {"de-AT": "Sei lieb.", "fr": "Sois gentil.", "it": "Be kind.", None: "Be kind."}


async def test_what_the_bot_is_called_is_asked_again_in_a_moment_or_when_it_changed() -> None:
    asked: list[str] = []
    time = 100.0
    names = {"tea": "Mirelle"}

    class Names:
        async def name_at(self, source: str) -> str | None:
            asked.append(source)
            return names.get(source)

    called = CalledHere(Names(), default=lambda: "Mia", clock=lambda: time)
    assert [await called.at("tea"), await called.at("soup"), await called.at("tea")] == [
        ["Mirelle"],
        ["Mia"],
        ["Mirelle"],
    ]
    assert asked == ["tea", "soup"]
    del names["tea"]
    called.forget("tea")
    assert await called.at("tea") == ["Mia"]
    names["soup"] = "Tavi"
    time += FRESH
    assert await called.at("soup") == ["Tavi"]
