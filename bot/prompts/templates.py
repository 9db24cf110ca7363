"""The templates beside this file: read once, and filled."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_SLOT = re.compile(r"\{\{(\w+)\}\}")
_SPACE = re.compile(r"\n{3,}")


@cache
def template(name: str) -> str:
    """A template's text, its slots unfilled."""
    return (files("bot.prompts") / f"{name}.md").read_text("utf-8")


@cache
def version_of(*names: str) -> str:
    """What templates are called together; changes whenever one of them does."""
    text = "".join(template(name) for name in names)
    return f"{names[-1]}@{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def fill(text: str, values: Mapping[str, str]) -> str:
    """Each slot replaced once; what a value holds is never read as a slot."""
    filled = _SLOT.sub(lambda slot: values.get(slot[1], slot[0]), text)
    return _SPACE.sub("\n\n", filled).strip() + "\n"
