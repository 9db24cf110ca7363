"""Orders to a fake Bot API that runs in a process of its own: JSON in, JSON out.

POST /control/<order> takes an object; people, bots and chats are named by their ids.
    bots      name, username, token, privacy, hears_bots      -> id, token, username
    people    name, username, language                        -> id
    chats     kind (group, supergroup, forum, channel), title, members, linked  -> id
    topics    who, chat, name                                 -> id
    say       who, chat or bot, text, topic, reply_to, date   -> message_id
    edit      who, chat or bot, message, text
    delete    who, chat or bot, message
    react     who, chat or bot, message, emoji (a list)
    forward   who, chat or bot, message, to                   -> message_id
    post      who, chat, text                                 -> message_id
    add, remove, promote (anonymous, title), restrict         who, whom, chat
    block, unblock   who, bot
    close, reopen    who, chat, topic
    upgrade   who, chat, new_first                            -> id
    inject    bot, update (an object, or raw JSON as a string) -> update_id
    order     fault (flood, page, refuse, cut_before, cut_after, hang, slow), to, times, chat,
              and as it needs retry_after, status, body, code, why, seconds
    release   lets all go that hangs
    kill      pid, request (the k-th from now), when (before, after), method
    flood     enabled
GET /control/<question> tells, and waits if it is given a count (up to `within` seconds):
    sent        chat, count             messages         chat
    requests    method, count           pending, confirmed   bot
A private chat is the person's id as `chat`, and `bot`.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from aiohttp import web

from tests.fakes.bot_api_faults import CUT_AFTER, CUT_BEFORE, Fault, Hang, flood, page, refusal, slow
from tests.fakes.bot_api_people import Person
from tests.fakes.bot_api_values import Account, Bot, Chat, Json, Message, Topic

if TYPE_CHECKING:
    from tests.fakes.bot_api import BotApi


class Control:
    """Carries out orders, each a method of the order's name."""

    def __init__(self, api: BotApi) -> None:
        self._api = api
        self._hangs: list[Hang] = []

    async def bots(self, *, name: str, **how: Json) -> Json:
        bot = self._api.bot(name, **how)
        return {"id": bot.id, "token": bot.token, "username": bot.username}

    async def people(self, *, name: str, **how: Json) -> Json:
        return {"id": self._api.person(name, **how).id}

    async def chats(self, *, kind: str, title: str, members: list[int], linked: int = 0, **how: Json) -> Json:
        make: dict[str, Callable[..., Chat]] = {
            "group": self._api.group,
            "supergroup": self._api.supergroup,
            "forum": self._api.forum,
            "channel": self._api.channel,
        }
        if linked:
            how["linked"] = self._api.chats[linked]
        return {"id": make[kind](title, *[self._account(member) for member in members], **how).id}

    async def topics(self, *, who: int, chat: int, name: str) -> Json:
        return {"id": (await self._person(who).opens(self._api.chats[chat], name)).thread}

    async def say(self, *, who: int, text: str, reply_to: int = 0, date: float | None = None, **where: int) -> Json:
        person = self._person(who)
        place = self._place(**where)
        told = self._message(person, reply_to, **where) if reply_to else None
        return {"message_id": (await person.says(place, text, reply_to=told, date=date)).message_id}

    async def edit(self, *, who: int, message: int, text: str, **where: int) -> Json:
        await self._person(who).edits(self._message(self._person(who), message, **where), text)

    async def delete(self, *, who: int, message: int, **where: int) -> Json:
        await self._person(who).deletes(self._message(self._person(who), message, **where))

    async def react(self, *, who: int, message: int, emoji: list[str], **where: int) -> Json:
        await self._person(who).reacts(self._message(self._person(who), message, **where), *emoji)

    async def forward(self, *, who: int, message: int, to: int, **where: int) -> Json:
        told = self._message(self._person(who), message, **where)
        return {"message_id": (await self._person(who).forwards(told, self._api.chats[to])).message_id}

    async def post(self, *, who: int, chat: int, text: str) -> Json:
        return {"message_id": (await self._person(who).posts(self._api.chats[chat], text)).message_id}

    async def add(self, *, who: int, whom: int, chat: int) -> Json:
        await self._person(who).adds(self._account(whom), self._api.chats[chat])

    async def remove(self, *, who: int, whom: int, chat: int) -> Json:
        await self._person(who).removes(self._account(whom), self._api.chats[chat])

    async def promote(self, *, who: int, whom: int, chat: int, **how: Json) -> Json:
        await self._person(who).promotes(self._account(whom), self._api.chats[chat], **how)

    async def restrict(self, *, who: int, whom: int, chat: int) -> Json:
        await self._person(who).restricts(self._account(whom), self._api.chats[chat])

    async def block(self, *, who: int, bot: int) -> Json:
        await self._person(who).blocks(self._bot(bot))

    async def unblock(self, *, who: int, bot: int) -> Json:
        await self._person(who).unblocks(self._bot(bot))

    async def close(self, *, who: int, chat: int, topic: int) -> Json:
        await self._person(who).closes(self._api.chats[chat].topics[topic])

    async def reopen(self, *, who: int, chat: int, topic: int) -> Json:
        await self._person(who).reopens(self._api.chats[chat].topics[topic])

    async def upgrade(self, *, who: int, chat: int, new_first: bool = False) -> Json:
        return {"id": (await self._person(who).upgrades(self._api.chats[chat], new_first=new_first)).id}

    async def inject(self, *, bot: int, update: Json) -> Json:
        return {"update_id": self._api.inject(self._bot(bot), update)}

    async def order(self, *, fault: str, to: str = "", times: int = 1, chat: int = 0, **how: Json) -> Json:
        if fault == "hang":
            hang = Hang()
            self._hangs.append(hang)
            how["hang"] = hang
        make: dict[str, Callable[..., Fault]] = {
            "flood": flood,
            "page": page,
            "refuse": refusal,
            "cut_before": lambda: CUT_BEFORE,
            "cut_after": lambda: CUT_AFTER,
            "hang": Fault,
            "slow": slow,
        }
        self._api.order(make[fault](**how), to=to, times=times, chat=self._api.chats.get(chat))

    async def release(self) -> Json:
        for hang in self._hangs:
            hang.release()

    async def kill(self, *, pid: int, request: int, **how: Json) -> Json:
        self._api.kill(pid, request=request, **how)

    async def flood(self, *, enabled: bool) -> Json:
        self._api.flood.enabled = enabled

    async def sent(self, *, chat: str, bot: str = "", count: str = "0", within: str = "30") -> Json:
        messages = await self._api.sent(self._seen(chat, bot), int(count), within=float(within))
        return [_told(message) for message in messages]

    async def messages(self, *, chat: str, bot: str = "") -> Json:
        return [_told(message) for message in self._api.messages(self._seen(chat, bot))]

    async def requests(self, *, method: str = "", count: str = "0", within: str = "30") -> Json:
        return [asked.json() for asked in await self._api.was_asked(method, int(count), within=float(within))]

    async def pending(self, *, bot: str) -> Json:
        return [json.loads(text) for _, _, text in self._bot(int(bot)).updates.pending]

    async def confirmed(self, *, bot: str, within: str = "30") -> Json:
        await self._api.confirmed(self._bot(int(bot)), within=float(within))

    def _account(self, number: int) -> Account:
        return self._api.people.get(number) or self._bot(number)

    def _person(self, number: int) -> Person:
        return self._api.people[number]

    def _bot(self, number: int) -> Bot:
        return {bot.id: bot for bot in self._api.bots}[number]

    def _place(self, *, chat: int = 0, bot: int = 0, topic: int = 0) -> Chat | Topic | Bot:
        if bot:
            return self._bot(bot)
        return self._api.chats[chat].topics[topic] if topic else self._api.chats[chat]

    def _message(self, person: Person, number: int, *, chat: int = 0, bot: int = 0, topic: int = 0) -> Message:
        where = self._api.private(person, self._bot(bot)) if bot else self._api.chats[chat]
        return where.messages[number]

    def _seen(self, chat: str, bot: str) -> Chat:
        if bot:
            return self._api.private(self._person(int(chat)), self._bot(int(bot)))
        return self._api.chats[int(chat)]


