"""A card's file that changes while the bot runs."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from bot.cards import CardFile, default
from bot.errors import CardError
from tests.cards.samples import MIA, as_json


def write(file: Path, data: bytes, *, age: int) -> None:
    """Put this into the file, changed `age` seconds after the beginning of time."""
    file.write_bytes(data)
    os.utime(file, (age, age))


def test_without_a_file_it_is_the_persona_that_ships() -> None:
    assert CardFile(None).persona() == default()


def test_a_change_is_noticed_the_next_time_somebody_asks(tmp_path: Path) -> None:
    file = tmp_path / "card.json"
    write(file, as_json(MIA), age=1)
    card = CardFile(file)
    assert card.persona() is card.persona()
    write(file, as_json({**MIA, "name": "Eva"}), age=2)
    assert card.persona().name == "Eva"
    write(file, as_json({**MIA, "name": "Ada-Maria"}), age=2)
    assert card.persona().name == "Ada-Maria"


def test_a_file_that_broke_or_went_changes_nothing_and_is_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "card.json"
    write(file, as_json(MIA), age=1)
    card = CardFile(file)
    write(file, b'{"name": "Eva", "description": "secr', age=2)
    with caplog.at_level(logging.WARNING):
        assert [card.persona().name, card.persona().name] == ["Mia", "Mia"]
        assert caplog.messages == ["Mia stays as before: card is not whole JSON (line 1); export the card again"]
        file.unlink()
        assert [card.persona().name, card.persona().name] == ["Mia", "Mia"]
        assert len(caplog.messages) == 2
    write(file, as_json({**MIA, "name": "Eva"}), age=3)
    assert card.persona().name == "Eva"


def test_a_card_that_cannot_be_read_at_the_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CardError):
        CardFile(tmp_path / "nobody.json")
