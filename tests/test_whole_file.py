"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from bot import whole_file
from bot.whole_file import write_whole


def test_a_file_is_replaced_only_when_that_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "it.json"
    write_whole(file, b"one", replace=False)
    with pytest.raises(FileExistsError):
        write_whole(file, b"two", replace=False)
    assert file.read_bytes() == b"one"
    write_whole(file, b"two")
    assert file.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_is_its_owners_alone_unless_others_may_read_it(tmp_path: Path) -> None:
    private, shared = tmp_path / "private", tmp_path / ("灯" * 85)  # no name may be longer
    before = os.umask(0o027)
    try:
        write_whole(private, b"x")
        write_whole(shared, b"x", private=False)
    finally:
        os.umask(before)
    assert [stat.S_IMODE(file.stat().st_mode) for file in (private, shared)] == [0o600, 0o640]


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "it.json"
    file.write_bytes(b"one")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_file.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(file, b"two")
    assert file.read_bytes() == b"one"
    assert list(tmp_path.iterdir()) == [file]


def test_a_pipe_is_neither_waited_for_nor_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(FileExistsError):
        write_whole(pipe, b"x")
    assert pipe.is_fifo()
