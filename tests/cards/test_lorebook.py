"""Lorebooks beyond the vectors: what a chat remembers, what SillyTavern adds, and what no book can do."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards.lorebook import Lore, LoreScene, LoreState, SceneLine, Seen, evaluate, parse_decorators, read_lorebook
from bot.cards.lorebook.book import LONGEST_CONTENT, MOST_ENTRIES, MOST_VARYING_KEYS
from bot.cards.lorebook.evaluate import MOST_FILLED
from bot.cards.macros import MacroValues
from bot.model import token_count

KNOWN = MacroValues(char="Miri", user="Robin", turn_seed="turn")


def entry(*keys: str, content: str = "told", **more: Any) -> dict[str, Any]:
    return {"keys": list(keys), "content": content, **more}


def scene(*texts: str, count: int | None = None, values: MacroValues = KNOWN) -> LoreScene:
    return LoreScene(lines=[SceneLine(role="user", text=text) for text in texts], values=values, count=count)


def look(
    entries: list[dict[str, Any]],
    where: LoreScene,
    *,
    state: LoreState | None = None,
    budget: int = 10_000,
    **book: Any,
) -> Lore:
    return evaluate(read_lorebook({"entries": entries, **book}), where, state or LoreState(), budget=budget)


def ids(lore: Lore) -> list[object]:
    return [told.entry.id for told in lore.told]


def at(count: int, *texts: str) -> LoreScene:
    return scene(*texts, count=count)


def over_time(entries: list[dict[str, Any]], said: list[str]) -> list[bool]:
    """Whether anything is told after each message, the chat's memory being stored in between."""
    state, told = LoreState(), list[bool]()
    for n, text in enumerate(said, start=1):
        lore = look(entries, at(n, text), state=state)
        told.append(bool(lore.told))
        state = LoreState.from_json(json.loads(json.dumps(lore.state.to_json())))
    return told


def test_what_sticks_stays_for_so_many_messages() -> None:
    said = ["cat", "x", "x", "x", "cat"]
    assert over_time([entry("cat", extensions={"sticky": 2})], said) == [True, True, True, False, True]


def test_what_cools_down_is_silent_after_it_stuck() -> None:
    said = ["cat", "x", "cat", "cat", "cat"]
    entries = [entry("cat", extensions={"sticky": 1, "cooldown": 2})]
    assert over_time(entries, said) == [True, True, False, False, True]


def test_what_is_delayed_waits_for_the_chat_to_be_so_long() -> None:
    assert over_time([entry("cat", extensions={"delay": 3})], ["cat"] * 4) == [False, False, True, True]


def test_a_match_is_kept_for_good_or_counts_once() -> None:
    keep, once = "@@keep_activate_after_match\nx", "@@dont_activate_after_match\nx"
    assert over_time([entry("cat", content=keep)], ["x", "cat", "x"]) == [False, True, True]
    assert over_time([entry("cat", content=once)], ["x", "cat", "cat"]) == [False, True, False]


def test_a_book_looked_through_again_at_the_same_message_tells_the_same() -> None:
    entries = [
        entry("cat", id=1, content="@@dont_activate_after_match\nx"),
        entry("cat", id=2, extensions={"cooldown": 5}),
        entry("cat", id=3, extensions={"probability": 50, "sticky": 3}),
        entry(id=4, constant=True, extensions={"probability": 50, "sticky": 1}),
    ]
    first = look(entries, at(7, "cat"))
    again = look(entries, at(7, "cat"), state=first.state)
    assert (ids(again), again.state) == (ids(first), first.state)


def test_only_what_something_depends_on_is_remembered_and_only_of_this_book() -> None:
    state = LoreState({"gone": Seen(1, 1), "2": Seen(1, 1)})
    lore = look([entry("cat", id=1), entry("dog", id=2, extensions={"sticky": 1})], at(9, "cat"), state=state)
    assert lore.state == LoreState({"2": Seen(1, 1)})


def test_a_state_from_a_longer_chat_says_nothing_of_a_shorter_one() -> None:
    once = [entry("cat", id=1, content="@@dont_activate_after_match\nx")]
    lore = look(once, at(3, "cat"), state=LoreState({"1": Seen(50, 50)}))
    assert (ids(lore), lore.state) == ([1], LoreState({"1": Seen(3, 3)}))


@given(
    st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda x: st.lists(x) | st.dictionaries(st.text(), x))
)
def test_any_json_is_a_state(value: object) -> None:
    state = LoreState.from_json(value)
    assert LoreState.from_json(json.loads(json.dumps(state.to_json()))) == state


