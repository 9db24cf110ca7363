"""What pydantic complains about reaches people in plain words, and quotes nobody."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from bot.invalid import what_is_wrong
from bot.prompts.variables import read
from bot.replay.case import Case

SECRET = "Kim hides the key under the mat"


class Cat(BaseModel):
    name: str
    lives: int = 9
    kittens: tuple[Cat, ...] = ()


def complaint(model: type[BaseModel], given: object) -> str:
    """What is wrong with it; "" for nothing."""
    try:
        model.model_validate_json(given if isinstance(given, str) else json.dumps(given))
    except ValidationError as error:
        return what_is_wrong(error)
    return ""


def unreadable(variables: str) -> str:
    """Why these are no variables of a prompt; "" when they are."""
    try:
        read(variables)
    except ValueError as error:
        return str(error)
    return ""


def test_it_is_said_where_and_what_should_be_there() -> None:
    assert complaint(Cat, {}) == "name: missing"
    assert complaint(Cat, {"name": 7}) == "name: should be a valid string"
    assert complaint(Cat, {"name": "T", "kittens": [{"name": "U", "lives": "x"}]}) == (
        "kittens.0.lives: should be a valid integer, unable to parse string as an integer"
    )
    assert complaint(Cat, "[") == "JSON: invalid JSON: EOF while parsing a list at line 1 column 1"
    assert complaint(Case, {"trace_id": "1", "persona": "T", "turn_id": SECRET}) == "turn_id: makes no sense"


_with_secret: st.SearchStrategy[Any] = st.recursive(
    st.just(SECRET) | st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(sorted(Case.model_fields)), inner),
    max_leaves=8,
)


@given(_with_secret)
def test_nothing_of_what_was_given_is_quoted(value: Any) -> None:
    assert SECRET not in complaint(Case, value)
    assert SECRET not in unreadable(json.dumps(value))
