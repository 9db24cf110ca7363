"""Files that were made to harm whoever replays them, and files that are none."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bot.errors import BotError, SavedByNewer, TraceUnreadable
from bot.replay.case import Case
from bot.replay.otlp import read_trace
from bot.replay.sources import Sources, cases_in, save

TRACE = "2f3d0ce81c7bdb0ed5a04319308b0d5e"


def saved(folder: Path, **given: Any) -> Path:
    file = folder / "case.json"
    file.write_text(json.dumps({"version": 1, "trace_id": TRACE, "persona": "T", **given}))
    return file


@pytest.mark.parametrize(
    "given",
    [
        {"trace_id": "/tmp/elsewhere"},  # noqa: S108 - it is never written
        {"trace_id": "../../elsewhere"},
        {"turn_id": "/../../elsewhere"},
        {"chat_id": 10**25},
        {"unread": [10**30]},
        {"now": "9999-12-31T23:59:59Z"},
    ],
)
def test_a_saved_case_with_impossible_numbers_is_none(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(TraceUnreadable):
        cases_in(saved(tmp_path, **given))


def test_a_case_of_a_newer_version_says_so_whatever_else_is_in_it(tmp_path: Path) -> None:
    with pytest.raises(SavedByNewer, match=r"case\.json was saved by a newer Companion .*version 2.*; upgrade"):
        cases_in(saved(tmp_path, version=2, unread={"as": "nobody knows yet"}))


def span(**given: Any) -> dict[str, Any]:
    attributes = [
        {"key": key, "value": {"stringValue": value}}
        for key, value in {
            "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "T", **given.pop("attributes", {})
        }.items()
    ]  # fmt: skip
    return {"traceId": TRACE, "spanId": "00f067aa0ba902b7", "name": "invoke_agent T", "attributes": attributes, **given}


@pytest.mark.parametrize(
    "harm",
    [
        {"traceId": "../../../../../../tmp/elsewhere/"},
        {"attributes": {"companion.turn_id": "/../../elsewhere"}},
        {"attributes": {"companion.turn.id": "/../../elsewhere"}},
        {"attributes": {"gen_ai.conversation.id": "9" * 5000}},
    ],
)
def test_no_name_in_a_trace_leads_out_of_the_folder(tmp_path: Path, harm: dict[str, Any]) -> None:
    file = tmp_path / "trace.json"
    file.write_text(json.dumps({"batches": [{"scopeSpans": [{"spans": [span(**harm)]}]}]}))
    try:
        cases = cases_in(file)
    except BotError:
        return
    folder = tmp_path / "saved"
    assert all(save(case, folder).parent == folder for case in cases)


def nested(depth: int) -> bytes:
    def field(number: int, data: bytes) -> bytes:
        size, length = len(data), b""
        while size > 127:
            length, size = length + bytes([size % 128 + 128]), size // 128
        return bytes([number * 8 + 2]) + length + bytes([size]) + data

    value = field(1, b"x")
    for _ in range(depth):
        value = field(5, field(1, value))
    attribute = field(1, b"deep") + field(2, value)
    return field(1, field(2, field(2, field(9, attribute))))


def test_a_value_within_values_without_end_is_no_trace() -> None:
    assert read_trace(nested(5), where="it").spans
    with pytest.raises(TraceUnreadable):
        read_trace(nested(3000), where="it")


async def test_what_is_no_file_is_left_out_of_a_folder_and_named_alone(tmp_path: Path) -> None:
    saved(tmp_path)
    os.mkfifo(tmp_path / "pipe.json")
    sources = Sources(tempo=None, store=_no_store)
    [case] = [each async for each in sources.each(str(tmp_path), "recorded")]
    assert isinstance(case, Case)
    with pytest.raises(BotError, match="no regular file"):
        [each async for each in sources.each(str(tmp_path / "pipe.json"), "recorded")]


async def _no_store() -> Any:
    raise AssertionError("nothing is looked up")


def test_a_case_is_saved_whole_or_not_at_all(tmp_path: Path) -> None:
    [case] = cases_in(saved(tmp_path))
    folder = tmp_path / "kept"
    file = save(case, folder)
    assert file.stat().st_mode & 0o077 == 0
    before = file.read_bytes()
    assert save(case, folder).read_bytes() == before
    assert [each.name for each in folder.iterdir()] == [file.name]
