"""Template chats with questions, from which the ranker of recall is fitted: all of it our own sentences."""

from __future__ import annotations

import random

from bot.fitting.chat import TemplateConversation, TemplateSet
from bot.fitting.chinese import CHINESE
from bot.fitting.english import ENGLISH
from bot.fitting.notes import notes
from bot.fitting.scenes import scenes
from bot.fitting.talks import talk

_KINDS = ("friends", "notes", "group", "scene", "friends", "notes", "group", "friends", "scene", "notes")
_LANGUAGES = ("en", "zh", "en", "zh", "en", "zh", "en", "zh", "mixed")


def generate(seed: int, *, conversations: int) -> TemplateSet:
    """So many chats of every kind and language; the same seed gives the same chats."""
    return {
        "name": f"templates-{seed}",
        "language": "en, zh",
        "licence": "MIT",
        "conversations": [_conversation(seed, number) for number in range(conversations)],
    }


def _conversation(seed: int, number: int) -> TemplateConversation:
    rng = random.Random(f"{seed}:{number}")  # noqa: S311 - it must repeat
    kind = _KINDS[number % len(_KINDS)]
    language = _LANGUAGES[number % len(_LANGUAGES)]
    speech = CHINESE if language == "zh" or (language == "mixed" and rng.random() < 0.5) else ENGLISH
    speeches = [ENGLISH, CHINESE] if language == "mixed" else [speech]
    name = f"{kind}-{number}"
    if kind == "scene":
        return scenes(name, speech, language=speech.code, rng=rng)
    if kind == "notes":
        return notes(name, speech, language=speech.code, rng=rng)
    members = 2 if kind == "friends" else rng.randint(3, 8)
    return talk(name, speeches, members=members, language=language, rng=rng)
