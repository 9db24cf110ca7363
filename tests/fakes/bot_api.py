"""A small Telegram with its Bot API, over real HTTP.

    async with BotApi() as api:
        ann, bob, bot = api.person("Ann"), api.person("Bob"), api.bot("Mia")
        tea = api.group("Tea", ann, bob, bot)
        await ann.says(tea, "hi @mia_bot")
        (answer,) = await api.sent(tea, 1)
        assert answer.reply_to is None and answer.text == "hello"

People and chats are in bot_api_people and bot_api_world, what a bot may ask in bot_api_methods, what can go wrong in
bot_api_faults. In a process of its own (`python -m tests.fakes.bot_api --port N`) it prints its address and takes
orders as JSON under /control (bot_api_control).
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import os
import signal
import time
from contextlib import suppress
from email.utils import formatdate
from types import TracebackType
from typing import Self, cast
from urllib.parse import parse_qsl

from aiohttp import BodyPartReader, web

from tests.fakes import bot_api_control
from tests.fakes.bot_api_call import Args, Call, FloodControl, Refused
from tests.fakes.bot_api_faults import FINE, Act, Fault, Hang, Hook, Order, Request, When
from tests.fakes.bot_api_methods import METHODS, Told, allow, unknown_method
from tests.fakes.bot_api_text import broken
from tests.fakes.bot_api_values import Bot, Chat, Clock, Json, Message, Superseded
from tests.fakes.bot_api_world import World

LONGEST_POLL = 50
"""Seconds."""
DEADLINE = 30.0
"""Seconds that a test waits for what it expects, unless it says otherwise."""


class BotApi(World):
    """Telegram, reachable at `base_url`. Its clock dates messages and measures floods; waiting is in real time."""

    def __init__(self, *, port: int = 0, clock: Clock = time.time, flood_control: bool = False) -> None:
        super().__init__(clock=clock)
        self.port = port
        self.asked: list[Request] = []
        """All requests with a known token, in order."""
        self.flood = FloodControl(clock)
        self.flood.enabled = flood_control
        self._files: dict[str, bytes] = {}
        self._told_sizes: dict[str, int] = {}
        self._orders: list[Order] = []
        self._hooks: list[Hook] = []
        self._runner: web.AppRunner | None = None

    @property
    def base_url(self) -> str:
        """What goes into TELEGRAM_API_BASE_URL."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=1 << 26)
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        app.router.add_get("/file/bot{token}/files/{name}", self._download)
        bot_api_control.add_to(app, self)
        app.router.add_route("*", "/{any:.*}", _nothing_here)
        app.on_response_prepare.append(self._tell_time)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = cast("tuple[str, int]", self._runner.addresses[0])[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._runner:
            await self._runner.cleanup()

    def messages(self, chat: Chat) -> list[Message]:
        """What one sees in a chat: no deleted messages, no notices."""
        return [message for message in chat.messages.values() if not message.deleted and not message.service]

    def by_bots(self, chat: Chat, bot: Bot | None = None) -> list[Message]:
        """What bots, or one of them, sent there so far; deleted ones too."""
        by = [bot] if bot else self.bots
        return [message for message in chat.messages.values() if message.author in by and not message.service]

    async def sent(self, chat: Chat, count: int, *, bot: Bot | None = None, within: float = DEADLINE) -> list[Message]:
        """Wait until bots have sent so many messages there; all of them."""
        if not await self.bell.until(lambda: len(self.by_bots(chat, bot)) >= count, within=within):
            got = self.by_bots(chat, bot)
            raise AssertionError(f"{len(got)} instead of {count} messages in {chat.title or chat.id} after {within} s")
        return self.by_bots(chat, bot)

    def requests(self, method: str = "", *, bot: Bot | None = None) -> list[Request]:
        """What was asked, in order."""
        right = (asked for asked in self.asked if not method or asked.method.lower() == method.lower())
        return [asked for asked in right if bot is None or asked.bot is bot]

    async def was_asked(self, method: str, times: int, *, within: float = DEADLINE) -> list[Request]:
        """Wait until so many such requests came, whatever became of them."""
        if not await self.bell.until(lambda: len(self.requests(method)) >= times, within=within):
            raise AssertionError(f"{len(self.requests(method))} instead of {times} {method} after {within} s")
        return self.requests(method)

    async def confirmed(self, bot: Bot, *, within: float = DEADLINE) -> None:
        """Wait until a bot has confirmed all its updates."""
        if not await self.bell.until(lambda: not bot.updates.pending, within=within):
            raise AssertionError(f"{len(bot.updates.pending)} updates not confirmed after {within} s")

    def inject(self, bot: Bot, update: Json) -> int:
        """Put an update before a bot as it is: an object, which is numbered if it is not, or raw JSON text.

        Privacy and allowed_updates do not hold it back. Returns the number that confirms it.
        """
        text = update if isinstance(update, str) else json.dumps({"update_id": bot.updates.next_id, **update})
        try:
            number = json.loads(text)["update_id"]
        except (ValueError, TypeError, KeyError, RecursionError):
            number = bot.updates.next_id
        bot.updates.put(number if isinstance(number, int) else bot.updates.next_id, text)
        return bot.updates.next_id - 1

    def file(self, name: str, data: bytes, *, told: int | None = None) -> str:
        """A file that getFile knows and that can be downloaded; its file_id. `told`: the size that is told of it."""
        self._files[name] = data
        self._told_sizes[name] = len(data) if told is None else told
        return name

    def order(self, fault: Fault, *, to: str = "", times: int = 1, chat: Chat | None = None) -> None:
        """Let the next requests fare so: to one method or any, into one chat or any. Earlier orders go first."""
        self._orders.append(Order(fault=fault, method=to.lower(), times=times, chat=chat))

    def hang(self, to: str = "", *, times: int = 1, chat: Chat | None = None) -> Hang:
        """Let the next requests wait, unprocessed, until what this returns is released."""
        hang = Hang()
        self.order(Fault(hang=hang), to=to, times=times, chat=chat)
        return hang

    def at(self, request: int, act: Act, *, when: When = "before", cut: bool = False, method: str = "") -> None:
        """Do something at the k-th request from now: 1 is the next; then cut its connection, if told to.

        Cut before, it was never processed; cut after, it was, but nobody learns of it.
        """
        self._hooks.append(Hook(at=request, act=act, when=when, cut=cut, method=method.lower()))

    def kill(self, pid: int, *, request: int, when: When = "before", method: str = "") -> None:
        """Send a process SIGKILL at the k-th request from now, and cut that request."""

        def act(asked: Request) -> None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

        self.at(request, act, when=when, cut=True, method=method)

    def token_owner(self, token: str) -> Bot | None:
        """The bot with this token."""
        return next((bot for bot in self.bots if bot.token == token), None)

    async def _serve(self, http: web.Request) -> web.StreamResponse:
        bot = self.token_owner(http.match_info["token"])
        if bot is None:
            return _refused(Refused(401, ""))
        try:
            args = await _arguments(http)
        except Refused as refused:
            return _refused(refused)
        asked = Request(
            number=len(self.asked) + 1, bot=bot, method=http.match_info["method"], args=args.given, at=self.now()
        )
        self.asked.append(asked)
        hooks = [hook for hook in self._hooks if hook.counts(asked)]
        fault = next((order.fault for order in self._orders if order.fits(asked)), FINE)
        self.bell.ring()
        if await _acted(hooks, asked, "before") or fault.cut == "before":
            return _cut(http)
        if fault.hang:
            await fault.hang.hold()
        answer = await self._answer(asked, args, fault)
        if await _acted(hooks, asked, "after") or fault.cut == "after":
            return _cut(http)
        await asyncio.sleep(fault.seconds)
        asked.status = answer.status
        self.bell.ring()
        return answer

    async def _tell_time(self, _: web.BaseRequest, answer: web.StreamResponse) -> None:
        answer.headers["Date"] = formatdate(self.now(), usegmt=True)

    async def _answer(self, asked: Request, args: Args, fault: Fault) -> web.Response:
        if fault.html:
            status, body = fault.html
            return web.Response(status=status, text=body, content_type="text/html")
        if fault.refused:
            return _refused(fault.refused)
        call = Call(world=self, flood=self.flood, files=self._told_sizes, bot=asked.bot, args=args)
        name = asked.method.lower()
        try:
            if name == "getupdates":
                return _json(f'{{"ok":true,"result":[{",".join(await self._updates(call))}]}}')
            result = METHODS.get(name, unknown_method)(call)
        except Refused as refused:
            return _refused(refused)
        told = {"ok": True, "result": result}
        if isinstance(result, Told):
            told = {"ok": True, "result": result.result, "description": result.description}
        return _json(json.dumps(told, separators=(",", ":")))

    async def _updates(self, call: Call) -> list[str]:
        """getUpdates. A request that would wait ends the one that already does, even from the same process."""
        updates = call.bot.updates
        if updates.webhook:
            why = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
            raise Refused(409, why)
        allow(call)
        offset, limit = call.args.number("offset"), call.args.number("limit", default=100, low=1, high=100)
        taken = updates.take(offset, limit)
        self.bell.ring()
        timeout = call.args.number("timeout", low=0, high=LONGEST_POLL)
        if taken or not timeout:
            return taken
        updates.interrupt("terminated by other getUpdates request; make sure that only one bot instance is running")
        updates.poll = poll = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(timeout):
                await poll
        except TimeoutError:
            return []
        except Superseded as superseded:
            raise Refused(409, str(superseded)) from None
        return updates.take(max(offset, 0), limit)

    async def _download(self, http: web.Request) -> web.Response:
        if self.token_owner(http.match_info["token"]) is None:
            return _refused(Refused(401, ""))
        data = self._files.get(http.match_info["name"])
        return _refused(Refused(404, "")) if data is None else web.Response(body=data)


async def _arguments(http: web.Request) -> Args:
    """The arguments, however they are sent: in the address, as a form, in parts, or as JSON."""
    given, uploads = dict(http.query), dict[str, bytes]()
    try:
        if http.content_type == "application/json":
            given |= _from_json(await http.read())
        elif http.content_type == "application/x-www-form-urlencoded":
            given |= dict(parse_qsl((await http.read()).decode(), keep_blank_values=True, errors="strict"))
        elif http.content_type == "multipart/form-data":
            async for part in await http.multipart():
                if not isinstance(part, BodyPartReader) or not part.name:
                    continue
                value = bytes(await part.read(decode=True))
                if part.filename:
                    uploads[part.name] = value
                else:
                    given[part.name] = value.decode()
    except UnicodeDecodeError:
        raise Refused(400, "strings must be encoded in UTF-8") from None
    if any(broken(value) for value in given.values()):
        raise Refused(400, "strings must be encoded in UTF-8")
    return Args(given, uploads)


def _from_json(body: bytes) -> dict[str, str]:
    try:
        value: Json = json.loads(body.decode() or "{}")
    except json.JSONDecodeError:
        value = None
    if not isinstance(value, dict):
        raise Refused(400, "can't parse JSON object")
    fields = cast("dict[str, Json]", value)
    return {
        name: given if isinstance(given, str) else json.dumps(given)
        for name, given in fields.items()
        if given is not None
    }


async def _acted(hooks: list[Hook], asked: Request, when: When) -> bool:
    """Run what is due; whether the connection is to be cut."""
    due = [hook for hook in hooks if hook.when == when]
    for hook in due:
        done = hook.act(asked)
        if inspect.isawaitable(done):
            await done
    return any(hook.cut for hook in due)


def _cut(http: web.Request) -> web.Response:
    if http.transport:
        http.transport.close()
    return web.Response()


def _json(text: str, *, status: int = 200, retry_after: int = 0) -> web.Response:
    body = text.encode("utf-8", "surrogatepass")
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    return web.Response(status=status, body=body, content_type="application/json", headers=headers)


def _refused(refused: Refused) -> web.Response:
    told: Json = {"ok": False, "error_code": refused.code, "description": refused.description}
    if refused.parameters:
        told["parameters"] = refused.parameters
    body = json.dumps(told, separators=(",", ":"))
    return _json(body, status=refused.code, retry_after=refused.parameters.get("retry_after", 0))


async def _nothing_here(http: web.Request) -> web.Response:
    return _refused(Refused(404, ""))


async def _run(port: int) -> None:
    async with BotApi(port=port) as api:
        print(api.base_url, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serve until stopped; print the address once it can be asked."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--port", type=int, default=0)
    try:
        asyncio.run(_run(parser.parse_args().port))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
