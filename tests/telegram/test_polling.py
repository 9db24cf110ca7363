"""One process polls at a time, and nothing that Telegram or the database does ends it, but a bad token."""

from __future__ import annotations

import asyncio
import json
import logging
from uuid import UUID, uuid4

import pytest
from pydantic import SecretStr

from bot.errors import TelegramUnauthorized
from bot.store import PostgresStore
from bot.store.database import Database
from bot.store.inbox import Inbox
from bot.telegram.client import TelegramClient
from bot.telegram.polling import Waits
from tests.fakes.bot_api_faults import CUT_AFTER, CUT_BEFORE, Fault, flood, page, refusal
from tests.telegram.intake_rig import ME, an_intake, client_of, fake_telegram, polling, private, rig

ANN = 5_000_000_011


@pytest.mark.parametrize(
    "fault",
    [
        page(502),
        page(200, "<html>sign in to this network</html>"),
        page(200, '{"ok": true, "result": [{"update_id": 9'),
        CUT_BEFORE,
        CUT_AFTER,
        flood(1),
        refusal(500, "Internal Server Error"),
        refusal(409, "terminated by other getUpdates request; make sure that only one bot instance is running"),
        refusal(409, "can't use getUpdates method while webhook is active; use deleteWebhook to delete it first"),
    ],
    ids=["502 page", "portal", "cut JSON", "cut before", "cut after", "429", "500", "second poller", "webhook"],
)
async def test_polling_goes_on_after_what_went_wrong(store: PostgresStore, fault: Fault) -> None:
    async with rig(store) as r:
        r.api.order(fault, to="getUpdates", times=2)
        await r.delivers(private(900000001, ANN, "still there?"), private(900000002, ANN, "hello?"))
        await r.delivers(private(900000003, ANN, "ah"))
        assert await r.said_in(ANN) == ["still there?", "hello?", "ah"]
        assert await r.wakes() == 3


async def test_a_bad_token_ends_it_and_says_what_to_do(store: PostgresStore) -> None:
    async with (
        fake_telegram() as (api, bot),
        TelegramClient(SecretStr(bot.token[:-1] + "?"), api.base_url) as client,
    ):
        with pytest.raises(TelegramUnauthorized, match="@BotFather"):
            await an_intake(client, store).run(asyncio.Event())


async def test_only_kinds_that_are_handled_are_asked_for_and_never_from_the_end(store: PostgresStore) -> None:
    async with rig(store) as r:
        await r.delivers(private(900000001, ANN, "hi"))
        first, *later = r.api.requests("getUpdates")
        assert "offset" not in first.args
        assert later[0].args["offset"] == "900000002"
        assert json.loads(first.args["allowed_updates"]) == ["message", "edited_message", "my_chat_member"]


async def test_stopping_does_not_wait_for_telegram(store: PostgresStore) -> None:
    async with rig(store, waits=Waits(poll=50)) as r:
        await r.api.was_asked("getUpdates", 1)
    # The rig has waited for the end of the intake, for less than the poll would have taken.
    assert await Inbox(store.database).lease_poller(ME.bot_id, uuid4(), seconds=1)


async def test_of_two_processes_one_polls_and_the_other_takes_over_when_it_stops(store: PostgresStore) -> None:
    async with fake_telegram() as (api, bot), client_of(api, bot) as one, client_of(api, bot) as two:
        first, second = an_intake(one, store), an_intake(two, store)
        async with polling(first) as stop_first:
            await api.was_asked("getUpdates", 1)
            async with polling(second):
                api.inject(bot, private(900000001, ANN, "one"))
                await api.confirmed(bot)
                assert first.chats_at_hand == 1
                assert second.chats_at_hand == 0
                stop_first.set()
                api.inject(bot, private(900000002, ANN, "two"))
                await api.confirmed(bot)
                assert second.chats_at_hand == 1
        assert {asked.status for asked in api.requests("getUpdates")} <= {200, None}


async def test_another_process_takes_over_from_one_that_died(store: PostgresStore) -> None:
    """The dead one's lease is in the database and nobody renews it."""
    assert await Inbox(store.database).lease_poller(ME.bot_id, uuid4(), seconds=1)
    async with rig(store) as r:
        await r.delivers(private(900000001, ANN, "anybody?"))
        assert await r.said_in(ANN) == ["anybody?"]


