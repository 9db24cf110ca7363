"""A character in the prompt: in what order, what gives way, and what never gets there."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards.character import LONGEST_TEXT, MOST_EXAMPLES, macro_values, read_character
from bot.cards.lorebook import LoreScene, LoreState, SceneLine, evaluate
from bot.model import token_count
from bot.prompts.lines import clean_name
from bot.prompts.sections import PersonaSections, persona_sections

CARD: dict[str, Any] = {
    "name": "Mirelle",
    "nickname": "Miri",
    "description": "{{char}} keeps a lighthouse.",
    "personality": "wry",
    "scenario": "{{user}} arrives.",
    "system_prompt": "Be {{char}}. {{original}} Be brief.",
    "post_history_instructions": "Stay {{char}}. {{original}}",
    "mes_example": "<START>\n{{char}}: one\n<START>\n{{char}}: two",
    "creator_notes": "SECRET notes",
    "creator_notes_multilingual": {"en": "SECRET note"},
    "tags": ["SECRET tag"],
    "creator": "SECRET creator",
    "character_version": "SECRET version",
    "source": ["SECRET source"],
    "extensions": {
        "depth_prompt": {"prompt": "{{char}} is near", "depth": 2, "role": "user"},
        "talkativeness": "0.7",
        "other": "SECRET extension",
    },
    "character_book": {
        "name": "SECRET book",
        "description": "SECRET book",
        "entries": [
            {"constant": True, "position": "before_char", "content": "lore before", "comment": "SECRET", "keys": []},
            {"constant": True, "position": "after_char", "content": "lore after", "name": "SECRET", "keys": ["SECRET"]},
            {"constant": True, "content": "@@position before_desc\nlore before description"},
            {"constant": True, "content": "@@position after_desc\nlore after description"},
            {"constant": True, "content": "@@position personality\nlore of personality"},
            {"constant": True, "content": "@@position scenario\nlore of scenario"},
            {"constant": True, "content": "@@depth 3\n@@role assistant\nlore among messages"},
        ],
    },
}


def told(card: dict[str, Any], *, budget: int = 10_000, user: str = "Robin") -> PersonaSections:
    character = read_character(card)
    values = macro_values(character, char=card.get("nickname") or card.get("name") or "", user=user)
    scene = LoreScene(lines=[SceneLine(role="user", text="hello")], values=values)
    lore = evaluate(character.lorebook, scene, LoreState(), budget=1_000)
    return persona_sections(character, lore, values, system_prompt="OURS", post_history="BEHIND", budget=budget)


def all_texts(sections: PersonaSections) -> list[str]:
    every = (*sections.before, *(insert.section for insert in sections.inserts), *sections.after)
    return [section.text for section in every]


def test_a_character_is_told_in_the_order_that_card_makers_expect() -> None:
    sections = told(CARD)
    assert [section.text for section in sections.before] == [
        "Be Miri. OURS Be brief.",
        "lore before",
        "lore before description",
        "Miri keeps a lighthouse.",
        "lore after description",
        "wry",
        "lore of personality",
        "Robin arrives.",
        "lore of scenario",
        "lore after",
        "Miri: one",
        "Miri: two",
    ]
    assert [(insert.section.text, insert.depth) for insert in sections.inserts] == [
        ("[aside] Miri is near", 2),
        ("[aside] (your own thought) lore among messages", 3),
    ]
    assert [section.text for section in sections.after] == ["Stay Miri. BEHIND"]


def test_what_authors_tell_people_never_gets_into_a_prompt() -> None:
    assert "SECRET" not in "".join(all_texts(told(CARD)))


def test_our_own_words_stand_where_the_card_has_none() -> None:
    sections = told({"name": "Mia", "system_prompt": " ", "post_history_instructions": ""})
    assert all_texts(sections) == ["OURS", "BEHIND"]
    assert [section.name for section in (*sections.before, *sections.after)] == ["system_prompt", "post_history"]


def test_an_entry_may_leave_our_words_out_but_not_the_cards() -> None:
    entries = [
        {"constant": True, "content": f"@@disable_ui_prompt {text}\nx"}
        for text in ("system_prompt", "post_history_instructions")
    ]
    assert all_texts(told({"name": "Mia", "character_book": {"entries": entries}})) == ["x", "x"]
    assert "Be Miri.  Be brief." in all_texts(told({**CARD, "character_book": {"entries": entries}}))


def test_examples_give_way_first_the_last_of_them_before_the_first() -> None:
    whole = sum(told(CARD).tokens.values())
    sections = told(CARD, budget=whole - 1)
    assert sections.dropped == {"examples": 1}
    assert [section.text for section in sections.before if section.name == "examples"] == ["Miri: one"]
    without = told(CARD, budget=whole - told(CARD).tokens["examples"])
    assert without.dropped["examples"] == 2
    assert without.tokens["lore"] == told(CARD).tokens["lore"]


def test_a_card_that_is_larger_than_the_room_is_cut_and_says_so() -> None:
    sections = told({**CARD, "description": "word " * 100_000}, budget=200)
    description = next(section.text for section in sections.before if section.name == "description")
    assert description.startswith("word word")
    assert description.endswith(" …")
    assert sections.dropped["description"] == 1


def test_of_a_text_that_no_prompt_has_room_for_the_beginning_is_read_and_says_so() -> None:
    long = "word " * LONGEST_TEXT
    sections = told({"name": "Mia", "description": long, "mes_example": "<START>hi " * LONGEST_TEXT}, budget=10**6)
    [description] = [section.text for section in sections.before if section.name == "description"]
    assert description == f"{long[:LONGEST_TEXT].rstrip()} …"
    assert len([section for section in sections.before if section.name == "examples"]) == MOST_EXAMPLES


TEXTS = st.text(max_size=120) | st.text("猫 ", max_size=40)


@given(
    st.fixed_dictionaries(
        {"name": TEXTS},
        optional={
            "description": TEXTS, "personality": TEXTS, "scenario": TEXTS, "system_prompt": TEXTS, "mes_example": TEXTS,
            "post_history_instructions": TEXTS, "nickname": TEXTS | st.none(),
            "extensions": st.fixed_dictionaries({"depth_prompt": st.fixed_dictionaries({"prompt": TEXTS})}),
            "character_book": st.fixed_dictionaries(
                {"entries": st.lists(st.fixed_dictionaries({"content": TEXTS, "constant": st.just(True)}), max_size=4)}
            ),
        },
    ),
    st.integers(0, 200),
)  # fmt: skip
def test_the_budget_is_never_exceeded(card: dict[str, Any], budget: int) -> None:
    sections = told(card, budget=budget)
    assert token_count("\n".join(all_texts(sections))) <= sum(sections.tokens.values()) <= budget


@given(st.text(min_size=1, max_size=20) | st.sampled_from(["{{char}}", "{{original}}", "<bot>", "{{description}}"]))
def test_the_name_of_a_person_never_expands_in_any_section(name: str) -> None:
    fields = ("description", "personality", "scenario", "system_prompt", "post_history_instructions")
    card: dict[str, Any] = {"name": "Mia", **dict.fromkeys(fields, "[{{user}}]")}
    card["character_book"] = {"entries": [{"constant": True, "content": "[{{user}}]"}]}
    shown = clean_name(name)  # as a prompt has it
    assert set(all_texts(told(card, user=shown))) == {f"[{shown}]"}


def test_examples_name_nobody_as_they_are_no_memory() -> None:
    card = {"name": "Mia", "mes_example": "{{user}}: I have a cat\n{{char}}: I know"}
    assert "someone here: I have a cat\nMia: I know" in all_texts(told(card, user="Robin"))


def test_a_card_that_refers_to_its_own_texts_is_filled_once() -> None:
    card = {"name": "Mia", "description": "I am {{description}}{{char}}", "system_prompt": "{{description}}!"}
    assert all_texts(told(card))[:2] == ["I am Mia!", "I am Mia"]


@pytest.mark.parametrize(
    ("value", "talkativeness"), [("0.7", 0.7), (2, 1.0), (-1, 0.0), (None, None), ("often", None), (float("nan"), None)]
)
def test_talkativeness_is_between_nought_and_one_or_not_said(value: object, talkativeness: float | None) -> None:
    assert read_character({"name": "Mia", "extensions": {"talkativeness": value}}).talkativeness == talkativeness


@pytest.mark.parametrize(
    ("given_prompt", "depth"),
    [({"prompt": "x"}, 4), ({"prompt": "x", "depth": ""}, 4), ({"prompt": "x", "depth": "0"}, 0)],
)
def test_a_depth_prompt_stands_four_deep_unless_it_says(given_prompt: dict[str, Any], depth: int) -> None:
    character = read_character({"name": "Mia", "extensions": {"depth_prompt": given_prompt}})
    assert character.depth_prompt is not None
    assert (character.depth_prompt.depth, character.depth_prompt.role) == (depth, "system")


@given(
    st.dictionaries(
        st.sampled_from([*CARD, "extensions"]),
        st.none() | st.integers() | st.text(max_size=9) | st.lists(st.text(max_size=5)),
    )
)
def test_fields_of_any_type_make_a_character(card: dict[str, Any]) -> None:
    assert told(card).tokens
