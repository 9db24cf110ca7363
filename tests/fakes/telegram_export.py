"""Chat exports in the shape that Telegram Desktop gives them, made up: the same seed, the same chat.

A supergroup of a handful of people who write Chinese, English and German, answer, edit, forward, react, send
photos, stickers, voice messages and files, pin and join. Keys, their order and the indentation are Telegram
Desktop's own.

    python -m tests.fakes.telegram_export FILE MESSAGES
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from json.encoder import encode_basestring
from pathlib import Path
from random import Random
from typing import cast

Fields = dict[str, object]

GROUP: Fields = {"name": "周六语言角 Saturday Talk", "type": "private_supergroup", "id": 1734567890}

_START = datetime(2023, 3, 4, 9, 0, tzinfo=UTC)
_PEOPLE = (
    ("Maya", "user5021734466"),
    ("小雨", "user612345678"),
    ("阿哲", "user1987654321"),
    ("Jonas 🦊", "user344556677"),
    ("Rowan O'Brien", "user6789012345"),
    (None, "user287654321"),
    ("周六语言角 Saturday Talk", "channel1734567890"),
)
_OPENINGS = ("Hey, ", "对了，", "Übrigens, ", "", "", "", "哈哈哈 ", "So ", "Moment: ", "我觉得 ")
_MIDDLES = (
    "明天下午三点图书馆见，别迟到",
    "did anybody book the table for Saturday",
    "die Bahn hat schon wieder zwanzig Minuten Verspätung",
    "这家的牛肉面比上次那家好吃多了",
    "I finished the second chapter, it is much better than the first",
    "我妈说她下周来北京，想见见你们",
    "können wir das auf Donnerstag verschieben",
    "the cat has eaten the charger again",
    "期末考试终于结束了，我要睡三天",
    "my flight lands at 18:40, terminal 2",
    "昨天那部电影的结局我没看懂",
    "ich bringe den Apfelkuchen mit, wer bringt Kaffee",
)
_ENDINGS = ("", ".", "。", "!", "？", " 😂", " 👍🏽", "~", " :)", " ❤️‍🔥", "……", "\nsee you")
_FORMATS = ("bold", "italic", "code", "spoiler", "hashtag", "mention")


def messages(count: int, *, seed: int = 0) -> Iterator[Fields]:
    """So many messages with ascending ids, some missing as if deleted; the first founds the group."""
    random = Random(seed)  # noqa: S311 - nobody's secret depends on it
    number, sent_at = 1, _START
    yield _stamped(number, "service", sent_at) | {
        "actor": "Maya",
        "actor_id": "user5021734466",
        "action": "create_channel",
        "title": GROUP["name"],
        "text": "",
        "text_entities": [],
    }
    for _ in range(count - 1):
        number += 1 if random.random() < 0.97 else random.randint(2, 5)
        sent_at += timedelta(seconds=random.choice((2, 5, 9, 20, 45, 180, 2400)))
        yield (_service(random, number, sent_at) if random.random() < 0.03 else _message(random, number, sent_at))


def write_export(path: Path, count: int, *, seed: int = 0) -> None:
    """A `result.json` of one chat, with so many messages."""
    write_chat(path, GROUP, messages(count, seed=seed))


def write_chat(path: Path, header: Fields, chat: Iterable[Fields]) -> None:
    """A `result.json` of one chat, streamed."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(_chat(header, chat, depth=0))


def write_account(path: Path, chats: Iterable[tuple[Fields, Iterable[Fields]]]) -> None:
    """A `result.json` of a whole account, streamed; the chats are followed by an empty list of left ones."""
    about = "Here is the data you requested."
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("{\n" + f' "about": {_json(about, 1)},\n "personal_information": ')
        file.write(_json({"user_id": 5021734466, "first_name": "Maya", "phone_number": "+49 000 0000000"}, 1))
        file.write(',\n "contacts": ' + _json({"about": about, "list": [{"first_name": "阿哲"}]}, 1))
        file.write(f',\n "chats": {{\n  "about": {_json(about, 2)},\n  "list": [')
        for place, (header, chat) in enumerate(chats):
            file.write(",\n   " if place else "\n   ")
            file.writelines(_chat(header, chat, depth=3))
        file.write(f'\n  ]\n }},\n "left_chats": {_json({"about": about, "list": []}, 1)}\n}}')


def _chat(header: Fields, chat: Iterable[Fields], *, depth: int) -> Iterator[str]:
    indent = " " * depth
    yield "{"
    for key, value in header.items():
        yield f'\n{indent} "{key}": {_json(value, depth + 1)},'
    yield f'\n{indent} "messages": ['
    for place, message in enumerate(chat):
        yield (",\n " if place else "\n ") + indent + " " + _json(message, depth + 2)
    yield f"\n{indent} ]\n{indent}}}"


def _json(value: object, depth: int) -> str:
    """As Telegram Desktop writes it: one space a level, and nothing escaped that need not be."""
    if isinstance(value, str):
        return encode_basestring(value)
    between = ",\n" + " " * (depth + 1)
    if isinstance(value, dict):
        fields = cast("Fields", value)
        entries = [f"{encode_basestring(key)}: {_json(one, depth + 1)}" for key, one in fields.items()]
        return "{" + between[1:] + between.join(entries) + between[1:-1] + "}"
    if isinstance(value, list):
        entries = [_json(one, depth + 1) for one in cast("list[object]", value)]
        return "[" + between[1:] + between.join(entries) + between[1:-1] + "]" if entries else "[]"
    return json.dumps(value)


