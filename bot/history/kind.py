"""What a history file is, by what is in it; its name says nothing.

Refuses what is commonly taken for a history file, and says what to do instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Set
from io import BytesIO
from typing import Literal, cast

import ijson

from bot.errors import HistoryFileError
from bot.history.mended import PARSER_ERRORS
from bot.history.source import BYTE_ORDER_MARK, ByteSource

FileKind = Literal["telegram export", "json lines"]

_HEAD = 2**16
_PACKED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf": "7z",
    b"Rar!": "rar",
}
_CHATS = frozenset(("messages", "chats", "left_chats"))
_EXPORT = _CHATS | {"about", "personal_information", "contacts", "frequent_contacts"}
_LINE = frozenset(("sent_at", "sender", "text"))
_WHAT_WE_READ = "a Telegram Desktop export (result.json) or JSON lines with id, sent_at, sender and text"

_basic_parse = cast("Callable[[BytesIO], Iterator[tuple[str, object]]]", ijson.basic_parse)


def kind_of(source: ByteSource) -> FileKind:
    """The kind of file this is; HistoryFileError for what we do not read."""
    path, head = source.path, source.peek(_HEAD)
    for magic, name in _PACKED.items():
        if head.startswith(magic):
            raise HistoryFileError(f"{path} is packed ({name}); unpack it and import what is inside")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:4]:
        raise HistoryFileError(f"{path} is not UTF-8 but UTF-16 or UTF-32; save it again as UTF-8")
    start = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if not start and len(head) == source.bytes_total:
        raise HistoryFileError(f"{path} is empty; export the chat again")
    match start[:1]:
        case b"{":
            return _kind_of_objects(source, start)
        case b"<":
            raise HistoryFileError(f"{path} is HTML; export again, with “Machine-readable JSON” as the format")
        case b"[":
            raise HistoryFileError(f"{path} is one JSON array; write one object a line instead, without brackets")
        case _:
            raise HistoryFileError(f"{path} is not JSON; expected {_WHAT_WE_READ}")


def _kind_of_objects(source: ByteSource, start: bytes) -> FileKind:
    line, newline, _ = start.partition(b"\n")
    if newline or len(start) < _HEAD:
        keys = _keys_of_whole(line)
        if keys is not None:  # JSON lines, or a short export written without line breaks
            return "telegram export" if keys & _CHATS and not keys & _LINE else "json lines"
    keys = set(_keys_of_part(start))
    if keys & _EXPORT or keys >= {"type", "id"}:
        return "telegram export"
    if keys & _LINE:
        return "json lines"
    raise HistoryFileError(f"{source.path} begins like JSON, but is not {_WHAT_WE_READ}; export the chat again")


def _keys_of_whole(line: bytes) -> Set[str] | None:
    """The keys of an object that ends where the line does; None when it does not."""
    try:
        value: object = json.loads(line.decode())
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, object]", value).keys() if isinstance(value, dict) else None


def _keys_of_part(start: bytes) -> Iterator[str]:
    """The keys of the outermost object, as far as these bytes go."""
    depth = 0
    try:
        for event, value in _basic_parse(BytesIO(start)):
            depth += event.startswith("start") - event.startswith("end")
            if event == "map_key" and depth == 1:
                yield cast("str", value)
    except PARSER_ERRORS:
        return
