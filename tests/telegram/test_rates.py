"""Our own gate, by a clock that the test holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.rates import IDLE, Rates


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_place_gets_a_message_a_second_and_others_do_not_wait_for_it() -> None:
    rates = Rates(per_chat=1.0, in_all=30.0, clock=Clock())
    assert [rates.reserve("tea") for _ in range(3)] == [0.0, 1.0, 2.0]
    assert rates.reserve("coffee") == 0.0


def test_a_late_answer_counts_from_when_it_came() -> None:
    clock = Clock()
    rates = Rates(per_chat=1.0, in_all=30.0, clock=clock)
    rates.reserve("tea")
    clock.now += 5
    rates.answered("tea")
    assert rates.reserve("tea") == 1.0


@given(steps=st.lists(st.floats(0, 1), min_size=31, max_size=100))
def test_no_more_than_so_many_go_in_any_second(steps: list[float]) -> None:
    clock = Clock()
    rates = Rates(per_chat=1.0, in_all=30.0, clock=clock)
    went: list[float] = []
    for step in steps:
        clock.now += step
        went.append(clock.now + rates.reserve_in_all())
    assert all(later - earlier > 0.999 for earlier, later in zip(went, went[30:], strict=False))


def test_idle_places_are_forgotten() -> None:
    clock = Clock()
    rates = Rates(per_chat=1.0, in_all=30.0, clock=clock)
    for number in range(1000):
        rates.reserve(f"{number}")
    clock.now += 2 * IDLE
    rates.reserve("tea")
    assert len(rates) == 1
