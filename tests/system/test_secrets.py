"""The whole bot, and neither its secrets nor what people wrote anywhere but where they belong."""

from __future__ import annotations

import asyncio
import base64
import sys
from urllib.parse import quote

import pytest

from tests.fakes.bot_api_faults import page, refusal
from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer
from tests.system.conftest import Companion
from tests.system.leaks import found, titles
from tests.system.world import answer, around, ends

TOKEN = "7000000001:AA-plum_jam~behind+the/third=brick"
KEYS = {"LLM_API_KEY": "sk-a-key-for-thinking", "EMBEDDING_API_KEY": "sk-a-key-for-remembering"}
WORDS = ("boiler", "kettle", "gooseberry", "rhubarb")
"""One of each text that is written in the test."""


@pytest.mark.parametrize(
    "told",
    [
        f"GET /bot{TOKEN}/getMe",
        f"https://bot.example/?next={quote(f'/bot{TOKEN}/getMe', safe='')}",
        f"https://bot.example/?next={quote(quote(TOKEN, safe=''), safe='').lower()}",
        *(base64.b64encode(f"{before}{TOKEN}/getMe".encode()).decode() for before in ("", "b", "bo", "bot")),
        *(base64.urlsafe_b64encode(f"{before}{TOKEN}".encode()).decode() for before in ("", "b", "bo")),
        f"the secret of 7000000001 is {TOKEN.partition(':')[2]}",
    ],
)
def test_a_secret_is_found_however_it_is_written(told: str) -> None:
    assert found([TOKEN, "sk-another"], told) == [TOKEN]


def test_a_secret_that_is_blotted_out_is_not_found() -> None:
    assert found([TOKEN], "GET /bot7000000001:[secret]/getMe") == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems show processes elsewhere")
async def test_of_a_run_with_failures_nothing_tells_a_secret_or_a_text(prepared: Companion) -> None:
    async with around(prepared) as world:
        api, mia = world.api, world.mia
        ann, bob = api.person("Ann"), api.person("Bob")
        tea = api.supergroup("Tea", ann, bob, mia)
        secrets = [mia.token, *KEYS.values()]
        env = {**world.env, **KEYS, "TRACE_CONTENT": "off", "LOG_LEVEL": "DEBUG", "LOG_FORMAT": "json"}
        echo = {"error": {"message": f"I cannot read: boiler, kettle ({mia.token})"}}
        world.models.order(EMBEDDINGS, Answer(status=500, body=echo))
        world.models.order(CHAT, Answer(status=500, body=echo), answer("gooseberry"), answer("rhubarb"))
        api.order(page(502, f"<p>no answer to /bot{mia.token}/getMe</p>"), to="getMe")
        api.order(refusal(400, "message gooseberry is not to be sent"), to="sendMessage")
        api.order(refusal(403, f"bot {mia.token} was told kettle"), to="sendChatAction")
        process = await prepared.start("run", **env)
        await api.was_asked("getUpdates", 1)
        api.inject(mia, {"message": {"text": "kettle", "chat": "no chat"}})
        await bob.says(tea, "the boiler is warm")
        await ann.says(mia, "where is the kettle?")
        await api.was_asked("sendMessage", 1)
        await bob.says(mia, "and the boiler?")
        await api.sent(api.private(bob, mia), 1)
        seen = titles(process.pid)
        err = await ends(process)
        assert "-m bot run" in seen
        assert "is put aside" in err
        assert "Telegram does not answer yet" in err
        spans = b"".join(world.spans.bodies)
        assert b"receive telegram" in spans
        for told in (seen, err, spans):
            assert found([*secrets, *WORDS], told) == []


async def test_a_token_that_is_wrong_is_one_line_without_it(prepared: Companion) -> None:
    tokens = ("7000000009:AAnobody-has_this-token-0123456789abc", "no token at all, but a secret")
    async with around(prepared) as world:
        env = {**world.env, **KEYS, "LOG_LEVEL": "DEBUG"}
        ended = await asyncio.gather(*(prepared.run("run", **{**env, "TELEGRAM_BOT_TOKEN": token}) for token in tokens))
    for ran in ended:
        assert ran.complaint.startswith("Telegram's Bot API at 127.0.0.1")
        assert found([*tokens, *KEYS.values()], ran.out + ran.err) == []