def _stamped(number: int, kind: str, sent_at: datetime) -> Fields:
    return {
        "id": number,
        "type": kind,
        "date": f"{sent_at + timedelta(hours=8):%Y-%m-%dT%H:%M:%S}",
        "date_unixtime": str(int(sent_at.timestamp())),
    }


def _service(random: Random, number: int, sent_at: datetime) -> Fields:
    name, person = random.choice(_PEOPLE)
    done: tuple[Fields, ...] = (
        {"action": "pin_message", "message_id": max(number - random.randint(1, 40), 1)},
        {"action": "join_group_by_link", "inviter": None},
        {"action": "invite_members", "members": ["Rowan O'Brien", None]},
        {"action": "remove_members", "members": [name]},
        {"action": "edit_group_title", "title": "四个饿人 Four Hungry People"},
        {"action": "group_call", "duration": random.randint(1, 5000)},
        {"action": "set_messages_ttl", "period": 86400},
    )
    message = _stamped(number, "service", sent_at)
    message |= {"actor": name, "actor_id": person} | random.choice(done)
    message |= {"text": "", "text_entities": []}
    return message


def _message(random: Random, number: int, sent_at: datetime) -> Fields:
    name, person = random.choice(_PEOPLE)
    message = _stamped(number, "message", sent_at)
    if random.random() < 0.05:
        edited = sent_at + timedelta(seconds=random.randint(3, 600))
        message["edited"] = f"{edited + timedelta(hours=8):%Y-%m-%dT%H:%M:%S}"
        message["edited_unixtime"] = str(int(edited.timestamp()))
    message |= {"from": name, "from_id": person}
    if random.random() < 0.03:
        message["forwarded_from"] = random.choice(("美食日报", "Jonas 🦊", None))
    if random.random() < 0.25:
        message["reply_to_message_id"] = max(number - random.randint(1, 60), 1)
    has_media = random.random() < 0.14
    if has_media:
        message |= random.choice(_MEDIA)
    if has_media and random.random() < 0.7:
        message |= {"text": "", "text_entities": []}
    else:
        message |= _text(random)
    if random.random() < 0.1:
        recent = {"from": "小雨", "from_id": "user612345678", "date": "2023-03-04T17:00:00"}
        message["reactions"] = [{"type": "emoji", "count": 1, "emoji": "❤", "recent": [recent]}]
    return message


def _text(random: Random) -> Fields:
    sentences = random.choice((1, 1, 1, 2, 4))
    said = " ".join(
        random.choice(_OPENINGS) + random.choice(_MIDDLES) + random.choice(_ENDINGS) for _ in range(sentences)
    )
    if random.random() >= 0.1:
        return {"text": said, "text_entities": [{"type": "plain", "text": said}]}
    if random.random() < 0.5:
        marked: Fields = {"type": random.choice(_FORMATS), "text": random.choice(_MIDDLES)}
    else:
        marked = {"type": "text_link", "text": "这里", "href": "https://example.org/menu?table=4"}
    plain: Fields = {"type": "plain", "text": said + " "}
    return {"text": [said + " ", marked, ""], "text_entities": [plain, marked]}


_NOT_INCLUDED = "(File not included. Change data exporting settings to download.)"
_MEDIA: tuple[Fields, ...] = (
    {
        "photo": "photos/photo_1@04-03-2023_10-11-12.jpg",
        "photo_file_size": 93211,
        "width": 960,
        "height": 1280,
    },
    {
        "file": _NOT_INCLUDED,
        "file_name": "sticker.webp",
        "file_size": 30412,
        "thumbnail": _NOT_INCLUDED,
        "thumbnail_file_size": 5120,
        "media_type": "sticker",
        "sticker_emoji": "😂",
        "mime_type": "image/webp",
        "width": 512,
        "height": 512,
    },
    {
        "file": "voice_messages/audio_3@04-03-2023_10-15-00.ogg",
        "file_size": 48211,
        "media_type": "voice_message",
        "mime_type": "audio/ogg",
        "duration_seconds": 12,
    },
    {
        "file": "files/练习册 第三课.pdf",
        "file_name": "练习册 第三课.pdf",
        "file_size": 1203344,
        "mime_type": "application/pdf",
    },
    {
        "file": _NOT_INCLUDED,
        "file_name": "mp4.mp4",
        "file_size": 204000,
        "media_type": "animation",
        "mime_type": "video/mp4",
        "duration_seconds": 3,
        "width": 320,
        "height": 240,
    },
    {"location_information": {"latitude": 39.904211, "longitude": 116.407395}},
    {
        "poll": {
            "question": "周六吃什么？",
            "closed": False,
            "total_voters": 3,
            "answers": [
                {"text": "火锅", "voters": 2, "chosen": True},
                {"text": "pizza", "voters": 1, "chosen": False},
            ],
        }
    },
)


if __name__ == "__main__":
    write_export(Path(sys.argv[1]), int(sys.argv[2]))
