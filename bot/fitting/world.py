"""People, days and sessions of the template chats, before any language has said them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

_WESTERN = """
Anna f Annie; Maria f Mari; Katherine f Kate; Elizabeth f Liz; Priya f Pri; Fatima f Fati; Yuki f Yu; Ingrid f Inga;
Chloe f Chlo; Zanele f Zee; Leila f Lei; Rosa f Rosie; Hannah f Han; Mei f Meimei; Olga f Olya; Imani f Mani;
Thomas m Tom; Benjamin m Ben; Samuel m Sam; Mateo m Teo; Arjun m AJ; Kwame m Kwa; Hiroshi m Hiro; Dmitri m Dima;
Oliver m Ollie; Youssef m Joe; Lars m Lasse; Diego m Digs; Nathaniel m Nate; Chidi m Chi; Gabriel m Gabe; Jin m Jinny;
Patrick m Pat; Sophia f Sophie; Theodora f Thea; Viktor m Vik
"""
_CHINESE = """
王芳 f 小芳; 李娜 f 娜娜; 陈静怡 f 静怡; 刘晓燕 f 燕子; 赵敏 f 敏敏; 周雨桐 f 雨桐; 孙丽华 f 丽华;
林婷 f 婷婷; 何佳 f 佳佳; 苏梦瑶 f 瑶瑶; 张伟 m 阿伟; 李强 m 强子; 陈浩然 m 浩然; 刘洋 m 洋洋;
黄志明 m 志明; 吴磊 m 磊子; 徐子轩 m 子轩; 马超 m 老马; 高建国 m 老高; 罗文博 m 文博; 郑凯 m 凯凯;
唐小龙 m 小龙; 谢思远 m 思远; 韩雪 f 小雪
"""
_FAMILY_NAMES = [
    "Lopez",
    "Novak",
    "Okafor",
    "Tanaka",
    "Haddad",
    "Lindqvist",
    "Moreau",
    "Silva",
    "Kapoor",
    "Becker",
    "Rossi",
    "Nguyen",
    "Murphy",
    "Petrov",
]

_AGO = (0, 1, 1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 12, 14, 14, 18, 21, 25, 30, 35, 45, 60)
_AHEAD = (1, 1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 14, 17, 21, 28, 30, 40)
DAY_POOLS = {"past": _AGO, "next": tuple(-days for days in _AHEAD)}
"""Pools whose values are days: how many days before the day on which they are said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How somebody types."""

    lower: bool = False
    no_stop: bool = False
    marks: tuple[str, ...] = ()
    """What they like to end a message with."""
    wordy: float = 0.3
    bursts: float = 0.1
    """How often they send in several messages what others send in one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who writes in a chat."""

    name: str
    woman: bool
    short: str
    nick: str
    manner: Manner

    def asked(self, rng: random.Random) -> str:
        """The name as a question says it: mostly as the chat shows it."""
        return rng.choices((self.short, self.name, self.nick), (0.82, 0.12, 0.06))[0]


def people(rng: random.Random, number: int, *, language: str, plain: bool = False) -> list[Person]:
    """So many people with names of their own, fit for a language (`mixed` has both kinds)."""
    source = {"en": _WESTERN, "zh": _CHINESE}.get(language, _WESTERN + ";" + _CHINESE)
    if language == "zh" and rng.random() < 0.15:
        source = _WESTERN
    full_names = rng.random() < 0.3
    return [
        _person(entry.split(), rng, full_names=full_names, plain=plain)
        for entry in rng.sample([entry for entry in source.split(";") if entry.strip()], number)
    ]


def _person(fields: list[str], rng: random.Random, *, full_names: bool, plain: bool) -> Person:
    short, sex, nick = fields
    full = f"{short} {rng.choice(_FAMILY_NAMES)}" if full_names and short.isascii() else short
    return Person(name=full, woman=sex == "f", short=short, nick=nick, manner=Manner() if plain else _manner(rng))


def _manner(rng: random.Random) -> Manner:
    marks: Sequence[tuple[str, ...]] = ((), (), ("!",), ("😂", "😊"), ("!!", "❤️"), ("...",))
    return Manner(
        lower=rng.random() < 0.15,
        no_stop=rng.random() < 0.2,
        marks=rng.choice(marks),
        wordy=rng.choice((0.1, 0.3, 0.5, 0.8)),
        bursts=rng.choice((0.0, 0.1, 0.4)),
    )


def first_evening(rng: random.Random) -> datetime:
    """When a chat begins."""
    day = date(rng.randint(2021, 2025), rng.randint(1, 12), rng.randint(1, 28))
    return datetime.combine(day, time(rng.randint(7, 21), rng.randint(0, 59)), tzinfo=UTC)


def session_starts(rng: random.Random, number: int) -> list[datetime]:
    """When each session begins: hours to days apart, more often days."""
    starts = [first_evening(rng)]
    longest = rng.choice((3, 6, 12, 18))
    while len(starts) < number:
        if rng.random() < 0.15:
            starts.append(starts[-1] + timedelta(hours=rng.randint(4, 9), minutes=rng.randint(0, 59)))
            continue
        day = starts[-1].date() + timedelta(days=rng.randint(1, longest))
        starts.append(datetime.combine(day, time(rng.randint(7, 22), rng.randint(0, 59)), tzinfo=UTC))
    return starts
