"""Cards in the shapes read so far: JSON V1 to V3 and plain text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import cards
from bot.errors import CardError
from bot.model import token_count

V1 = {"name": "Mia", "description": "A gardener.", "first_mes": "Hello!"}
V2 = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**V1, "system_prompt": "Be brief. {{original}}"}}
V3 = {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**V1, "nickname": "Mimi"}}


def as_bytes(card: Any) -> bytes:
    return json.dumps(card).encode()


def test_the_default_persona_has_a_name_and_a_voice_in_few_tokens() -> None:
    persona = cards.default()
    assert persona.name == "Tavi"
    assert token_count(persona.description + persona.personality + persona.scenario) <= 350
    assert persona.examples.count("<START>") >= 2
    assert len(persona.sha256) == 64


@pytest.mark.parametrize(("card", "name"), [(V1, "Mia"), (V2, "Mia"), (V3, "Mimi")])
def test_each_version_gives_its_fields(card: Any, name: str) -> None:
    persona = cards.parse(as_bytes(card), name="file")
    assert (persona.name, persona.description, persona.greeting) == (name, "A gardener.", "Hello!")


def test_stale_copies_at_the_top_of_a_v2_card_are_ignored() -> None:
    assert cards.parse(as_bytes({**V2, "name": "Old"}), name="file").name == "Mia"


def test_plain_text_is_the_description_and_the_file_names_it(tmp_path: Path) -> None:
    file = tmp_path / "old_sailor.txt"
    file.write_bytes("\ufeff{{char}} has seen every sea.".encode())
    persona = cards.load(file)
    assert (persona.name, persona.description) == ("old sailor", "{{char}} has seen every sea.")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"   \n", "empty"),
        (b"\x89PNG\r\n\x1a\n....", "unsupported_format"),
        (b"PK\x03\x04....", "unsupported_format"),
        (b"\xc3\x28 not utf-8", "bad_encoding"),
        (b'{"name": "Mia"', "bad_json"),
        (b'{"a":' * 100_000, "bad_json"),
        (as_bytes({"spec": "chara_card_v2", "data": []}), "bad_shape"),
        (as_bytes({"entries": {}}), "not_a_card"),
        (as_bytes({**V1, "name": "  "}), "missing_name"),
    ],
)
def test_what_is_no_card_is_refused_by_kind(data: bytes, kind: str) -> None:
    with pytest.raises(CardError) as raised:
        cards.parse(data, name="file")
    assert raised.value.kind == kind
    assert "\n" not in str(raised.value)


def test_a_card_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CardError, match="CHARACTER_CARD"):
        cards.load(tmp_path / "nobody.json")


@given(st.binary(max_size=200) | st.dictionaries(st.text(), st.text() | st.none() | st.integers()).map(as_bytes))
def test_any_bytes_give_a_persona_or_a_card_error(data: bytes) -> None:
    try:
        persona = cards.parse(data, name="file")
    except CardError:
        return
    assert persona.name
