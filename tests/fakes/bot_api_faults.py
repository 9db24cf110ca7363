"""What can be ordered to go wrong in the fake Bot API, and what it keeps of each request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tests.fakes.bot_api_call import Refused, too_many
from tests.fakes.bot_api_values import Bot, Chat, Json

When: TypeAlias = Literal["before", "after"]
"""Before the request is processed, or after it but before its answer."""

BAD_GATEWAY = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>nginx/1.18.0</body>\r\n</html>\r\n"


@dataclass(eq=False, kw_only=True, repr=False)
class Request:
    """One request of a bot."""

    number: int
    """From 1, counting all methods and bots."""
    bot: Bot
    method: str
    args: Mapping[str, str]
    """As the text that a form carries."""
    at: float
    """By the server's clock."""
    status: int | None = None
    """What it was answered with; None while it waits, and ever after if its connection was cut."""

    def __repr__(self) -> str:
        return f"<{self.method} #{self.number} of {self.bot}: {self.status}>"

    def json(self) -> Json:
        told = {"number": self.number, "bot": self.bot.id, "method": self.method, "args": dict(self.args)}
        return {**told, "at": self.at, "status": self.status}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """How one request fares; without anything set, it fares well."""

    refused: Refused | None = None
    """Not processed, but answered so."""
    html: tuple[int, str] | None = None
    """Not processed, but answered with this status and page."""
    cut: When | None = None
    """The connection is closed without an answer."""
    hang: Hang | None = None
    seconds: float = 0
    """The answer comes so much later, in real time."""


class Hang:
    """Keeps requests waiting, unprocessed, until it is told to let go."""

    def __init__(self) -> None:
        self._reached = asyncio.Event()
        self._released = asyncio.Event()

    async def reached(self) -> None:
        """Wait until a request hangs in it."""
        await self._reached.wait()

    def release(self) -> None:
        """Let all that hang in it be processed."""
        self._released.set()

    async def hold(self) -> None:
        """Where a request waits."""
        self._reached.set()
        await self._released.wait()


FINE = Fault()
CUT_BEFORE = Fault(cut="before")
CUT_AFTER = Fault(cut="after")


def flood(retry_after: int) -> Fault:
    """429, come back in so many seconds."""
    return Fault(refused=too_many(retry_after))


def refusal(code: int, why: str, **parameters: int) -> Fault:
    """An answer that is not ok: `refusal(400, "TOPIC_CLOSED")`."""
    return Fault(refused=Refused(code, why, **parameters))


def page(status: int = 502, body: str = BAD_GATEWAY) -> Fault:
    """A page of HTML, as a proxy in front of Telegram sends it."""
    return Fault(html=(status, body))


def slow(seconds: float) -> Fault:
    """A late answer."""
    return Fault(seconds=seconds)


@dataclass(eq=False, kw_only=True)
class Order:
    """A fault for the next requests that it fits."""

    fault: Fault
    method: str
    """In lower case; empty for any."""
    times: int
    chat: Chat | None

    def fits(self, asked: Request) -> bool:
        """Whether it is for this request, which then uses it up by one."""
        right = self.method in {"", asked.method.lower()}
        right &= self.chat is None or asked.args.get("chat_id") == str(self.chat.id)
        if not right or self.times <= 0:
            return False
        self.times -= 1
        return True


Act: TypeAlias = Callable[[Request], Awaitable[None] | None]


@dataclass(eq=False, kw_only=True)
class Hook:
    """Something to do at the k-th request from now."""

    at: int
    act: Act
    when: When
    cut: bool
    method: str
    _seen: int = field(default=0, init=False)

    def counts(self, asked: Request) -> bool:
        """Whether this request is the one."""
        if self.method not in {"", asked.method.lower()}:
            return False
        self._seen += 1
        return self._seen == self.at
