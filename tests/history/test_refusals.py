"""What is no history file, and what its owner is told to do."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from bot.errors import HistoryFileError
from bot.history import read
from tests.fakes.telegram_export import write_export
from tests.history.samples import SUPERGROUP, lines_file, message


@pytest.mark.parametrize(
    ("content", "cure"),
    [
        (b"", "is empty; export the chat again"),
        (b" \n\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"<!DOCTYPE html>\n<html>", "is HTML; export again, with “Machine-readable JSON”"),
        ('{"name": "Tea"}'.encode("utf-16"), "is not UTF-8 .*save it again as UTF-8"),
        ('{"name": "Tea"}'.encode("utf-16-be"), "is not UTF-8"),
        ('{"name": "Tea"}'.encode("utf-32"), "is not UTF-8"),
        (gzip.compress(b"{}", mtime=0), r"is packed \(gzip\); unpack it"),
        (b"PK\x03\x04rest", r"is packed \(zip\)"),
        (b'[{"id": 1}]', "one JSON array; write one object a line"),
        (b"Maya: hello", "is not JSON; expected"),
        (b'"hello"', "is not JSON; expected"),
        (b"{", "begins like JSON, but is not"),
        (b"{}", "line 1 of .*“id” is missing"),
        (b'{\n "version": 1,\n "data": []\n}', "begins like JSON, but is not"),
        (b'{\n "name": "Tea",\n "type": "private_group",\n "id": 5\n}', "holds no chats"),
        (b'{\n "id": 1,\n "sent_at": 0,\n "sender": "a",\n "text": "b"\n}', "line 1 of .*not JSON"),
    ],
)
def test_what_is_no_history_file_is_refused_with_a_cure(tmp_path: Path, content: bytes, cure: str) -> None:
    path = tmp_path / "result.json"
    path.write_bytes(content)
    with pytest.raises(HistoryFileError, match=cure):
        list(read(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(HistoryFileError, match=r"there is no file .*gone\.json"):
        read(tmp_path / "gone.json")
    with pytest.raises(HistoryFileError, match="is no path"):
        read(tmp_path / "a\0b")


def test_a_path_through_a_file_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(HistoryFileError, match=r"cannot read .*Not a directory"):
        read(tmp_path / "file" / "result.json")


def test_a_folder_says_which_of_its_files_to_take(tmp_path: Path) -> None:
    with pytest.raises(HistoryFileError, match=r"is a folder; import the result\.json"):
        read(tmp_path)
    (tmp_path / "messages.html").write_text("<html>")
    with pytest.raises(HistoryFileError, match="is an HTML export"):
        read(tmp_path)
    (tmp_path / "result.json").write_text("{}")
    with pytest.raises(HistoryFileError, match=r"import .*result\.json"):
        read(tmp_path)


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(HistoryFileError, match="is not a plain file"):
        read(tmp_path / "pipe")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text("{}")
    path.chmod(0)
    with pytest.raises(HistoryFileError, match=r"cannot read .*Permission denied; check"):
        read(path)


def test_the_kind_is_told_by_the_content_and_never_by_the_name(tmp_path: Path) -> None:
    export = tmp_path / "history.jsonl"
    write_export(export, 3)
    lines = lines_file(tmp_path, [{"id": 1, "sent_at": 0, "sender": "a", "text": "b"}], name="result.json")
    long: list[object] = [{"text": "x" * 100_000, "id": 1, "sent_at": 0, "sender": "a", "messages": []}]
    assert read(export).kind == "telegram export"
    assert read(lines).kind == "json lines"
    assert read(lines_file(tmp_path, long)).kind == "json lines"
    compact = tmp_path / "compact"
    compact.write_text(json.dumps(SUPERGROUP | {"messages": [message(text="x" * 100_000)]}))
    assert read(compact).kind == "telegram export"


def test_a_reader_lets_go_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_export(path, 3)
    with read(path) as reader:
        next(reader)
    with pytest.raises(ValueError, match="closed file"):
        reader._source.peek(1)  # pyright: ignore[reportPrivateUsage]
    reader.close()
