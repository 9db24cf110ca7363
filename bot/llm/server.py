"""One OpenAI-compatible server: sends a request once, through the openai SDK, and gives the raw body.

The SDK's own retries are off, and key, organisation and project that it would read from OPENAI_* variables are
not sent. Whatever goes wrong comes out as one of our errors.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit, urlunsplit

from openai import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    AsyncAPIResponse,
    AsyncOpenAI,
    Timeout,
    omit,
)

from bot.errors import ModelUnavailable, SettingsError
from bot.llm.failures import Asked, failure, failure_inside

_CONNECT = 5.0
"""Seconds to connect."""


class Server:
    """A server and one of its models."""

    def __init__(self, *, base_url: str, api_key: str | None, model: str, settings: str, timeout: float) -> None:
        """`settings` begins the names of the settings that lead here (LLM, EMBEDDING); `timeout` is for one
        whole request, in seconds.

        Raises `SettingsError` for an address or a key that cannot be one.
        """
        base_url = base_url.strip()
        key = (api_key or "").strip()
        _check(base_url, key, settings)
        self.asked = Asked(model=model, where=_shown(base_url), settings=settings)
        self._timeout = timeout
        self._headers = {"OpenAI-Organization": omit, "OpenAI-Project": omit} | ({} if key else {"Authorization": omit})
        self._client = AsyncOpenAI(
            base_url=base_url,
            api_key=key or "none",
            max_retries=0,
            timeout=Timeout(timeout, connect=min(_CONNECT, timeout)),
        )

    async def post(self, path: str, body: Mapping[str, object]) -> str:
        """The body of a 2xx answer. `path` begins with a slash. Raises one of `ModelError`."""
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._client.post(
                    path, cast_to=AsyncAPIResponse[object], body=body, options={"headers": self._headers}
                )
                text = (await response.read()).decode("utf-8", "replace")
        except APIStatusError as error:
            raise failure(
                self.asked,
                status=error.status_code,
                headers=error.response.headers,
                body=error.response.text,
                now=datetime.now(UTC),
            ) from None
        except (APITimeoutError, TimeoutError):
            raise ModelUnavailable(f"{self.asked} did not answer within {self._timeout:g} s") from None
        except APIConnectionError as error:
            raise ModelUnavailable(
                f"no connection to {self.asked} ({type(error.__cause__ or error).__name__}); "
                f"is it running, and is {self.asked.settings}_API_BASE_URL right?"
            ) from None
        wrong = failure_inside(self.asked, headers=response.headers, body=text, now=datetime.now(UTC))
        if wrong:
            raise wrong
        return text

    async def aclose(self) -> None:
        """Close its connections."""
        await self._client.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()


def _check(base_url: str, key: str, settings: str) -> None:
    parts = urlsplit(base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise SettingsError(
            f"{settings}_API_BASE_URL is no address of a server; write one such as http://127.0.0.1:11434/v1"
        )
    if not (key.isascii() and key.isprintable()):
        raise SettingsError(f"{settings}_API_KEY holds characters that no key has; copy it again")


def _shown(base_url: str) -> str:
    """The address without user name, password and query."""
    parts = urlsplit(base_url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))
