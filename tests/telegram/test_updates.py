"""Raw updates into our values: what of a message is kept, and that nothing whatever makes it fail."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.history.telegram_media import media_line as exported_line
from bot.model import NewMessage
from bot.telegram.updates import read_update
from bot.telegram.values import Arrived, Came, Edited, Ignored, Me, Membership, Migrated, Quarantined
from tests.telegram.intake_rig import ME

SENT = 1_780_000_000
NOW = datetime.fromtimestamp(SENT, UTC)
ANN = {"id": 5000000011, "is_bot": False, "first_name": "Ann", "last_name": "Lee", "username": "ann_example"}
BOB = {"id": 5000000012, "is_bot": False, "first_name": "Bob"}
MIA = {"id": ME.bot_id, "is_bot": True, "first_name": "Mia", "username": ME.username}
OTHER = {"id": 7000000099, "is_bot": True, "first_name": "Other", "username": "other_bot"}
GROUP = {"id": -1009000000001, "type": "supergroup", "title": "Test group"}
FILE: dict[str, Any] = {"file_id": "f", "file_unique_id": "u"}
PICTURE = {**FILE, "width": 1, "height": 1}


def update(kind: str = "message", /, **fields: Any) -> dict[str, Any]:
    message = {"message_id": 10, "date": SENT, "chat": GROUP, "from": ANN, **fields}
    return {"update_id": 1, kind: {name: value for name, value in message.items() if value is not None}}


def read(raw: object, *, me: Me = ME, now: datetime = NOW) -> Arrived:
    return read_update(raw, me, aliases=["Mia", "米娅"], now=now)


def came(**fields: Any) -> Came:
    what = read(update(**fields)).what
    assert isinstance(what, Came)
    return what


def message(**fields: Any) -> NewMessage:
    return came(**fields).message


def answered(by: dict[str, Any], number: int = 5, **fields: Any) -> dict[str, Any]:
    return {"message_id": number, "date": SENT - 60, "chat": GROUP, "from": by, "text": "earlier", **fields}


# Who, what, when and where


def test_a_message_has_its_sender_time_and_text() -> None:
    assert message(text="hello") == NewMessage(
        external_id="10", sender_id="5000000011", sender="Ann Lee", sent_at=NOW, text="hello"
    )


def test_a_chat_of_two_is_called_after_the_other_one() -> None:
    read_as = came(text="hi", chat={"id": 5000000011, "type": "private", "first_name": "Ann", "last_name": "Lee"})
    assert (read_as.place.title, read_as.place.type, read_as.addressing.private) == ("Ann Lee", "private", True)


def test_who_speaks_as_a_chat_is_that_chat() -> None:
    telegram = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
    channel = {"id": -1009000000009, "type": "channel", "title": "News"}
    origin = {"type": "channel", "date": SENT, "chat": channel, "message_id": 3}
    post = message(
        text="news", **{"from": telegram}, sender_chat=channel, is_automatic_forward=True, forward_origin=origin
    )
    assert (post.sender_id, post.sender, post.forwarded_from) == ("-1009000000009", "News", None)


def test_who_has_no_name_any_more_is_a_deleted_account() -> None:
    gone = {"id": 5, "is_bot": False, "first_name": ""}
    assert message(text="hi", **{"from": gone}).sender == "Deleted account"


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ({"type": "user", "date": SENT, "sender_user": BOB}, "Bob"),
        ({"type": "hidden_user", "date": SENT, "sender_user_name": "Somebody"}, "Somebody"),
        ({"type": "chat", "date": SENT, "sender_chat": GROUP}, "Test group"),
        ({"type": "channel", "date": SENT, "message_id": 1, "chat": {"id": -1, "type": "channel", "title": "N"}}, "N"),
    ],
)
def test_a_forwarded_message_says_from_whom(origin: dict[str, Any], name: str) -> None:
    assert message(text="look", forward_origin=origin).forwarded_from == name


def test_only_a_topic_message_is_in_a_topic() -> None:
    assert message(text="a", message_thread_id=7, is_topic_message=True).topic == "7"
    assert message(text="a", message_thread_id=7).topic == ""


def test_in_a_topic_only_an_answer_to_another_message_than_the_first_is_one() -> None:
    topic: dict[str, Any] = {"message_thread_id": 7, "is_topic_message": True}
    by_bot = {**answered(MIA, 7, **topic), "forum_topic_created": {"name": "Cats", "icon_color": 1}}
    del by_bot["text"]
    first = came(text="hello all", reply_to_message=by_bot, **topic)
    assert (first.message.reply_to_external, first.addressing.replied) == (None, False)
    later = came(text="yes", reply_to_message=answered(MIA, 8, **topic), **topic)
    assert (later.message.reply_to_external, later.addressing.replied) == ("8", True)


# What else a message carries


@pytest.mark.parametrize(
    ("fields", "exported"),
    [
        ({"photo": [PICTURE]}, {"photo": "p.jpg"}),
        (
            {"sticker": {**PICTURE, "type": "regular", "is_animated": False, "is_video": False, "emoji": "😀"}},
            {"media_type": "sticker", "sticker_emoji": "😀"},
        ),
        ({"voice": {**FILE, "duration": 12}}, {"media_type": "voice_message", "duration_seconds": 12}),
        ({"video": {**PICTURE, "duration": 200}}, {"media_type": "video_file", "duration_seconds": 200}),
        (
            {"video_note": {**FILE, "length": 9, "duration": 7500}},
            {"media_type": "video_message", "duration_seconds": 7500},
        ),
        ({"animation": {**PICTURE, "duration": 3}, "document": FILE}, {"media_type": "animation"}),
        (
            {"audio": {**FILE, "duration": 61, "performer": "Nina", "title": "Sun"}},
            {"media_type": "audio_file", "duration_seconds": 61, "performer": "Nina", "title": "Sun"},
        ),
        ({"audio": {**FILE, "duration": 0}}, {"media_type": "audio_file"}),
        ({"document": {**FILE, "file_name": "a.pdf"}}, {"file": "x/a.pdf", "file_name": "a.pdf"}),
        ({"document": FILE}, {"file": "(not included)"}),
        ({"contact": {"phone_number": "1", "first_name": "Bo"}}, {"contact_information": {"first_name": "Bo"}}),
        ({"location": {"latitude": 1, "longitude": 1}}, {"location_information": {}}),
        (
            {"location": {"latitude": 1, "longitude": 1, "live_period": 60}},
            {"location_information": {}, "live_location_period_seconds": 60},
        ),
        (
            {
                "venue": {"location": {"latitude": 1, "longitude": 1}, "title": "Café", "address": "Main St"},
                "location": {"latitude": 1, "longitude": 1},
            },
            {"place_name": "Café", "address": "Main St", "location_information": {}},
        ),
        ({"dice": {"emoji": "🎲", "value": 4}}, {"dice_emoji": "🎲", "dice_value": 4}),
        ({"game": {"title": "Lumber", "description": "", "photo": []}}, {"game_title": "Lumber"}),
    ],
)
def test_media_read_as_in_an_imported_history(fields: dict[str, Any], exported: dict[str, Any]) -> None:
    line = exported_line(exported)
    assert line.startswith("[")
    assert message(**fields).text == line
    assert message(**fields, caption="look!").text == f"{line} look!"


def test_a_page_of_blocks_is_its_texts() -> None:
    bold = {"type": "bold", "text": "well"}
    blocks = [{"type": "paragraph", "text": ["all is ", bold]}, {"type": "paragraph", "text": "bye"}]
    assert message(rich_message={"blocks": blocks}).text == "all is well\nbye"


@pytest.mark.parametrize(
    "fields",
    [
        {"new_chat_members": [BOB]},
        {"left_chat_member": BOB},
        {"pinned_message": answered(BOB)},
        {"new_chat_title": "x"},
        {},
    ],
)
def test_what_has_no_words_is_ignored(fields: dict[str, Any]) -> None:
    assert isinstance(read(update(**fields)).what, Ignored)


# To whom it is addressed


def mention(kind: str, text: str, of: str, **more: Any) -> dict[str, Any]:
    offset = len(text[: text.index(of)].encode("utf-16-le")) // 2
    return {
        "text": text,
        "entities": [{"type": kind, "offset": offset, "length": len(of.encode("utf-16-le")) // 2, **more}],
    }


@pytest.mark.parametrize(
    "fields",
    [
        mention("mention", "😀👩‍👧 @companion_test_bot hi", "@companion_test_bot"),
        mention("mention", "@Companion_Test_BOT hi", "@Companion_Test_BOT"),
        mention("text_mention", "😀 you there, hi", "you there", user=MIA),
        mention("bot_command", "/help@companion_test_bot", "/help@companion_test_bot"),
        {"text": "is @companion_test_bot here?"},
        {"photo": [PICTURE], "caption": "look @companion_test_bot"},
    ],
)
def test_a_mention_is_recognised(fields: dict[str, Any]) -> None:
    assert came(**fields).addressing.mentioned


@pytest.mark.parametrize(
    "fields",
    [
        mention("mention", "@ann_example, look", "@ann_example"),
        mention("text_mention", "Mia, look", "Mia", user=BOB),
        mention("mention", "ask @mia about it", "@mia"),
        mention("url", "see https://mia.example/mia", "https://mia.example/mia"),
        mention("bot_command", "/mia@other_bot", "/mia@other_bot"),
        {"text": "me@companion_test_bot.example or @companion_test_bot2"},
        {"text": "I agree", "reply_to_message": answered(BOB)},
        {"text": "hello all"},
    ],
)
def test_what_is_for_others_is_not_for_the_bot(fields: dict[str, Any]) -> None:
    addressing = came(**fields).addressing
    assert (addressing.mentioned, addressing.replied, addressing.named) == (False, False, False)


def test_who_answers_another_person_and_names_the_bot_calls_it() -> None:
    assert came(text="no, Mia said so", reply_to_message=answered(BOB)).addressing.named


def test_a_command_is_for_this_bot_or_for_any() -> None:
    assert came(**mention("bot_command", "/Start now", "/Start")).addressing.command == "start"
    assert (
        came(**mention("bot_command", "/start@companion_test_bot", "/start@companion_test_bot")).addressing.command
        == "start"
    )
    assert came(**mention("bot_command", "/start@other_bot", "/start@other_bot")).addressing.command is None
    assert came(**mention("bot_command", "do not /start", "/start")).addressing.command is None


def test_another_bot_is_known_as_one_and_an_anonymous_admin_is_not() -> None:
    admin = {"id": 1087968824, "is_bot": True, "first_name": "Group"}
    assert came(text="hi", **{"from": OTHER}).addressing.by_bot
    assert not came(text="hi", **{"from": admin}, sender_chat=GROUP).addressing.by_bot


def test_a_message_from_before_a_downtime_is_old() -> None:
    for age, old in ((timedelta(minutes=9), False), (timedelta(minutes=11), True)):
        what = read(update(text="hi"), now=NOW + age).what
        assert isinstance(what, Came)
        assert what.addressing.old is old


# Other updates


def test_an_edit_has_the_new_text_and_when() -> None:
    what = read(update("edited_message", text="better", edit_date=SENT + 5)).what
    assert isinstance(what, Edited)
    edit = what.message
    assert (edit.external_id, edit.text, edit.edited_at) == ("10", "better", NOW + timedelta(seconds=5))


def test_both_messages_of_an_upgrade_say_the_same() -> None:
    old = {"id": -4000001, "type": "group", "title": "Old"}
    same = Migrated(old=-4000001, new=-1009000000001)
    assert read(update(chat=old, migrate_to_chat_id=-1009000000001)).what == same
    assert read(update(migrate_from_chat_id=-4000001)).what == same


def test_it_is_told_when_it_is_removed() -> None:
    member, kicked = {"status": "member", "user": MIA}, {"status": "kicked", "user": MIA, "until_date": 0}
    changed = {"chat": GROUP, "from": ANN, "date": SENT, "old_chat_member": member, "new_chat_member": kicked}
    what = read({"update_id": 1, "my_chat_member": changed}).what
    assert isinstance(what, Membership)
    assert (what.place.telegram_chat_id, what.status) == (-1009000000001, "kicked")


@pytest.mark.parametrize(
    ("raw", "what"),
    [
        ({"update_id": 1, "brand_new": {}}, Ignored("unknown kind")),
        ({"update_id": 1, "channel_post": update(text="x")["message"]}, Ignored("channel_post")),
        (update(text="x", chat={"id": -1, "type": "channel", "title": "N"}), Ignored("channel")),
        (update(text="x", **{"from": MIA}), Ignored("own message")),
        (update(text="x", chat={"id": -1, "type": "future"}), Quarantined("unknown type of chat")),
        (update(text=["x"]), Quarantined("malformed")),
        (update(text="x", date="2026-01-01T00:00:00"), Quarantined("impossible date")),
        (update("edited_message", text="x", edit_date=10**18), Quarantined("impossible date")),
        ({"update_id": True}, Quarantined("no number")),
        ({"update_id": 2**63}, Quarantined("no number")),
        (None, Quarantined("no number")),
    ],
)
def test_what_is_not_for_us_says_why(raw: object, what: object) -> None:
    assert read(raw).what == what


# Whatever comes

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=()))
jsons = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=())), inner, max_size=4)
    ),
    max_leaves=20,
)
whole = update(
    **mention("mention", "😀 @companion_test_bot hi", "@companion_test_bot"),
    reply_to_message=answered(MIA),
    forward_origin={"type": "user", "date": SENT, "sender_user": BOB},
    sender_chat=GROUP,
    sticker={**PICTURE, "type": "regular", "is_animated": False, "is_video": False, "emoji": "😀"},
    voice={**FILE, "duration": 12},
    edit_date=SENT,
    message_thread_id=7,
    is_topic_message=True,
    poll={
        "id": "1",
        "question": "?",
        "options": [],
        "total_voter_count": 0,
        "is_closed": False,
        "is_anonymous": True,
        "type": "regular",
        "allows_multiple_answers": False,
        "members_only": False,
        "allows_revoting": False,
    },
)


@given(raw=jsons)
def test_any_json_is_read_or_says_why_not(raw: object) -> None:
    assert isinstance(read(raw).what, Ignored | Quarantined)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Everywhere in a JSON value that something else can be put: the holder and the key."""
    if not isinstance(value, dict | list):
        return
    holder: Any = cast("Any", value)
    for key in holder if isinstance(value, dict) else range(len(holder)):
        yield holder, key
        yield from places(holder[key])


