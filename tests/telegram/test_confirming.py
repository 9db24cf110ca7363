"""Which updates are confirmed: all that were seen, in the end, and none that was not."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from bot.telegram.confirming import MOST, NEAR, Confirmation, confirmation

numbers = st.integers(min_value=1, max_value=2**63 - 2)
starts = st.integers(min_value=1, max_value=2**31)
steps = st.lists(st.integers(min_value=1, max_value=NEAR), max_size=12)


def counted(start: int, gaps: list[int]) -> list[int]:
    """Numbers as Telegram gives them."""
    count = [start]
    for gap in gaps:
        count.append(count[-1] + gap)
    return count


def is_far(number: int, count: list[int]) -> bool:
    return not count[0] - NEAR <= number <= count[-1] + NEAR


@given(start=starts, gaps=steps, odd=st.lists(numbers, max_size=5), draw=st.data())
def test_whatever_stands_among_them_all_are_seen_and_then_confirmed_and_none_before(
    start: int, gaps: list[int], odd: list[int], draw: st.DataObject
) -> None:
    """Against a Telegram that forgets whatever has a number below the offset, also of what comes while it waits."""
    count = counted(start, gaps)
    odd = [number for number in odd if is_far(number, count)]
    at_first = draw.draw(st.integers(0, len(count)))
    pending = draw.draw(st.permutations([*count[:at_first], *odd]))
    to_come, seen = count[at_first:], set[int]()
    confirmed: Confirmation | None = None
    last = None
    for _ in range(2 * (len(count) + len(odd)) + 2):
        offset = confirmed.offset if confirmed else 0
        pending = [number for number in pending if number >= offset]
        if not pending and to_come and (confirmed is None or confirmed.expected):  # the request waits until this comes
            pending = [number for number in [to_come.pop(0)] if number >= offset]
        seen.update(pending)
        last = confirmed.offset if confirmed else last
        confirmed = confirmation(pending, last=last) if pending else None
    assert (pending, to_come, confirmed) == ([], [], None)
    assert seen == {*count, *odd}


@given(start=starts, gaps=steps, odd=st.lists(numbers, max_size=5))
def test_a_number_that_is_far_off_never_moves_what_is_expected(start: int, gaps: list[int], odd: list[int]) -> None:
    count = counted(start, gaps)
    found = confirmation([*(number for number in odd if is_far(number, count)), *count], last=start)
    assert found is not None
    assert found.offset <= count[-1] + 1
    assert not found.expected or found.offset == count[-1] + 1


@given(number=numbers, last=numbers)
@example(number=7, last=8)
def test_a_number_by_itself_is_confirmed_and_is_expected_only_behind_the_last_one(number: int, last: int) -> None:
    assert confirmation([number], last=last) == Confirmation(number + 1, expected=last <= number <= last + NEAR)
    assert confirmation([number], last=None) == Confirmation(number + 1, expected=False)


@given(without=st.integers(1, MOST), last=numbers)
def test_what_has_no_number_is_let_go_of_by_one_behind_it_or_when_nothing_behind_it_can_be_seen(
    without: int, last: int
) -> None:
    assert confirmation([None] * without, last=None) is None
    assert confirmation([*[None] * without, 7], last=7) == Confirmation(8, expected=True)
    alone = confirmation([None] * without, last=last)
    assert alone == (Confirmation(last + MOST, expected=False) if without == MOST else None)
