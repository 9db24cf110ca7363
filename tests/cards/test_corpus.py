"""The shared corpus of cards, file by file: what each gives, and that none is changed by an export."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.cards import Asset, Card, content, load, to_json, to_png
from bot.errors import CardError
from tests.cards.reading import run
from tests.cards.samples import NOW, at, undated
from tests.conftest import SHARED

CORPUS = SHARED / "cards" / "corpus"
EXPECTED: dict[str, dict[str, Any]] = (
    json.loads((CORPUS / "expected.json").read_text("utf-8")) if CORPUS.exists() else {}
)

pytestmark = pytest.mark.skipif(not EXPECTED, reason=f"the shared cards are not at {CORPUS}")
every_file = pytest.mark.parametrize("name", EXPECTED or ["none"])
every_card = pytest.mark.parametrize(
    "name", [name for name, row in EXPECTED.items() if row["outcome"] == "ok" and "ok" in row.get("accept", ["ok"])]
)
every_book = pytest.mark.parametrize("name", [name for name, row in EXPECTED.items() if "book" in row])


def outcome(name: str) -> tuple[str, Card | None]:
    try:
        return "ok", load(CORPUS / name)
    except CardError as error:
        return f"error:{error.kind}", None


def card(name: str) -> Card:
    loaded = outcome(name)[1]
    if loaded is None:
        pytest.skip("it may be refused, and is")
    return loaded


@every_file
def test_each_file_gives_what_is_expected_of_it(name: str) -> None:
    row = EXPECTED[name]
    came, loaded = outcome(name)
    accepted = row.get("accept") or [f"error:{row['error']}" if row["outcome"] == "error" else "ok"]
    assert came.replace("ok", "ok-text" if "ok-text" in accepted else "ok") in accepted
    if loaded is None:
        return
    document = loaded.document
    assert loaded.version == row.get("version", loaded.version)
    for pointer, value in {**row.get("fields", {}), **row.get("fields_if_ok", {})}.items():
        assert at(document, pointer) == value, pointer
    choices: list[dict[str, Any]] = row.get("any_of", [])
    assert not choices or any(all(at(document, key) == value for key, value in each.items()) for each in choices)
    kinds = {warning.kind for warning in loaded.warnings}
    assert kinds >= {*row.get("warnings", []), *row.get("warnings_if_ok", [])}
    for pointer, length in row.get("lengths", {}).items():
        assert len(at(document, pointer)) == length
    assert set(loaded.tags) >= set(row.get("tags_must_include", []))
    for pointer, kind in row.get("types", {}).items():
        value = at(document, pointer)
        texts = value if kind == "list[str]" else [value]
        assert all(isinstance(text, str) for text in texts)


@every_card
def test_assets_notes_and_names_are_as_expected(name: str) -> None:
    loaded, row = card(name), EXPECTED[name]
    for asset, expected in row.get("assets", {}).items():
        [found] = [each for each in loaded.assets if each.name == asset]
        assert (content(loaded, found) or b"")[:4] == (b"\x89PNG" if expected else b"")
    assert len(loaded.assets) == row.get("valid_assets", len(loaded.assets))
    if effective := row.get("effective_assets"):
        assert loaded.assets == tuple(Asset(**each) for each in effective)
    for language, note in row.get("notes_for", {}).items():
        assert loaded.notes_in(language) == note
    assert loaded.persona().name == row.get("char_macro", loaded.persona().name)
    assert loaded.persona().name
    assert len(loaded.persona().name.splitlines()) == 1
    assert len(loaded.persona().name) <= 80


@every_book
def test_lorebooks_are_as_expected(name: str) -> None:
    loaded, facts = card(name), EXPECTED[name]["book"]
    book = loaded.document["data"].get("character_book", {"entries": []})
    entries: list[dict[str, Any]] = book["entries"]
    assert len(entries) in facts.get("any_n", [facts.get("n_entries", len(entries))])
    assert len(entries) >= facts.get("min_entries", 0)
    for fact, field in (("order_values", "insertion_order"), ("keys", "keys"), ("enabled", "enabled")):
        expected = facts.get(fact, [])
        assert [entry[field] for entry in entries][: len(expected)] == expected
    for field in ("scan_depth", "token_budget"):
        assert book.get(field) == facts.get(field, book.get(field))


@every_card
@pytest.mark.parametrize("export", [to_json, to_png])
def test_an_export_is_the_same_card(name: str, export: Any) -> None:
    loaded = card(name)
    again = load(export(loaded, now=NOW), name="another file")
    assert undated(again) == undated(loaded)
    assert again.document["data"]["modification_date"] == NOW.timestamp()
    assert export(again, now=NOW) == export(loaded, now=NOW)


@every_card
def test_what_is_to_be_preserved_is_as_it_was_in_the_file(name: str) -> None:
    loaded, row = card(name), EXPECTED[name]
    pointers: list[str] = [*row.get("preserved", []), *row.get("preserved_any", [])]
    exported = load(to_png(loaded, now=NOW)).document
    for pointer in pointers:
        assert at(exported, pointer) == at(loaded.document, pointer)
        if name.endswith(".json"):
            assert at(exported, pointer) == at(json.loads((CORPUS / name).read_text("utf-8-sig")), pointer)


@every_card
def test_no_text_of_a_card_upsets_a_database_and_no_number_another_reader(name: str) -> None:
    exported = to_json(card(name), now=NOW).decode()

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    json.loads(exported, parse_constant=refuse)
    assert "\\u0000" not in exported
    assert "\0" not in exported


def test_no_file_takes_long_or_much_memory() -> None:
    came = run("tests.cards.reading", CORPUS)
    assert max(came["seconds"].values()) < 2
    assert came["peak_mib"] < 150


def test_nothing_is_opened_fetched_or_run_while_cards_are_read(tmp_path: Path) -> None:
    """By Python's own record of what a process does. What is imported on the way is so in a first round."""
    script = """
import sys
from pathlib import Path
from bot.cards import content, load
from bot.errors import CardError

def read_all():
    for data in files:
        try:
            card = load(data, name="card")
        except CardError:
            continue
        for asset in card.assets:
            content(card, asset)

files = [file.read_bytes() for file in sorted(Path(sys.argv[1]).rglob("*")) if file.is_file()]
read_all()
seen = []
watched = ("open", "socket.", "subprocess.", "os.", "shutil.", "exec", "import", "pickle.", "urllib.")
sys.addaudithook(lambda event, _: seen.append(event) if event.startswith(watched) else None)
read_all()
print(len(files), sorted(set(seen)))
"""
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", script, str(CORPUS)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    count, _, seen = ran.stdout.partition(" ")
    assert int(count) > len(EXPECTED)
    assert seen == "[]\n"
    assert not list(tmp_path.iterdir())
