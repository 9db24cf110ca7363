"""Two values side by side: what differs can be seen, in any language, and what is equal does not hide it."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from bot.commands.side_by_side import side_by_side

_lines = st.lists(st.text(max_size=30), max_size=12).map("\n".join)


def told(before: object, after: object, *, colour: bool = False) -> list[str]:
    return list(side_by_side(before, after, width=80, colour=colour))


def test_what_differs_stands_beside_each_other() -> None:
    lines = told("one\ntwo\nthree", "one\n2\nthree")
    assert [" ".join(line.split()) for line in lines] == ["one = one", "two ≠ 2", "three = three"]


def test_of_what_is_equal_only_the_nearest_lines_are_shown() -> None:
    many = "\n".join(map(str, range(100)))
    lines = told(many, f"{many}\nnew")
    assert [line.split() for line in lines] == [["…"], ["98", "=", "98"], ["99", "=", "99"], [">", "new"]]


def test_colours_are_there_when_they_are_wanted() -> None:
    assert "\033[" not in "".join(told("a", "b"))
    [line] = told("a", "b", colour=True)
    assert line.count("\033[31m") == line.count("\033[32m") == 1


def test_what_is_no_text_is_shown_as_json() -> None:
    assert any('"said"' in line for line in told({"said": "钥匙"}, {"said": "锅炉"}))


def test_a_chinese_line_takes_the_room_that_it_takes() -> None:
    [line] = told("备用钥匙挂在哪里", "hello")
    left = line[: line.index("≠")]
    assert sum(2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in left) == 2 + 36 + 1


@given(before=_lines, after=_lines)
def test_nothing_that_a_terminal_would_obey_gets_through(before: str, after: str) -> None:
    assert all(
        character.isprintable() or character in "\u200c\u200d" for line in told(before, after) for character in line
    )


@given(text=st.lists(st.text("abc ", max_size=30), max_size=12).map("\n".join))
def test_equal_values_have_no_difference(text: str) -> None:
    assert not {"≠", "<", ">"} & set("".join(told(text, text)))
