"""Two bots on one database: each is there for its own chats, and leaves the other's alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from bot.model import ChatId
from bot.store import PostgresStore
from bot.store.lanes import Lanes
from bot.store.outbox import Outbox
from tests.telegram.outgoing import Outgoing, bot_at, outgoing

MIA, EVE = 1, 2
"""Numbers of two bots."""


@pytest.fixture
async def out(store: PostgresStore) -> AsyncIterator[Outgoing]:
    async with outgoing(store) as out:
        yield out


async def test_a_bubble_is_sent_by_the_bot_that_said_it(out: Outgoing) -> None:
    eve = out.api.bot("Eve")
    ours, theirs = out.api.group("Ours", out.mia), out.api.group("Theirs", eve)
    await out.queue(theirs, "one", "two", source=f"telegram:{eve.id}:{theirs.id}")
    await out.queue(ours, "three")
    async with out.sending():
        await out.api.sent(ours, 1)
    before = [(row["state"], row["owner"], row["attempts"]) for row in await out.rows()]
    assert before == [("waiting", None, 0), ("waiting", None, 0), ("sent", None, 1)]
    async with bot_at(out.api.base_url, eve.token) as bot, out.sending(bot=bot):
        await out.api.sent(theirs, 2, bot=eve)
    assert await out.states() == ["sent"] * 3


async def test_what_another_bot_says_in_a_chat_holds_nothing_up(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    chat_id = await out.queue(tea, "not ours", source=f"telegram:{EVE}:{tea.id}")
    await out.store.chats.add_address(out.source(tea), chat_id)
    await out.queue(tea, "ours")
    outbox = Outbox(out.store.database)
    assert await outbox.due_in(bot_id=out.mia.id) == 0
    async with out.sending():
        await out.api.sent(tea, 1)
    assert out.texts(tea) == ["ours"]
    assert await outbox.due_in(bot_id=out.mia.id) is None
    assert await outbox.due_in(bot_id=EVE) == 0


async def test_what_another_bot_was_sending_is_not_given_up(out: Outgoing) -> None:
    tea = out.api.group("Tea", out.mia)
    outbox, owner = Outbox(out.store.database), uuid4()
    await out.queue(tea, "one")
    bubble = await outbox.next(owner, bot_id=out.mia.id, lease=60)
    assert bubble is not None
    assert await outbox.begin(bubble, owner, lease=-1)
    assert await outbox.give_up_lost(bot_id=EVE) == 0
    assert await outbox.give_up_lost(bot_id=int(str(out.mia.id)[:-1])) == 0, "whose number is how ours begins"
    assert await out.states() == ["sending"]
    assert await outbox.give_up_lost(bot_id=out.mia.id) == 1
    assert await out.states() == ["unknown"]


async def test_a_lane_is_claimed_by_the_bot_that_is_to_answer(store: PostgresStore) -> None:
    async def wakes(chat_id: ChatId, source: str) -> None:
        await store.database.pool.execute(
            "INSERT INTO lanes (chat_id, topic, source, due_at, generation) VALUES ($1, '', $2, now(), 1)",
            *(chat_id, source),
        )

    mine, other = f"telegram:{MIA}:5", f"telegram:{EVE}:5"
    mia, eve, any_bot = Lanes(store.database, bot_id=MIA), Lanes(store.database, bot_id=EVE), Lanes(store.database)
    await wakes(await store.chats.open(other, title="Tea"), other)
    assert await mia.claim(uuid4(), lease=60) is None
    assert (await mia.due_in(), await eve.due_in(), await any_bot.due_in()) == (None, 0, 0)
    await wakes(await store.chats.open(mine, title="Tea"), mine)
    held = await mia.claim(uuid4(), lease=60)
    assert held is not None
    assert held.source == mine
    assert await mia.claim(uuid4(), lease=60) is None
    held = await eve.claim(uuid4(), lease=60)
    assert held is not None
    assert held.source == other
