"""How often a model is asked again, and how long is waited in between: the policy, with tenacity.

What is asked again is asked because waiting may help (`ModelUnavailable`); everything else rises at once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type

from bot.errors import ModelUnavailable

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How much is put up with in one call, whatever becomes of it."""

    retries: int
    """Times that something is asked again, after the first try, in the whole call."""
    first_wait: float
    """Seconds before the first retry; each further wait is twice as long, less up to a half by chance."""
    longest_wait: float
    """Seconds of one wait at most. A server that asks for more ends the call, and its wish is passed on."""
    in_all: float
    """Seconds after which nothing is asked again."""
    requests: int
    """Requests in the whole call, those to find a bad text included."""
    for_good: bool = False
    """Whether a text without a vector stays without: then a control text must be served before."""


TURN = Patience(retries=5, first_wait=0.5, longest_wait=10.0, in_all=30.0, requests=32)
"""Somebody waits for an answer."""
JOB = Patience(retries=5, first_wait=1.0, longest_wait=120.0, in_all=600.0, requests=1000, for_good=True)
"""Nobody waits, and what is found is kept."""
CHAT = Patience(retries=2, first_wait=1.0, longest_wait=10.0, in_all=60.0, requests=3)
"""A chat model, while somebody waits: an answer takes long by itself."""


class Tries:
    """What is left of the patience of one call."""

    def __init__(
        self, patience: Patience, sleep: Sleep, random: Callable[[], float], clock: Callable[[], float]
    ) -> None:
        self.patience = patience
        self._sleep, self._random, self._clock = sleep, random, clock
        self._started = clock()
        self._retries = 0
        self._requests = 0
        self._waited = 0.0

    async def run(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask until it is answered, or until patience runs out; then the last error rises."""
        if self._requests >= self.patience.requests:
            raise ModelUnavailable(f"gave up after {self._requests} requests for one batch of texts")
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(ModelUnavailable),
            wait=self._wait,
            stop=self._has_had_enough,
            sleep=self._rest,
            reraise=True,
        )

        async def once() -> T:
            self._requests += 1
            return await ask()

        return await retrying(once)

    def _wait(self, state: RetryCallState) -> float:
        doubled = min(self.patience.first_wait * 2**self._retries, self.patience.longest_wait)
        return max(doubled * (0.5 + 0.5 * self._random()), _asked_to_wait(state))

    def _has_had_enough(self, state: RetryCallState) -> bool:
        passed = max(self._clock() - self._started, self._waited)
        return (
            self._retries >= self.patience.retries
            or self._requests >= self.patience.requests
            or _asked_to_wait(state) > self.patience.longest_wait
            or passed + state.upcoming_sleep > self.patience.in_all
        )

    async def _rest(self, seconds: float) -> None:
        self._retries += 1
        self._waited += seconds
        await self._sleep(seconds)


def _asked_to_wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    return (error.retry_after or 0.0) if isinstance(error, ModelUnavailable) else 0.0
