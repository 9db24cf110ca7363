"""Past messages put in order by a chat model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from bot.actions.visible import visible
from bot.errors import BadAnswer, ModelUnavailable
from bot.model import Message, ModelReply
from bot.ports import ChatModel
from bot.prompts.order import render_order

_TIMEOUT = 20.0
"""Seconds for the order of what is remembered: somebody waits for the answer that comes after it."""
_LIST = re.compile(r"\[([\d\s,，、#\"']*)\]")
_MARKED = re.compile(r"#\s?(\d{1,4})(?!\d)")
_RUN = re.compile(r"(?<![\w.:/-])\d{1,4}(?:(?:[\s,，、>→;]|->)+\d{1,4})+(?![\w:/])")
_ONLY = re.compile(r"\W*(\d{1,4})\W*")
_NUMBER = re.compile(r"(?<!\d)\d{1,4}(?!\d)")


class ModelReranker:
    """Implements `ports.Reranker` around a chat model, whose patience it shares up to a limit of its own."""

    def __init__(self, chat: ChatModel, *, max_reply_tokens: int, timeout: float = _TIMEOUT) -> None:
        """`timeout`: seconds for all of it, whatever is asked again."""
        self._chat = chat
        self._max_reply_tokens = max_reply_tokens
        self._timeout = timeout

    @property
    def name(self) -> str:
        """The model's name, as its server calls it."""
        return self._chat.name

    async def order(self, asked: Sequence[str], candidates: Sequence[Message]) -> list[int]:
        """As `Reranker.order`."""
        prompt = render_order(asked, candidates, max_reply_tokens=self._max_reply_tokens)
        try:
            async with asyncio.timeout(self._timeout):
                reply = await self._chat.complete(prompt)
        except TimeoutError:
            raise ModelUnavailable(
                f"{self.name!r} did not put memories in order within {self._timeout:g} s; "
                "set RECALL_RERANK=off if this goes on"
            ) from None
        return self._order(reply, count=len(candidates))

    def _order(self, reply: ModelReply, *, count: int) -> list[int]:
        if reply.refusal is not None or reply.finish_reason == "content_filter":
            raise BadAnswer(f"{self.name!r} refused to put memories in order; RECALL_RERANK=off asks it no more")
        answer = visible(reply.text)
        if reply.finish_reason == "length" or answer.unfinished:
            raise BadAnswer(f"{self.name!r} was cut off while it put memories in order; raise MAX_REPLY_TOKENS")
        order = order_in(answer.text, count)
        if not order:
            raise BadAnswer(f"{self.name!r} put no memories in order; try another LLM_MODEL, or RECALL_RERANK=off")
        return order


def order_in(text: str, count: int) -> list[int]:
    """Places (from 0) in the order of a model's answer; empty when it holds none.

    The answer may be JSON, `#3, #1`, or numbers with nothing but separators between them. Numbers that nobody gave are
    ignored, and of those that come twice the first counts. A lone number within a sentence is no order.
    """
    places = (int(number) - 1 for number in _numbers(text))
    return list(dict.fromkeys(place for place in places if 0 <= place < count))


def _numbers(text: str) -> list[str]:
    lists = [_NUMBER.findall(inside) for inside in _LIST.findall(text)]
    if any(len(numbers) > 1 for numbers in lists):
        return max(reversed(lists), key=len)
    if any(lists):
        return [number for numbers in lists for number in numbers]
    if marked := _MARKED.findall(text):
        return marked
    if runs := [_NUMBER.findall(run) for run in _RUN.findall(text)]:
        return max(reversed(runs), key=len)
    only = _ONLY.fullmatch(text)
    return [only[1]] if only else []
