"""Cards from bytes and files: every shape and container, and what is refused."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import cards
from bot.cards import Card, CardFile, content, load
from bot.errors import CardError
from bot.model import token_count
from tests.cards import samples
from tests.cards.samples import MIA, V2, V3, as_json, card_chunk, charx, chunk, exif, jpeg, png, text_chunk, webp


def kinds(card: Card) -> list[str]:
    return [warning.kind for warning in card.warnings]


def refusal(data: bytes, name: str = "file") -> str:
    with pytest.raises(CardError) as raised:
        load(data, name=name)
    assert len(str(raised.value).splitlines()) == 1
    assert str(raised.value).startswith(f"{name} ")
    return raised.value.kind


def test_the_default_persona_has_a_name_and_a_voice_in_few_tokens() -> None:
    persona = cards.default()
    character = persona.character
    assert persona.name == "Tavi"
    assert token_count(character.description + character.personality + character.scenario) <= 350
    assert len(character.examples) >= 2
    assert len(persona.sha256) == 64


@pytest.mark.parametrize(
    ("card", "name", "version"),
    [(MIA, "Mia", "v1"), (V2, "Mia", "v2"), (V3, "Mimi", "v3"), ({"data": MIA}, "Mia", "v2")],
)
def test_each_version_gives_its_fields(card: Any, name: str, version: str) -> None:
    loaded = load(as_json(card), name="file")
    persona = loaded.persona()
    assert (persona.name, persona.character.description, loaded.first_mes) == (name, "A gardener.", "Hello!")
    assert loaded.version == version


@pytest.mark.parametrize("file", samples.every_container())
def test_each_container_gives_the_same_character(file: bytes) -> None:
    loaded = load(file)
    assert (loaded.name, loaded.description) == ("Mia", "A gardener.")
    assert loaded.first_mes.startswith("Hello!")
    assert loaded.warnings == () or {*kinds(loaded)} == {"asset_missing"}


def test_stale_copies_at_the_top_of_a_v2_card_are_ignored_and_kept() -> None:
    loaded = load(as_json({**V2, "name": "Old"}))
    assert loaded.name == "Mia"
    assert loaded.document["name"] == "Old"


def test_a_card_cannot_be_changed_and_its_document_is_ones_own() -> None:
    loaded = load(as_json(V3))
    with pytest.raises(AttributeError):
        loaded.name = "Eve"  # type: ignore[misc]
    loaded.document["data"]["name"] = "Eve"
    assert loaded.document["data"]["name"] == "Mia"
    assert loaded == load(png(card_chunk(V3)))


def test_plain_text_is_the_description_and_the_file_names_it(tmp_path: Path) -> None:
    file = tmp_path / "old_sailor.txt"
    file.write_bytes("\ufeff{{char}} has seen every sea.".encode())
    loaded = load(file)
    assert (loaded.name, loaded.description) == ("old sailor", "{{char}} has seen every sea.")
    assert load(str(file)) == loaded


@pytest.mark.parametrize(
    "text", ["[Mia: loves roses]", '"Hello," says Mia.', "note: Mia loves roses", "Dear diary: roses", "{{char}}"]
)
def test_a_text_that_only_begins_like_json_or_yaml_is_a_text(text: str) -> None:
    assert load(text.encode(), name="Mia").description == text


def test_a_table_of_traits_is_the_description_and_what_was_written_for_people_stays_theirs() -> None:
    persona = {"kind": "wpp", "attributes": {"species": ["cat"], "likes": ["tea", "roses"]}}
    card = {"name": "Mia", "persona": persona, "description": "My cat.", "greeting": "Meow!", "sampleChat": "hi"}
    loaded = load(as_json(card))
    assert (loaded.description, loaded.creator_notes) == ("species: cat\nlikes: tea, roses", "My cat.")
    assert (loaded.first_mes, loaded.mes_example, loaded.document["persona"]) == ("Meow!", "hi", persona)
    noted = load(as_json({**card, "creator_notes": "Be kind."}))
    assert noted.creator_notes == "Be kind."
    assert noted.document["data"]["extensions"]["companion"]["as_found"] == {"/description": "My cat."}


def test_headings_are_read_in_markdown_in_bold_and_with_text_of_ones_own_between() -> None:
    text = "# Mia\nShe is small.\n\n## Description\nA gardener.\n**Greeting:** *waves* Hello!\n## Looks\nGreen eyes.\n"
    loaded = load(text.encode(), name="file")
    assert (loaded.name, loaded.first_mes) == ("Mia", "*waves* Hello!")
    assert loaded.description == "She is small.\n\nA gardener.\n\n## Looks\nGreen eyes."


def test_a_lower_case_text_that_is_no_yaml_is_a_text_with_headings() -> None:
    loaded = load(b"name: Mia\ndescription: {{char}} gardens\nand sings.\n")
    assert (loaded.name, loaded.description, loaded.container) == ("Mia", "{{char}} gardens\nand sings.", "text")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "empty"),
        (b"   \n", "empty"),
        (b"\x89PNG\r\n\x1a\n....", "truncated"),
        (png(), "not_a_card"),
        (png(end=b""), "truncated"),
        (png(text_chunk("chara", b"!")), "bad_base64"),
        (png(text_chunk("chara", b"/w==")), "bad_encoding"),
        (png(text_chunk("chara", b"rcc||1")), "encrypted"),
        (png(text_chunk("chara", base64.b64encode(b"rcc||1"))), "encrypted"),
        (png(chunk(b"zTXt", b"chara\0\0nothing packed")), "corrupt"),
        (png(chunk(b"zTXt", b"chara\0\0")), "corrupt"),
        (b"rcc||rccv1||", "encrypted"),
        (b"PK\x03\x04....", "bad_archive"),
        (charx({}), "missing_card_json"),
        (charx({"card.json": b"{"}), "bad_json"),
        (charx({"card.json": b"\xff"}), "bad_encoding"),
        (jpeg(exif(b"ASCII\0\0\0a holiday")), "not_a_card"),
        (jpeg(exif(b"ASCII\0\0\0{")), "bad_json"),
        (jpeg(exif(b"ASCII\0\0\0" + as_json(V2)))[:90], "truncated"),
        (webp(exif(b"ASCII\0\0\0" + as_json(V2)))[:90], "truncated"),
        (b"GIF89a\0\0\xff", "unsupported_format"),
        (b"text\0text", "unsupported_format"),
        (b"\xc3\x28 not utf-8", "bad_encoding"),
        (b"\xff\xfe\x00\xd8\x20\x00", "bad_encoding"),
        (b'{"name": "Mia"', "bad_json"),
        (b'[{"name": "Mia"}, ', "bad_json"),
        (b'{"a":' * 100_000, "too_deep"),
        (as_json({**MIA, "deep": json.loads("[" * 101 + "]" * 101)}), "too_deep"),
        (as_json([V2]), "bad_shape"),
        (as_json({"spec": "chara_card_v2", "data": []}), "bad_shape"),
        (as_json({"spec": "chara_card_v9"}), "unsupported_spec"),
        (as_json({"entries": {}}), "not_a_card"),
        (as_json({"entries": {}, "name": "Lore", "description": "of the sea"}), "not_a_card"),
        (as_json({"spec": "lorebook_v3", "data": {"entries": []}}), "not_a_card"),
        (as_json({"spec": "chara_card_v2", "data": {"name": "  "}}), "missing_name"),
        (b"Name: Mia\n", "not_a_card"),
        (b"name: Mia\ncontext: &a [*a]\n", "bad_yaml"),
        (b"name: Mia\ncontext: [*b]\n", "bad_yaml"),
        (b"name: Mia\ncontext: !!str x\n", "bad_yaml"),
        (b"%TAG ! tag:x\n---\nname: Mia\ncontext: x\n", "bad_yaml"),
        (b"name: Mia\ncontext: " + b"[" * 200, "too_deep"),
        (b"name: Mia\ncontext: " + b"[" * 2000, "bad_yaml"),
    ],
)
def test_what_is_no_card_is_refused_by_kind(data: bytes, kind: str) -> None:
    assert refusal(data) == kind


def test_a_card_without_any_name_is_refused_and_with_a_files_name_is_called_that() -> None:
    nameless = as_json({**MIA, "name": " \u202e "})
    with pytest.raises(CardError) as raised:
        load(nameless)
    assert raised.value.kind == "missing_name"
    assert load(nameless, name="mia_v2").name == "mia v2"
    assert load(as_json({**MIA, "name": "", "nickname": "Mimi"}), name="file").name == "Mimi"


def test_a_card_that_is_not_there_is_named(tmp_path: Path) -> None:
    for missing in (tmp_path / "nobody.json", tmp_path, "nobody\0.json"):
        with pytest.raises(CardError, match=r"no file|cannot read"):
            load(missing)
        with pytest.raises(CardError, match="; correct or unset CHARACTER_CARD"):
            CardFile(Path(missing))


def test_a_pipe_is_no_card_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(CardError, match="is no file"):
        load(tmp_path / "pipe.json")


def test_of_two_cards_in_a_picture_the_newer_specification_is_read_and_the_other_stands_in() -> None:
    old = {**V2, "data": {**MIA, "name": "Old"}}
    assert load(png(card_chunk(old, keyword="chara"), card_chunk(V3))).name == "Mia"
    broken = load(png(text_chunk("ccv3", b"!!"), card_chunk(old, keyword="chara")))
    assert (broken.name, kinds(broken)) == ("Old", ["fell_back_to_chara"])
    assert refusal(png(text_chunk("ccv3", b"!!"), text_chunk("chara", b"e30="))) == "bad_base64"


def test_of_two_cards_of_one_keyword_the_later_is_read() -> None:
    loaded = load(png(card_chunk({**V2, "data": {**MIA, "name": "Old"}}), card_chunk(V2)))
    assert (loaded.name, kinds(loaded)) == ("Mia", ["duplicate_chunk"])


def test_assets_are_read_when_asked_for_and_only_from_the_file_itself() -> None:
    elsewhere = [
        {"type": "icon", "uri": uri, "name": "main", "ext": "png"}
        for uri in ("file:///etc/passwd", "http://127.0.0.1:9/", "embeded://card.json", "embeded://../card.json")
    ]
    within = {"type": "x_note", "uri": "data:text/plain;base64,aGk=", "name": "note", "ext": "txt"}
    card = {**V3, "data": {**V3["data"], "assets": [*elsewhere, within]}}
    loaded = load(charx({"card.json": as_json(card)}))
    assert [content(loaded, asset) for asset in loaded.assets] == [None, None, as_json(card), None, b"hi"]
    assert kinds(loaded) == ["unsafe_asset_path"]
    in_json = load(as_json(card))
    assert [content(in_json, asset) for asset in in_json.assets] == [None, None, None, None, b"hi"]


def test_a_picture_carries_its_own_assets_and_is_its_main_icon() -> None:
    assets = [{"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png"}, V3["data"]["assets"][1]]
    picture = png(
        text_chunk("chara-ext-asset_:0", base64.b64encode(b"joy")),
        card_chunk({**V3, "data": {**V3["data"], "assets": assets}}),
    )
    loaded = load(picture)
    assert [content(loaded, asset) for asset in loaded.assets] == [picture, b"joy"]


@given(st.binary(max_size=200) | st.dictionaries(st.text(), st.text() | st.none() | st.integers()).map(as_json))
def test_any_bytes_give_a_persona_or_a_card_error(data: bytes) -> None:
    try:
        persona = load(data, name="file").persona()
    except CardError:
        return
    assert persona.name