@given(data=st.data(), kind=st.sampled_from(["message", "edited_message", "channel_post", "my_chat_member"]))
def test_an_update_with_anything_in_it_is_read_or_says_why_not(data: st.DataObject, kind: str) -> None:
    raw: Any = {"update_id": 1, kind: copy.deepcopy(whole["message"])}
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(list(places(raw))))
        holder[key] = data.draw(jsons)
    arrived = read(raw)
    assert arrived.number is None or arrived.update or isinstance(arrived.what, Quarantined)


@given(text=st.text(st.characters(exclude_categories=())), offset=st.integers(-5, 100), length=st.integers(-5, 100))
def test_entities_that_point_anywhere_harm_nothing(text: str, offset: int, length: int) -> None:
    entity = {"type": "mention", "offset": offset, "length": length}
    what = read(update(text=text, entities=[entity])).what
    assert isinstance(what, Came | Ignored)


@given(before=st.text(st.characters(exclude_categories=("Cs",))), after=st.text())
def test_a_mention_is_found_behind_any_text(before: str, after: str) -> None:
    text = f"{before} @companion_test_bot {after}"
    offset = len(f"{before} ".encode("utf-16-le")) // 2
    entity = {"type": "mention", "offset": offset, "length": len("@companion_test_bot")}
    assert came(text=text, entities=[entity]).addressing.mentioned
