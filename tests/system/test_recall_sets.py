"""Real conversations, imported as an operator would, asked as a person would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHARED
from tests.system.conftest import Companion

SETS = ("locomo-a", "friendsqa-dev")


def conversations() -> list[Any]:
    """Each conversation of the sets, but the first of each for the soak; what says why when they are absent."""
    found: list[Any] = []
    for name in SETS:
        file = SHARED / "memory" / "recall" / f"{name}.json"
        if not file.exists():
            skip = pytest.mark.skip(reason=f"{name} is not beside the project (../shared/memory/recall)")
            found.append(pytest.param(None, id=name, marks=skip))
            continue
        loaded = json.loads(file.read_text("utf-8"))["conversations"]
        for place, conversation in enumerate(loaded):
            marks = [pytest.mark.soak] if place else []
            found.append(pytest.param(conversation, id=f"{name}-{conversation['id']}", marks=marks))
    return found


def as_lines(path: Path, messages: list[dict[str, str]]) -> Path:
    """The messages as a JSON-lines file."""
    path.write_text("".join(f"{json.dumps(message)}\n" for message in messages), "utf-8")
    return path


@pytest.mark.parametrize("conversation", conversations())
async def test_a_conversation_is_imported_and_a_question_answered_from_it(
    companion: Companion, tmp_path: Path, conversation: dict[str, Any]
) -> None:
    file = as_lines(tmp_path / "chat.jsonl", conversation["messages"])
    imported = (await companion.done("import", file, "--json")).json
    [chat] = imported["chats"]
    assert (chat["read"], chat["added"]) == (len(conversation["messages"]),) * 2
    again = (await companion.done("import", file, "--json")).json
    assert again["chats"][0]["added"] == 0
    # That something of the conversation comes to mind, for some question; how well is what the benchmark says.
    ids = {message["id"] for message in conversation["messages"]}
    recalled: set[str] = set()
    for question in conversation["questions"][:2]:
        asked = ("--once", question["question"], "--json")
        answer = (await companion.done("chat", "--chat", str(chat["chat"]), *asked)).json
        assert set(answer) >= {"replies", "actions", "trace_id", "turn_id", "recalled"}
        assert answer["replies"]
        assert len(answer["trace_id"]) == 32
        recalled |= {hit["external_id"] for hit in answer["recalled"]}
    assert recalled
    assert recalled & ids


AT_LEAST: dict[str, dict[str, float]] = {
    "locomo-a": {"recall@10": 0.82, "mrr": 0.64, "recall@500tok": 0.81, "recall@1200tok": 0.88},
    "realtalk-a": {"recall@10": 0.66},
    "memdaily-a": {"recall@10": 0.61},
    "friendsqa-dev": {"recall@10": 0.57},
}


@pytest.mark.soak
@pytest.mark.parametrize("name", AT_LEAST)
async def test_recall_is_as_good_as_it_was(companion: Companion, name: str) -> None:
    file = SHARED / "memory" / "recall" / f"{name}.json"
    if not file.exists():
        pytest.skip(f"{name} is not beside the project (../shared/memory/recall)")
    measured = (await companion.done("bench", "recall", file)).json
    assert measured["llm_calls"] == 0
    figures = measured["sets"][name]["all"]
    assert {metric: figures[metric] for metric, least in AT_LEAST[name].items() if figures[metric] < least} == {}
