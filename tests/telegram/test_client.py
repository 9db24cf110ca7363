"""The Bot API's client: its errors are ours, and the token is in none of them."""

from __future__ import annotations

import traceback

import pytest
from pydantic import SecretStr

from bot.errors import TelegramConflict, TelegramError, TelegramUnauthorized, TelegramUnreachable
from bot.settings import Settings
from bot.telegram.client import TelegramClient
from tests.fakes.bot_api_faults import CUT_AFTER, CUT_BEFORE, Fault, flood, page, refusal
from tests.telegram.intake_rig import ME, client_of, fake_telegram

SECRET = "AAsecretsecretsecretsecretsecretsec"


def everything_said(error: BaseException) -> str:
    """All that a careless log could show of it."""
    said = [*traceback.format_exception(error), repr(error)]
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
        said += [repr(error), str(error)]
    return "\n".join(said)


async def test_it_knows_who_it_is() -> None:
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        me = await client.me()
        assert (me.bot_id, me.username, me.name, me.hears_groups) == (ME.bot_id, ME.username, "Mia", True)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (page(502), TelegramUnreachable),
        (page(200, "<html>"), TelegramUnreachable),
        (CUT_BEFORE, TelegramUnreachable),
        (CUT_AFTER, TelegramUnreachable),
        (flood(7), TelegramUnreachable),
        (refusal(500, "Internal Server Error: restart"), TelegramUnreachable),
        (refusal(400, "no idea"), TelegramUnreachable),
        (refusal(401, ""), TelegramUnauthorized),
        (refusal(404, ""), TelegramUnauthorized),
        (refusal(409, "terminated by other getUpdates request"), TelegramConflict),
    ],
)
async def test_errors_are_ours_and_hold_no_token(fault: Fault, kind: type[TelegramError]) -> None:
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        api.order(fault)
        with pytest.raises(kind) as caught:
            await client.updates(offset=None, timeout=0, kinds=["message"])
        assert bot.token.partition(":")[2] not in everything_said(caught.value)
        assert bot.token.partition(":")[2] not in repr(client) + repr(client.bot) + repr(vars(client))


async def test_flood_control_says_for_how_long() -> None:
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        api.order(flood(7))
        with pytest.raises(TelegramUnreachable) as caught:
            await client.me()
        assert caught.value.retry_after == 7


@pytest.mark.parametrize(
    "base_url",
    ["http://127.0.0.1:1", "http://user:password@127.0.0.1:1", "nonsense", "http://[", "http://no-such-host.invalid"],
)
async def test_an_address_where_nobody_is_shows_neither_token_nor_password(base_url: str) -> None:
    async with TelegramClient(SecretStr(f"{ME.bot_id}:{SECRET}"), base_url) as client:
        with pytest.raises(TelegramUnreachable) as caught:
            await client.me()
    assert SECRET not in everything_said(caught.value)
    assert "password" not in str(caught.value)


@pytest.mark.parametrize("token", ["", "nonsense", f":{SECRET}", f"x:{SECRET}", f"1: {SECRET}", "1:"])
def test_what_cannot_be_a_token_is_refused_without_showing_it(token: str) -> None:
    with pytest.raises(TelegramUnauthorized) as caught:
        TelegramClient(SecretStr(token))
    assert SECRET not in everything_said(caught.value)


def test_the_token_is_among_the_secrets() -> None:
    settings = Settings(
        telegram_bot_token=SecretStr(f"1:{SECRET}"), telegram_api_base_url="http://user:password@127.0.0.1:1"
    )
    assert {f"1:{SECRET}", "http://user:password@127.0.0.1:1"} <= {*settings.secrets()}
    assert SECRET not in repr(settings)
