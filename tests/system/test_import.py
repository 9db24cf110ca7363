"""`companion import`: history files into memory, each message once, whatever happens on the way."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from datetime import UTC, datetime
from pathlib import Path
from signal import SIGINT, SIGKILL

import pytest

from bot.importer import BATCH
from bot.model import ChatId, Message, NewMessage
from bot.store import PostgresStore
from tests.fakes import telegram_export
from tests.fakes.openai_server import EMBEDDINGS, Answer, OpenAIServer
from tests.system.conftest import AWAY, Companion, line, write_lines

LIVE = "telegram:777:-1001734567890"
"""The address under which a bot meets the supergroup of the made-up export."""


async def kept(store: PostgresStore, chat: int = 1) -> list[Message]:
    """All messages of a chat in order of time."""
    return [message async for message in store.messages.read(ChatId(chat))]


def exported(count: int) -> dict[str, telegram_export.Fields]:
    """The messages of a made-up export by their ids, without what an import skips."""
    told = {str(message["id"]): message for message in telegram_export.messages(count)}
    return {number: message for number, message in told.items() if message.get("action") != "set_messages_ttl"}


def points_at(message: telegram_export.Fields) -> str:
    """The id of the message that one answers or pins."""
    return str(message.get("reply_to_message_id") or message.get("message_id"))


def is_in_order(messages: list[Message]) -> bool:
    return messages == sorted(messages, key=lambda message: (message.sent_at, message.message_id))


async def test_a_telegram_chat_is_imported_once_and_what_is_new_in_it_is_added(
    prepared: Companion, store: PostgresStore, tmp_path: Path
) -> None:
    file = tmp_path / "result.json"
    telegram_export.write_export(file, 300)
    first = await prepared.done("import", file, **AWAY)
    count = len(exported(300))
    assert first.out.splitlines()[0] == (f"chat 1: 周六语言角 Saturday Talk: {count} of {count} messages were new")
    again = await prepared.done("import", file, **AWAY)
    assert f"0 of {count} messages were new" in again.out
    telegram_export.write_export(file, 400)
    grown = await prepared.done("import", file, "--json", **AWAY)
    [chat] = grown.json["chats"]
    assert chat["added"] == len(exported(400)) - count
    messages = await kept(store)
    assert [message.external_id for message in messages] == list(exported(400))
    assert is_in_order(messages)
    by_number = {message.message_id: message for message in messages}
    answers = {message.external_id: by_number[message.reply_to].external_id for message in messages if message.reply_to}
    assert answers == {
        number: points_at(message) for number, message in exported(400).items() if points_at(message) in exported(400)
    }


async def test_each_chat_of_an_account_becomes_one_of_ours_and_they_cannot_be_thrown_together(
    prepared: Companion, store: PostgresStore, tmp_path: Path
) -> None:
    file = tmp_path / "result.json"
    friend: telegram_export.Fields = {"name": "小雨", "type": "personal_chat", "id": 612345678}
    telegram_export.write_account(
        file, [(telegram_export.GROUP, telegram_export.messages(40)), (friend, telegram_export.messages(30, seed=1))]
    )
    past = await store.chats.open("import:past", title="Past")
    refused = await prepared.run("import", file, "--chat", str(past), **AWAY)
    assert refused.complaint == (
        f"{file} is the export of a whole account, which cannot all go into chat {past}; import it without "
        "--chat, or export that chat alone"
    )
    imported = (await prepared.done("import", file, "--json", **AWAY)).json
    titles = {chat["chat"]: chat["title"] for chat in imported["chats"]}
    assert titles == {2: "周六语言角 Saturday Talk", 3: "小雨"}
    assert [len(await kept(store, chat)) for chat in (1, 2, 3)] == [0, *(chat["read"] for chat in imported["chats"])]


async def test_a_stopped_or_killed_import_goes_on_where_it_was_and_ten_thousand_are_read_back_in_order(
    prepared: Companion, store: PostgresStore, tmp_path: Path
) -> None:
    count = 10_000
    file = write_lines(tmp_path / "long.jsonl", (line(n, f"message {n}", reply_to=str(n // 2)) for n in range(count)))
    stopped = await prepared.start("import", file, **AWAY)
    while await store.messages.count() < 1000:
        assert stopped.returncode is None
    stopped.send_signal(SIGINT)
    out, err = await stopped.communicate()
    assert (stopped.returncode, err) == (130, b"")
    kept_so_far = await store.messages.count()
    told = re.match(r"chat 1: long: ([\d,]+) of \1 messages were new\n", out.decode())
    assert told
    assert kept_so_far - int(told[1].replace(",", "")) in (0, BATCH), "of the last batch it may not have heard any more"
    killed = await prepared.start("import", file, **AWAY)
    while await store.messages.count() < kept_so_far + 1000:
        assert killed.returncode is None
    killed.send_signal(SIGKILL)
    await killed.communicate()
    before = await kept(store)
    assert kept_so_far + 1000 <= len(before) < count
    [chat] = (await prepared.done("import", file, "--json", **AWAY)).json["chats"]
    assert (chat["read"], chat["added"]) == (count, count - len(before))
    messages = await kept(store)
    assert [message.text for message in messages] == [f"message {n}" for n in range(count)]
    assert messages[: len(before)] == before
    assert is_in_order(messages)
    numbers = [message.message_id for message in messages]
    assert [message.reply_to for message in messages[1:]] == [numbers[n // 2] for n in range(1, count)]


async def test_an_export_of_a_live_supergroup_adds_only_what_the_bot_has_not_seen(
    prepared: Companion, store: PostgresStore, tmp_path: Path
) -> None:
    file = tmp_path / "result.json"
    telegram_export.write_export(file, 60)
    chat = await store.chats.open(LIVE, title="Talk")
    seen = [(number, message) for number, message in exported(60).items() if message["type"] == "message"][:20]
    await store.messages.record(
        chat, LIVE, [live(number, message, "as it was before an edit") for number, message in seen]
    )
    for chosen in ((), ("--chat", str(chat))):
        imported = (await prepared.done("import", file, "--json", *chosen, **AWAY)).json
        assert [each["chat"] for each in imported["chats"]] == [chat]
        messages = await kept(store, chat)
        assert sorted(int(message.external_id) for message in messages) == sorted(map(int, exported(60)))
    known = {message.external_id: message for message in messages}
    answered = [
        known[number].reply_to == known[str(message["reply_to_message_id"])].message_id
        for number, message in exported(60).items()
        if str(message.get("reply_to_message_id")) in known and number not in dict(seen)
    ]
    assert answered
    assert all(answered)


def live(number: str, exported_message: telegram_export.Fields, text: str) -> NewMessage:
    return NewMessage(
        external_id=number,
        sender_id=str(exported_message["from_id"]),
        sender=str(exported_message["from"]),
        sent_at=datetime.fromtimestamp(int(str(exported_message["date_unixtime"])), UTC),
        text=text,
    )


async def test_words_that_were_said_in_the_terminal_or_a_live_group_are_known_in_its_export(
    prepared: Companion, store: PostgresStore, tmp_path: Path
) -> None:
    chat = await store.chats.open("telegram:777:-4321", title="Small group")
    told = list(telegram_export.messages(12))
    texts = [message for message in told if message["type"] == "message" and isinstance(message["text"], str)]
    for source, message in zip(
        ("telegram:777:-4321", "terminal"), [each for each in texts if each["text"]], strict=False
    ):
        # A bot's ids in a basic group are not those of the person who exports it.
        await store.messages.record(chat, source, [live(f"other {message['id']}", message, str(message["text"]))])
    file = tmp_path / "result.json"
    telegram_export.write_chat(file, {"name": "Small group", "type": "private_group", "id": 4321}, told)
    [imported] = (await prepared.done("import", file, "--json", **AWAY)).json["chats"]
    assert imported["chat"] == chat
    assert imported["added"] == imported["read"] - 2
    assert len(await kept(store, chat)) == imported["read"]


async def test_what_comes_before_a_fault_is_kept_and_the_mended_file_adds_the_rest(
    prepared: Companion, store: PostgresStore, tmp_path: Path
) -> None:
    whole, cut = tmp_path / "whole.json", tmp_path / "result.json"
    telegram_export.write_export(whole, 120)
    cut.write_bytes(whole.read_bytes()[:-9000])
    failed = await prepared.run("import", cut, **AWAY)
    assert re.match(f"{re.escape(str(cut))} ends in the middle, near byte", failed.complaint)
    before = await kept(store)
    assert len(before) > 50
    assert failed.out.startswith(f"chat 1: 周六语言角 Saturday Talk: {len(before)} of {len(before)} messages were new")
    shutil.copy(whole, cut)
    await prepared.done("import", cut, **AWAY)
    assert [message.external_id for message in await kept(store)] == list(exported(120))

    lines = write_lines(tmp_path / "talk.jsonl", [line(n) for n in range(20)])
    good = lines.read_text()
    lines.write_text(good.replace('"id": "7", ', '"id": "7", the rest is lost'))
    failed = await prepared.run("import", lines, "--json", **AWAY)
    assert failed.complaint.startswith(f"line 8 of {lines}: it is not JSON")
    assert failed.json["chats"] == [{"chat": 2, "title": "talk", "read": 7, "added": 7}]
    lines.write_text(good)
    await prepared.done("import", lines, **AWAY)
    assert len(await kept(store, 2)) == 20


async def test_what_cannot_be_imported_is_said_in_one_line(
    prepared: Companion, store: PostgresStore, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "talk.jsonl", [line(1)])
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.json").touch()
    unknown, missing, folder, empty = await asyncio.gather(
        prepared.run("import", file, "--chat", "99", **AWAY),
        prepared.run("import", tmp_path / "none.json", **AWAY),
        prepared.run("import", tmp_path / "folder", **AWAY),
        prepared.run("import", tmp_path / "empty.json", **AWAY),
    )
    assert unknown.complaint == "there is no chat 99; `companion import FILE` adds one and prints its number"
    assert missing.complaint == f"there is no file {tmp_path / 'none.json'}; check the path"
    assert folder.complaint.startswith(f"{tmp_path / 'folder'} is a folder;")
    assert empty.complaint == f"{tmp_path / 'empty.json'} is empty; export the chat again"
    assert {ran.out for ran in (unknown, missing, folder, empty)} == {""}
    assert await store.chats.all() == []


async def test_two_imports_of_one_file_at_once_keep_each_message_once(
    companion: Companion, empty_dsn: str, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "talk.jsonl", [line(n, f"message {n}") for n in range(3000)])
    async with OpenAIServer() as server:
        both = [companion.done("import", file, "--json", **embedding(server)) for _ in range(2)]
        first, second = [ran.json["chats"] for ran in await asyncio.gather(*both)]
        assert first[0]["chat"] == second[0]["chat"] == 1
        assert first[0]["added"] + second[0]["added"] == 3000
        looked = (await companion.done("doctor", "--json", **embedding(server))).json
    [memory] = [check["detail"] for check in looked["checks"] if check["name"] == "memory"]
    assert memory == "1 chats, 3,000 messages; stub-embed (64, in use): 3,000 embedded, 0 waiting, 0 refused"


def embedding(server: OpenAIServer, **more: str) -> dict[str, str]:
    return {"EMBEDDING_API_BASE_URL": server.base_url, "EMBEDDING_MODEL": "stub-embed", **more}


@pytest.mark.parametrize("dimension", ["", "64"], ids=["of unknown length", "of known length"])
async def test_messages_are_kept_while_the_embedding_service_is_away_and_embedded_later(
    prepared: Companion, store: PostgresStore, tmp_path: Path, dimension: str
) -> None:
    file = write_lines(tmp_path / "talk.jsonl", [line(n, f"message {n}") for n in range(5)])
    async with OpenAIServer() as server:
        env = embedding(server, EMBEDDING_DIMENSION=dimension)
        server.always(EMBEDDINGS, Answer(status=503))
        imported = await prepared.done("import", file, **env)
        assert "5 of 5 messages were new" in imported.out
        [hint] = imported.err.splitlines()
        assert hint.startswith("5 messages wait for their vectors, to be made while the bot runs: ")
        assert len(await kept(store)) == 5
        assert len(server.requests(EMBEDDINGS)) == 1, "nobody should wait for a service that is away"
        server.always(EMBEDDINGS, lambda _: None)
    async with OpenAIServer() as server:
        await prepared.done("import", file, **embedding(server))
    [model] = await store.embeddings.all()
    assert await store.embeddings.counts(model) == (5, 0)


async def test_any_text_is_kept_as_far_as_postgresql_can_and_answers_point_at_what_they_answer(
    prepared: Companion, store: PostgresStore, tmp_path: Path
) -> None:
    long = "长" * 100_000
    file = tmp_path / "odd.jsonl"
    write_lines(
        file,
        [
            line(1, long),
            line(2, "nul \0 inside", reply_to="1"),
            line(3, "half \ud83d of a pair, \ud83e\udd8a a whole one", reply_to="2"),
            line(4, ""),
            line(5, " \n "),
            line(6, "to the one after", reply_to="7"),
            line(7, "to nobody", reply_to="99", sender="\u202eEve\n#1"),
            line(8, "🦊", topic="zoo"),
        ],
    )
    imported = (await prepared.done("import", file, "--json", **AWAY)).json
    assert imported["skipped"] == {"empty": 2}
    messages = await kept(store)
    assert [message.text for message in messages] == [
        long,
        "nul  inside",
        "half \ufffd of a pair, 🦊 a whole one",
        "to the one after",
        "to nobody",
        "🦊",
    ]
    numbers = {message.external_id: message.message_id for message in messages}
    assert [message.reply_to for message in messages] == [None, numbers["1"], numbers["2"], numbers["7"], None, None]
    assert messages[4].sender == "\u202eEve\n#1"
    assert messages[5].topic == "zoo"
    telegram = tmp_path / "result.json"
    telegram.write_text(json.dumps({**telegram_export.GROUP, "messages": [
        {**telegram_message(1), "text": "half \ud83d", "from": "nul \0"},
        {**telegram_message(2), "text": long, "reply_to_message_id": 1},
        {**telegram_message(3), "text": ""},
    ]}))  # fmt: skip
    imported = (await prepared.done("import", telegram, "--json", **AWAY)).json
    told = await kept(store, imported["chats"][0]["chat"])
    assert [message.text for message in told] == ["half \ufffd", long]
    assert told[1].reply_to == told[0].message_id


def telegram_message(number: int) -> telegram_export.Fields:
    return {
        "id": number,
        "type": "message",
        "date_unixtime": str(1_780_000_000 + number),
        "from": "Ann",
        "from_id": "user1",
    }


@pytest.mark.parametrize("year", ["0001", "9999"])
async def test_a_time_that_not_every_zone_has_is_refused(companion: Companion, tmp_path: Path, year: str) -> None:
    file = tmp_path / "far.jsonl"
    file.write_text(f'{{"id": 1, "sent_at": "{year}-01-01T00:00:00Z", "sender": "A", "text": "hi"}}\n')
    ran = await companion.run("import", file)
    assert (ran.code, "years 2 to 9998 are possible" in ran.err) == (1, True)
