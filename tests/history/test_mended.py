from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.history import HistoryItem, read
from bot.history.mended import Mended
from bot.history.source import ByteSource
from bot.model import NewMessage
from tests.fakes.telegram_export import write_chat
from tests.history.samples import SUPERGROUP, message


def texts(found: list[HistoryItem]) -> list[str]:
    return [item.text for item in found if isinstance(item, NewMessage)]


def test_control_characters_as_telegram_desktop_writes_them_are_read(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_chat(path, SUPERGROUP, [message(text="TEXT"), message(8, text="C:\\xampp")])
    path.write_bytes(path.read_bytes().replace(b"TEXT", rb"a\x01b\x1F\\x02"))
    assert texts(list(read(path))) == ["a\x01b\x1f\\x02", "C:\\xampp"]


@pytest.mark.parametrize("half", [r"\ud83d", r"\ude00", r"\uDE00\ud83d"])
def test_half_an_emoji_does_not_stop_the_import(tmp_path: Path, half: str) -> None:
    path = tmp_path / "result.json"
    write_chat(path, SUPERGROUP, [message(text="TEXT")])
    path.write_text(path.read_text("utf-8").replace("TEXT", half + r"|\ud83d\ude00\u0000|" + half), "utf-8")
    [text] = texts(list(read(path)))
    assert text.replace("\ufffd", "") == "|😀\0|"


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["a", "\\\\", '\\"', "\\u4e2d", "\\ud83d\\ude00", "\\ud83d", "\\udc00", "\\x0A", "中"])),
    st.integers(1, 9),
)
def test_escapes_are_mended_wherever_the_file_is_divided(pieces: list[str], size: int) -> None:
    text = '"' + "".join(pieces) + '"'
    mended = Mended(_InMemory(text.encode()))
    got = b"".join(iter(lambda: mended.read(size), b"")).decode()
    expected = json.loads(text.replace("\\\\", "\\u005c").replace("\\x0A", "\\u000a"))
    assert json.loads(got) == "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in expected)


class _InMemory(ByteSource):
    """Bytes that were never in a file."""

    def __init__(self, data: bytes) -> None:
        self.path = Path("memory")
        self.bytes_read = 0
        self.bytes_total = len(data)
        self._file = BytesIO(data)  # pyright: ignore[reportIncompatibleVariableOverride]
