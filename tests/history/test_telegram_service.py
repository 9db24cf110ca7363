from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.telegram_export import Fields
from tests.history.samples import kept, message, only, service


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"action": "create_group", "title": "Tea", "members": ["小雨", None]},
            "[created the group “Tea” with 小雨, Deleted account]",
        ),
        ({"action": "create_channel", "title": "Tea"}, "[created “Tea”]"),
        ({"action": "edit_group_title", "title": "Coffee"}, "[changed the title to “Coffee”]"),
        ({"action": "edit_group_photo", "photo": "photos/1.jpg", "width": 1}, "[changed the photo]"),
        ({"action": "delete_group_photo"}, "[removed the photo]"),
        ({"action": "invite_members", "members": ["小雨", "阿哲"]}, "[invited 小雨, 阿哲]"),
        ({"action": "invite_members", "members": ["Maya"]}, "[joined]"),
        ({"action": "remove_members", "members": ["小雨"]}, "[removed 小雨]"),
        ({"action": "remove_members", "members": ["Maya"]}, "[left]"),
        ({"action": "join_group_by_link", "inviter": "小雨"}, "[joined by an invite link of 小雨]"),
        ({"action": "join_group_by_link", "inviter": None}, "[joined by an invite link]"),
        ({"action": "join_group_by_request"}, "[joined]"),
        (
            {"action": "phone_call", "duration_seconds": 125, "discard_reason": "hangup"},
            "[phone call, 2 min 5 s]",
        ),
        ({"action": "phone_call", "discard_reason": "missed"}, "[phone call, missed]"),
        ({"action": "phone_call", "discard_reason": "hangup"}, "[phone call, not answered]"),
        ({"action": "phone_call"}, "[phone call, not answered]"),
        ({"action": "group_call", "duration": 30}, "[group call, 30 s]"),
        ({"action": "group_call"}, "[started a group call]"),
        (
            {"action": "group_call_scheduled", "schedule_date": 1700000000},
            "[scheduled a group call for 2023-11-14 22:13 UTC]",
        ),
        ({"action": "invite_to_group_call", "members": ["小雨"]}, "[invited 小雨 to the group call]"),
        ({"action": "take_screenshot"}, "[took a screenshot]"),
        ({"action": "joined_telegram"}, "[joined Telegram]"),
        ({"action": "score_in_game", "game_message_id": 3, "score": 42}, "[scored 42 in a game]"),
        (
            {"action": "send_star_gift", "gift_id": 1, "stars": 5, "gift_text": ["for ", "you"]},
            "[sent a gift] for you",
        ),
        ({"action": "send_premium_gift", "months": 3}, "[sent a gift: Telegram Premium]"),
        ({"action": "boost_apply", "boosts": 1}, "[boosted the group]"),
        ({"action": "change_creator", "new_creator": "小雨"}, "[made 小雨 the owner]"),
        (
            {
                "action": "todo_append_tasks",
                "items": [{"text": "tea", "id": 1}, {"text": ["c", "ake"], "id": 2}],
            },
            "[added to the checklist: tea; cake]",
        ),
        ({"action": "poll_append_answer", "option": "noodles"}, "[added to the poll: noodles]"),
        ({"information_text": "custom words"}, "[custom words]"),
    ],
)
def test_what_people_did_reads_as_what_its_actor_did(tmp_path: Path, fields: Fields, line: str) -> None:
    found = only(tmp_path, service(**fields))
    assert (found.sender, found.sender_id, found.text) == ("Maya", "5021734466", line)


def test_coming_near_has_no_actor_but_somebody_who_came(tmp_path: Path) -> None:
    near: Fields = {
        "id": 7,
        "type": "service",
        "date": "2023-11-15T06:13:20",
        "date_unixtime": "1700000000",
        "action": "proximity_reached",
        "from": "阿哲",
        "from_id": "user1",
        "to": "Maya",
        "to_id": "user2",
        "distance": 100,
        "text": "",
    }
    found = only(tmp_path, near)
    assert (found.sender, found.sender_id, found.text) == ("阿哲", "1", "[came within 100 m of Maya]")


def test_a_pin_points_at_the_pinned_message(tmp_path: Path) -> None:
    found = only(tmp_path, service(action="pin_message", message_id=3))
    assert (found.text, found.reply_to_external) == ("[pinned a message]", "3")


def test_a_topic_holds_what_answers_its_beginning_or_a_message_of_it(tmp_path: Path) -> None:
    found = kept(
        tmp_path,
        message(1, text="before there were topics"),
        service(2, action="topic_created", title="Cats"),
        service(3, action="topic_created", title="Trains"),
        message(4, reply_to_message_id=2, text="in Cats"),
        message(5, reply_to_message_id=4, text="answer in Cats"),
        message(6, reply_to_message_id=3, text="in Trains"),
        message(7, text="in General"),
        message(8, reply_to_message_id=7, text="answer in General"),
        message(9, reply_to_message_id=5, text="answer to the answer in Cats"),
        service(10, action="pin_message", message_id=9),
        service(11, action="topic_edit", new_title="Dogs", new_icon_emoji_id=5),
        message(12, reply_to_message_id=99, reply_to_peer_id="user1", text="answer to elsewhere"),
    )
    assert [one.topic for one in found] == ["", "2", "3", "2", "2", "3", "", "", "2", "2", "", ""]
    answers = [one.reply_to_external for one in found]
    assert answers == [None, None, None, None, "4", None, None, "7", "5", "9", None, None]


def test_topics_of_one_chat_are_none_of_anothers(tmp_path: Path) -> None:
    kept(tmp_path, service(2, action="topic_created", title="Cats"))
    [found] = kept(tmp_path, message(3, reply_to_message_id=2))
    assert (found.topic, found.reply_to_external) == ("", "2")