@pytest.mark.parametrize(
    ("logic", "told"),
    [(0, [True, True, False]), (1, [False, True, True]), (2, [False, False, True]), (3, [True, False, False])],
)
def test_secondary_keys_are_asked_for_as_the_entry_says(logic: int, told: list[bool]) -> None:
    entries = [entry("cat", selective=True, secondary_keys=["red", "blue"], extensions={"selectiveLogic": logic})]
    assert [bool(look(entries, scene(text)).told) for text in ("cat red blue", "cat red", "cat")] == told


def test_whole_words_are_told_from_parts_but_not_where_words_are_not_set_apart() -> None:
    entries = [entry("cat", "月島", extensions={"match_whole_words": True})]
    said = ["concatenate", "a cat!", "_cat_", "cat", "昨日月島が", "cats and a cat"]
    assert [bool(look(entries, scene(text)).told) for text in said] == [False, True, False, True, True, True]


def test_no_key_matches_across_two_messages() -> None:
    assert not look([entry("one two", "one\ntwo", "/one.two/s", use_regex=False)], scene("one", "two")).told
    assert not look([entry("/one.*two/s", use_regex=True)], scene("one", "two")).told


def test_an_export_that_stamps_use_regex_on_every_entry_is_read_as_it_was_meant() -> None:
    entries = [
        entry("Forest", id=1, use_regex=True),
        entry(id=2, use_regex=True, constant=True),
        entry("cat", id=3, use_regex=True, selective=True, secondary_keys=["dog"]),
        entry("storm|rain", id=4, use_regex=True),
        entry("C++", id=5, use_regex=True),
    ]
    assert ids(look(entries, scene("in the forest, a cat"))) == [1, 2]
    assert ids(look(entries, scene("it will RAIN on c++"))) == [2, 4, 5]


def test_a_pattern_with_a_macro_matches_the_name_as_it_is_written() -> None:
    where = scene("Where is A.B?", "and AxC?", values=MacroValues(char="A.B", user="A.C"))
    assert ids(look([entry("/{{char}}/", id=1, use_regex=True), entry("/<user>/", id=2, use_regex=True)], where)) == [1]
    assert ids(look([entry("{{user}}", id=3), entry("<bot>?", id=4)], where)) == [4]
    cased = [entry("{{char}}", id=5, case_sensitive=True), entry("{{char}}x", id=6, case_sensitive=True)]
    assert ids(look(cased, where)) == [5]


def test_further_keys_of_a_pattern_entry_are_patterns_and_one_is_enough() -> None:
    entries = [entry("/nope/", id=1, use_regex=True, content="@@additional_keys /sto.m/i\nx")]
    assert ids(look(entries, scene("STORM"))) == [1]


def test_what_entries_say_brings_up_others_unless_they_or_it_will_not() -> None:
    entries = [
        entry("cat", id=1, content="the dog"),
        entry("dog", id=2, content="the bird"),
        entry("bird", id=3, content="@@exclude_keys fox\nthe fox", extensions={"exclude_recursion": True}),
        entry("bird", id=4, content="the fish", extensions={"prevent_recursion": True}),
        entry("fish", id=5),
        entry("cat", id=6, content="x", selective=True, secondary_keys=["bird"]),
        entry("dog", id=7, extensions={"delay_until_recursion": True}),
    ]
    assert ids(look(entries, scene("cat"), recursive_scanning=True)) == [1, 2, 4, 6, 7]
    assert ids(look(entries, scene("cat dog"), recursive_scanning=False)) == [1, 2]
    assert ids(look(entries, scene("cat"), recursive_scanning=True, scan_depth=0)) == []


def test_hidden_keys_bring_up_entries_and_are_not_told() -> None:
    lore = look(
        [entry("cat", content="a{{hidden_key: dog}}b"), entry("dog", content="woof")],
        scene("cat"),
        recursive_scanning=True,
    )
    assert [told.text for told in lore.told] == ["ab", "woof"]


def test_of_a_group_one_is_told_by_weight_and_the_same_one_while_it_sticks() -> None:
    entries = [
        entry("cat", id=1, extensions={"group": "g", "group_weight": 0}),
        entry("cat", id=2, extensions={"group": "g", "group_weight": 30, "sticky": 50}),
        entry("cat", id=3, extensions={"group": "g", "group_weight": 70, "sticky": 50}),
        entry("cat", id=4),
    ]
    chosen = [ids(look(entries, scene("cat", values=MacroValues(char="M", turn_seed=str(n)))))[0] for n in range(200)]
    assert set(chosen) == {2, 3}
    assert 100 < chosen.count(3) < 180
    state = LoreState({"2": Seen(1, 1)})
    for n in range(10):
        where = scene("cat", count=9, values=MacroValues(char="M", turn_seed=str(n)))
        assert ids(look(entries, where, state=state)) == [2, 4]


