from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.telegram_export import Fields
from tests.history.samples import kept, media, message, only


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"photo": "photos/photo_1.jpg", "photo_file_size": 5, "width": 1, "height": 1}, "[photo]"),
        ({"file": "stickers/1.webp", "media_type": "sticker", "sticker_emoji": "😀"}, "[sticker 😀]"),
        ({"file": "stickers/1.webp", "media_type": "sticker"}, "[sticker]"),
        ({"file": "a.ogg", "media_type": "voice_message", "duration_seconds": 12}, "[voice message, 12 s]"),
        ({"file": "a.mp4", "media_type": "video_message", "duration_seconds": 60}, "[video message, 1 min]"),
        ({"file": "a.mp4", "media_type": "video_file", "duration_seconds": 95}, "[video, 1 min 35 s]"),
        ({"file": "a.mp4", "media_type": "animation", "duration_seconds": 3}, "[GIF]"),
        (
            {
                "file": "a.mp3",
                "media_type": "audio_file",
                "performer": "王菲",
                "title": "红豆",
                "duration_seconds": 7500,
            },
            "[audio 王菲 – 红豆, 2 h 5 min]",
        ),
        ({"file": "files/a.mp3", "file_name": "a.mp3", "media_type": "audio_file"}, "[audio a.mp3]"),
        (
            {"file": "files/练习.pdf", "file_name": "练习.pdf", "mime_type": "application/pdf"},
            "[file 练习.pdf]",
        ),
        ({"file": "files/old.zip"}, "[file old.zip]"),
        ({"file": "(File not included. Change data exporting settings to download.)"}, "[file]"),
        ({"location_information": {"latitude": 52.5, "longitude": 13.4}}, "[location]"),
        ({"location_information": None, "live_location_period_seconds": 900}, "[live location]"),
        (
            {
                "place_name": "Café Oma",
                "address": "Lindenstr. 1",
                "location_information": {"latitude": 1, "longitude": 2},
            },
            "[venue Café Oma, Lindenstr. 1]",
        ),
        (
            {"contact_information": {"first_name": "Jo", "last_name": "Li", "phone_number": "+49 1"}},
            "[contact Jo Li]",
        ),
        (
            {"contact_information": {"first_name": "Jo", "last_name": "", "phone_number": "+49 1"}},
            "[contact Jo]",
        ),
        (
            {"poll": {"question": "吃什么？", "answers": [{"text": "火锅", "voters": 1}, {"text": "pizza"}]}},
            "[poll] 吃什么？ (火锅 / pizza)",
        ),
        (
            {"poll": {"question": [{"type": "bold", "text": "Who?"}], "answers": [{"text": ["me", "!"]}]}},
            "[poll] Who? (me!)",
        ),
        ({"todo_list": {"title": "Buy", "answers": [{"text": "tea", "id": 1}]}}, "[checklist] Buy (tea)"),
        ({"game_title": "Lumberjack", "game_description": "chop"}, "[game Lumberjack]"),
        ({"invoice_information": '{\n "title": "Mug",\n "amount": 500\n}'}, "[invoice Mug]"),
        ({"invoice_information": "{broken"}, "[invoice]"),
        ({"giveaway_information": {"quantity": 3}}, "[giveaway]"),
        ({"giveaway_results": {"winners_count": 3}}, "[giveaway results]"),
        ({"paid_stars_amount": 50}, "[paid media]"),
        ({"dice_emoji": "🎲", "dice_value": 6}, "[dice 🎲 6]"),
    ],
)
def test_media_become_a_readable_line(tmp_path: Path, fields: Fields, line: str) -> None:
    assert only(tmp_path, media(**fields)).text == line


def test_a_caption_follows_its_media(tmp_path: Path) -> None:
    assert only(tmp_path, message(photo="photos/1.jpg", text="our cat")).text == "[photo] our cat"


def test_no_phone_number_or_position_reaches_memory(tmp_path: Path) -> None:
    contact: Fields = {"first_name": "Jo", "last_name": "Li", "phone_number": "+49 170 1234567"}
    place: Fields = {"latitude": 52.520008, "longitude": 13.404954}
    found = kept(tmp_path, media(1, contact_information=contact), media(2, location_information=place))
    assert not any(character.isdigit() for one in found for character in one.text)
