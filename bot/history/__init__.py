"""Chat-history files, streamed into our values: Telegram Desktop exports and JSON lines.

No database and no settings; nothing is sorted, and at most one message is held at a time, so that a file of
any size fits. (Of a forum also, which message is in which topic: 16 bytes each.)

    with read(path) as reader:
        for item in reader:
            match item:
                case ChatStart(): …    a chat begins
                case NewMessage(): …   one of its messages
                case Skipped(): …      counted in reader.skipped, too

Whatever is wrong with a file is a HistoryFileError: from `read` when it shows at once, from the loop when it
comes later. What was given before stays valid, and importing the mended file again adds only the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from bot.history.json_lines import read_json_lines
from bot.history.kind import FileKind, kind_of
from bot.history.source import ByteSource
from bot.history.telegram_export import read_telegram_export
from bot.history.values import DELETED_ACCOUNT, ChatKind, ChatStart, HistoryItem, Skipped

__all__ = [
    "DELETED_ACCOUNT",
    "ChatKind",
    "ChatStart",
    "FileKind",
    "HistoryItem",
    "Reader",
    "Skipped",
    "read",
]

_READERS: dict[FileKind, Callable[[ByteSource], Iterator[HistoryItem]]] = {
    "telegram export": read_telegram_export,
    "json lines": read_json_lines,
}


class Reader(Iterator[HistoryItem]):
    """One file, once, from its first item to its last. Closes itself at the end and after an error."""

    def __init__(self, path: Path) -> None:
        self._source = ByteSource(path)
        self.skipped: Counter[str] = Counter()
        """How many records were skipped so far, by reason, over all chats."""
        try:
            self.kind: FileKind = kind_of(self._source)
        except BaseException:
            self.close()
            raise
        self._items = _READERS[self.kind](self._source)

    @property
    def bytes_read(self) -> int:
        """How far it has come, a buffer ahead of the last item; equals `bytes_total` at the end."""
        return self._source.bytes_read

    @property
    def bytes_total(self) -> int:
        """The size of the file when it was opened."""
        return self._source.bytes_total

    def __next__(self) -> HistoryItem:
        try:
            item = next(self._items)
        except BaseException:
            self.close()
            raise
        if type(item) is Skipped:
            self.skipped[item.reason] += 1
        return item

    def close(self) -> None:
        """Let go of the file; doing so twice is fine."""
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def read(path: Path) -> Reader:
    """The items of a history file, whichever kind it is."""
    return Reader(path)
