"""Which updates of a batch can be confirmed without confirming one that was never seen. Pure.

To confirm is to name a number: Telegram forgets all that lies before it. Its numbers follow one another, but may
start again anywhere after a week of silence; what else stands in the place of a number is a fault of somebody's on
the way. So a number never speaks for another that is far from it: the lowest ones go first, then the rest is looked
at again. Whatever has no number waits for one behind it, or for the day to pass after which Telegram lets it go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MOST: Final = 100
"""Updates that Telegram gives at once."""
NEAR: Final = 1000
"""Numbers of one count are no further apart; a few are left out when nobody asked for that kind of update."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What to tell Telegram of a batch that was taken."""

    offset: int
    """All before it is confirmed."""
    expected: bool
    """It goes on where the last one ended. If not, nothing else must come to be confirmed with it: the request that
    carries it does not wait for updates, and none after it does."""


def confirmation(numbers: Sequence[int | None], *, last: int | None) -> Confirmation | None:
    """How far a batch can be confirmed, `last` being the offset before; None when nothing can be said.

    `numbers` are those of all its updates, in any order; None for each that has none.
    """
    known = sorted(number for number in numbers if number is not None)
    if not known:
        # Of a full batch, nothing behind it is seen before it is confirmed. All of it was given from `last` on.
        return Confirmation(last + len(numbers), expected=False) if last and len(numbers) >= MOST else None
    reached = known[0]
    for number in known:
        if number - reached > NEAR:
            break
        reached = number
    return Confirmation(reached + 1, expected=last is not None and 0 <= known[0] - last <= NEAR)
