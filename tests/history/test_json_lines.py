from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import HistoryFileError
from bot.history import ChatStart, Skipped, read
from bot.model import NewMessage
from tests.history.samples import lines_file, read_until_error

TEA: dict[str, object] = {"id": "s1", "sent_at": "2025-10-04T13:12:20Z", "sender": "小雨", "text": "茶？"}


def messages(path: Path) -> list[NewMessage]:
    return [item for item in read(path) if isinstance(item, NewMessage)]


def start(path: Path) -> ChatStart:
    first = next(iter(read(path)))
    assert isinstance(first, ChatStart)
    return first


def test_a_line_is_a_message(tmp_path: Path) -> None:
    path = lines_file(tmp_path, [TEA, TEA | {"id": 2, "reply_to": "s1", "topic": 5, "mood": ["ignored"]}])
    chat, first, second = read(path)
    assert isinstance(chat, ChatStart)
    assert (chat.title, chat.kind, chat.telegram_chat_id) == ("tea", "lines", None)
    assert first == NewMessage(
        external_id="s1",
        sender_id="小雨",
        sender="小雨",
        sent_at=datetime(2025, 10, 4, 13, 12, 20, tzinfo=UTC),
        text="茶？",
    )
    assert isinstance(second, NewMessage)
    assert (second.external_id, second.reply_to_external, second.topic) == ("2", "s1", "5")