def test_chance_comes_from_the_turn_and_each_entry_has_its_own() -> None:
    entries = [entry("cat", id=n, extensions={"probability": 30, "useProbability": n != 9}) for n in range(10)]
    told = [ids(look(entries, scene("cat", values=MacroValues(char="M", turn_seed=str(n))))) for n in range(100)]
    assert all(9 in one for one in told)
    assert 200 < sum(map(len, told)) - 100 < 340
    assert len({tuple(one) for one in told}) > 20


def test_where_an_entry_stands_is_what_its_book_says_in_any_of_its_ways() -> None:
    entries = [
        entry("cat", id=1, position="before_char"),
        entry("cat", id=2, extensions={"position": 4, "depth": 2, "role": 1}),
        entry("cat", id=3, extensions={"position": 0, "depth": 2}, position="after_char"),
        {"uid": 4, "key": ["cat"], "content": "x", "order": 5, "position": 0, "disable": False},
        entry("cat", id=5, content="@@depth 0\nx", extensions={"position": 4, "depth": 2}),
    ]
    lore = {told.entry.id: (told.place, told.depth, told.role) for told in look(entries, scene("cat")).told}
    assert lore == {
        1: ("before_char", None, "system"),
        2: ("after_char", 2, "user"),
        3: ("after_char", None, "system"),
        4: ("before_char", None, "system"),
        5: ("after_char", 0, "system"),
    }


def test_a_chain_of_fallbacks_is_followed_as_far_as_it_goes() -> None:
    content = "".join(f"@@{'@' * (n > 0)}unknown_{n} 1\n" for n in range(8)) + "@@@role user\n@@@depth 3\n\n\nX\n"
    decorators, body = parse_decorators(content)
    assert (decorators.role, decorators.depth, body) == ("user", None, "X\n")


@pytest.mark.parametrize(
    "unsupported", ["instruct_depth 5", "is_user_icon happy", "reverse_instruct_depth 1", "instruct_scan_depth 9"]
)
def test_what_has_no_meaning_in_a_chat_leaves_it_to_its_fallback(unsupported: str) -> None:
    decorators, body = parse_decorators(f"@@{unsupported}\n@@@depth 2\nX")
    assert (decorators.depth, body) == (2, "X")


@given(st.text() | st.lists(st.sampled_from(["@@depth 1\n", "@@@role user\r\n", "\n", "x", "@@", " "])).map("".join))
def test_decorators_take_only_the_head_of_a_text(content: str) -> None:
    _, body = parse_decorators(content)
    assert content.endswith(body)
    head = content[: len(content) - len(body)]
    assert all(line.strip() == "" or line.strip().startswith("@@") for line in head.replace("\r", "\n").split("\n"))


def test_what_goes_first_when_room_is_short_is_what_its_author_said() -> None:
    entries = [
        entry("cat", id=1, content="@@ignore_on_max_context\naaaa", priority=99),
        entry("cat", id=2, content="bbbb", priority=5, insertion_order=1),
        entry("cat", id=3, content="cccc", priority=1, insertion_order=9),
        entry("cat", id=4, content="d" * 400, priority=50),
    ]
    lore = look(entries, scene("cat"), budget=4)
    assert (ids(lore), [dropped.id for dropped in lore.dropped]) == ([2, 3], [1, 4])
    assert ids(look(entries, scene("cat"), token_budget=2)) == [2]


REQUIRED: dict[str, st.SearchStrategy[Any]] = {
    "keys": st.lists(st.sampled_from(["cat", "dog", "猫", "/c.t/i"]), max_size=2),
    "content": st.text(max_size=80),
}
OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "constant": st.booleans(),
    "use_regex": st.booleans(),
    "priority": st.integers(0, 5),
    "insertion_order": st.integers(0, 5),
    "extensions": st.dictionaries(st.sampled_from(["sticky", "cooldown", "delay", "probability"]), st.integers(0, 9)),
}
ENTRIES = st.lists(st.fixed_dictionaries(REQUIRED, optional=OPTIONAL), max_size=8)


