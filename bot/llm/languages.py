"""Which of a few languages a text is in, and how dates are written in each. Pure: counting only.

Told by script, and among Latin scripts by the commonest words; what is none of these counts as English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from bot.llm.phrases import PHRASES, Language

_TRADITIONAL = frozenset("們這個說時會來對國學為過還沒嗎麼樣開關見話誰東車長門問間風馬魚點讓請謝買賣愛給現後裡")
_SIMPLIFIED = frozenset("们这个说时会来对国学为过还没吗么样开关见话谁东车长门问间风马鱼点让请谢买卖爱给现后里")
_COMMON: Mapping[Language, str] = {
    "en": "the and is are was what when where who how you my do did i it that to of in with we",
    "es": "el la los las que de y en un una es por con no qué cuándo dónde quién cómo mi tu está hola "
    "gracias me se del al fue ha he",
    "fr": "le la les des et est un une que qui quand où comment je tu il nous vous pas pour dans bonjour "
    "salut merci du au ce mon ma j c qu quoi avec as de te moi toi",
    "de": "der die das und ist nicht ich du wir ihr was wann wo wer wie ein eine mit für auf zu hat hast "
    "haben mein dein hallo danke von dem den guten",
}
"""The commonest words of those in Latin script."""
_LETTERS: Mapping[Language, str] = {"es": "ñ¿¡áíóú", "fr": "çœàèùûë", "de": "ßäöü"}
_FOREIGN = re.compile("[іїєґљњћђџãõșțłśźżčřšžğışőű]")
"""Letters of languages for which there are no phrases."""


def language_of(text: str) -> Language | None:
    """The language of a text, as far as it has letters; English when it is none that is known here."""
    scripts = Counter(script for script in map(_script, text) if script)
    if not scripts:
        return None
    east = scripts["kana"] + scripts["han"]
    weighed = {
        "east": 3 * east,
        "ko": 3 * scripts["hangul"],
        "ru": scripts["cyrillic"],
        "other": scripts["other"],
    }
    match max(weighed, key=weighed.__getitem__):
        case "east" if scripts["kana"] * 10 >= east:
            return "ja"
        case "east":
            old, new = (sum(character in known for character in text) for known in (_TRADITIONAL, _SIMPLIFIED))
            return "zh-Hant" if old > new else "zh"
        case "ko":
            return "ko"
        case _ if _FOREIGN.search(text.lower()):
            return "en"
        case "ru":
            return "ru"
        case _:
            return _by_words(text.lower())


def date_in(language: Language, moment: datetime) -> str:
    """A local moment as it is written in that language, to the minute."""
    phrases = PHRASES[language]
    month = phrases.months.split()[moment.month - 1] if phrases.months else str(moment.month)
    day = "1er" if language == "fr" and moment.day == 1 else str(moment.day)
    return phrases.when.format(y=moment.year, m=month, d=day, t=f"{moment:%H:%M}")


def _script(character: str) -> str | None:
    if "\u3040" <= character <= "\u30ff" and character not in "・ー゠":
        return "kana"
    if "\u3400" <= character <= "\u9fff" or "\U00020000" <= character <= "\U0003ffff":
        return "han"
    if "\uac00" <= character <= "\ud7af" or "\u1100" <= character <= "\u11ff" or "\u3131" <= character <= "\u318e":
        return "hangul"
    if not character.isalpha():
        return None
    return "cyrillic" if "\u0400" <= character <= "\u04ff" else "other"


def _by_words(text: str) -> Language:
    """English when nothing speaks for another language more."""
    words = re.findall(r"[^\W\d_]+", text)
    scores: dict[Language, float] = {
        language: float(sum(word in common.split() for word in words)) for language, common in _COMMON.items()
    }
    for language, letters in _LETTERS.items():
        scores[language] += sum(letter in text for letter in letters) * 0.6
    best: Language = max(scores, key=lambda language: scores[language])
    return best
