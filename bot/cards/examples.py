"""Example dialogues: how a character talks, in blocks that `<START>` sets apart."""

from __future__ import annotations

import re

_START = re.compile(r"<start>", re.IGNORECASE)
_LINE_ENDS = re.compile(r"\r\n?")


def example_blocks(text: str) -> tuple[str, ...]:
    """The dialogues in their order, macros and all. What stands before the first `<START>` is one, too."""
    blocks = (block.strip() for block in _START.split(_LINE_ENDS.sub("\n", text)))
    return tuple(block for block in blocks if block)
