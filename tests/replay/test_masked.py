"""What TRACE_CONTENT keeps out of a trace: no word of it is there, and replay has it from the database all the same."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from bot import cards
from bot.disclosure import Content
from bot.replay.case import damage
from bot.replay.from_trace import cases_of
from bot.replay.otlp import read_trace
from bot.replay.rerun import rerun
from bot.replay.sources import Sources
from bot.store import PostgresStore, open_store
from tests.fakes.ports import do, say
from tests.fakes.tempo import FakeTempo
from tests.replay.conftest import cases_in_database, record
from tests.replay.fifty import Scene
from tests.replay.test_fifty_turns import Echo, Silent, differences, no_store

SECRETS = ("zanzibar", "quicksilver", "marmalade", "翡翠", "Mila", "Bob")
SCENES: Sequence[Scene] = (
    Scene(said=["where is the zanzibar?"], answers=[do("recall", query="quicksilver boiler"), say("marmalade 翡翠")]),
    Scene(said=["and the zanzibar?"], answers=["I say marmalade"]),
)


@pytest.mark.parametrize("content", ["redacted", "off"])
async def test_a_masked_trace_has_no_word_and_is_replayed_from_the_database(dsn: str, content: Content) -> None:
    bodies = await record(dsn, SCENES, content=content)
    exported = b"".join(bodies)
    assert [secret for secret in SECRETS if secret.encode() in exported] == []
    async with FakeTempo() as fake, open_store(dsn, may_migrate=False, report=print) as store:
        fake.bodies = bodies
        traces = [read_trace(fake.protobuf_v2(each), where="it") for each in fake.trace_ids()]
        alone = [case for trace in traces for case in cases_of(trace)]
        assert len(alone) == len(SCENES)
        for case in alone:
            missing = damage(case, "recorded")
            assert missing
            assert all(need.kept.text is None for need in missing)
            report = await rerun(case, "recorded", persona=cards.default(), chat=Silent())
            assert (report.first_difference, report.complete, report.ran) == (None, False, False)

        async def given() -> object:
            return store

        sources = Sources(tempo=None, store=given)  # pyright: ignore[reportArgumentType]
        for mode in ("recorded", "frozen", "render"):
            whole = [await sources.completed(case, mode) for case in alone]
            reports = [await rerun(case, mode, persona=cards.default(), chat=Echo(case)) for case in whole]
            assert differences(reports) == []
            assert all(report.complete for report in reports)


async def test_a_database_that_is_away_is_said_and_what_the_trace_has_is_run(dsn: str) -> None:
    bodies = await record(dsn, SCENES[1:], content="redacted")
    async with FakeTempo() as fake:
        fake.bodies = bodies
        [case] = [
            case for each in fake.trace_ids() for case in cases_of(read_trace(fake.protobuf_v1(each), where="it"))
        ]
    completed = await Sources(tempo=None, store=no_store).completed(case, "recorded")
    assert any("the database could not be asked" in note for note in completed.notes)


async def test_a_message_that_was_edited_since_is_named_and_its_prompt_is_not_rendered(dsn: str) -> None:
    bodies = await record(dsn, SCENES[1:], content="off")
    async with FakeTempo() as fake, open_store(dsn, may_migrate=False, report=print) as store:
        fake.bodies = bodies
        [case] = [
            case for each in fake.trace_ids() for case in cases_of(read_trace(fake.protobuf_v1(each), where="it"))
        ]
        edit = "UPDATE messages SET text = 'changed', edited_at = now() + interval '1 year' WHERE message_id = $1"
        await store.database.pool.execute(edit, case.unread[0])

        async def given() -> object:
            return store

        completed = await Sources(tempo=None, store=given).completed(case, "render")  # pyright: ignore[reportArgumentType]
    assert f"messages that were edited since: #{case.unread[0]}" in completed.notes
    report = await rerun(completed, "render", persona=cards.default(), chat=Silent())
    assert (report.complete, report.ran) == (False, False)
    assert "changed since" in [need.kept.why for need in damage(completed, "render")]
    recorded = await rerun(completed, "recorded", persona=cards.default(), chat=Silent())
    assert (recorded.first_difference, recorded.complete) == (None, True)


async def test_a_turn_of_before_answers_were_kept_says_so(recorded: PostgresStore) -> None:
    await recorded.database.pool.execute("UPDATE turns SET account = NULL")
    case = (await cases_in_database(recorded))[0]
    report = await rerun(case, "recorded", persona=cards.default(), chat=Silent())
    assert (report.first_difference, report.complete, report.ran) == (None, False, False)
    assert [str(need) for need in damage(case, "recorded")] == ["answer 1: of before answers were kept"]


async def test_a_trace_of_which_tempo_has_only_a_part_is_not_whole(tempo: FakeTempo) -> None:
    trace_id = next(each for each in tempo.trace_ids() if cases_of(read_trace(tempo.protobuf_v1(each), where="it")))
    answer = json.dumps({**tempo.json_v2(trace_id), "status": "PARTIAL", "message": "a query frontend timed out"})
    [case] = cases_of(read_trace(answer.encode(), where="it"))
    report = await rerun(case, "recorded", persona=cards.default(), chat=Silent())
    assert (report.first_difference, report.complete) == (None, False)
