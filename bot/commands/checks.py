"""One thing that `companion doctor` looks at: whether it is well, and its cure if it is not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.errors import BotError


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at."""

    name: str
    ok: bool
    detail: str
    cure: str = ""


async def look_at(name: str, look: Callable[[], Awaitable[str]], *, cure: str = "") -> Check:
    """What a look found, or what stands in its way, with this cure if the error itself has none."""
    try:
        return Check(name=name, ok=True, detail=await look())
    except BotError as error:
        return failed(name, error, cure=cure)


def failed(name: str, error: BotError, *, cure: str) -> Check:
    """Our errors read `what is wrong; what to do`."""
    detail, _, told = str(error).partition("; ")
    return Check(name=name, ok=False, detail=detail, cure=told or cure)