class WatchedInbox(Inbox):
    """An inbox that rings whenever somebody is refused the lease."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.refusals = asyncio.Semaphore(0)

    async def lease_poller(self, bot_id: int, owner: UUID, *, seconds: float) -> bool:
        ours = await super().lease_poller(bot_id, owner, seconds=seconds)
        if not ours:
            self.refusals.release()
        return ours


async def test_who_loses_the_lease_stops_polling_at_once(store: PostgresStore) -> None:
    inbox = WatchedInbox(store.database)
    async with rig(store, inbox=inbox, waits=Waits(poll=50, renew=0.05, look_again=0.05)) as r:
        [polled] = await r.api.was_asked("getUpdates", 1)
        other = uuid4()
        await store.database.pool.execute(
            "UPDATE pollers SET owner = $1, lease_until = now() + interval '1 hour'", other
        )
        await inbox.refusals.acquire()
        await inbox.refusals.acquire()  # it asks again only when it does not poll any more
        r.api.inject(r.bot, private(900000001, ANN, "for the other one"))
        await inbox.refusals.acquire()
        assert r.api.requests("getUpdates") == [polled]
        await inbox.leave_poller(ME.bot_id, other)
        await r.api.confirmed(r.bot)
        assert await r.said_in(ANN) == ["for the other one"]


async def test_what_was_taken_is_not_confirmed_by_who_has_lost_the_lease_meanwhile(store: PostgresStore) -> None:
    """The renewal is what puts a batch on disk; the next one who polls gets it again, and knows it."""
    waits = Waits(poll=5, lease=60.0, renew=60.0, first_pause=0.02, longest_pause=0.1)
    async with rig(store, waits=waits) as r:
        await r.api.was_asked("getUpdates", 1)
        await store.database.pool.execute("UPDATE pollers SET owner = $1", uuid4())
        r.api.inject(r.bot, private(900000001, ANN, "hi"))
        asked = await r.api.was_asked("getUpdates", 4)
        assert not [request for request in asked if "offset" in request.args]
        assert await r.said_in(ANN) == ["hi"]


async def test_a_database_that_fails_lets_telegram_keep_the_update(store: PostgresStore) -> None:
    async with rig(store) as r:
        await store.database.pool.execute("ALTER TABLE inbox RENAME TO inbox_away")
        r.api.inject(r.bot, private(900000001, ANN, "first"))
        r.api.inject(r.bot, private(900000002, ANN, "second"))
        await r.api.was_asked("getUpdates", 4)
        assert len(r.bot.updates.pending) == 2
        await store.database.pool.execute("ALTER TABLE inbox_away RENAME TO inbox")
        await r.api.confirmed(r.bot)
        assert await r.said_in(ANN) == ["first", "second"]


async def test_an_update_that_can_never_be_stored_is_put_aside_and_the_rest_goes_on(store: PostgresStore) -> None:
    async with rig(store) as r:
        await store.database.pool.execute("ALTER TABLE messages ADD CHECK (text <> 'poison')")
        await r.delivers(
            private(900000001, ANN, "before"), private(900000002, ANN, "poison"), private(900000003, ANN, "after")
        )
        assert await r.said_in(ANN) == ["before", "after"]
        assert await r.inbox() == {900000001: "done", 900000002: "quarantined", 900000003: "done"}
        assert r.intake.quarantined == {"cannot be stored": 1}


async def test_what_is_no_update_at_all_is_counted_once_and_passed_over(store: PostgresStore) -> None:
    async with rig(store) as r:
        await r.delivers("17", '"text"', "[]", '{"update_id": "x"}', private(900000050, ANN, "hi"))
        assert await r.said_in(ANN) == ["hi"]
        assert r.intake.quarantined["no number"] == 4


@pytest.mark.parametrize(
    ("number", "forgets"), [(2**52, True), (2**62, False), (2**31, True), (2**31, False), (900100001, True), (7, True)]
)
async def test_an_absurd_number_confirms_nothing_that_was_not_seen(
    store: PostgresStore, number: int, forgets: bool
) -> None:
    """Whether Telegram would take it for an offset, or not even let go of that update."""
    async with rig(store) as r:
        last = max(number, 900000001) if forgets else 900000001  # what Telegram takes for its own last number
        for update in (private(900000001, ANN, "one"), private(number, ANN + 1, "odd"), private(900000002, ANN, "two")):
            r.api.inject(r.bot, update)
        r.bot.updates.next_id = last
        await r.api.bell.until(lambda: {n for n, _, _ in r.bot.updates.pending} <= {number}, within=30)
        if forgets:
            await r.api.confirmed(r.bot)
        for n, text in enumerate(("three", "four", "five"), start=900000003):
            r.api.inject(r.bot, private(n, ANN, text))
            r.bot.updates.next_id = last
            await r.api.bell.until(lambda: {n for n, _, _ in r.bot.updates.pending} <= {number}, within=30)
        assert await r.said_in(ANN) == ["one", "two", "three", "four", "five"]
        assert await r.said_in(ANN + 1) == ["odd"]


@pytest.mark.parametrize("number", ["0", "-5", "true", "900000001.0", '"900000001"', "null", str(2**63), str(10**400)])
async def test_what_stands_in_the_place_of_a_number_holds_nothing_up(store: PostgresStore, number: str) -> None:
    async with rig(store, waits=Waits(poll=5, lease=5.0, renew=0.1, first_pause=0.02, longest_pause=600)) as r:
        odd = json.dumps({**private(1, ANN, "odd"), "update_id": "here"}).replace('"here"', number)
        r.bot.updates.put(900000001, odd)
        await r.api.was_asked("getUpdates", 20)  # as it comes again each time; the pauses between do not grow
        await r.delivers(private(900000002, ANN, "hi"))
        assert await r.said_in(ANN) == ["hi"]
        assert await r.inbox() == {900000002: "done"}
        assert r.intake.quarantined == {"no number": 1}


async def test_a_count_that_begins_anew_is_followed_up_or_down(store: PostgresStore) -> None:
    async with rig(store) as r:
        for number, text in ((900000001, "one"), (1_700_000_005, "two"), (1_700_000_006, "three"), (12, "four")):
            r.bot.updates.next_id = number
            await r.delivers(private(number, ANN, text))
        assert await r.said_in(ANN) == ["one", "two", "three", "four"]


async def test_more_updates_without_a_number_than_come_at_once_are_got_through(store: PostgresStore) -> None:
    async with rig(store) as r:
        await r.delivers(private(900000001, ANN, "before"))
        for number in range(900000002, 900000252):
            r.bot.updates.put(number, f'{{"nothing": {number}}}')
        await r.delivers(private(900000252, ANN, "after"))
        assert await r.said_in(ANN) == ["before", "after"]
        assert r.intake.quarantined == {"no number": 250}


async def test_logs_hold_neither_the_token_nor_a_text(store: PostgresStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with rig(store) as r:
        await store.database.pool.execute("ALTER TABLE messages ADD CHECK (text <> 'my poison')")
        for fault in (page(502), CUT_BEFORE, CUT_AFTER, refusal(409, "terminated by other getUpdates request")):
            r.api.order(fault, to="getUpdates")
        unreadable = private(900000002, ANN, "my unread")
        unreadable["message"]["entities"] = "nonsense"
        future = {"update_id": 900000003, "some_future_update": {"text": "my future"}}
        await r.delivers(private(900000001, ANN, "my poison"), unreadable, future, private(900000004, ANN, "my text"))
        assert r.intake.quarantined.total() == 2
        secret = r.bot.token.partition(":")[2]
    assert caplog.records
    assert not [word for word in (secret, "my ", "Person") if word in caplog.text]


async def test_pauses_grow_while_the_database_takes_nothing(store: PostgresStore) -> None:
    waits = Waits(poll=5, lease=60.0, renew=60.0, first_pause=0.02, longest_pause=10.0)
    async with rig(store, waits=waits) as r:
        await r.api.was_asked("getUpdates", 1)
        await store.database.pool.execute("ALTER TABLE inbox RENAME TO inbox_away")
        started = asyncio.get_running_loop().time()
        r.api.inject(r.bot, private(900000001, ANN, "hi"))
        await r.api.was_asked("getUpdates", 7)
        assert asyncio.get_running_loop().time() - started > 0.75 * 0.02 * (1 + 2 + 4 + 8 + 16)
        await store.database.pool.execute("ALTER TABLE inbox_away RENAME TO inbox")
        await r.api.confirmed(r.bot)
        assert await r.said_in(ANN) == ["hi"]
