"""Template chats: what a fit may rely on."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from bot.bench.recall import RecallSet
from bot.fitting.chat import TemplateConversation, TemplateSet
from bot.fitting.chinese import CHINESE
from bot.fitting.english import ENGLISH
from bot.fitting.script import ScriptError, read_topics
from bot.fitting.speech import Speech
from bot.fitting.templates import generate
from bot.fitting.words import POOLS
from bot.fitting.world import DAY_POOLS


@pytest.fixture(scope="module")
def chats() -> TemplateSet:
    """Forty chats: every kind in every language."""
    return generate(1, conversations=40)


def _times(conversation: TemplateConversation) -> dict[str, datetime]:
    return {message["id"]: datetime.fromisoformat(message["sent_at"]) for message in conversation["messages"]}


def _each(chats: TemplateSet) -> Iterator[tuple[TemplateConversation, dict[str, datetime]]]:
    for conversation in chats["conversations"]:
        yield conversation, _times(conversation)


def test_the_same_seed_gives_the_same_bytes(chats: TemplateSet) -> None:
    assert json.dumps(generate(1, conversations=40)) == json.dumps(chats)


def test_fewer_chats_are_the_first_of_more(chats: TemplateSet) -> None:
    assert generate(1, conversations=3)["conversations"] == chats["conversations"][:3]


def test_another_seed_gives_other_people(chats: TemplateSet) -> None:
    other = generate(2, conversations=3)["conversations"]
    assert all(one["messages"] != two["messages"] for one, two in zip(other, chats["conversations"], strict=False))


def test_the_loader_of_recall_sets_accepts_them(chats: TemplateSet) -> None:
    loaded = RecallSet.model_validate(json.loads(json.dumps(chats)))
    assert len(loaded.conversations) == 40


def test_every_kind_and_language_occurs(chats: TemplateSet) -> None:
    conversations = chats["conversations"]
    assert {one["kind"] for one in conversations} == {"friends", "group", "notes", "scene"}
    assert {one["language"] for one in conversations} == {"en", "zh", "mixed"}
    assert {(one["kind"], one["language"]) for one in conversations} >= {
        (kind, language) for kind in ("friends", "group", "notes", "scene") for language in ("en", "zh")
    }


def test_evidence_exists_and_is_older_than_its_question(chats: TemplateSet) -> None:
    for conversation, times in _each(chats):
        for question in conversation["questions"]:
            asked_at = datetime.fromisoformat(question["asked_at"])
            assert question["evidence"]
            assert all(times[number] < asked_at for number in question["evidence"]), question


def test_some_questions_come_before_the_chat_ends(chats: TemplateSet) -> None:
    early = 0
    for conversation, times in _each(chats):
        end = max(times.values())
        early += sum(datetime.fromisoformat(question["asked_at"]) < end for question in conversation["questions"])
    assert early > 100


def test_ids_are_unique_and_times_increase(chats: TemplateSet) -> None:
    for conversation, times in _each(chats):
        assert len(times) == len(conversation["messages"])
        sent = list(times.values())
        assert all(earlier < later for earlier, later in pairwise(sent))


def test_returns_point_back_to_earlier_sessions(chats: TemplateSet) -> None:
    returns = 0
    for conversation, times in _each(chats):
        for back in conversation["returns"]:
            returns += 1
            assert all(times[number] < times[back["id"]] for number in back["evidence"])
    assert returns > 200


def test_chats_have_the_sizes_that_a_fit_expects(chats: TemplateSet) -> None:
    for conversation in chats["conversations"]:
        assert 150 <= len(conversation["messages"]) <= 650, conversation["id"]
        assert 40 <= len(conversation["questions"]) <= 150, conversation["id"]


def test_no_slot_or_choice_is_left_in_a_text(chats: TemplateSet) -> None:
    for conversation in chats["conversations"]:
        texts = [message["text"] for message in conversation["messages"]]
        for text in texts + [question["question"] for question in conversation["questions"]]:
            assert text.strip()
            assert not set(text) & set("{}<>|#"), text


def test_sessions_of_friends_lie_hours_apart_and_their_messages_seconds(chats: TemplateSet) -> None:
    friends = next(one for one in chats["conversations"] if one["kind"] == "friends")
    sent = list(_times(friends).values())
    gaps = [later - earlier for earlier, later in pairwise(sent)]
    assert all(gap <= timedelta(seconds=300) or gap >= timedelta(hours=1) for gap in gaps)
    assert sum(gap >= timedelta(hours=1) for gap in gaps) >= 8


@pytest.mark.parametrize("speech", [ENGLISH, CHINESE], ids=lambda speech: speech.code)
def test_every_template_names_slots_and_labels_that_exist(speech: Speech) -> None:
    for topic in [*speech.topics.values(), *speech.scenes.values()]:
        labels = {line.label for part in topic.parts for line in part}
        assert set(topic.slots.values()) <= POOLS.keys() | DAY_POOLS.keys(), topic.name
        assert set(topic.tags.values()) | topic.moods <= labels, topic.name
        for ask in topic.asks:
            assert set(ask.labels) <= labels, (topic.name, ask.texts)
        assert {label for label, _ in topic.clauses} <= labels, topic.name


def test_both_languages_tell_the_same_topics() -> None:
    assert ENGLISH.topics.keys() == CHINESE.topics.keys()
    assert ENGLISH.traits.keys() == CHINESE.traits.keys()
    assert all(topic.slots == CHINESE.topics[name].slots for name, topic in ENGLISH.topics.items())
    assert all(scene.slots == CHINESE.scenes[name].slots for name, scene in ENGLISH.scenes.items())


def test_a_line_outside_a_topic_is_refused() -> None:
    with pytest.raises(ScriptError, match="no topic is open"):
        read_topics("A: Hello.")
