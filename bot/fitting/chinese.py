"""How Chinese tells and asks about the world of the template chats."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta

from bot.fitting import (
    chinese_home,
    chinese_life,
    chinese_notes,
    chinese_people,
    chinese_play,
    chinese_scenes,
    chinese_scenes_more,
    chinese_small,
)
from bot.fitting.notes_script import read_traits
from bot.fitting.script import read_topics
from bot.fitting.speech import Speech

_DAYS = "一二三四五六日"
_NUMBERS = "零一两三四五六七八九十"


def said_day(day: date, today: date, rng: random.Random) -> str:
    """A day as said on another: 上周五, 三天前, 3月5号."""
    ago = (today - day).days
    ways = [_calendar_day(day, rng)]
    ways += _past(day, today, ago) if ago >= 0 else _future(day, today, -ago)
    return rng.choice(ways) if rng.random() < 0.25 else rng.choice(ways[1:] or ways)


def _past(day: date, today: date, ago: int) -> list[str]:
    weeks = (_monday(today) - _monday(day)).days // 7
    ways: list[str] = []
    if ago < 3:
        ways += (["今天", "今天早上", "刚才"], ["昨天", "昨天", "昨晚"], ["前天", "前天"])[ago]
    elif ago < 10:
        ways += [f"{_number(ago)}天前"]
    if ago > 1 and weeks <= 2:
        ways += [("这", "上", "上上")[weeks] + week_day(day)]
    if weeks == 1 and day.weekday() >= 5:
        ways += ["上周末", "上个周末"]
    if weeks == 1 and ago > 1:
        ways += ["上周", "上个星期"]
    if ago % 7 == 0 and 0 < ago <= 28:
        ways += [f"{_number(ago // 7)}周前" if ago > 7 else "一周前"]
    if ago > 6 and _month(day) == _month(today) - 1:
        ways += ["上个月", f"上个月{day.day}号"]
    if ago > 25:
        ways += ["一个月前" if ago < 40 else "差不多两个月前"]
    return ways


def _future(day: date, today: date, ahead: int) -> list[str]:
    weeks = (_monday(day) - _monday(today)).days // 7
    ways: list[str] = []
    if ahead < 3:
        ways += (["明天", "明天"], ["后天", "后天"])[ahead - 1]
    elif ahead < 10:
        ways += [f"{_number(ahead)}天后"]
    if weeks <= 2:
        ways += [("这", "下", "下下")[weeks] + week_day(day)]
    if weeks <= 1 and day.weekday() >= 5:
        ways += [("这", "下")[weeks] + "周末"]
    if weeks == 1:
        ways += ["下周", "下个星期"]
    if ahead % 7 == 0:
        ways += ["一周后" if ahead == 7 else f"{_number(ahead // 7)}周后"]
    if ahead > 6 and _month(day) == _month(today) + 1:
        ways += ["下个月", f"下个月{day.day}号"]
    return ways


def week_day(day: date) -> str:
    """The day's name within its week."""
    return f"周{_DAYS[day.weekday()]}"


def asked_day(day: date, rng: random.Random) -> str:
    """A day as a question names it."""
    return rng.choice(
        (
            f"{day.year}年{day.month}月{day.day}日", f"{day.month}月{day.day}日", f"{day.month}月{day.day}号",
            f"{day.year}年{day.month}月", f"{day.month}月份",
        )
    )  # fmt: skip


def _calendar_day(day: date, rng: random.Random) -> str:
    return rng.choice((f"{day.month}月{day.day}号", f"{day.month}月{day.day}日"))


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _month(day: date) -> int:
    return day.year * 12 + day.month


def tidy(text: str) -> str:
    """No blanks between Chinese characters, no doubled stops."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(?<=[，。！？]) (?=[一-鿿，。！？])", "", text)
    return re.sub(r"([。！？])。", r"\1", text)


TAG_ASKS = {
    "hobby": ("{A}有哪些爱好？", "{A}平时闲下来喜欢做什么？", "{A}业余时间都玩些什么？"),
    "trip": ("{A}去过哪些地方旅行？", "{A}都去哪儿玩过或者打算去哪儿玩？"),
    "family": ("{A}提到过哪些家人？", "{A}家里都有谁？", "{A}说过家里人的哪些事？"),
    "bought": ("{A}都买了些什么？", "{A}最近添置了哪些东西？"),
    "health": ("{A}身体出过哪些问题？", "{A}生过什么病、受过什么伤？"),
    "learning": ("{A}都在学什么？", "{A}最近在学哪些新东西？"),
    "food": ("{A}喜欢吃什么、做过什么吃的？", "{A}做过或者吃过哪些好吃的？"),
    "outdoors": ("{A}有过哪些户外活动？", "{A}怎么亲近大自然？"),
    "helping": ("{A}怎么帮助别人？", "{A}做过哪些公益的事？"),
    "stress": ("{A}怎么缓解压力？", "什么能让{A}放松下来？"),
}
DATED_ASKS = ("{day}{A}做了什么？", "{A}{day}干什么去了？", "{A}{day}发生了什么事？", "{day}的时候{A}有什么安排？")

CHINESE = Speech(
    code="zh",
    column=1,
    topics=read_topics(chinese_home.SCRIPT + chinese_life.SCRIPT + chinese_people.SCRIPT + chinese_play.SCRIPT),
    scenes=read_topics(chinese_scenes.SCRIPT + chinese_scenes_more.SCRIPT),
    traits=read_traits(chinese_notes.SCRIPT),
    small=chinese_small.SMALL,
    note_asides=chinese_notes.ASIDES,
    note_asides_of_values=chinese_notes.ASIDES_OF_VALUES,
    note_trailing=chinese_notes.TRAILING,
    note_answers=chinese_notes.ANSWERS,
    mine="我{who}",
    said_day=said_day,
    asked_day=asked_day,
    pronouns={"he": ("他", "她"), "him": ("他", "她"), "his": ("他", "她"), "himself": ("他自己", "她自己")},
    vague=("上个月", "一个月前", "差不多两个月前", "下个月", "上周", "上个星期", "下周", "下个星期"),
    asked_month=lambda day, rng: rng.choice((f"{day.year}年{day.month}月", f"{day.month}月份")),
    someone_who=("{D}的那个人", "{D}的那位", "{D}的朋友", "那个{D}的人"),
    tag_asks=TAG_ASKS,
    dated_asks=DATED_ASKS,
    word_asks=(
        "{A}说过{W}的什么事？",
        "关于{W}，{A}是怎么说的？",
        "{A}为什么提到{W}？",
        "{W}跟{A}有什么关系？",
        "{A}提过{W}，具体是什么情况？",
    ),
    anchors=("关于#，", "说到#，", "#的话，"),
    theirs=lambda title, name: title.replace("我", name),
    called=("{name}，{text}", "@{name} {text}", "哎{name}，{text}"),
    tidy=tidy,
)
