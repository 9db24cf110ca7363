from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from bot.errors import HistoryFileError
from bot.history import ChatStart, HistoryItem, Skipped, read
from bot.model import NewMessage
from tests.fakes.telegram_export import GROUP, Fields, messages, write_account, write_chat, write_export
from tests.history.samples import PRIVATE, SUPERGROUP, items, message, only, read_until_error, service


def starts(path: Path) -> list[ChatStart]:
    return [item for item in read(path) if isinstance(item, ChatStart)]


def texts(found: list[HistoryItem]) -> list[str]:
    return [item.text for item in found if isinstance(item, NewMessage)]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (
            {"name": "Tea", "type": "private_supergroup", "id": 1734567890},
            ("Tea", "import:telegram:channel:1734567890", "supergroup", 1734567890, -1001734567890),
        ),
        (
            {"name": "Tea", "type": "public_supergroup", "id": 1734567890},
            ("Tea", "import:telegram:channel:1734567890", "supergroup", 1734567890, -1001734567890),
        ),
        (
            {"name": "News", "type": "public_channel", "id": 5},
            ("News", "import:telegram:channel:5", "channel", 5, -1000000000005),
        ),
        (
            {"name": "Old", "type": "private_channel", "id": 9713718733},
            ("Old", "import:telegram:channel:1123784141", "channel", 1123784141, -1001123784141),
        ),
        (
            {"name": "Old", "type": "private_group", "id": 2**33 + 123456},
            ("Old", "import:telegram:group:123456", "group", 123456, -123456),
        ),
        (
            {"name": "小雨", "type": "personal_chat", "id": 6123456789},
            ("小雨", "import:telegram:private:6123456789", "private", 6123456789, None),
        ),
        (
            {"name": None, "type": "personal_chat", "id": 5},
            ("Deleted account", "import:telegram:private:5", "private", 5, None),
        ),
        (
            {"name": "Helper", "type": "bot_chat", "id": 6},
            ("Helper", "import:telegram:private:6", "private", 6, None),
        ),
        (
            {"type": "saved_messages", "id": 7},
            ("Saved Messages", "import:telegram:saved:7", "saved", 7, None),
        ),
        ({"type": "replies", "id": 8}, ("Replies", "import:telegram:replies:8", "replies", 8, None)),
        (
            {"type": "verification_codes", "id": 9},
            ("Verification Codes", "import:telegram:codes:9", "codes", 9, None),
        ),
        ({"name": None, "type": None, "id": 10}, ("Untitled", "import:telegram:other:10", "other", 10, None)),
    ],
)
def test_a_chat_has_one_address_whatever_it_is_called(
    tmp_path: Path, header: Fields, expected: tuple[object, ...]
) -> None:
    path = tmp_path / "result.json"
    write_chat(path, header, [message()])
    [chat] = starts(path)
    assert (chat.title, chat.source, chat.kind, chat.peer_id, chat.telegram_chat_id) == expected


