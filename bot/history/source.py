"""The bytes of a history file, counted as they are read.

Only plain files: their size is known, and they can be looked into before they are read from the start.
"""

from __future__ import annotations

import stat
from pathlib import Path

from bot.errors import HistoryFileError

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ByteSource:
    """A plain file open for reading, which knows how far it has come."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bytes_read = 0
        try:
            status = path.stat()
            _require_plain_file(path, status.st_mode)
            self.bytes_total = status.st_size
            self._file = path.open("rb", buffering=2**18)
        except FileNotFoundError:
            raise HistoryFileError(f"there is no file {path}; check the path") from None
        except OSError as error:
            raise self._unreadable(error) from error
        except ValueError as error:  # a NUL within it
            raise HistoryFileError(f"{str(path)!r} is no path: {error}") from error

    def peek(self, size: int) -> bytes:
        """The first bytes, a byte order mark included; only before anything is read."""
        try:
            head = self._file.read(size)
            self._file.seek(0)
        except OSError as error:
            raise self._unreadable(error) from error
        return head

    def read(self, size: int) -> bytes:
        """The next bytes; none at the end. A byte order mark at the start is passed over."""
        try:
            return self._counted(self._file.read(size)) or self._counted(self._file.read(size))
        except OSError as error:
            raise self._unreadable(error) from error

    def read_line(self, limit: int) -> bytes:
        """The next line with its end, or `limit` bytes of it; empty at the end of the file."""
        try:
            return self._counted(self._file.readline(limit)) or self._counted(self._file.readline(limit))
        except OSError as error:
            raise self._unreadable(error) from error

    def is_cut(self) -> bool:
        """Whether it is read to its end, and that is not the end of a JSON object."""
        if self.bytes_read < self.bytes_total:
            return False
        try:
            self._file.seek(max(self.bytes_total - 64, 0))
            return not self._file.read().rstrip().endswith(b"}")
        except OSError as error:
            raise self._unreadable(error) from error

    def close(self) -> None:
        """Let go of the file; doing so twice is fine."""
        self._file.close()

    def _counted(self, data: bytes) -> bytes:
        first = self.bytes_read == 0
        self.bytes_read += len(data)
        return data.removeprefix(BYTE_ORDER_MARK) if first else data

    def _unreadable(self, error: OSError) -> HistoryFileError:
        reason = error.strerror or str(error)
        return HistoryFileError(f"cannot read {self.path}: {reason}; check the disk and its permissions")


def _require_plain_file(path: Path, mode: int) -> None:
    if stat.S_ISDIR(mode):
        if (path / "result.json").is_file():
            raise HistoryFileError(f"{path} is a folder; import {path / 'result.json'}")
        if any(path.glob("messages*.html")):
            raise HistoryFileError(
                f"{path} is an HTML export; export again and choose “Machine-readable JSON” as the format"
            )
        raise HistoryFileError(f"{path} is a folder; import the result.json that Telegram Desktop wrote")
    if not stat.S_ISREG(mode):
        raise HistoryFileError(f"{path} is not a plain file; save the history to one and import that")
