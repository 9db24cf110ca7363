"""What gets into the log, and what never does."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest

from bot.errors import ModelUnavailable
from bot.logs import set_up_logging
from bot.tracing import current_trace_id, span

SECRET = "the plum jam is behind the third brick"
KEY = "sk-live-0123456789"
Log = Callable[..., io.StringIO]

OURS = ("bot", "companion", "__main__")
ours = logging.getLogger("bot.turn")
theirs = logging.getLogger("pgqueuer.core.qm")


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    """Sets logging up as asked, and gives what is written; all is as before when the test ends."""
    root = logging.getLogger()
    levels = {logger: logger.level for logger in (root, theirs, *map(logging.getLogger, OURS))}
    hooks = sys.excepthook, threading.excepthook
    written = io.StringIO()

    def start(level: str = "WARNING", format: Literal["human", "json"] = "human") -> io.StringIO:  # noqa: A002
        monkeypatch.setattr(sys, "stderr", written)
        set_up_logging(level, format, secrets=[KEY])
        # pytest's own handlers would trip over what ours must stand.
        root.handlers[:] = [handler for handler in root.handlers if type(handler).__module__ == "bot.logs"]
        return written

    yield start
    root.handlers[:] = [handler for handler in root.handlers if type(handler).__module__ != "bot.logs"]
    for logger, before in levels.items():
        logger.setLevel(before)
    sys.excepthook, threading.excepthook = hooks


class UniqueViolation(Exception):
    """As asyncpg's: the message quotes the row."""

    sqlstate = "23505"
    constraint_name = "messages_pkey"


def violate() -> None:
    raise UniqueViolation(f"duplicate key. DETAIL: Key (text)=({SECRET})")


def entries(written: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_a_line_says_when_how_grave_and_who(log: Log) -> None:
    written = log()
    ours.warning("chat %d has %d unread", 3, 20)
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d WARNING bot\.turn: chat 3 has 20 unread\n",
        written.getvalue(),
    )


def test_each_line_leads_to_its_trace(log: Log) -> None:
    written = log("INFO", "json")
    ours.info("before")
    with span("turn"):
        trace_id = current_trace_id()
        ours.info("within")
    before, within = entries(written)
    assert (before["message"], before["trace_id"], before["span_id"]) == ("before", "", "")
    assert (within["logger"], within["level"]) == ("bot.turn", "INFO")
    assert (within["trace_id"], len(within["span_id"])) == (trace_id, 16)
    assert within["time"].endswith("+00:00")


def test_a_human_line_leads_to_its_trace_too(log: Log) -> None:
    written = log()
    with span("turn"):
        ours.warning("slow")
        assert written.getvalue().endswith(f"slow [trace {current_trace_id()}]\n")


def test_levels_are_ours_to_set_and_others_only_warn(log: Log) -> None:
    written = log("DEBUG")
    theirs.setLevel(logging.DEBUG)
    ours.debug("ours")
    theirs.info("theirs")
    theirs.warning("theirs too")
    logging.getLogger("somebody").info("nobody")
    assert [line.split(": ")[1] for line in written.getvalue().splitlines()] == ["ours", "theirs too"]


def test_setting_up_twice_writes_each_line_once(log: Log) -> None:
    log("WARNING", "json")
    written = log("WARNING", "json")
    ours.warning("once")
    assert len(entries(written)) == 1


def test_a_foreign_error_is_told_by_class_facts_and_place(log: Log) -> None:
    written = log()
    try:
        violate()
    except UniqueViolation:
        ours.exception("a message could not be kept")
    text = written.getvalue()
    assert "tests.test_logging.UniqueViolation (sqlstate=23505, constraint_name=messages_pkey)\n" in text
    assert re.search(r"  at \S+test_logging\.py:\d+ in violate", text)
    assert SECRET not in text


def test_our_own_error_is_told_in_its_words_with_what_led_to_it(log: Log) -> None:
    def ask() -> None:
        try:
            violate()
        except UniqueViolation as error:
            raise ModelUnavailable("the server answered 503; try later") from error

    written = log("WARNING", "json")
    try:
        ask()
    except ModelUnavailable:
        ours.exception("no answer")
    (entry,) = entries(written)
    first, *rest = entry["exception"].splitlines()
    assert first.endswith("UniqueViolation (sqlstate=23505, constraint_name=messages_pkey)")
    assert "which led to:" in rest
    assert "bot.errors.ModelUnavailable: the server answered 503; try later" in rest
    assert SECRET not in entry["exception"]


