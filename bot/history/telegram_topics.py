"""Which message of a forum is in which topic. An export says so only where a topic begins."""

from __future__ import annotations

from array import array
from bisect import bisect_left

_SMALLEST, _BEYOND = -(2**63), 2**63


class Topics:
    """The topics of one chat, as far as it is read.

    A message of a topic answers the service message that began it, or another message of the topic. What does
    neither is in the General topic. So is, as nothing better is known, an answer to a message of another
    chat, and all of a topic that began before the export does.
    """

    def __init__(self) -> None:
        self._roots: set[int] = set()
        self._messages, self._topics = array("q"), array("q")
        """Side by side, by ascending message."""

    def begin(self, root: int) -> str:
        """The topic that a service message opens."""
        self._roots.add(root)
        return str(root)

    def is_root(self, message: int) -> bool:
        """Whether a topic began with that message."""
        return message in self._roots

    def of(self, message: int, answers: int | None) -> str:
        """The topic of a message that answers another; "" is General, or that there are none."""
        if not self._roots or answers is None:
            return ""
        root = answers if answers in self._roots else self._known(answers)
        if root is None:
            return ""
        last = self._messages[-1] if self._messages else _SMALLEST
        if last < message < _BEYOND and _SMALLEST <= root < _BEYOND:
            self._messages.append(message)
            self._topics.append(root)
        return str(root)

    def _known(self, message: int) -> int | None:
        place = bisect_left(self._messages, message)
        found = place < len(self._messages) and self._messages[place] == message
        return self._topics[place] if found else None
