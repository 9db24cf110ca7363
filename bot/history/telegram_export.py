"""A Telegram Desktop export, `result.json`: one chat, or a whole account with its chats in two lists.

The file is read as a stream of events, and of a message only what we use is built. Keys may come in any
order and unknown ones are passed over, except that a chat's type and id have to come before its messages,
where Telegram Desktop writes them: otherwise all messages would have to wait to learn whose they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import ijson

from bot.errors import HistoryFileError
from bot.history.mended import PARSER_ERRORS, Mended
from bot.history.source import ByteSource
from bot.history.telegram_fields import Fields, number_at, text_at
from bot.history.telegram_message import bare_group_id, channel_chat_id, export_address, read_message
from bot.history.telegram_topics import Topics
from bot.history.values import DELETED_ACCOUNT, ChatKind, ChatStart, HistoryItem

Record = dict[str, object]
Events = Iterator[tuple[str, Any]]
"""What the parser meets, in order: `start_map`, `map_key`, `string`, … with the key or value."""

_AGAIN = "export again with Telegram Desktop, choosing “Machine-readable JSON” as the format"
_OPENING = frozenset(("start_map", "start_array"))
_NEW: dict[str, Callable[[], Record | list[object]]] = {"start_map": dict, "start_array": list}
_CLOSING = frozenset(("end_map", "end_array"))
_HEADER = frozenset(("name", "type", "id"))
_CHAT_LISTS = frozenset(("chats", "left_chats"))
_NOT_USED = frozenset(("text_entities", "inline_bot_buttons", "reactions"))
_KINDS: dict[str, ChatKind] = {
    "personal_chat": "private",
    "bot_chat": "private",
    "private_group": "group",
    "private_supergroup": "supergroup",
    "public_supergroup": "supergroup",
    "private_channel": "channel",
    "public_channel": "channel",
    "saved_messages": "saved",
    "replies": "replies",
    "verification_codes": "codes",
}
_TITLES: dict[ChatKind, str] = {
    "private": DELETED_ACCOUNT,
    "saved": "Saved Messages",
    "replies": "Replies",
    "codes": "Verification Codes",
}

_basic_parse = cast("Callable[[Mended], Events]", ijson.basic_parse)


def read_telegram_export(source: ByteSource) -> Iterator[HistoryItem]:
    """Every chat of the export, each followed by its messages."""
    export = _Export(source)
    try:
        yield from export.items()
    except PARSER_ERRORS as error:
        cut = source.is_cut() or "premature EOF" in str(error) or "Incomplete" in str(error)
        wrong = "ends in the middle" if cut else "is not valid JSON"
        raise HistoryFileError(
            f"{source.path} {wrong}, near byte {source.bytes_read} of {source.bytes_total}, "
            f"{export.messages} messages in; {_AGAIN}"
        ) from error


class _Export:
    """The events of one file, and what is known by now of what they are about."""

    def __init__(self, source: ByteSource) -> None:
        self._source = source
        self._bytes = Mended(source)
        self._events = _basic_parse(self._bytes)
        self._found_chats = False
        self.messages = 0

    def items(self) -> Iterator[HistoryItem]:
        for event, _ in self._events:
            if event == "start_map":
                yield from self._chat(whole_file=True)
        if not self._found_chats:
            raise HistoryFileError(f"{self._source.path} holds no chats; {_AGAIN}, and tick the chats")

    def _chat(self, *, whole_file: bool = False) -> Iterator[HistoryItem]:
        """The object that has just begun: a chat, or the whole file, which can also be an account."""
        header: Record = {}
        for event, key in self._events:
            if event == "end_map":
                return
            event, value = next(self._events)
            if key == "messages" and event == "start_array":
                yield from self._messages(self._start(header, of_account=not whole_file))
            elif whole_file and key in _CHAT_LISTS and event == "start_map":
                yield from self._chat_list()
            elif event in _OPENING:
                self._pass_over()
            elif key in _HEADER:
                header[key] = value

    def _chat_list(self) -> Iterator[HistoryItem]:
        """The object that has just begun: `{"about": …, "list": [chat, …]}`."""
        for event, key in self._events:
            if event == "end_map":
                return
            event, _ = next(self._events)
            if key == "list" and event == "start_array":
                for event, _ in self._events:
                    if event == "end_array":
                        break
                    if event == "start_map":
                        yield from self._chat()
                    elif event in _OPENING:
                        self._pass_over()
            elif event in _OPENING:
                self._pass_over()

    def _messages(self, chat: ChatStart) -> Iterator[HistoryItem]:
        """The array that has just begun."""
        self._found_chats = True
        yield chat
        topics = Topics()
        for event, _ in self._events:
            if event == "end_array":
                return
            if event == "start_map":
                self._bytes.message_begins = self._source.bytes_read
                message = self._object()
                self._bytes.message_begins = None
                yield read_message(message, chat, topics)
                self.messages += 1
            elif event in _OPENING:
                self._pass_over()

    def _object(self) -> Fields:
        """The object that has just begun, without what we do not use."""
        root: Record = {}
        outer: list[Record | list[object]] = []
        inside: Record | list[object] = root
        key = ""
        for event, value in self._events:
            if event == "map_key":
                key = value
                if inside is root and key in _NOT_USED:
                    event, _ = next(self._events)
                    if event in _OPENING:
                        self._pass_over()
                continue
            if event in _CLOSING:
                if not outer:
                    break
                inside = outer.pop()
                continue
            begun = _NEW[event]() if event in _OPENING else None
            if isinstance(inside, dict):
                inside[key] = value if begun is None else begun
            else:
                inside.append(value if begun is None else begun)
            if begun is not None:
                outer.append(inside)
                inside = begun
        return root

    def _pass_over(self) -> None:
        """Read to the end of the object or array that has just begun."""
        depth = 1
        for event, _ in self._events:
            if event in _OPENING:
                depth += 1
            elif event in _CLOSING:
                depth -= 1
                if not depth:
                    return

    def _start(self, header: Record, *, of_account: bool) -> ChatStart:
        """The chat of a header; it ends where the messages begin."""
        number = number_at(header, "id")
        if number is None or "type" not in header:
            raise HistoryFileError(
                f"{self._source.path} has messages of a chat before its “type” and “id”, near byte "
                f"{self._source.bytes_read}; import it as Telegram Desktop wrote it, without sorting its keys"
            )
        kind = _KINDS.get(str(header["type"]), "other")
        title = text_at(header, "name") or _TITLES.get(kind, "Untitled")
        if kind in ("supergroup", "channel"):  # one space of ids: they keep theirs when they become public
            number = bare_group_id(number)
            chat_id = channel_chat_id(number)
        elif kind == "group":
            number = bare_group_id(number)
            chat_id = -number
        else:
            chat_id = None
        source = export_address(chat_id) if chat_id else None
        return ChatStart(
            title=title,
            source=source or f"import:telegram:{kind}:{number}",
            kind=kind,
            peer_id=number,
            telegram_chat_id=chat_id,
            of_account=of_account,
        )
