"""The command line itself: what is refused and how, what needs no database, and where settings come from."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.system.conftest import AWAY, Companion, line, write_lines

COMMANDS = ("chat", "import", "recall", "replay", "why", "card", "migrate", "doctor", "backup", "restore", "bench")


async def test_help_is_given_without_a_database_for_the_program_and_every_command(offline: Companion) -> None:
    top = (await offline.done("--help")).out
    assert set(COMMANDS) <= set(re.findall(r"^    (\w+) ", top, re.MULTILINE))
    helped = await asyncio.gather(*(offline.done(command, "--help") for command in COMMANDS))
    for command, ran in zip(COMMANDS, helped, strict=True):
        assert ran.out.startswith(f"usage: companion {command}")
        assert ran.err == ""


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["dance"], "invalid choice: 'dance'"),
        (["chat", "--shout"], "unrecognized arguments: --shout"),
        (["chat", "--chat", "sample"], "'sample' is not the number of a chat"),
        (["chat", "--once", " "], "argument --once: there is nothing in it"),
        (["chat", "--as", "", "--once", "hi"], "argument --as: there is nothing in it"),
        (["recall", "tea"], "the following arguments are required: --chat"),
        (["recall", "tea", "--chat", "1", "-k", "0"], "'0' is not a whole number from 1 on"),
        (["recall", "tea", "--chat", "1", "--at", "soon"], "'soon' is not a time"),
        (["why"], "the following arguments are required: LINK"),
        (["replay"], "one of the arguments WHAT --query is required"),
    ],
)
async def test_wrong_arguments_end_with_2_and_say_which(
    offline: Companion, arguments: list[str], complaint: str
) -> None:
    ran = await offline.run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: companion")
    assert complaint in ran.err.splitlines()[-1]


async def test_arguments_that_only_the_command_knows_to_be_wrong_end_with_2_too(offline: Companion) -> None:
    wrong = {
        ("why", "hello"): "'hello' is no link to a message",
        ("replay", "0af7", "--since", "2026-01-01"): "--since says how far back --query looks",
        ("embed", "switch", "use-multilingual-v3", "--query-prefix", "q: "): "takes no prefixes",
    }
    for arguments, ran in zip(wrong, await asyncio.gather(*(offline.run(*each) for each in wrong)), strict=True):
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("companion: ")
        assert wrong[arguments] in ran.err
        assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TIMEZONE", "Nowhere"),
        ("EMBEDDING_DIMENSION", "7"),
        ("PACE", "x"),
        ("CHARACTER_CARD", "/nowhere/card.json"),
        ("LLM_API_BASE_URL", "localhost"),
        ("EMBEDDING_API_BASE_URL", "http://127.0.0.1:9/v1"),
        ("TELEGRAM_API_BASE_URL", "127.0.0.1:8081"),
        ("TELEGRAM_API_BASE_URL", "http://[::1"),
        ("TELEGRAM_API_BASE_URL", "http://user:hunter2@127.0.0.1:99999"),
        ("TELEGRAM_API_BASE_URL", "http://127.0.0.1:8081/{token}"),
        ("DATABASE_URL", "host=127.0.0.1 password=hunter2"),
    ],
)
async def test_a_setting_that_makes_no_sense_is_named_in_one_line(
    offline: Companion, variable: str, value: str
) -> None:
    complaint = (await offline.run("chat", "--once", "hi", **{variable: value})).complaint
    assert variable.removesuffix("_API_BASE_URL") in complaint
    assert "hunter2" not in complaint


async def test_settings_are_read_from_the_env_file_here_and_an_empty_variable_is_none(offline: Companion) -> None:
    env_file = offline.folder / ".env"
    env_file.write_text("TIMEZONE=Nowhere\nPACE=\nCHARACTER_CARD=\nSOMETHING_ELSE=1\n")
    assert (await offline.run("migrate")).complaint.startswith("TIMEZONE: 'Nowhere' is not a time zone;")
    assert (await offline.run("migrate", TIMEZONE="UTC", PACE="")).complaint.startswith("cannot reach PostgreSQL")
    env_file.write_bytes(b"TIMEZONE=\xff")
    assert (await offline.run("migrate")).complaint == ".env is not text in UTF-8; save it as UTF-8"


async def test_streams_that_are_closed_full_or_of_another_encoding_cause_no_traceback(
    prepared: Companion, tmp_path: Path
) -> None:
    file = write_lines(tmp_path / "小猫.jsonl", [line(1, "the cat sleeps")])
    shown = r"chat 1: 小猫: [01] of 1 messages were new\n1 messages in \d+\.\d s\n"
    for script, code, out, err in (
        ('"$@" 2>&-', 0, shown, ""),
        ('"$@" >&-', 0, "", ""),
        ('"$@" > /dev/full', 1, "", "companion: No space left on device\n"),
        ('"$@" | true; exit ${PIPESTATUS[0]}', 1, "", ""),
    ):
        ran = await prepared.shell(script, "import", file, **AWAY)
        assert (ran.code, ran.err) == (code, err), script
        assert re.fullmatch(out, ran.out), script
    talk = await prepared.shell('"$@" <&-', "chat", "--chat", "1", **AWAY)
    assert (talk.code, talk.out) == (0, "")
    foreign = await prepared.run("import", file, **AWAY, PYTHONIOENCODING="latin-1")
    assert foreign.out.startswith("chat 1: \\u5c0f\\u732b: ")