texts = st.text(st.characters(exclude_categories=["Cs"]))
ids = texts.filter(bool) | st.integers()


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "id": ids,
                "sent_at": st.datetimes(
                    min_value=datetime(1900, 1, 1),  # noqa: DTZ001 - the zone comes with `timezones`
                    max_value=datetime(2200, 1, 1),  # noqa: DTZ001
                    timezones=st.sampled_from(
                        [UTC, timezone(timedelta(hours=8)), timezone(-timedelta(hours=3, minutes=30))]
                    ),
                ).map(lambda moment: moment.replace(microsecond=0)),
                "sender": texts.filter(str.strip),
                "text": texts.filter(str.strip),
                "reply_to": st.none() | ids,
                "topic": st.none() | ids,
            }
        ),
        min_size=1,
    )
)
def test_what_is_written_as_lines_is_what_is_read(tmp_path: Path, records: list[dict[str, object]]) -> None:
    path = lines_file(tmp_path, [record | {"sent_at": str(record["sent_at"])} for record in records])
    assert [
        (one.external_id, one.sent_at, one.sender, one.text, one.reply_to_external, one.topic) for one in messages(path)
    ] == [
        (
            str(record["id"]),
            record["sent_at"],
            record["sender"],
            record["text"],
            None if record["reply_to"] is None else str(record["reply_to"]),
            "" if record["topic"] is None else str(record["topic"]),
        )
        for record in records
    ]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("2025-10-04T13:12:20Z", datetime(2025, 10, 4, 13, 12, 20, tzinfo=UTC)),
        ("2025-10-04T21:12:20.9+08:00", datetime(2025, 10, 4, 13, 12, 20, tzinfo=UTC)),
        (" 2025-10-04 13:12 ", datetime(2025, 10, 4, 13, 12, tzinfo=UTC)),
        ("2025-10-04", datetime(2025, 10, 4, tzinfo=UTC)),
        (1759583540, datetime(2025, 10, 4, 13, 12, 20, tzinfo=UTC)),
        (1759583540.75, datetime(2025, 10, 4, 13, 12, 20, tzinfo=UTC)),
        (-1, datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_time_is_utc_to_the_second_and_without_a_zone_utc(tmp_path: Path, written: object, meant: datetime) -> None:
    [found] = messages(lines_file(tmp_path, [TEA | {"sent_at": written}]))
    assert (found.sent_at, found.sent_at.tzinfo) == (meant, UTC)


@pytest.mark.parametrize("sender", [{}, {"sender": None}, {"sender": ""}, {"sender": "  "}])
def test_a_message_of_nobody_is_of_a_deleted_account(tmp_path: Path, sender: dict[str, object]) -> None:
    record = {key: value for key, value in TEA.items() if key != "sender"} | sender
    [found] = messages(lines_file(tmp_path, [record]))
    assert (found.sender_id, found.sender) == (None, "Deleted account")


def test_blank_lines_a_byte_order_mark_and_other_line_ends_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "tea.jsonl"
    line = json.dumps(TEA, ensure_ascii=False).encode()
    path.write_bytes(b"\xef\xbb\xbf\r\n" + line + b"\r\n \t\n" + line.replace(b"s1", b"s2"))
    assert [one.external_id for one in messages(path)] == ["s1", "s2"]


def test_a_message_without_words_is_skipped_and_counted(tmp_path: Path) -> None:
    with read(lines_file(tmp_path, [TEA, TEA | {"text": " "}])) as reader:
        assert list(reader)[2:] == [Skipped("empty")]
    assert reader.skipped == {"empty": 1}


def test_half_an_emoji_and_nul_are_left_for_the_store_to_clean(tmp_path: Path) -> None:
    path = tmp_path / "tea.jsonl"
    path.write_text(json.dumps(TEA | {"text": "\ud83d and \0"}))
    assert messages(path)[0].text == "\ud83d and \0"


def test_a_file_that_has_grown_is_the_same_chat_and_another_of_its_name_is_not(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    small = start(lines_file(tmp_path, [TEA])).source
    grown = start(lines_file(tmp_path, [TEA, TEA | {"id": "s2"}])).source
    turned = start(lines_file(tmp_path, [dict(reversed(TEA.items()))])).source
    other = start(lines_file(tmp_path / "b", [TEA | {"id": "s2"}])).source
    renamed = start(lines_file(tmp_path, [TEA], name="coffee.jsonl")).source
    assert small == grown == turned
    assert small.startswith("import:tea:")
    assert len(small) == len("import:tea:") + 8
    assert len({small, other, renamed}) == 3


def test_numbers_are_ids_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "tea.jsonl"
    path.write_text('{"id": 12345678901234567890.10, "sent_at": 0, "sender": "a", "text": "b", "reply_to": 0}')
    [found] = messages(path)
    assert (found.external_id, found.reply_to_external) == ("12345678901234567890.10", "0")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b'{"id": 1, "sent_at"', "not JSON"),
        (b'{"id": 1} {"id": 2}', "not JSON: Extra data at character 11"),
        (b"[1]", "an object in braces is expected"),
        (b'"tea"', "an object in braces is expected"),
        (b"\xff\xfe", "byte 1 is not UTF-8"),
        (b'{"sent_at": 0, "sender": "a", "text": "b"}', "“id” is missing"),
        (b'{"id": "", "sent_at": 0, "sender": "a", "text": "b"}', "“id” is missing"),
        (b'{"id": true, "sent_at": 0, "sender": "a", "text": "b"}', "“id” is neither text nor a number"),
        (b'{"id": 1, "sender": "a", "text": "b"}', "“sent_at” is missing"),
        (b'{"id": 1, "sent_at": "yesterday", "sender": "a", "text": "b"}', "“sent_at” is no time"),
        (b'{"id": 1, "sent_at": true, "sender": "a", "text": "b"}', "“sent_at” is no time"),
        (b'{"id": 1, "sent_at": [], "sender": "a", "text": "b"}', "“sent_at” is no time"),
        (b'{"id": 1, "sent_at": 1759583540000, "sender": "a", "text": "b"}', "“sent_at” is no time"),
        (b'{"id": 1, "sent_at": 1e99999999, "sender": "a", "text": "b"}', "“sent_at” is no time"),
        (b'{"id": 1, "sent_at": 1e99999999999999999999, "text": "b"}', "too large"),
        (b'{"id": 1, "sent_at": NaN, "sender": "a", "text": "b"}', "NaN is not JSON"),
        (b'{"id": 1, "sent_at": "0001-01-01T00:00+09:00", "text": "b"}', "“sent_at” is no time"),
        (b'{"id": 1, "sent_at": 0, "sender": 5, "text": "b"}', "“sender” is not text"),
        (b'{"id": 1, "sent_at": 0, "sender": "a"}', "“text” is missing"),
        (b'{"id": 1, "sent_at": 0, "sender": "a", "text": ["b"]}', "“text” is not text"),
        (b'{"id": 1, "sent_at": 0, "text": "b", "reply_to": {}}', "“reply_to” is neither text nor a number"),
        (b'{"id": 1, "sent_at": 0, "text": "b", "topic": []}', "“topic” is neither text nor a number"),
        (b'{"id": ' + b"1" * 5000 + b', "sent_at": 0, "text": "b"}', "too long"),
        (b'{"id": 1, "sent_at": 0, "text": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"id": 1, "sent_at": 0, "text": "' + b"x" * 2**24 + b'"}', "longer than 16 MiB"),
    ],
)
def test_a_bad_line_is_named_and_what_came_before_it_is_kept(tmp_path: Path, line: bytes, wrong: str) -> None:
    path = lines_file(tmp_path, [TEA])
    path.write_bytes(path.read_bytes() + b"\n" + line + b"\n" + path.read_bytes())
    found, error = read_until_error(path)
    assert re.match(f"line 3 of .*{wrong}.*; mend it and import again$", error)
    assert len(found) == 2


def test_a_bad_first_line_is_named_too(tmp_path: Path) -> None:
    path = tmp_path / "tea.jsonl"
    path.write_text('{"id": 1, "sent_at": 0, "sender": "Maya", "text": secret}\n')
    with pytest.raises(HistoryFileError, match=r"^line 1 of .*not JSON") as error:
        list(read(path))
    assert "secret" not in str(error.value)
