"""`companion doctor` and Telegram: what keeps the bot from hearing is named with its cure, and nothing is disturbed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from aiohttp import ClientSession
from aiohttp.test_utils import unused_port

from bot.store import PostgresStore
from tests.fakes.bot_api import BotApi
from tests.fakes.bot_api_values import Bot
from tests.system.conftest import AWAY, Companion
from tests.system.leaks import found
from tests.telegram.intake_rig import an_intake, client_of, polling, private

ANN = 5_000_000_011


@dataclass(frozen=True, kw_only=True)
class Told:
    """One check, as it was printed."""

    ok: bool
    detail: str
    cure: str


@asynccontextmanager
async def telegram(*, privacy: bool = False) -> AsyncGenerator[tuple[BotApi, Bot]]:
    async with BotApi() as api:
        yield api, api.bot("Mia", username="companion_test_bot", privacy=privacy)


async def doctor(program: Companion, api: BotApi, bot: Bot, **more: str) -> dict[str, Told]:
    """What it says of Telegram, by check. The token is looked for in all that was told."""
    env = {"TELEGRAM_BOT_TOKEN": bot.token, "TELEGRAM_API_BASE_URL": api.base_url, **AWAY, **more}
    ran = await program.run("doctor", "--json", **env)
    assert found([token for token in {bot.token, env["TELEGRAM_BOT_TOKEN"]} if token], ran.out + ran.err) == []
    return {
        check["name"].removeprefix("telegram "): Told(ok=check["ok"], detail=check["detail"], cure=check["cure"])
        for check in ran.json["checks"]
        if check["name"].startswith("telegram ")
    }


async def test_without_a_token_telegram_is_not_asked(prepared: Companion) -> None:
    async with telegram() as (api, bot):
        assert await doctor(prepared, api, bot, TELEGRAM_BOT_TOKEN="") == {}
        assert api.asked == []


async def test_a_bot_that_hears_all_is_fine_and_nothing_that_waits_is_confirmed(prepared: Companion) -> None:
    async with telegram() as (api, bot):
        api.inject(bot, private(900000001, ANN, "for the bot"))
        told = await doctor(prepared, api, bot)
        assert told == {
            "token": Told(ok=True, detail="@companion_test_bot (Mia)", cure=""),
            "privacy mode": Told(ok=True, detail="off: in groups the bot hears, and remembers, everything", cure=""),
            "updates": Told(ok=True, detail="nobody polls now", cure=""),
        }
        assert len(bot.updates.pending) == 1
        [asked] = api.requests("getUpdates")
        assert not {"offset", "allowed_updates"} & asked.args.keys()


async def test_a_wrong_token_and_a_telegram_that_is_away_are_told_apart(prepared: Companion) -> None:
    async with telegram() as (api, bot):
        [wrong] = (await doctor(prepared, api, bot, TELEGRAM_BOT_TOKEN="1:wrong")).values()
        nobody = f"http://127.0.0.1:{unused_port()}"
        [away] = (await doctor(prepared, api, bot, TELEGRAM_API_BASE_URL=nobody)).values()
    assert not wrong.ok
    assert "@BotFather" in wrong.cure
    assert not away.ok
    assert "TELEGRAM_API_BASE_URL" in away.cure


async def test_privacy_mode_is_no_fault_but_explained(prepared: Companion) -> None:
    async with telegram(privacy=True) as (api, bot):
        api.inject(bot, private(900000001, ANN, "so that nobody waits"))
        told = (await doctor(prepared, api, bot))["privacy mode"]
    assert told.ok
    assert told.detail.startswith("on: ")
    assert "/setprivacy" in told.cure
    assert "add it again" in told.cure


async def test_a_webhook_that_is_left_over_is_told_without_its_path(prepared: Companion) -> None:
    async with telegram() as (api, bot):
        bot.updates.webhook = {"url": "https://old.example/secret-path", "max_connections": 40}
        told = (await doctor(prepared, api, bot))["updates"]
        assert told.detail == "a webhook at old.example is left over, so the bot cannot poll"
        assert "deleteWebhook" in told.cure
        assert not told.ok
        assert api.requests("getUpdates") == []


async def test_where_the_webhook_is_ours_nothing_is_polled(prepared: Companion) -> None:
    async with telegram() as (api, bot):
        ours = {"TELEGRAM_WEBHOOK_URL": "https://bot.example/in", "TELEGRAM_WEBHOOK_SECRET": "s3cret"}
        before = (await doctor(prepared, api, bot, **ours))["updates"]
        assert (before.ok, before.detail.partition(";")[0]) == (True, "not brought anywhere yet")
        bot.updates.webhook = {"url": "https://bot.example/in", "max_connections": 40}
        assert (await doctor(prepared, api, bot, **ours))["updates"].detail == "brought to bot.example"
        without = (await doctor(prepared, api, bot, **{**ours, "TELEGRAM_WEBHOOK_SECRET": ""}))["updates"]
        assert not without.ok
        assert "openssl rand" in without.cure
        assert api.requests("getUpdates") == []


async def test_a_second_program_that_polls_with_the_token_is_found(prepared: Companion) -> None:
    async def stranger(api: BotApi, bot: Bot) -> None:
        async with ClientSession() as session:
            while True:
                await session.get(f"{api.base_url}/bot{bot.token}/getUpdates", params={"timeout": "50"})

    async with telegram() as (api, bot):
        other = asyncio.create_task(stranger(api, bot))
        await api.was_asked("getUpdates", 1)
        told = (await doctor(prepared, api, bot))["updates"]
        other.cancel()
        with suppress(asyncio.CancelledError):
            await other
    assert not told.ok
    assert told.detail.startswith("another program polls with this bot's token")
    assert "token of its own" in told.cure


async def test_our_own_bot_goes_on_polling_undisturbed(prepared: Companion, store: PostgresStore) -> None:
    async with telegram() as (api, bot), client_of(api, bot) as client, polling(an_intake(client, store)):
        await api.was_asked("getUpdates", 1)
        told = (await doctor(prepared, api, bot))["updates"]
        assert told == Told(ok=True, detail="a process that shares this database polls now", cure="")
        assert {asked.status for asked in api.requests("getUpdates")} <= {200, None}


async def test_a_clock_that_is_far_from_telegrams_is_a_fault_with_its_cure(prepared: Companion) -> None:
    async def clock(api: BotApi) -> tuple[bool, str, str]:
        mia = api.bot("Mia")
        env = {"TELEGRAM_BOT_TOKEN": mia.token, "TELEGRAM_API_BASE_URL": api.base_url, **AWAY}
        api.inject(mia, private(900000001, ANN, "so that nobody waits"))
        checks = (await prepared.run("doctor", "--json", **env)).json["checks"]
        [told] = [check for check in checks if check["name"] == "clock"]
        return told["ok"], told["detail"], told["cure"]

    async with BotApi() as right, BotApi(clock=lambda: time.time() - 20 * 60) as behind:
        (fine, agrees, _), (ok, detail, cure) = await asyncio.gather(clock(right), clock(behind))
    assert fine
    assert agrees.endswith("s off Telegram's")
    assert not ok
    assert detail.startswith("this computer's clock is 20 minutes ahead of Telegram's, so messages may count as old")
    assert "timedatectl" in cure
