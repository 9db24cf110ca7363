"""What the offline responder says, in each of its languages. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh", "zh-Hant", "ja", "ko", "ru", "es", "fr", "de"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """What is said in one language. `{when}`, `{who}` and `{text}` are filled in."""

    they: str
    you: str
    me: str
    nothing: str
    """Asked about something that is not remembered."""
    hello: str
    """Neither asked anything, nor anything to quote."""
    notice: str
    """That no chat model is set, and how to set one."""
    when: str
    """`{y}` year, `{m}` month or its name, `{d}` day, `{t}` time."""
    months: str = ""
    """Their names, as dates have them, with spaces between."""
    question: str
    """A pattern: words that ask."""
    greeting: str
    """A pattern: words of which nothing is to be looked up."""


_SET = "LLM_API_BASE_URL, LLM_MODEL"
NOTICE_MARK = "LLM_API_BASE_URL"
"""Stands in the notice of every language."""

PHRASES: Mapping[Language, Phrases] = {
    "en": Phrases(
        they="{who} said on {when}: “{text}”",
        you="You said on {when}: “{text}”",
        me="I said on {when}: “{text}”",
        nothing="I don't remember anything about that.",
        hello="I'm here, and I remember what is said.",
        notice=f"(No chat model is set, so I can only quote what was said. To change that: {_SET}.)",
        when="{d} {m} {y}, {t}",
        months="January February March April May June July August September October November December",
        question=r"\b(who|whose|what|when|where|why|how|which|do you (know|remember)|remember|tell me)\b",
        greeting=r"hi|hello|hey|yo|(good )?(morning|evening|night)|thanks?( you)?|bye|ok(ay)?|lol|there|all",
    ),
    "zh": Phrases(
        they="{who} 在 {when} 说过：“{text}”",
        you="你在 {when} 说过：“{text}”",
        me="我在 {when} 说过：“{text}”",
        nothing="关于这件事，我什么都不记得。",
        hello="我在，大家说的话我都记着。",
        notice=f"（还没有设置聊天模型，所以我只能引用以前的话。设置方法：{_SET}）",
        when="{y}年{m}月{d}日 {t}",
        question="[吗么呢谁哪几]|什么|怎么|多少|为啥|何时|记得|是不是|有没有",
        greeting="你好|您好|大家好|嗨|哈喽|早安?|早上好|晚安|晚上好|谢谢|多谢|再见|拜拜|好的?|嗯+|哈+|啊|呀",
    ),
    "zh-Hant": Phrases(
        they="{who} 在 {when} 說過：「{text}」",
        you="你在 {when} 說過：「{text}」",
        me="我在 {when} 說過：「{text}」",
        nothing="關於這件事，我什麼都不記得。",
        hello="我在，大家說的話我都記著。",
        notice=f"（還沒有設定聊天模型，所以我只能引用以前的話。設定方法：{_SET}）",
        when="{y}年{m}月{d}日 {t}",
        question="[嗎麼呢誰哪幾]|什麼|怎麼|多少|何時|記得|是不是|有沒有",
        greeting="你好|您好|大家好|嗨|哈囉|早安?|晚安|謝謝|多謝|再見|掰掰|好的?|嗯+|哈+|啊|呀|們",
    ),
    "ja": Phrases(
        they="{who}さんが{when}に言っていました：「{text}」",
        you="あなたは{when}に言っていました：「{text}」",
        me="私は{when}に言いました：「{text}」",
        nothing="それについては何も覚えていません。",
        hello="ここにいます。みんなの話は覚えています。",
        notice=f"（チャットモデルが設定されていないので、過去の発言を引用することしかできません。設定：{_SET}）",
        when="{y}年{m}月{d}日 {t}",
        question="[何誰]|いつ|どこ|どれ|どう|なぜ|なに|だれ|いくら|ますか|ですか|したか|たっけ|覚えて",
        greeting="こんにちは|こんばんは|おはよう(ございます)?|やあ|ありがとう(ございます)?|おやすみ|じゃあね|はい",
    ),
    "ko": Phrases(
        they="{who} 님이 {when}에 이렇게 말했어요: “{text}”",
        you="{when}에 이렇게 말하셨어요: “{text}”",
        me="저는 {when}에 이렇게 말했어요: “{text}”",
        nothing="그것에 대해서는 기억나는 게 없어요.",
        hello="저 여기 있어요. 나눈 이야기는 기억하고 있어요.",
        notice=f"(대화 모델이 설정되어 있지 않아 예전 말을 인용할 수만 있어요. 설정: {_SET})",
        when="{y}년 {m}월 {d}일 {t}",
        question="뭐|무엇|누구|누가|언제|어디|왜|어떻게|얼마|몇|기억|나요|까요|었지",
        greeting="안녕(하세요)?|고마워요?|감사합니다|잘 ?자요?|네|응|ㅋ+|ㅎ+",
    ),
    "ru": Phrases(
        they="{who}, {when}: «{text}»",
        you="Вы писали {when}: «{text}»",
        me="Я говорил это {when}: «{text}»",
        nothing="Об этом я ничего не помню.",
        hello="Я здесь и помню, о чём тут говорили.",
        notice=f"(Модель чата не задана, поэтому я могу лишь цитировать сказанное. Настройки: {_SET}.)",
        when="{d} {m} {y} г. в {t}",
        months="января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
        question=r"\b(кто|кого|кому|что|чего|когда|где|куда|почему|зачем|как|какой|какая|сколько|помни\w+)\b",
        greeting="привет(ик)?|здравствуй(те)?|добрый|доброе|день|утро|вечер|спасибо|пока|ок|ага|всем",
    ),
    "es": Phrases(
        they="{who} dijo el {when}: «{text}»",
        you="Dijiste el {when}: «{text}»",
        me="Dije el {when}: «{text}»",
        nothing="No recuerdo nada sobre eso.",
        hello="Aquí estoy, y recuerdo lo que se dice.",
        notice=f"(No hay modelo de chat configurado: solo puedo citar lo dicho. Para cambiarlo: {_SET}.)",
        when="{d} de {m} de {y}, {t}",
        months="enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        question=r"\b(quién|qué|cuándo|dónde|por qué|cómo|cuál|cuánto|recuerdas|sabes)\b",
        greeting="hola|buenas|buenos|días|tardes|noches|gracias|adiós|vale|a|todos",
    ),
    "fr": Phrases(
        they="{who} a dit le {when} : « {text} »",
        you="Tu as dit le {when} : « {text} »",
        me="J'ai dit le {when} : « {text} »",
        nothing="Je ne me souviens de rien à ce sujet.",
        hello="Je suis là, et je me souviens de ce qui se dit.",
        notice=f"(Aucun modèle de chat n'est réglé : je ne peux que citer. Pour changer cela : {_SET}.)",
        when="{d} {m} {y} à {t}",
        months="janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        question=r"\b(qui|quoi|quand|où|pourquoi|comment|quels?|quelles?|combien|souviens|est-ce)\b",
        greeting="salut|bonjour|bonsoir|coucou|bonne|nuit|merci|à plus|ok|tout|le monde",
    ),
    "de": Phrases(
        they="{who} schrieb am {when}: „{text}“",
        you="Du schriebst am {when}: „{text}“",
        me="Ich schrieb am {when}: „{text}“",
        nothing="Daran habe ich keine Erinnerung.",
        hello="Ich bin da und merke mir, was gesagt wird.",
        notice=f"(Kein Chatmodell ist eingestellt, ich kann nur zitieren. Einzustellen: {_SET}.)",
        when="{d}. {m} {y}, {t} Uhr",
        months="Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        question=r"\b(wer|wen|wem|was|wann|wo|wohin|woher|warum|wie|welche\w?|wieviel|erinnerst|weißt)\b",
        greeting="hallo|hi|moin|servus|guten?|morgen|tag|abend|nacht|danke|tschüss|ok|zusammen",
    ),
}
