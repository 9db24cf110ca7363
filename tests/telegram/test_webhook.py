"""Updates that Telegram brings: taken once each, refused without the secret, and asked for again when need be."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import ClientSession
from aiohttp.test_utils import unused_port
from pydantic import SecretStr

from bot.errors import SettingsError, TelegramWebhookRefused
from bot.settings import Settings
from bot.store import PostgresStore
from bot.telegram.updates import KINDS
from bot.telegram.webhook import HEADER, LARGEST, Address, Webhook, address_of
from tests.fakes.bot_api_faults import page
from tests.telegram.intake_rig import Rig, an_intake, client_of, fake_telegram, private

ANN = 5_000_000_011
SECRET = "s3cret_-"


@dataclass(frozen=True, kw_only=True)
class Brought:
    """A rig whose updates are brought."""

    rig: Rig
    port: int
    session: ClientSession

    async def post(self, update: Any, *, secret: str | None = SECRET, path: str = "/hook/mia") -> int:
        """Bring this, as Telegram does; the status."""
        body = update if isinstance(update, bytes) else json.dumps(update).encode()
        headers = {} if secret is None else {HEADER: secret}
        async with self.session.post(f"http://127.0.0.1:{self.port}{path}", data=body, headers=headers) as answer:
            return answer.status


def an_address(port: int, url: str = "https://bot.example/hook/mia") -> Address:
    return Address(url=url, secret=SecretStr(SECRET), host="127.0.0.1", port=port)


@asynccontextmanager
async def listening(store: PostgresStore) -> AsyncGenerator[Brought]:
    async with fake_telegram() as (api, bot), client_of(api, bot) as client, ClientSession() as session:
        intake, port, stop = an_intake(client, store), unused_port(), asyncio.Event()
        task = asyncio.create_task(Webhook(client, intake.take, address=an_address(port), kinds=KINDS).run(stop))
        await api.was_asked("setWebhook", 1)
        yield Brought(rig=Rig(api=api, bot=bot, store=store, intake=intake), port=port, session=session)
        stop.set()
        await task


async def test_telegram_is_told_where_to_bring_what_and_with_which_secret(store: PostgresStore) -> None:
    async with listening(store) as brought:
        [asked] = brought.rig.api.requests("setWebhook")
    assert asked.args["url"] == "https://bot.example/hook/mia"
    assert asked.args["secret_token"] == SECRET
    assert json.loads(asked.args["allowed_updates"]) == list(KINDS)
    assert brought.rig.api.requests("deleteWebhook") == []


async def test_an_update_brought_twice_is_taken_once_and_answered_200_both_times(store: PostgresStore) -> None:
    async with listening(store) as brought:
        update = private(900000001, ANN, "hi")
        assert [await brought.post(update), await brought.post(update)] == [200, 200]
        assert await brought.rig.said_in(ANN) == ["hi"]
        assert await brought.rig.wakes() == 1


@pytest.mark.parametrize("secret", [None, "", "s3cret", "s3cret_-x", "\u00fc"])
async def test_without_the_secret_nothing_is_taken(store: PostgresStore, secret: str | None) -> None:
    async with listening(store) as brought:
        assert await brought.post(private(900000001, ANN, "let me in"), secret=secret) == 401
        assert await brought.rig.inbox() == {}


async def test_what_is_no_update_is_refused_and_what_is_one_but_odd_is_put_aside(store: PostgresStore) -> None:
    async with listening(store) as brought:
        for nonsense in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b"17", b'{"update_id": "x"}'):
            assert await brought.post(nonsense) == 400
        large = private(900000001, ANN, "x" * LARGEST)
        assert await brought.post(large) == 413
        assert await brought.post(private(900000002, ANN, "hi"), path="/elsewhere") == 404
        assert await brought.post({"update_id": 900000003, "message": {"text": 1}}) == 200
        assert await brought.rig.inbox() == {900000003: "quarantined"}


async def test_while_the_database_is_away_telegram_is_asked_to_come_again(store: PostgresStore) -> None:
    async with listening(store) as brought:
        update = private(900000001, ANN, "hi")
        await store.database.pool.execute("ALTER TABLE inbox RENAME TO inbox_away")
        assert await brought.post(update) == 500
        await store.database.pool.execute("ALTER TABLE inbox_away RENAME TO inbox")
        assert await brought.post(update) == 200
        assert await brought.rig.said_in(ANN) == ["hi"]


async def test_a_telegram_that_is_away_at_first_is_told_later(store: PostgresStore) -> None:
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        api.order(page(502), to="setWebhook")
        stop = asyncio.Event()
        hook = Webhook(client, an_intake(client, store).take, address=an_address(unused_port()), kinds=KINDS)
        task = asyncio.create_task(hook.run(stop))
        await api.was_asked("setWebhook", 2)
        stop.set()
        await task
        assert bot.updates.webhook["url"] == "https://bot.example/hook/mia"


async def test_an_address_that_telegram_refuses_ends_it(store: PostgresStore) -> None:
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        address = an_address(unused_port(), url="http://bot.example/hook")
        with pytest.raises(TelegramWebhookRefused, match="TELEGRAM_WEBHOOK_URL"):
            await Webhook(client, an_intake(client, store).take, address=address, kinds=KINDS).run(asyncio.Event())


async def test_a_port_that_is_taken_is_named(store: PostgresStore) -> None:
    async with listening(store) as brought, client_of(brought.rig.api, brought.rig.bot) as client:
        hook = Webhook(client, brought.rig.intake.take, address=an_address(brought.port), kinds=KINDS)
        with pytest.raises(SettingsError, match="TELEGRAM_WEBHOOK_LISTEN"):
            await hook.run(asyncio.Event())


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"telegram_webhook_url": "http://bot.example/hook"}, "TELEGRAM_WEBHOOK_URL"),
        ({"telegram_webhook_secret": None}, "TELEGRAM_WEBHOOK_SECRET"),
        ({"telegram_webhook_secret": "not allowed!"}, "TELEGRAM_WEBHOOK_SECRET"),
        ({"telegram_webhook_listen": "8443"}, "TELEGRAM_WEBHOOK_LISTEN"),
        ({"telegram_webhook_listen": "127.0.0.1:99999"}, "TELEGRAM_WEBHOOK_LISTEN"),
    ],
)
def test_settings_that_make_no_webhook_are_named(wrong: dict[str, Any], named: str) -> None:
    right: dict[str, Any] = {"telegram_webhook_url": "https://bot.example/hook", "telegram_webhook_secret": SECRET}
    assert address_of(Settings(**right)).path == "/hook"
    with pytest.raises(SettingsError, match=named):
        address_of(Settings(**{**right, **wrong}))
