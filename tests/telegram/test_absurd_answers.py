"""Answers of Telegram's that no program can read, or obey: one spoils nothing but itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import TelegramUnreachable
from bot.store import PostgresStore
from bot.telegram.failures import clamped_seconds
from tests.fakes.bot_api_faults import page
from tests.telegram.intake_rig import client_of, fake_telegram, private, rig

ANN = 5_000_000_011
DEEP, LONG = "[" * 3_000 + "]" * 3_000, "9" * 5_000


@pytest.mark.parametrize("absurd", [DEEP, LONG], ids=["nested", "a long number"])
async def test_what_no_program_reads_is_put_aside_and_those_around_it_are_taken(
    store: PostgresStore, absurd: str
) -> None:
    async with rig(store) as r:
        last = r.api.inject(r.bot, private(900000001, ANN, "one"))
        last = r.api.inject(r.bot, f'{{"update_id":{last + 1},"message":{absurd}}}')
        await r.delivers(private(last + 1, ANN, "three"))
        assert await r.said_in(ANN) == ["one", "three"]
        assert (await r.inbox())[last] == "quarantined"
        assert r.intake.quarantined == {"unreadable": 1}


@pytest.mark.parametrize(
    "body",
    [
        f'{{"ok":true,"result":[{{"update_id":7,"message":{"[" * 3_000}',
        f'{{"ok":true,"result":[{{"update_id":{LONG},"x":1}}]}}',
        f'{{"ok":true,"result":[{{"message":{DEEP},"update_id":7}}]}}',
        '{"ok":true,"result":[{"update_id":7,"message":}]}',
    ],
    ids=["cut", "no number", "elsewhere", "no JSON"],
)
async def test_a_number_is_never_guessed(body: str) -> None:
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        api.order(page(200, body), to="getUpdates", times=2)
        with pytest.raises(TelegramUnreachable):
            await client.updates(offset=None, timeout=0, kinds=["message"])


@pytest.mark.parametrize(("told", "wait"), [("119", 119), ("86400", 120), ("9" * 400, 120)])
async def test_a_wish_for_quiet_leaves_nobody_deaf_for_long(told: str, wait: float) -> None:
    body = f'{{"ok":false,"error_code":429,"description":"x","parameters":{{"retry_after":{told}}}}}'
    async with fake_telegram() as (api, bot), client_of(api, bot) as client:
        api.order(page(429, body))
        with pytest.raises(TelegramUnreachable) as caught:
            await client.updates(offset=None, timeout=0, kinds=["message"])
        assert caught.value.retry_after == wait


@given(told=st.integers() | st.floats(allow_nan=False) | st.integers(300, 400).map(lambda n: 10**n))
def test_no_number_of_seconds_is_too_absurd_to_wait(told: float) -> None:
    seconds = clamped_seconds(told, most=60)
    assert 0 <= seconds <= 60
    assert seconds == told or not 0 <= told <= 60
