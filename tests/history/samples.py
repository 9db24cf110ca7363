"""Small files as Telegram Desktop writes them, and how to read them back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from bot.errors import HistoryFileError
from bot.history import ChatStart, HistoryItem, Skipped, read
from bot.model import NewMessage
from tests.fakes.telegram_export import Fields, write_chat

SUPERGROUP: Fields = {"name": "Tea", "type": "private_supergroup", "id": 1734567890}
CHANNEL: Fields = {"name": "News", "type": "public_channel", "id": 1700000000}
PRIVATE: Fields = {"name": "小雨", "type": "personal_chat", "id": 612345678}

MOMENT = "1700000000"
"""2023-11-14T22:13:20Z."""


def message(number: int = 7, /, **fields: object) -> Fields:
    """A plain message of Maya's, but for these fields."""
    return {
        "id": number,
        "type": "message",
        "date": "2023-11-15T06:13:20",
        "date_unixtime": MOMENT,
        "from": "Maya",
        "from_id": "user5021734466",
        "text": "hello",
        "text_entities": [{"type": "plain", "text": "hello"}],
    } | fields


def media(number: int = 7, /, **fields: object) -> Fields:
    """A message without words."""
    return message(number, text="", text_entities=[], **fields)


def service(number: int = 7, /, **fields: object) -> Fields:
    """Something that Maya did."""
    done: Fields = {
        "id": number,
        "type": "service",
        "date": "2023-11-15T06:13:20",
        "date_unixtime": MOMENT,
        "actor": "Maya",
        "actor_id": "user5021734466",
    }
    done |= fields
    done |= {"text": "", "text_entities": []}
    return done


def without(record: Fields, *keys: str) -> Fields:
    return {key: value for key, value in record.items() if key not in keys}


def items(folder: Path, *chat: Fields, header: Fields = SUPERGROUP) -> list[NewMessage | Skipped]:
    """What is read of a chat with these messages, after its header."""
    path = folder / "result.json"
    write_chat(path, header, chat)
    start, *rest = read(path)
    assert isinstance(start, ChatStart)
    return [item for item in rest if not isinstance(item, ChatStart)]


def kept(folder: Path, *chat: Fields, header: Fields = SUPERGROUP) -> list[NewMessage]:
    """The messages among them; there has to be nothing else."""
    found = items(folder, *chat, header=header)
    messages = [item for item in found if isinstance(item, NewMessage)]
    assert len(messages) == len(found), found
    return messages


def only(folder: Path, one: Fields, header: Fields = SUPERGROUP) -> NewMessage:
    """What becomes of one message."""
    [found] = kept(folder, one, header=header)
    return found


def lines_file(folder: Path, records: Iterable[object], name: str = "tea.jsonl") -> Path:
    """A file of JSON lines."""
    path = folder / name
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), "utf-8")
    return path


def read_until_error(path: Path) -> tuple[list[HistoryItem], str]:
    """What is given before the reading fails, and why it does."""
    found: list[HistoryItem] = []
    try:
        for item in read(path):
            found.append(item)  # noqa: PERF402 - what came before the error is to stay
    except HistoryFileError as error:
        return found, str(error)
    raise AssertionError("nothing was wrong")
