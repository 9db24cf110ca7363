"""Answers without a chat model: quotes what was recalled, with who said it and when.

It never pretends to understand: it quotes, says that it remembers nothing, or says that it is there. Nothing
is random, and nothing leaves the process.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from bot.llm.languages import date_in, language_of
from bot.llm.phrases import NOTICE_MARK, PHRASES, Language, Phrases
from bot.llm.texts import sendable
from bot.model import Hit, Message, ModelReply, Prompt, View

NAME = "offline"
_QUOTES = 3
_LONGEST_QUOTE = 200
_LONGEST_NAME = 40
_NEAR = 0.8
"""Hits that are less similar than this share of the best are not quoted beside it."""
_ASKS = re.compile("[?？؟⸮]")
_MOST_WORDS = 0.5
"""Of a question's words, the share that a statement in view must have to answer it."""
_COMMON = frozenset(
    "the what where when who whom whose which why how does did are was were can you your and for".split()  # noqa: SIM905
)
"""Words of a question that no answer has to share."""


class OfflineResponder:
    """Implements `ports.ChatModel`. Its reply is the JSON of an action, as a real model would send it."""

    def __init__(self) -> None:
        self._has_told = False
        """Whether this process has said that no chat model is set."""

    @property
    def name(self) -> str:
        """What stands for a model's name."""
        return NAME

    async def complete(self, prompt: Prompt) -> ModelReply:
        """Quotes of the best hits in the language of the last unread message."""
        language = _language(prompt.view)
        lines = [_answer(prompt, language)]
        if not self._has_told and not _was_told(prompt.view.recent):
            lines.append(PHRASES[language].notice)
        self._has_told = True
        action = {"action": "send_message", "messages": lines, "reply_to": None}
        return ModelReply(text=json.dumps(action, ensure_ascii=False), finish_reason="stop", model=NAME)


def _answer(prompt: Prompt, language: Language) -> str:
    phrases = PHRASES[language]
    unread = [message.text for message in prompt.view.unread]
    asks = any(_ASKS.search(text) or re.search(phrases.question, text, re.IGNORECASE) for text in unread)
    if not asks and all(_is_greeting(text, phrases) for text in unread):
        return phrases.hello
    said = just_said(prompt.view)
    hits = quotable(prompt.recalled.hits, unread=unread)
    quoted = [*said, *(hit.message for hit in hits)][:_QUOTES] if asks else [hit.message for hit in hits]
    if quoted:
        askers = {message.sender_id for message in prompt.view.unread}
        return "\n".join(_quote(message, askers, prompt.zone, language) for message in quoted)
    return phrases.nothing if asks else phrases.hello


def quotable(hits: Sequence[Hit], *, unread: Sequence[str]) -> list[Hit]:
    """The one to three hits that are worth quoting, best first.

    Not what merely repeats the unread texts or another hit, nor what this responder said itself. Statements
    are taken rather than questions: who asks wants an answer, not their question of last week.
    """
    seen = {_folded(text) for text in unread} | {""}
    fresh: list[Hit] = []
    for hit in hits:
        folded = _folded(hit.message.text)
        if folded not in seen and not (hit.message.persona is not None and _is_ours(hit.message.text)):
            seen.add(folded)
            fresh.append(hit)
    stated = [hit for hit in fresh if not _ASKS.search(hit.message.text)] or fresh
    best = stated[0].similarity if stated else 0.0
    return [hit for hit in stated if hit.similarity >= best * _NEAR][:_QUOTES]


def just_said(view: View) -> list[Message]:
    """What answers the last unread message among those that are in view anyway, which recall leaves out.

    The statement of a person that shares most of the question's words, if that is most of them; of two, the newer.
    """
    asked = _words(view.unread[-1].text) if view.unread else set[str]()
    best: Message | None = None
    most = 0.0
    for message in (*view.recent, *view.unread[:-1]):
        if message.persona is None and not _ASKS.search(message.text):
            share = len(asked & _words(message.text)) / max(1, len(asked))
            if share >= max(most, _MOST_WORDS):
                best, most = message, share
    return [best] if best else []


def _words(text: str) -> set[str]:
    """Words of some length, each by its beginning so that "lives" is "live"; of scripts without spaces, pairs."""
    folded = text.casefold()
    wide = re.findall(r"[\u3040-\u30ff\u3400-\u9fff]+", folded)
    pairs = {run[n : n + 2] for run in wide for n in range(len(run) - 1)}
    return pairs | {word[:5] for word in re.findall(r"[^\W\u3040-\u30ff\u3400-\u9fff]{3,}", folded)} - _COMMON


def one_line(text: str, *, longest: int) -> str:
    """The text on one line without control and bidi characters, cut at a word's or a character's end."""
    spaced = "".join(" " if character.isspace() else character for character in sendable(text))
    shown = (one for one in spaced if one == "\u200d" or unicodedata.category(one) not in {"Cc", "Cf"})
    line = " ".join("".join(shown).split())
    if len(line) <= longest:
        return line
    end = longest - 1
    while end > 1 and _belongs_to_the_one_before(line, end):
        end -= 1
    space = line.rfind(" ", end * 3 // 4, end + 1)
    return line[: space if space > 0 else end].rstrip() + "…"


def _belongs_to_the_one_before(line: str, position: int) -> bool:
    """Whether cutting here would tear a character apart: accents, joined and coloured emoji."""
    character = line[position]
    joined = "\u200d" in {character, line[position - 1]}
    return joined or unicodedata.category(character) in {"Mn", "Mc", "Me", "Sk"}


def _quote(message: Message, askers: set[str | None], zone: ZoneInfo, language: Language) -> str:
    phrases = PHRASES[language]
    if message.persona is not None:
        template = phrases.me
    elif message.sender_id is not None and askers == {message.sender_id}:
        template = phrases.you
    else:
        template = phrases.they
    return template.format(
        who=one_line(message.sender, longest=_LONGEST_NAME) or "?",
        when=date_in(language, message.sent_at.astimezone(zone)),
        text=one_line(message.text, longest=_LONGEST_QUOTE),
    )


def _language(view: View) -> Language:
    """That of the last unread message that has letters."""
    for message in reversed(view.unread):
        if language := language_of(message.text):
            return language
    return "en"


def _was_told(recent: Sequence[Message]) -> bool:
    return any(message.persona is not None and NOTICE_MARK in message.text for message in recent)


def _is_greeting(text: str, phrases: Phrases) -> bool:
    """Whether nothing is left of a text when its greetings are taken away, but a name at most."""
    rest = re.sub(rf"(?<!\w)({phrases.greeting})(?!\w)", " ", text, flags=re.IGNORECASE)
    if rest == text and re.search(r"\w", text):
        rest = re.sub(f"^({phrases.greeting})+", " ", text)
    words = re.findall(r"\w+", rest)
    return not words or (rest != text and len(words) == 1 and len(words[0]) <= _LONGEST_NAME // 2)


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _is_ours(text: str) -> bool:
    """Whether this responder said it: quoting quotes helps nobody."""
    return any(line in _FIXED or any(form.fullmatch(line) for form in _FORMS) for line in text.splitlines())


def _form(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(template)))


_FORMS = tuple(_form(template) for phrases in PHRASES.values() for template in (phrases.they, phrases.you, phrases.me))
_FIXED = frozenset(line for phrases in PHRASES.values() for line in (phrases.nothing, phrases.hello, phrases.notice))