def _told(message: Message) -> Json:
    return {**message.json(), "at": message.at, "replies_to": message.reply_to and message.reply_to.message_id}


def add_to(app: web.Application, api: BotApi) -> None:
    """Serve /control there."""
    control = Control(api)
    orders: list[Callable[..., Awaitable[Json]]] = [
        *(control.bots, control.people, control.chats, control.topics, control.say, control.edit, control.delete),
        *(control.react, control.forward, control.post, control.add, control.remove, control.promote),
        *(control.restrict, control.block, control.unblock, control.close, control.reopen, control.upgrade),
        *(control.inject, control.order, control.release, control.kill, control.flood),
    ]
    for order in orders:
        app.router.add_post(f"/control/{order.__name__}", _taking(order))
    questions: list[Callable[..., Awaitable[Json]]] = [
        *(control.sent, control.messages, control.requests, control.pending, control.confirmed),
    ]
    for question in questions:
        app.router.add_get(f"/control/{question.__name__}", _telling(question))


def _taking(order: Callable[..., Awaitable[Json]]) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def take(http: web.Request) -> web.Response:
        said: dict[str, Json] = json.loads(await http.text() or "{}")
        return await _tried(lambda: order(**said))

    return take


def _telling(question: Callable[..., Awaitable[Json]]) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def tell(http: web.Request) -> web.Response:
        return await _tried(lambda: question(**dict(http.query)))

    return tell


async def _tried(what: Callable[[], Awaitable[Json]]) -> web.Response:
    """Its outcome; 400 with the reason, when the order makes no sense or what is waited for does not come."""
    try:
        return web.json_response(await what())
    except (AssertionError, KeyError, TypeError, ValueError) as error:
        return web.json_response({"error": f"{type(error).__name__}: {error}"}, status=400)
