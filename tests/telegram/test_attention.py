"""Whom the bot answers."""

from __future__ import annotations

import pytest

from bot.attention import Addressing, heed


@pytest.mark.parametrize(
    "addressing",
    [
        Addressing(private=True),
        Addressing(private=True, command="start"),
        Addressing(private=False, mentioned=True),
        Addressing(private=False, replied=True),
        Addressing(private=False, named=True),
        Addressing(private=False, mentioned=True, by_bot=True),
    ],
)
def test_whoever_speaks_to_it_is_answered(addressing: Addressing) -> None:
    assert heed(addressing, pace=1) is not None


@pytest.mark.parametrize(
    "addressing",
    [
        Addressing(private=False),
        Addressing(private=False, command="start"),
        Addressing(private=False, by_bot=True, named=True, replied=True),
        Addressing(private=True, by_bot=True),
        Addressing(private=True, old=True),
        Addressing(private=False, mentioned=True, old=True),
    ],
)
def test_others_are_not(addressing: Addressing) -> None:
    assert heed(addressing, pace=1) is None


def test_the_pace_scales_how_long_a_burst_is_waited_out() -> None:
    private, group = (heed(Addressing(private=private, mentioned=True), pace=1) for private in (True, False))
    twice, at_once = (heed(Addressing(private=True), pace=pace) for pace in (2, 0))
    assert private
    assert group
    assert twice
    assert at_once
    assert private.quiet < group.quiet < group.longest
    assert (twice.quiet, twice.longest) == (2 * private.quiet, 2 * private.longest)
    assert (at_once.quiet, at_once.longest) == (0, 0)