def test_errors_in_a_group_are_told_each(log: Log) -> None:
    written = log()
    ours.error("jobs failed", exc_info=ExceptionGroup(SECRET, [KeyError(SECRET), ModelUnavailable("down")]))
    lines = written.getvalue().splitlines()
    assert "ExceptionGroup of KeyError, bot.errors.ModelUnavailable" in lines
    assert "  | bot.errors.ModelUnavailable: down" in lines
    assert SECRET not in written.getvalue()


def test_a_deep_stack_is_cut_to_where_it_broke(log: Log) -> None:
    def fall(depth: int) -> None:
        if depth == 0:
            raise ValueError
        fall(depth - 1)

    written = log()
    try:
        fall(100)
    except ValueError:
        ours.exception("too deep")
    assert "  (72 calls before these)" in written.getvalue()
    assert len(written.getvalue().splitlines()) < 40


def test_errors_among_our_values_do_not_quote_anybody(log: Log) -> None:
    written = log()
    ours.warning("gave up: %s; %s", ValueError(SECRET), ModelUnavailable("try later"))
    assert "gave up: ValueError; bot.errors.ModelUnavailable: try later" in written.getvalue()
    assert SECRET not in written.getvalue()


@pytest.mark.parametrize(
    ("message", "values", "line"),
    [
        ("Exception while processing %s/%s", (SECRET, 7), "Exception while processing [38 characters]/7"),
        ("took %.3f s for %r", (0.5, {"text": SECRET}), "took 0.500 s for '<dict>'"),
        ("%(text)s", ({"text": SECRET},), "[38 characters]"),
        ("Failed: %s", (OSError(111, SECRET),), "Failed: ConnectionRefusedError (errno=111)"),
        ("too few: %s %s", (SECRET,), "too few: %s %s"),
        (f"Exception in callback answer('{SECRET}')", (), "Exception in callback answer"),
        (f"Task exception was never retrieved\nfuture: {SECRET}", (), "Task exception was never retrieved"),
        (ValueError(SECRET), (), "ValueError"),
        ({"text": SECRET}, (), "<dict>"),
    ],
)
def test_what_libraries_say_is_masked(log: Log, message: object, values: tuple[object, ...], line: str) -> None:
    written = log("WARNING", "json")
    theirs.error(message, *values)
    assert [entry["message"] for entry in entries(written)] == [line]
    assert SECRET not in written.getvalue()


def test_a_task_that_nobody_waits_for_leaves_no_text_behind(log: Log) -> None:
    async def fail() -> None:
        violate()

    async def forget() -> None:
        task = asyncio.ensure_future(fail())
        await asyncio.wait([task])

    written = log()
    asyncio.run(forget())
    assert "Task exception was never retrieved" in written.getvalue()
    assert "UniqueViolation (sqlstate=23505" in written.getvalue()
    assert SECRET not in written.getvalue()


def test_an_error_that_nobody_handles_leaves_no_text_behind(log: Log) -> None:
    written = log()
    try:
        violate()
    except UniqueViolation as error:
        sys.excepthook(type(error), error, error.__traceback__)

    thread = threading.Thread(target=violate)
    thread.start()
    thread.join()
    assert "CRITICAL bot.logs: ended by an error that nobody handled" in written.getvalue()
    assert "CRITICAL bot.logs: a thread ended by an error that nobody handled" in written.getvalue()
    assert SECRET not in written.getvalue()


def test_keys_and_passwords_are_blotted_out(log: Log) -> None:
    written = log()
    token = "123456789:AAHk-abcdefghijklmnopqrstuvwxyz_01"
    ours.warning("no answer from https://me:hunter2@host/bot%s/getMe with %s", token, KEY)
    assert written.getvalue().endswith("https://[secret]host/bot[secret]/getMe with [secret]\n")


def test_a_line_stays_one_line_whatever_is_in_it(log: Log) -> None:
    written = log()
    ours.warning("card %s", "a\nb\x1b[31m\ud800")
    assert written.getvalue().splitlines()[0].endswith("card a\\x0ab\\x1b[31m\ufffd")
    assert len(written.getvalue().splitlines()) == 1


def test_json_is_readable_whatever_is_in_it(log: Log) -> None:
    written = log("WARNING", "json")
    ours.warning("card %s", '爱\ud800"🍑\n')
    assert entries(written)[0]["message"] == 'card 爱\ufffd"🍑\\x0a'


def test_a_line_that_cannot_be_made_is_missed_without_its_values(log: Log) -> None:
    class Broken:
        def __str__(self) -> str:
            raise BrokenPipeError(SECRET)

    written = log()
    ours.warning(Broken())
    ours.warning("%s", Broken())
    missed, shown = written.getvalue().splitlines()
    assert missed == "a log line of bot.turn could not be written"
    assert shown.endswith("bot.turn: %s")
    assert SECRET not in written.getvalue()
