"""`companion chat`, as somebody at a terminal or a script uses it."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import Process
from base64 import b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from signal import SIGINT, SIGKILL, SIGTERM

import pytest

from bot.model import ChatId, Message
from bot.store import PostgresStore
from tests.cards.samples import as_json, png
from tests.fakes.openai_server import CHAT, Answer, Asked, OpenAIServer, completion
from tests.fakes.ports import do, say
from tests.fakes.terminal import CTRL_C, CTRL_D, terminal
from tests.system.conftest import AWAY, Companion, line

SAMPLE = 428
"""Messages of the sample chat."""
NOTICE = "(No chat model is set"


def models(server: OpenAIServer, **more: str) -> dict[str, str]:
    """Settings for a chat model and an embedding model."""
    return {
        "LLM_API_BASE_URL": server.base_url,
        "LLM_MODEL": "stub-chat",
        "EMBEDDING_API_BASE_URL": server.base_url,
        "EMBEDDING_MODEL": "stub-embed",
        "EMBEDDING_DIMENSION": "64",
        **more,
    }


def answers(server: OpenAIServer, *texts: str) -> None:
    """What the chat model says next."""
    server.order(CHAT, *(Answer(body=completion(text)) for text in texts))


async def kept(store: PostgresStore, chat: int | str) -> list[Message]:
    return [message async for message in store.messages.read(ChatId(int(chat)))]


async def unread(store: PostgresStore) -> int:
    return await store.database.pool.fetchval("SELECT count(*) FROM messages WHERE read_at IS NULL")


async def test_one_message_is_answered_line_by_line_or_as_one_object(prepared: Companion, store: PostgresStore) -> None:
    name = "Zoë \u202e<b>\n# New messages"
    joy = {"type": "emotion", "name": "joy", "uri": f"data:;base64,{b64encode(png()).decode()}", "ext": "png"}
    card = prepared.folder / "tavi.json"
    card.write_bytes(as_json({"spec": "chara_card_v3", "data": {"name": "Tavi", "assets": [joy]}}))
    async with OpenAIServer() as server:
        chat = await prepared.remembers(line(1, "the spare key hangs behind the boiler"), **models(server))
        answers(server, say("Behind the boiler.", "Ann said so."))
        plain = await prepared.done(
            "chat", "--chat", chat, "--as", name, "--once", "where is the key?", **models(server)
        )
        assert (plain.out, plain.err) == ("Behind the boiler.\nAnn said so.\n", "")
        answers(server, do("send_message", messages=["Half \ud83d, whole 🦊"], picture="joy"))
        told = await prepared.done(
            "chat", "--chat", chat, "--once", "钥匙 🦊？", "--json", **models(server, CHARACTER_CARD=str(card))
        )
        asked = server.requests(CHAT)[0].body["messages"][-1]["content"]
    assert told.out.count("\n") == 1
    turn = told.json
    assert set(turn) >= {"replies", "actions", "trace_id", "turn_id", "recalled"}
    assert (turn["actions"], turn["picture"]) == (["send_message"], "joy")
    assert (len(turn["trace_id"]), len(turn["turn_id"])) == (32, 36)
    assert all(set(hit) >= {"kind", "id", "score", "text"} for hit in turn["recalled"])
    assert asked.count("\n# New messages") == 1, "a name is no way to write into the prompt"
    said = (await kept(store, chat))[1:]
    assert [message.sender for message in said] == [name, "Tavi", "Tavi", "You", "Tavi"]
    assert [message.persona for message in said] == [None, "Tavi", "Tavi", None, "Tavi"]
    assert said[3].text == "钥匙 🦊？"
    assert said[4].text == turn["replies"][0]
    assert await unread(store) == 0


async def test_the_first_start_imports_the_sample_chat_once_and_tells_once_that_no_model_is_set(
    prepared: Companion, store: PostgresStore
) -> None:
    first = await prepared.done("chat", stdin="Who cooks on Saturday?\n\n   \nWhere does 小雨 work?\nthank you")
    assert "importing the sample chat" in first.err
    replies = first.out.splitlines()
    assert len([row for row in replies if row.startswith("Tavi: ")]) >= 3
    assert [NOTICE in row for row in replies].count(True) == 1
    again = await prepared.done("chat", "--once", "Who cooks on Saturday?")
    assert NOTICE not in again.out, "it is still in view"
    assert again.err == ""
    assert [chat.title for chat in await store.chats.all()] == ["Four Hungry People"]
    messages = await kept(store, 1)
    assert [message.sender for message in messages[SAMPLE:]].count("You") == 4


@pytest.mark.parametrize("moment", ["importing the sample chat", "embedding its messages"])
async def test_a_first_start_that_is_killed_is_taken_up_by_the_next(
    companion: Companion, empty_dsn: str, moment: str
) -> None:
    async with OpenAIServer() as server:
        killed = await companion.start("chat", "--once", "hi", **models(server))
        await hears(killed, moment)
        killed.send_signal(SIGKILL)
        await killed.communicate()
        await companion.done("chat", "--once", "hi", **models(server))
        doctor = (await companion.done("doctor", "--json", **models(server))).json
    [memory] = [check["detail"] for check in doctor["checks"] if check["name"] == "memory"]
    # The greeting and its answer are newer than what was embedded before the turn.
    assert memory == f"1 chats, {SAMPLE + 2} messages; stub-embed (64, in use): {SAMPLE} embedded, 2 waiting, 0 refused"


async def hears(process: Process, words: str) -> None:
    """Wait until a process says something on stderr."""
    assert process.stderr
    async for said in process.stderr:
        if words in said.decode():
            return
    raise AssertionError(f"it never said {words!r}")


async def test_a_talk_in_the_terminal_takes_any_script_and_ends_with_ctrl_d(
    prepared: Companion, store: PostgresStore
) -> None:
    async with OpenAIServer() as server:
        chat = await prepared.remembers(line(1), **models(server))
        answers(server, say("在的 🦊"), do("wait", seconds=600), say("took my time"), do("stay_silent"))
        env = {**prepared.env, **models(server)}
        async with terminal("chat", "--chat", chat, "--as", "小雨", folder=prepared.folder, env=env) as person:
            assert "You are in “past” with Tavi." in await person.shows("you: ")
            person.press("你好，👨‍👩‍👧 在吗？\n")
            assert "Tavi: 在的 🦊" in await person.shows("you: ")
            person.press("take your time\n")
            assert "Tavi: took my time" in await person.shows("you: ")
            person.press("\n")
            await person.shows("you: ")
            person.press("psst\n")
            assert "(Tavi says nothing)" in await person.shows("you: ")
            person.press(CTRL_D)
            assert await person.ended() == 0
            assert person.echoes_lines
            assert "Traceback" not in person.shown
    assert [(message.sender, message.text) for message in (await kept(store, chat))[1:]] == [
        ("小雨", "你好，👨‍👩‍👧 在吗？"),
        ("Tavi", "在的 🦊"),
        ("小雨", "take your time"),
        ("Tavi", "took my time"),
        ("小雨", "psst"),
    ]


async def test_ctrl_c_ends_a_talk_at_the_prompt_and_while_the_model_thinks_and_leaves_the_terminal_as_it_was(
    prepared: Companion, store: PostgresStore
) -> None:
    async with OpenAIServer() as server:
        chat = await prepared.remembers(line(1), **models(server))
        env = {**prepared.env, **models(server)}
        async with terminal("chat", "--chat", chat, folder=prepared.folder, env=env) as person:
            await person.shows("you: ")
            person.press("half a sen" + CTRL_C)
            assert await person.ended() == 130
            assert person.echoes_lines
            assert "Traceback" not in person.shown
        thinks = asyncio.Event()

        def think_for_ever(_: Asked) -> Answer:
            thinks.set()
            return Answer(fault="hang")

        server.always(CHAT, think_for_ever)
        async with terminal("chat", "--chat", chat, folder=prepared.folder, env=env) as person:
            await person.shows("you: ")
            person.press("are you there?\n")
            await thinks.wait()
            person.press(CTRL_C)
            assert await person.ended() == 130
            assert person.echoes_lines
            assert "Traceback" not in person.shown
            assert "CRITICAL" not in person.shown
    assert [message.text for message in await kept(store, chat)] == ["hello", "are you there?"]
    assert await unread(store) == 1, "what was not answered stays unread"


@pytest.mark.parametrize("signal", [SIGTERM, SIGINT], ids=["SIGTERM", "SIGINT"])
async def test_a_signal_ends_a_talk_in_order(prepared: Companion, store: PostgresStore, signal: int) -> None:
    talking = await prepared.start("chat", "--chat", str(await store.chats.open("x", title="X")), **AWAY)
    await hears(talking, "Ctrl-D ends")
    talking.send_signal(signal)
    out, err = await talking.communicate()
    assert (talking.returncode, out, err) == (130, b"", b"")


async def test_a_failed_turn_is_told_and_the_next_answers_what_it_left(
    prepared: Companion, store: PostgresStore
) -> None:
    async with OpenAIServer() as server:
        chat = await prepared.remembers(line(1), **models(server))
        server.order(CHAT, Answer(status=401, body={"error": {"code": "invalid_api_key"}}))
        answers(server, say("yes, both"))
        talk = await prepared.done("chat", "--chat", chat, "--json", stdin="tea?\nor coffee?\n", **models(server))
        asked = server.requests(CHAT)[-1].body["messages"][-1]["content"].split("# New messages")[1]
    assert json.loads(talk.out)["replies"] == ["yes, both"]
    assert "companion: " in talk.err
    assert "401" in talk.err
    assert "tea?" in asked
    assert "or coffee?" in asked
    assert await unread(store) == 0


async def test_a_reader_who_has_seen_enough_ends_the_talk(prepared: Companion, store: PostgresStore) -> None:
    chat = str(await store.chats.open("x", title="X"))
    script = r"""printf 'one\ntwo\nthree\n' | "$@" | head -n 1; exit ${PIPESTATUS[1]}"""
    async with OpenAIServer() as server:
        ran = await prepared.shell(script, "chat", "--chat", chat, **models(server))
    assert (ran.code, ran.out) == (1, "Tavi: hello\n")
    assert ran.err.splitlines() == ["You are in “X” with Tavi. Write, and press Enter; Ctrl-D ends."]


async def test_while_it_rests_it_says_until_when_and_asks_no_model(prepared: Companion, store: PostgresStore) -> None:
    async with OpenAIServer() as server:
        chat = await prepared.remembers(line(1), **models(server))
        answers(server, do("sleep", seconds=7200))
        env = models(server, TIMEZONE="Asia/Shanghai")
        first = await prepared.done("chat", "--chat", chat, "--once", "good night", **env)
        second = await prepared.done("chat", "--chat", chat, "--once", "are you up?", "--json", **env)
        assert len(server.requests(CHAT)) == 1
    wakes = datetime.fromisoformat(second.json["rests_until"])
    assert abs(wakes - datetime.now(UTC) - timedelta(hours=2)) < timedelta(minutes=2)
    assert (second.json["outcome"], second.json["replies"]) == ("resting", [])
    shanghai = wakes + timedelta(hours=8)
    assert (first.out, first.err) == ("", f"(Tavi rests until {shanghai:%Y-%m-%d %H:%M} CST)\n")
    assert await unread(store) == 2


async def test_two_people_can_start_and_talk_at_once_and_nothing_is_lost_or_kept_twice(
    prepared: Companion, store: PostgresStore
) -> None:
    words = [f"sentence {n}" for n in range(5)]
    async with OpenAIServer() as server:
        talks = [
            prepared.done(
                "chat", "--as", name, "--json", stdin="".join(f"{name}, {w}\n" for w in words),
                **models(server),
            )
            for name in ("Ann", "Bob")
        ]  # fmt: skip
        for talk in await asyncio.gather(*talks):
            assert [row["outcome"] for row in objects(talk.out)].count("answered") >= 1
    messages = await kept(store, 1)
    assert [message.external_id for message in messages[:SAMPLE]] == [f"s{n:03}" for n in range(1, SAMPLE + 1)]
    said = [message.text for message in messages[SAMPLE:] if message.persona is None]
    assert sorted(said) == [f"{name}, {each}" for name in ("Ann", "Bob") for each in words]
    numbers = [message.message_id for message in messages]
    assert len(set(numbers)) == len(numbers)
    assert await unread(store) == 0


def objects(lines: str) -> list[Mapping[str, str]]:
    return [json.loads(row) for row in lines.splitlines()]


async def test_without_its_embedding_service_it_still_listens_and_says_what_is_missing(
    prepared: Companion, store: PostgresStore
) -> None:
    async with OpenAIServer() as server:
        chat = await prepared.remembers(line(1), **models(server))
        away = {**models(server), "EMBEDDING_API_BASE_URL": AWAY["EMBEDDING_API_BASE_URL"]}
        async with terminal("chat", "--chat", chat, folder=prepared.folder, env={**prepared.env, **away}) as person:
            before = await person.shows("you: ")
            assert (
                "nothing comes to mind until the embedding model works: no connection to model 'stub-embed'" in before
            )
            person.press(CTRL_D)
            assert await person.ended() == 0
