"""Tempo, as it answers, and as it answers when something is wrong: one clear line each time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cli import parser
from bot.commands.replay import run
from bot.errors import ReplayError, TempoError, TraceUnreadable, UnknownTurn
from bot.replay.otlp import read_trace
from bot.replay.tempo import open_tempo
from bot.replay.wire import fields
from bot.settings import Settings
from tests.fakes.tempo import FakeTempo, Fault
from tests.replay.test_fifty_turns import TURNS

NOBODY = "postgresql://nobody@127.0.0.1:9/nothing"


async def ran(*arguments: str | Path, dsn: str = NOBODY, **settings: Any) -> int:
    """`companion replay` in this process."""
    args = parser().parse_args(["replay", *map(str, arguments)])
    return await run(args, Settings(_env_file=None, database_url=dsn, **settings))  # pyright: ignore[reportCallIssue]


def turn_ids(tempo: FakeTempo) -> list[str]:
    return [trace_id for trace_id in tempo.trace_ids() if "invoke_agent" in json.dumps(tempo.json_v1(trace_id))]


@pytest.mark.parametrize("has_v2", [True, False])
async def test_a_trace_is_replayed_by_its_id(
    tempo: FakeTempo, has_v2: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    tempo.has_v2 = has_v2
    trace_id = turn_ids(tempo)[3]
    assert await ran(trace_id, "--json", tempo_url=tempo.base) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["trace_id"], told["mode"], told["complete"], told["survived"]) == (trace_id, "recorded", True, 1.0)
    assert told["first_difference"] is None
    assert [(stage["stage"], stage["same"]) for stage in told["stages"]] == [("parse", True), ("act", True)]


async def test_what_tempo_answers_can_be_kept_as_files(
    tempo: FakeTempo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, *_ = turn_ids(tempo)
    (tmp_path / "1.json").write_text(json.dumps(tempo.json_v1(first)), "utf-8")
    (tmp_path / "2.json").write_text(json.dumps(tempo.json_v2(second)), "utf-8")
    (tmp_path / "3.pb").write_bytes(tempo.protobuf_v1(first))
    (tmp_path / "4.pb").write_bytes(tempo.protobuf_v2(second))
    assert await ran(tmp_path, "--json") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["trace_id"] for each in told] == [first, second, first, second]


async def test_a_query_goes_back_week_by_week_and_its_turns_are_saved_to_be_replayed_without_tempo(
    tempo: FakeTempo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await ran("--query", TURNS, "--save", tmp_path / "kept", "--json", tempo_url=tempo.base) == 0
    covered = [int(asked["end"]) - int(asked["start"]) for asked in tempo.searches]
    assert (sum(covered) // (24 * 3600), max(covered)) == (28, 168 * 3600)
    by_tempo = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(by_tempo) == len(turn_ids(tempo))
    saved = list((tmp_path / "kept").iterdir())
    assert len(saved) == len(by_tempo)
    assert {file.stat().st_mode & 0o777 for file in saved} == {0o600}
    assert await ran(tmp_path / "kept", "--json") == 0
    by_file = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(by_file, key=str) == sorted(by_tempo, key=str)


async def test_a_search_that_finds_more_than_one_answer_holds_is_taken_apart(
    tempo: FakeTempo, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.now(UTC)
    monkeypatch.setattr("bot.replay.tempo.MOST_FOUND", 40)
    async with open_tempo(tempo.base) as client:
        found = await client.search(TURNS, since=now - timedelta(days=10), until=now + timedelta(seconds=5))
    assert len(found) == len(set(found)) >= 40
    assert set(found) <= set(turn_ids(tempo))
    assert len(tempo.searches) > 2


async def test_a_trace_that_tempo_forgot_is_replayed_by_the_database(
    tempo: FakeTempo, recorded_dsn: str, capsys: pytest.CaptureFixture[str]
) -> None:
    trace_id = turn_ids(tempo)[0]
    async with FakeTempo() as empty:
        assert await ran(trace_id, "--json", tempo_url=empty.base, dsn=recorded_dsn) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["trace_id"], told["complete"]) == (trace_id, True)
    assert await ran(told["turn_id"], dsn=recorded_dsn) == 0
    assert "no difference" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        (Fault(status=502, body=b"<html>Bad Gateway</html>"), "HTTP 502, with a web page"),
        (Fault(body=b"<html>a login page</html>"), "it is a web page"),
        (Fault(body=b'{"trace": {"resourceSpans": [{"scopeSp'), "its JSON breaks off or is none"),
        (Fault(body=b'{"error": "no"}'), "it is JSON of something else"),
        (Fault(body=b'{"trace": {"resourceSpans": 7}}'), "resourceSpans: should be a valid list"),
        (Fault(body=b"\x0a\xff\xff\xff\xff"), "neither JSON nor protobuf"),
        (Fault(body=b"\xff\xfe garbage"), "neither JSON nor protobuf"),
        (Fault(body=b""), "has no trace"),
        (Fault(body=b'{"trace": {}}'), "has no trace"),
        (Fault(status=404, body=b"trace not found"), "has no trace"),
        (Fault(status=401, body=b"no org id"), "HTTP 401 (no org id)"),
        (Fault(hangs=True), "nothing came in time"),
    ],
)
async def test_a_wrong_answer_is_told_in_one_line(fault: Fault, complaint: str) -> None:
    async with FakeTempo() as fake, open_tempo(fake.base, timeout=0.5) as client:
        fake.fault = fault
        with pytest.raises(ReplayError) as told:
            await client.trace("0af7651916cd43dd8448eb211c80319c")
    assert complaint in str(told.value)
    assert "\n" not in str(told.value)


async def test_another_trace_than_was_asked_for_is_not_taken_for_it(tempo: FakeTempo) -> None:
    one, other, *_ = turn_ids(tempo)
    tempo.fault = Fault(body=json.dumps(tempo.json_v2(other)).encode())
    async with open_tempo(tempo.base) as client:
        with pytest.raises(TempoError, match="another trace"):
            await client.trace(one)


async def test_a_tempo_that_is_not_there_is_told_without_what_its_address_hides() -> None:
    async with open_tempo("http://user:hunter2@127.0.0.1:9") as client:
        with pytest.raises(TempoError, match=r"Tempo at 127\.0\.0\.1:9") as told:
            await client.trace("1")
    assert "hunter2" not in str(told.value)


async def test_a_wrong_query_is_told_in_tempos_own_words(tempo: FakeTempo) -> None:
    async with open_tempo(tempo.base) as client:
        with pytest.raises(TempoError, match="parse error at line 1"):
            await client.search("name = {", since=datetime.now(UTC) - timedelta(days=1), until=datetime.now(UTC))


@pytest.mark.parametrize(
    ("what", "complaint"),
    [
        ("no such thing", "neither a file or folder, nor a trace's id"),
        ("zz", "neither a file or folder"),
        ("0af7651916cd43dd8448eb211c80319c0", "neither a file or folder"),
        ("12345-6", "neither a file or folder"),
    ],
)
async def test_what_names_no_turn_is_told_so(what: str, complaint: str) -> None:
    with pytest.raises(UnknownTurn, match=complaint):
        await ran(what)


async def test_a_turn_that_nobody_knows_is_told_so(recorded_dsn: str) -> None:
    with pytest.raises(UnknownTurn, match="set TEMPO_URL"):
        await ran("0af7651916cd43dd8448eb211c80319c", dsn=recorded_dsn)
    with pytest.raises(UnknownTurn, match="no turn 7a2e"):
        await ran("7a2ef0a4-0000-4000-8000-000000000000", dsn=recorded_dsn)
    with pytest.raises(UnknownTurn, match="set TEMPO_URL"):
        await ran("--query", "{}", dsn=recorded_dsn)


async def test_one_broken_file_among_several_does_not_keep_the_others_from_being_run(
    tempo: FakeTempo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "1.json").write_text('{"batches": [', "utf-8")
    (tmp_path / "2.json").write_text("", "utf-8")
    (tmp_path / "3.json").write_text('{"version": 1, "trace_id": 7}', "utf-8")
    (tmp_path / "4.json").write_text(json.dumps(tempo.json_v1(turn_ids(tempo)[0])), "utf-8")
    assert await ran(tmp_path, "--json") == 1
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 1
    assert [line.partition(" is no trace: ")[2].partition(";")[0] for line in told.err.splitlines()] == [
        "its JSON breaks off or is none",
        "it is empty",
        "trace_id: should be a valid string",
    ]


def complaint_about(data: bytes) -> str:
    """Why it is no trace; "" when it is one."""
    try:
        read_trace(data, where="it")
    except TraceUnreadable as error:
        return str(error)
    return ""


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_whatever_bytes_come_are_a_trace_or_one_line(data: bytes) -> None:
    assert "\n" not in complaint_about(data)


_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "trace",
                    "batches",
                    "resourceSpans",
                    "scopeSpans",
                    "spans",
                    "attributes",
                    "traceId",
                    "spanId",
                    "key",
                    "value",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_values)
def test_whatever_json_comes_is_a_trace_or_one_line(value: Any) -> None:
    assert "\n" not in complaint_about(json.dumps(value).encode())


@given(st.binary(max_size=100))
def test_a_field_is_read_whole_or_not_at_all(data: bytes) -> None:
    read: Sequence[tuple[int, int | bytes]] = []
    try:
        read = list(fields(data))
    except ValueError:
        return
    assert sum(len(value) for _, value in read if isinstance(value, bytes)) <= len(data)