@given(ENTRIES, st.lists(st.text("catdog猫 ", max_size=12), max_size=4), st.integers(0, 60), st.booleans())
def test_the_budget_is_never_exceeded_and_all_is_the_same_twice(
    entries: list[dict[str, Any]], said: list[str], budget: int, recursive: bool
) -> None:
    book = read_lorebook({"entries": entries, "recursive_scanning": recursive})
    where = scene(*said, count=len(said) + 3)
    lore = evaluate(book, where, LoreState(), budget=budget)
    assert token_count("\n".join(told.text for told in lore.told)) <= lore.tokens <= budget
    assert evaluate(book, where, LoreState(), budget=budget) == lore
    again = evaluate(book, where, lore.state, budget=budget)
    assert (again.told, again.state) == (lore.told, lore.state)
    assert [told.entry.order for told in lore.told] == sorted(told.entry.order for told in lore.told)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
)
FIELDS = st.sampled_from(
    ["keys", "key", "content", "extensions", "enabled", "insertion_order", "use_regex", "id", "position", "priority",
     "secondary_keys", "selective", "constant", "sticky", "depth", "role", "probability", "selectiveLogic", "group",
     "scan_depth", "group_weight", "delay_until_recursion"]
)  # fmt: skip


@given(
    ANYTHING | st.fixed_dictionaries({"entries": st.lists(ANYTHING | st.dictionaries(FIELDS, ANYTHING), max_size=5)})
)
def test_anything_is_a_book_and_can_be_looked_through(given_book: object) -> None:
    lore = evaluate(read_lorebook(given_book), scene("cat", "dog"), LoreState(), budget=100)
    assert lore.tokens <= 100


def test_a_book_beyond_all_measure_is_read_up_to_it_and_says_what_was_left_out() -> None:
    entries: list[Any] = [entry("cat", content="x")] * (MOST_ENTRIES + 5)
    entries[0:3] = [None, entry("cat", content="x" * (LONGEST_CONTENT + 1)), entry("c" * 501)]
    started = time.thread_time()
    book = read_lorebook({"entries": entries, "recursive_scanning": True})
    lore = evaluate(book, scene("cat"), LoreState(), budget=1_000)
    assert len(book.entries) == MOST_ENTRIES - 3
    assert book.left_out == {"entries": 1, "long_entries": 1, "long_keys": 1, "more_entries": 5}
    assert lore.tokens <= 1_000
    assert len({one.key for one in book.entries}) == len(book.entries)
    assert time.thread_time() - started < 10  # of this thread; it takes less than one


def test_a_decorator_may_be_as_long_as_its_entry() -> None:
    entries = [
        entry("cat", content=f"@@{'a' * 9_000} {' ' * 20_000}x\nX"),
        entry("cat", content="@@role user " + "," * 30_000),
    ]
    started = time.thread_time()
    book = read_lorebook({"entries": entries * 50})
    assert [one.content for one in book.entries[:2]] == ["X", ""]
    assert time.thread_time() - started < 5  # of this thread; it takes a hundredth


def test_a_hostile_book_and_a_hostile_chat_end_soon() -> None:
    keys = ["a" * n for n in range(1, 400)] + [f"{'a' * 40}{n}" for n in range(1_000)]
    entries = [entry(*keys[n::50], content="a" * 900, id=n, extensions={"match_whole_words": True}) for n in range(50)]
    entries += [entry(f"/(?:a?){{20}}a{{20}}{n}|.*b/", use_regex=True) for n in range(200)]
    started = time.thread_time()
    for n in range(3):
        look(entries, scene(*["a" * 4_000 + str(n)] * 30), recursive_scanning=True, scan_depth=30)
    assert time.thread_time() - started < 15  # of this thread; it takes about one


def test_keys_with_macros_are_read_up_to_a_measure() -> None:
    names = [entry(f"{{{{char}}}} {n}", content=f"{n}") for n in range(MOST_VARYING_KEYS + 2)]
    book = read_lorebook({"entries": [*names, entry("plain")]})
    assert book.left_out == {"more_keys": 2}
    assert [each.keys for each in book.entries[-2:]] == [(f"{{{{char}}}} {MOST_VARYING_KEYS - 1}",), ("plain",)]


@pytest.mark.parametrize("recursive", [False, True])
def test_of_more_than_one_look_fills_the_worthiest_is_told_and_the_rest_is_said_to_be_left_out(
    recursive: bool,
) -> None:
    often = "<user>" * (LONGEST_CONTENT // 6)
    many = [entry(content=often, constant=True, id=n, insertion_order=n) for n in range(200)]
    started = time.thread_time()
    lore = look(many, scene("hello"), budget=10**9, recursive_scanning=recursive)
    assert time.thread_time() - started < 5  # of this thread; it takes less than one
    fit = MOST_FILLED // len(often)
    first = fit if recursive else 0  # what was looked through for further entries is filled already
    assert ids(lore) == [*range(first), *range(200 - fit, 200)]
    assert len(lore.told) + len(lore.dropped) == 200