def test_only_supergroups_and_channels_number_messages_as_a_bot_sees_them(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    kinds = ("private_supergroup", "public_channel", "private_group", "personal_chat", "saved_messages")
    write_account(path, [({"name": "x", "type": kind, "id": 5}, [message()]) for kind in kinds])
    assert [chat.shares_message_ids for chat in starts(path)] == [True, True, False, False, False]


def test_a_whole_account_is_read_chat_by_chat(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_account(
        path,
        [
            (SUPERGROUP, [message(1, text="one"), message(2, text="two")]),
            (PRIVATE, []),
            ({"type": "saved_messages", "id": 5021734466}, [message(3, text="three"), service(4)]),
        ],
    )
    with read(path) as reader:
        found = list(reader)
    told = [
        item.title if isinstance(item, ChatStart) else item.text if isinstance(item, NewMessage) else item.reason
        for item in found
    ]
    assert told == ["Tea", "one", "two", "小雨", "Saved Messages", "three", "service: unknown"]
    assert reader.skipped == Counter({"service: unknown": 1})
    assert reader.kind == "telegram export"


def test_left_chats_are_read_like_the_others(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    chat = SUPERGROUP | {"messages": [message()]}
    path.write_text(json.dumps({"left_chats": {"list": [chat], "about": "x"}, "about": "y"}))
    assert texts(list(read(path))) == ["hello"]


def test_unknown_keys_are_passed_over_wherever_they_are(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    odd: Fields = {"messages": [{"id": 1, "type": "message"}], "id": [1, {"list": []}], "name": {"type": 5}}
    chat: Fields = {"odd": odd, "type": "private_group", "more": [odd, [[]]], "name": "G", "id": 5}
    account: Fields = {
        "frequent_contacts": odd,
        "chats": {
            "odd": odd,
            "list": [chat | {"messages": [[1], message(odd=odd), 5, None], "end": odd}, 5, []],
        },
        "other_data": [odd],
    }
    path.write_text(json.dumps(account))
    start, *rest = read(path)
    assert isinstance(start, ChatStart)
    assert (start.title, start.source) == ("G", "import:telegram:group:5")
    assert texts(rest) == ["hello"]


def test_messages_before_what_tells_whose_they_are_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(json.dumps(SUPERGROUP | {"messages": [message()]}, sort_keys=True))
    with pytest.raises(HistoryFileError, match="without sorting its keys"):
        list(read(path))


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("ensure_ascii", [True, False])
def test_an_export_that_another_program_has_rewritten_reads_the_same(
    tmp_path: Path, indent: int | None, ensure_ascii: bool
) -> None:
    path, again = tmp_path / "result.json", tmp_path / "again.json"
    write_export(path, 300, seed=5)
    again.write_text(json.dumps(json.loads(path.read_text("utf-8")), indent=indent, ensure_ascii=ensure_ascii), "utf-8")
    assert list(read(again)) == list(read(path))


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_export(path, 3)
    plain = list(read(path))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert list(read(path)) == plain


def test_what_came_before_the_place_where_a_file_was_cut_is_given(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_export(path, 2000)
    path.write_bytes(path.read_bytes()[:-400])
    found, error = read_until_error(path)
    assert re.search(r"ends in the middle, near byte \d+ of \d+, 19\d\d messages in; export again", error)
    assert len(found) > 1990


def test_a_cut_is_told_from_a_mistake_wherever_it_is(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_chat(path, SUPERGROUP, [message(text="茶\\\n😀", location_information={"latitude": -1.5})])
    whole = path.read_bytes()
    for length in range(whole.index(b"messages") + 12, len(whole)):
        path.write_bytes(whole[:length])
        assert "ends in the middle" in read_until_error(path)[1], whole[:length]


def test_a_broken_place_is_named_without_what_people_wrote(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_chat(path, SUPERGROUP, [message(text="secret"), message(8, text="BREAK")])
    path.write_bytes(path.read_bytes().replace(b'"BREAK"', b"secret"))
    with pytest.raises(HistoryFileError, match="is not valid JSON, near byte") as error:
        list(read(path))
    assert "secret" not in str(error.value)


def test_something_after_the_export_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_chat(path, SUPERGROUP, [message()])
    path.write_bytes(path.read_bytes() + b"{}")
    with pytest.raises(HistoryFileError, match="is not valid JSON"):
        list(read(path))


def test_an_account_without_chats_says_what_to_tick(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_account(path, [])
    with pytest.raises(HistoryFileError, match=r"holds no chats; .*tick the chats"):
        list(read(path))


def test_a_message_of_more_than_any_message_can_take_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_chat(path, SUPERGROUP, [message(), message(8, text="x" * (17 * 2**20))])
    with pytest.raises(HistoryFileError, match="a message of over 16 MiB"):
        list(read(path))


def test_large_things_that_are_no_messages_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    large = [{"id": number, "text": "x" * 1000} for number in range(17_000)]
    path.write_text(
        json.dumps({"contacts": {"list": large}, "chats": {"list": [SUPERGROUP | {"messages": [message()]}]}})
    )
    assert texts(list(read(path))) == ["hello"]


def test_the_made_up_export_holds_something_of_everything(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_export(path, 3000, seed=1)
    with read(path) as reader:
        start, *found = reader
    assert isinstance(start, ChatStart)
    assert start.title == GROUP["name"]
    kept = [item for item in found if isinstance(item, NewMessage)]
    assert len(found) == 3000
    assert len(kept) > 2900
    assert set(reader.skipped) == {"service: set_messages_ttl"}
    ids = [int(one.external_id) for one in kept]
    assert ids == sorted(set(ids))
    said = "\n".join(one.text for one in kept)
    for part in (
        "[photo]",
        "[sticker 😂]",
        "[voice message, 12 s]",
        "[poll] 周六吃什么？",
        "牛肉面",
        "[pinned a message]",
    ):
        assert part in said
    assert any(one.edited_at for one in kept)
    assert any(one.forwarded_from for one in kept)
    assert any(one.reply_to_external for one in kept)
    assert list(messages(50, seed=3)) == list(messages(50, seed=3)) != list(messages(50, seed=4))


def test_a_skipped_message_is_no_message(tmp_path: Path) -> None:
    assert items(tmp_path, {"id": 1, "type": "unsupported"}) == [Skipped("unsupported")]
    assert only(tmp_path, message()).text == "hello"
