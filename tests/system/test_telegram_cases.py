"""The shared cases that need a process to be killed."""

from __future__ import annotations

from tests.fakes.openai_server import CHAT
from tests.system.conftest import Companion
from tests.system.world import around, ends


async def test_upd_01_an_answered_update_that_comes_again_after_a_kill_is_not_answered_again(
    companion: Companion,
) -> None:
    async with around(companion) as world:
        api, mia = world.api, world.mia
        ann = api.person("Ann")
        mia.updates.next_id = 900_002_000
        process = await world.starts()
        api.hang("getUpdates")  # the next one, which would confirm what this one gives
        await ann.says(mia, "Mia hi")
        await api.sent(api.private(ann, mia), 1)
        while not await world.query("SELECT FROM outbox WHERE state = 'sent'"):
            pass  # each look is a round trip
        process.kill()
        await process.wait()
        await world.leases_run_out()
        assert [number for number, _, _ in mia.updates.pending] == [900_002_000]
        again = await world.starts()
        assert "offset" not in api.requests("getUpdates")[-1].args
        await ann.says(mia, "and now?")
        await api.sent(api.private(ann, mia), 2)
        await api.confirmed(mia)
        await ends(again)
        assert len(api.by_bots(api.private(ann, mia))) == 2
        assert len(world.models.requests(CHAT)) == 2
