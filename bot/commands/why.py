"""`companion why`: why the bot said that."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import quote

from bot.app import database
from bot.commands.common import print_json, report, shown
from bot.errors import UnknownTurn, WrongArguments
from bot.model import ChatId, Message, MessageId
from bot.record import hit_rows
from bot.settings import Settings
from bot.store import PostgresStore, open_store
from bot.store.turns import KeptTurn, Uttered
from bot.telegram.links import Place, PublicPlace, place_of

DATA_SOURCE = "tempo"
"""The uid of Tempo among Grafana's data sources."""
_NOT_PARTS = ("id", "score", "query", "window")


async def run(args: argparse.Namespace, settings: Settings) -> int:
    """Print what the bot remembered when it said something, what it was asked and what it did; changes nothing."""
    meant = _meant(args.where)
    async with (
        database(settings, report=report) as dsn,
        open_store(dsn, may_migrate=False, report=report) as store,
    ):
        said = await _said(meant, store)
        if said.turn_id is None:
            raise UnknownTurn("the bot did not say that: it has no turn; give the link of one of its own messages")
        turn = await store.turns.get(said.chat_id, said.turn_id)
        if turn is None:
            raise UnknownTurn(f"the turn {said.turn_id} in which the bot said that is not on record any more")
        told = await _why(said, turn, store, grafana=settings.grafana_url)
    if args.json:
        print_json(told)
    else:
        _show(told)
    return 0


def _meant(where: Sequence[str]) -> Place | tuple[ChatId, MessageId]:
    """The message that is meant, by Telegram's numbers or ours. Raises `WrongArguments`, or `UnknownTurn`."""
    match where:
        case [chat, message] if message.isdecimal() and chat.removeprefix("-").isdecimal():
            if chat.startswith("-"):  # groups have negative numbers in Telegram, and none of ours is
                return Place(chat, message)
            return ChatId(_small(chat)), MessageId(_small(message))
        case [link]:
            place = place_of(link)
            if isinstance(place, PublicPlace):
                raise UnknownTurn(
                    f"the bot keeps no public names such as {place.name!r}; give the chat's number in Telegram (-100…) "
                    f"and {place.message}"
                )
            if place is None:
                raise WrongArguments(f"{link!r} is no link to a message; one is like https://t.me/c/1234567890/77")
            return place
        case _:
            raise WrongArguments("give a message's link, or the number of a chat and that of a message in it")


async def _said(meant: Place | tuple[ChatId, MessageId], store: PostgresStore) -> Uttered:
    """The message in the database. Raises `UnknownTurn`."""
    if isinstance(meant, Place):
        found = await store.turns.uttered_at(meant.chat, meant.message)
    else:
        found = await store.turns.uttered(*meant)
    if found is None:
        raise UnknownTurn("no such message is kept; is it from a chat that the bot reads?")
    return found


def _small(number: str) -> int:
    """A number as PostgreSQL takes it; 0, which nothing has, for one that is too large."""
    return int(number) if len(number) <= 18 else 0


async def _why(said: Uttered, turn: KeptTurn, store: PostgresStore, *, grafana: str | None) -> dict[str, object]:
    inputs = cast("Mapping[str, Any]", turn.inputs)
    recall = cast("Mapping[str, Any]", inputs.get("recall") or {})
    hits = hit_rows(recall.get("hits") or {})
    numbers = [MessageId(cast("int", hit["id"])) for hit in hits]
    messages = {message.message_id: message for message in await store.turns.messages(said.chat_id, numbers)}
    prompts = cast("Sequence[Mapping[str, Any]]", inputs.get("prompts") or [{}])
    return {
        "chat_id": said.chat_id,
        "message_id": said.message_id,
        "turn_id": str(turn.turn_id),
        "trace_id": turn.trace_id,
        "said": said.text,
        "recalled": [_recalled(hit, messages.get(MessageId(cast("int", hit["id"])))) for hit in hits],
        "missing": recall.get("missing"),
        "prompt": prompts[-1].get("tokens") or {},
        "model": inputs.get("chat_model"),
        "actions": inputs.get("actions") or [],
        "grafana": None if grafana is None else grafana_link(grafana, turn.trace_id),
    }


def _recalled(hit: Mapping[str, object], message: Message | None) -> dict[str, object]:
    """As `recall --json` shows it; without words when the message is gone."""
    return {
        "kind": "message",
        "id": hit["id"],
        "sent_at": message.sent_at.isoformat() if message else None,
        "sender": message.sender if message else None,
        "text": message.text if message else None,
        "score": hit.get("score", 0.0),
        "parts": {name: value for name, value in hit.items() if name not in _NOT_PARTS},
    }


def grafana_link(base: str, trace_id: str) -> str:
    """Grafana's Explore, with the trace open."""
    query = {
        "refId": "A",
        "datasource": {"type": "tempo", "uid": DATA_SOURCE},
        "queryType": "traceql",
        "query": trace_id,
    }
    pane = {"datasource": DATA_SOURCE, "queries": [query], "range": {"from": "now-7d", "to": "now"}}
    panes = json.dumps({"trace": pane}, separators=(",", ":"))
    return f"{base.rstrip('/')}/explore?schemaVersion=1&panes={quote(panes, safe='')}"


def _line(hit: Mapping[str, Any]) -> str:
    return f"[{hit['sent_at'][:10]}] {shown(hit['sender'])}: {shown(hit['text'])}" if hit["sent_at"] else "(it is gone)"


def _show(told: Mapping[str, Any]) -> None:
    print(f"said: {shown(told['said'])}")
    for hit in told["recalled"]:
        parts = ", ".join(f"{name} {value:.3g}" for name, value in hit["parts"].items() if value)
        print(f"  remembered {hit['score']:.3f}  #{hit['id']} {_line(hit)}  ({parts})")
    if not told["recalled"]:
        print(f"  remembered nothing ({told['missing'] or 'nothing was looked for'})")
    sections = ", ".join(f"{name} {tokens}" for name, tokens in told["prompt"].items())
    print(f"prompt: {sections or 'none'} (tokens)")
    print(f"model: {told['model'] or 'none'}; did: {', '.join(told['actions']) or 'nothing'}")
    print(f"turn {told['turn_id']}, trace {told['trace_id']}")
    if told["grafana"]:
        print(told["grafana"])
