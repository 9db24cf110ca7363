"""Fifty turns as they happen: what is said, and what the model answers to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.errors import ContextTooLong, ModelError, ModelUnavailable
from bot.model import ModelReply, ToolCall
from tests.fakes.ports import do, say

Answer = str | ModelReply | ModelError


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One turn: what people say, the model's answers, and what goes wrong."""

    said: Sequence[str]
    answers: Sequence[Answer]
    embedding_fails: bool = False
    fails: bool = False
    """No answer comes of it."""


def _cut(text: str) -> ModelReply:
    return ModelReply(text=text, finish_reason="length")


def _one(said: str, *answers: Answer) -> Scene:
    return Scene(said=[said], answers=answers)


_QUESTIONS = (
    "where does the spare key hang?",
    "what did Bob say about the boiler?",
    "is there small talk number 12?",
    "hello there",
    "who knows about the key and the boiler?",
    "how are you today",
)
_CHINESE = (
    "备用钥匙挂在哪里？",
    "鲍勃说锅炉后面有什么？",
    "你今天好吗",
    "我们周末去吃面条吧",
    "下雨了，记得带伞",
    "谁的生日快到了？",
)


def fifty() -> Iterator[Scene]:
    """The turns, each in the same chat, one after the other."""
    for n, question in enumerate(_QUESTIONS):
        yield _one(question, say(f"Answer {n}, I think."))
        yield Scene(said=[question, "really, please", "  "], answers=[say("One.", "Two.", f"And {n}.")])
    for n, question in enumerate(_CHINESE):
        yield _one(question, say(f"我记得：钥匙挂在锅炉后面。({n})"))
    yield Scene(said=["   "], answers=[do("stay_silent")])
    for text in ("quiet now", "this is between us", "never mind"):
        yield _one(text, do("stay_silent"))
    yield _one("look it up", do("recall", query="spare key hangs behind"), say("Behind the boiler."))
    yield _one("look twice", do("recall", query="key"), do("recall", query="boiler"), say("Found it."))
    yield _one("look for ever", do("recall", query="key"))
    yield _one("read back", do("read_history"), say("I have read it."))
    yield _one("查一下钥匙", do("recall", query="备用钥匙 boiler"), say("在锅炉后面。"))
    yield _one("look and be silent", do("recall", query="nothing at all like this"), do("stay_silent"))
    yield _one("cut once", _cut('{"action":"send_message","messages":["Well, I thi'), say("Well, I think so."))
    yield _one("cut twice", _cut('{"action":"send_message","messages":["Hello, Ann.","And then I'))
    yield _one("cut prose", _cut("This is a sentence. This is half of"), say("Whole now."))
    yield _one("unreadable", '{"action": }', say("Now it can be read."))
    yield _one("empty twice", "", "")
    yield _one("prose", "Just words, without any JSON.")
    yield _one("fenced", '```json\n{"action":"send_message","messages":["fenced"]}\n```')
    yield _one("thinking", "<think>should I?</think>" + say("I thought about it."))
    call = ToolCall(name="send_message", arguments='{"messages":["called"]}')
    yield _one("a call", ModelReply(text="", tool_calls=(call,), finish_reason="tool_calls"))
    broken = ToolCall(name="send_message", arguments='{"messages":["bro')
    yield _one("a broken call", ModelReply(text="", tool_calls=(broken,), finish_reason="tool_calls"), say("mended"))
    yield _one("refused", ModelReply(text="", refusal="I cannot", finish_reason="stop"))
    yield _one("filtered", ModelReply(text="something", finish_reason="content_filter"))
    yield _one("foreign", say("Behind the boiler.\nBob: I said so!"))
    yield _one("unknown", do("list_chats"))
    yield _one("answer me", '{"action":"send_message","messages":["to you"],"reply_to":"#1000"}')
    yield _one("one moment", do("wait", seconds=20))
    yield _one("still one moment", do("wait", seconds=20))
    yield _one("break", do("take_break"))
    yield _one("good night", do("sleep", seconds=3600))
    for text in ("where is the key? (no vectors)", "没有向量的问题"):
        yield Scene(said=[text], answers=[say("By words only.")], embedding_fails=True)
    yield _one("busy", ModelUnavailable("HTTP 503"), say("Now I can."))
    yield _one("very long", ContextTooLong("too long", status=400), say("In short."))
    for text in ("nobody answers", "没有人回答"):
        yield Scene(said=[text], answers=[ModelUnavailable("HTTP 503")], fails=True)
    yield _one("after all that", say("I am back."))
