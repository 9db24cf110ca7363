"""`companion why` about what the bot said in Telegram: by link, by number, as JSON and for people."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.cli import parser
from bot.commands.why import run
from bot.errors import UnknownTurn, WrongArguments
from bot.settings import Settings
from bot.store import PostgresStore
from tests.fakes.ports import ScriptedChat, do, say
from tests.telegram.intake_rig import Rig
from tests.telegram.serving_rig import embedded, serving


@dataclass(frozen=True, kw_only=True)
class Said:
    """What the bot said in a group, and where."""

    rig: Rig
    dsn: str
    chat: int
    message: int
    asked: int

    async def why(self, *where: str, **settings: Any) -> int:
        args = parser().parse_args(["why", *where])
        return await run(args, Settings(_env_file=None, database_url=self.dsn, **settings))  # pyright: ignore[reportCallIssue]

    @property
    def link(self) -> str:
        return f"https://t.me/c/{str(self.chat).removeprefix('-100')}/{self.message}"


@pytest.fixture
async def said(store: PostgresStore, dsn: str) -> AsyncIterator[Said]:
    answers = (say("noted"), do("recall", query="key boiler"), say("Behind the boiler."))
    async with serving(store, dsn, chat=ScriptedChat(*answers)) as r:
        ann = r.api.person("Ann")
        tea = r.api.supergroup("Tea", ann, r.bot)
        await ann.says(tea, "Mia, the spare key hangs behind the boiler")
        await r.api.sent(tea, 1)
        for n in range(40):
            await ann.says(tea, f"small talk {n}")
        await r.api.confirmed(r.bot)
        await embedded(r, "Mia, the spare key hangs behind the boiler")
        await ann.says(tea, "Mia, where does the spare key hang?")
        *_, answer = await r.api.sent(tea, 2)
        query = "SELECT external_id FROM messages WHERE text = 'Behind the boiler.'"
        while not await r.rows(query):
            pass  # each look is a round trip
        [asked] = await r.rows("SELECT external_id FROM messages WHERE text LIKE '%where does%'")
        yield Said(rig=r, dsn=dsn, chat=tea.id, message=answer.message_id, asked=int(asked["external_id"]))


async def test_a_link_tells_what_was_remembered_asked_and_done(said: Said, capsys: pytest.CaptureFixture[str]) -> None:
    assert await said.why(said.link, "--json", grafana_url="http://grafana.example:3000/") == 0
    told = json.loads(capsys.readouterr().out)
    [turn] = await said.rig.rows("SELECT * FROM turns ORDER BY started_at DESC LIMIT 1")
    assert (told["turn_id"], told["trace_id"]) == (str(turn["turn_id"]), turn["trace_id"])
    assert (told["said"], told["actions"], told["model"]) == (
        "Behind the boiler.",
        ["recall", "send_message"],
        "scripted",
    )
    assert "Mia, the spare key hangs behind the boiler" in [hit["text"] for hit in told["recalled"]]
    assert told["recalled"][0]["score"] > 0
    assert set(told["recalled"][0]) == {"kind", "id", "sent_at", "sender", "text", "score", "parts"}
    assert told["prompt"]["memories"] > 0
    assert told["prompt"]["all"] > told["prompt"]["unread"] > 0
    link = urlsplit(str(told["grafana"]))
    [panes] = parse_qs(link.query)["panes"]
    assert (link.netloc, link.path) == ("grafana.example:3000", "/explore")
    [pane] = json.loads(panes).values()
    assert pane["datasource"] == "tempo"
    assert pane["queries"][0]["query"] == turn["trace_id"]


async def test_the_same_is_told_by_telegrams_numbers_by_ours_and_in_a_topic(
    said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    await said.why(said.link, "--json")
    by_link = json.loads(capsys.readouterr().out)
    for where in (
        (str(said.chat), str(said.message)),
        (str(by_link["chat_id"]), str(by_link["message_id"])),
        (said.link.replace(f"/{said.message}", f"/3/{said.message}"),),
    ):
        await said.why(*where, "--json")
        assert json.loads(capsys.readouterr().out) == by_link
    await said.why(said.link)
    told = capsys.readouterr().out
    assert "remembered" in told
    assert "did: recall, send_message" in told
    assert "explore" not in told


@pytest.mark.parametrize(
    ("where", "complaint"),
    [
        (("https://t.me/c/999/1",), "no such message is kept"),
        (("https://t.me/teatalk/77",), "keeps no public names such as 'teatalk'"),
        (("99999999999999999999", "1"), "no such message is kept"),
    ],
)
async def test_what_leads_to_nothing_is_told_so(said: Said, where: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(UnknownTurn, match=complaint):
        await said.why(*where)


@pytest.mark.parametrize(
    ("where", "complaint"),
    [
        (("hello",), "'hello' is no link"),
        (("https://example.org/c/1/2",), "is no link"),
        (("1", "2", "3"), "give a message's link"),
        (("1", "x"), "give a message's link"),
    ],
)
async def test_what_can_be_no_message_is_a_wrong_argument_whatever_the_database(
    where: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(WrongArguments, match=complaint):
        await run(parser().parse_args(["why", *where]), Settings(_env_file=None))  # pyright: ignore[reportCallIssue]


async def test_what_somebody_else_said_has_no_why(said: Said) -> None:
    with pytest.raises(UnknownTurn, match="the bot did not say that"):
        await said.why(str(said.chat), str(said.asked))


async def test_what_is_not_on_record_any_more_is_told_so(said: Said) -> None:
    await said.rig.rows("DELETE FROM turns")
    with pytest.raises(UnknownTurn, match="is not on record any more"):
        await said.why(said.link)
