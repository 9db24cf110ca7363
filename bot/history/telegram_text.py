"""The words of an exported message, however Telegram Desktop wrote them down.

A text is a string, or a list of strings and of objects that hold a text in turn; since version 7 a message
can be a page of blocks instead. Formatting, link targets and buttons are left out.
"""

from __future__ import annotations

from typing import cast

_WORDS = ("title", "text", "formula", "credit")
_WITHIN = ("blocks", "block", "items", "rows", "cells", "caption")
_MEDIA = frozenset(("photo", "video", "audio", "file", "map", "embed"))


def join_text(text: object) -> str:
    """A text as one string; "" for what holds none."""
    if isinstance(text, str):
        return text
    pieces: list[str] = []
    rest = [text]
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, list):
            rest.extend(reversed(cast("list[object]", part)))
        elif isinstance(part, dict):
            words = cast("dict[str, object]", part)
            rest.append(words.get("text", words.get("source")))
    return "".join(pieces)


def page_text(page: object) -> str:
    """A page of blocks (`rich_message`), a line for each text in it."""
    lines: list[str] = []
    rest = [page]
    while rest:
        part = rest.pop()
        if isinstance(part, list):
            rest.extend(reversed(cast("list[object]", part)))
        elif isinstance(part, dict):
            block = cast("dict[str, object]", part)
            kind = block.get("type")
            if isinstance(kind, str) and kind in _MEDIA:
                lines.append(f"[{kind}]")
            lines += [join_text(block[key]) for key in _WORDS if key in block]
            rest += [block[key] for key in reversed(_WITHIN) if key in block]
    return "\n".join(line for line in lines if line.strip())
