from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.history import ChatStart, Skipped
from bot.history.telegram_message import read_message
from bot.history.telegram_service import _LINES  # pyright: ignore[reportPrivateUsage]
from bot.history.telegram_topics import Topics
from bot.model import NewMessage
from tests.fakes.telegram_export import Fields
from tests.history.samples import CHANNEL, PRIVATE, items, kept, media, message, only, service, without


def test_a_plain_message_is_read_whole(tmp_path: Path) -> None:
    fields: Fields = {
        "edited": "2023-11-15T06:15:00",
        "edited_unixtime": "1700000100",
        "reply_to_message_id": 3,
        "forwarded_from": "Jonas",
        "via_bot": "@gif",
        "reactions": [{"type": "emoji", "count": 2, "emoji": "❤"}],
        "inline_bot_buttons": [[{"type": "url", "text": "click", "data": "https://example.org"}]],
    }
    assert only(tmp_path, message(**fields)) == NewMessage(
        external_id="7",
        sender_id="5021734466",
        sender="Maya",
        sent_at=datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
        text="hello",
        edited_at=datetime(2023, 11, 14, 22, 15, tzinfo=UTC),
        reply_to_external="3",
        forwarded_from="Jonas",
    )


words = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("sender", "expected"),
    [
        ({"from": None, "from_id": "user3"}, ("3", "Deleted account")),
        ({"from": "  ", "from_id": "user3"}, ("3", "Deleted account")),
        ({"from": "News", "from_id": "channel1700000000"}, ("-1001700000000", "News")),
        ({"from": "Old", "from_id": "channel123"}, ("-1000000000123", "Old")),
        ({"from": "Group", "from_id": "chat44"}, ("-44", "Group")),
        ({"from": "Maya", "from_id": 344556677}, ("344556677", "Maya")),
        ({"from": "Maya", "from_id": 2**32 + 344556677}, ("344556677", "Maya")),
        ({"from": "News", "from_id": 2**33 + 1123456789}, ("-1001123456789", "News")),
    ],
)
def test_senders_are_numbered_as_a_bot_sees_them(tmp_path: Path, sender: Fields, expected: tuple[str, str]) -> None:
    found = only(tmp_path, message(**sender))
    assert (found.sender_id, found.sender) == expected


def test_a_message_of_nobody_is_the_channels_own_in_a_channel_and_else_of_a_deleted_account(
    tmp_path: Path,
) -> None:
    nobody = without(message(), "from", "from_id")
    assert only(tmp_path, nobody, header=CHANNEL).sender == "News"
    assert only(tmp_path, nobody, header=PRIVATE).sender == "Deleted account"
    assert only(tmp_path, nobody, header=PRIVATE).sender_id is None


def test_a_forward_from_a_deleted_account_is_still_a_forward(tmp_path: Path) -> None:
    assert only(tmp_path, message(forwarded_from=None)).forwarded_from == "Deleted account"
    assert only(tmp_path, message(saved_from="News")).forwarded_from == "News"
    assert only(tmp_path, message()).forwarded_from is None


def test_an_answer_to_another_chats_message_answers_nothing_here(tmp_path: Path) -> None:
    found = only(tmp_path, message(reply_to_message_id=3, reply_to_peer_id="channel99"))
    assert found.reply_to_external is None


def test_a_message_from_before_the_group_became_a_supergroup_keeps_its_negative_id(tmp_path: Path) -> None:
    [found] = kept(tmp_path, message(-999999990, reply_to_message_id=-999999991))
    assert (found.external_id, found.reply_to_external) == ("-999999990", "-999999991")


def test_an_old_export_has_local_times_which_are_taken_for_utc(tmp_path: Path) -> None:
    old = without(message(edited="2019-05-31T21:30:00"), "date_unixtime") | {"date": "2019-05-31T21:28:30"}
    found = only(tmp_path, old)
    assert found.sent_at == datetime(2019, 5, 31, 21, 28, 30, tzinfo=UTC)
    assert found.edited_at == datetime(2019, 5, 31, 21, 30, tzinfo=UTC)


def test_an_edit_before_the_message_is_none(tmp_path: Path) -> None:
    assert only(tmp_path, message(edited="1970-01-01T01:00:00", edited_unixtime="0")).edited_at is None


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"id": 7, "type": "unsupported"}, "unsupported"),
        (media(), "empty"),
        (message(text=" \n "), "empty"),
        (without(message(), "text", "text_entities"), "empty"),
        (without(message(), "id"), "without an id"),
        (without(message(), "date", "date_unixtime"), "without a date"),
        (message(date_unixtime="99999999999999"), "without a date"),
        (service(action="clear_history"), "service: clear_history"),
        (service(action="an_action_of_tomorrow"), "service: an_action_of_tomorrow"),
        (service(), "service: unknown"),
        (service(action=["?"]), "service: ?"),
    ],
)
def test_what_holds_nothing_to_remember_is_skipped_and_counted_by_reason(
    tmp_path: Path, record: Fields, reason: str
) -> None:
    assert items(tmp_path, record) == [Skipped(reason)]


KEYS = re.findall(
    r"\w+",
    "action actor actor_id address answers blocks contact_information date date_unixtime dice_emoji dice_value "
    "discard_reason distance duration duration_seconds edited edited_unixtime file file_name first_name "
    "forwarded_from from from_id game_title gift_text id information_text inviter invoice_information items "
    "location_information media_type members message_id new_creator new_title option performer photo place_name "
    "poll question reply_to_message_id reply_to_peer_id rich_message saved_from schedule_date score sticker_emoji "
    "text title to todo_list type",
)
plain_values = st.none() | st.booleans() | st.integers() | words | st.sampled_from(["service", "1700000000"])


def keyed(values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.lists(values) | st.dictionaries(st.sampled_from(KEYS), values)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), st.recursive(plain_values, keyed)), st.sampled_from(list(_LINES)))
def test_any_json_in_the_place_of_a_message_is_read_or_skipped(fields: Fields, action: str) -> None:
    chat = ChatStart(title="Tea", source="import:telegram:channel:5", kind="channel")
    for record in (fields, message() | fields, service() | fields | {"action": action}):
        assert isinstance(read_message(record, chat, Topics()), (NewMessage, Skipped))
