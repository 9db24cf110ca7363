"""`companion card`, and a card that changes while somebody talks with it."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from base64 import b64encode
from pathlib import Path

from bot.cards import load
from bot.model import ChatId
from bot.store import PostgresStore
from tests.cards.samples import MIA, V3, as_json, charx, png, undated
from tests.fakes.openai_server import CHAT, Answer, OpenAIServer, completion
from tests.fakes.ports import do, say
from tests.system.conftest import PATIENCE, Companion, line


def write(offline: Companion, name: str, data: bytes) -> Path:
    file = offline.folder / name
    file.write_bytes(data)
    return file


async def test_a_card_is_shown_as_it_is_understood(offline: Companion) -> None:
    notes = "Best at \u001b[31mnight.\nSlow."
    data = {**V3["data"], "creator_notes": notes, "tags": "rose, tea"}
    file = write(offline, "mia.charx", charx({"card.json": as_json({**V3, "data": data}), "assets/main.png": png()}))
    told = (await offline.done("card", "show", file)).out
    assert told.splitlines()[:3] == ["Mimi (V3 card, charx)", "notes: Best at  [31mnight. Slow.", "tags: rose, tea"]
    assert {"lorebook: 1 entries", "asset: emotion joy (not in the file)"} <= {*told.splitlines()}
    assert "warning: coerced at /data/tags\n" in told
    as_v3 = await offline.done("card", "show", file, "--json")
    assert as_v3.json == load(file).document
    assert as_v3.out.count("\n") == 1
    assert "warning: coerced at /data/tags\n" in as_v3.err


async def test_a_card_that_cannot_be_read_is_told_by_its_kind(offline: Companion) -> None:
    good = write(offline, "good.json", as_json(MIA))
    assert (await offline.done("card", "check", good)).out == "ok: Mia (V1 card, json)\n"
    assert (await offline.done("card", "check", good, "--json")).json == load(good).document
    bad = write(offline, "bad.png", b"{")
    ran = await offline.run("card", "check", bad)
    assert (ran.code, ran.out) == (1, "bad_json\n")
    assert ran.complaint == "bad is not whole JSON (line 1); export the card again"
    ran = await offline.run("card", "check", bad, "--json")
    assert (ran.code, ran.json) == (1, {"error": "bad_json"})
    assert (await offline.run("card", "show", offline.folder / "none.json")).complaint.startswith(
        "cannot read the card"
    )


async def test_a_card_is_exported_and_no_file_is_replaced_unasked(offline: Companion) -> None:
    file = write(offline, "mia.json", as_json(V3))
    printed = (await offline.done("card", "export", file)).out
    assert undated(load(printed.encode())) == undated(load(file))
    to = offline.folder / "mia.png"
    assert (await offline.done("card", "export", file, "--to", to)).out.startswith(f"saved {to}: ")
    assert undated(load(to)) == undated(load(file))
    assert "--force" in (await offline.run("card", "export", file, "--to", to)).complaint
    await offline.done("card", "export", to, "--to", to, "--force")
    assert undated(load(to)) == undated(load(file))
    archive = write(offline, "mia.charx", charx({"card.json": as_json(V3), "assets/main.png": png()}))
    assert "left behind: icon main" in (await offline.done("card", "export", archive)).err
    unfit = await offline.run("card", "export", file, "--to", "mia.gif")
    assert (unfit.code, unfit.out) == (2, "")
    assert "neither" in unfit.err


async def said_to(process: Process, text: str) -> str:
    """What is answered in a talk that goes on."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{text}\n".encode())
    async with asyncio.timeout(PATIENCE):
        return (await process.stdout.readline()).decode()


async def test_a_changed_card_is_noticed_on_the_next_turn_and_a_broken_one_changes_nothing(
    prepared: Companion, store: PostgresStore
) -> None:
    card = write(prepared, "card.json", as_json(MIA))
    joy = {"type": "emotion", "name": "joy", "uri": f"data:;base64,{b64encode(png()).decode()}", "ext": "png"}
    async with OpenAIServer() as server:
        models = {
            "LLM_API_BASE_URL": server.base_url,
            "LLM_MODEL": "stub-chat",
            "EMBEDDING_API_BASE_URL": server.base_url,
            "EMBEDDING_MODEL": "stub-embed",
            "EMBEDDING_DIMENSION": "64",
        }
        chat = await prepared.remembers(line(1, "the key hangs behind the boiler"), **models)
        look = do("send_message", messages=["answer 1"], picture="joy")
        server.order(CHAT, *(Answer(body=completion(text)) for text in (say("answer 0"), look, say("answer 2"))))
        talk = await prepared.start("chat", "--chat", chat, **models, CHARACTER_CARD=str(card))
        assert await said_to(talk, "hello") == "Mia: answer 0\n"
        eva = {**MIA, "name": "Eva", "description": "A sailor.", "assets": [joy]}
        card.write_bytes(as_json({"spec": "chara_card_v3", "spec_version": "3.0", "data": eva}))
        assert await said_to(talk, "and now?") == "Eva: [picture: joy] answer 1\n"
        card.write_bytes(b'{"name": "Ada"')
        assert await said_to(talk, "and now?") == "Eva: answer 2\n"
        _, err = await talk.communicate(b"")
        systems = [asked.body["messages"][0]["content"] for asked in server.requests(CHAT)]
    assert ["A gardener." in systems[0], "A sailor." in systems[1], "A sailor." in systems[2]] == [True, True, True]
    assert err.decode().count("Eva stays as before") == 1
    personas = [message.persona async for message in store.messages.read(ChatId(int(chat)))]
    assert [name for name in personas if name is not None] == ["Mia", "Eva", "Eva"]
