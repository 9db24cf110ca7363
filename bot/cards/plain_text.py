"""Cards in plain text or Markdown: headings such as `Description:` or `## First message`, or none at all.

Without headings the whole text is the description.
"""

from __future__ import annotations

import re

from bot.cards.card import Refused

MOST_LINES = 100_000
_FIELDS = {
    "name": "name",
    "char name": "name",
    "character name": "name",
    "description": "description",
    "persona": "description",
    "personality": "personality",
    "scenario": "scenario",
    "first message": "first_mes",
    "first mes": "first_mes",
    "greeting": "first_mes",
    "example messages": "mes_example",
    "example dialogue": "mes_example",
    "mes example": "mes_example",
}
"""A heading in words → the field that it begins."""
_HEADING = re.compile(
    r"\s{0,3}(?:(?P<hashes>#{1,6})\s+)?(?:\*\*|__)?(?P<words>[A-Za-z][A-Za-z _]{1,30}?)(?:\*\*|__)?\s*"
    r"(?::(?:\*\*|__)?\s*(?P<rest>.*)|#*\s*)"
)
_TITLE = re.compile(r"\s{0,3}(?P<hashes>#{1,6})\s+(?P<title>.+?)\s*#*\s*")


def parse(text: str) -> dict[str, str]:
    """The fields of a card, as V1 names them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n", MOST_LINES)
    if len(lines) > MOST_LINES:
        raise Refused("too_large", f"has over {MOST_LINES:,} lines; no card has so many")
    sections: list[tuple[str, list[str]]] = [("description", [])]
    title = None
    for line in lines:
        field, rest = _heading(line)
        other = _TITLE.fullmatch(line)
        if field is not None:
            sections.append((field, [rest]))
        elif other and len(other["hashes"]) == 1 and title is None and not any(sections[-1][1]):
            title = other["title"]
        elif other and len(sections) > 1:
            sections.append(("description", [line]))  # a heading of the writer's own
        else:
            sections[-1][1].append(line)
    if len(sections) == 1:
        return {"description": text.strip()}
    said: dict[str, list[str]] = {"name": [title]} if title else {}
    for field, section in sections:
        if words := "\n".join(section).strip():
            said.setdefault(field, []).append(words)
    fields = {field: "\n\n".join(words if field != "name" else words[-1:]) for field, words in said.items()}
    if not fields.keys() - {"name"}:
        raise Refused("not_a_card", "says nothing of a character beyond a name")
    return fields


def _heading(line: str) -> tuple[str | None, str]:
    """The field that a line begins, and what it says of it; None for any other line."""
    found = _HEADING.fullmatch(line)
    if found is None or (found["hashes"] is None and found["rest"] is None):
        return None, ""
    return _FIELDS.get(found["words"].replace("_", " ").lower()), found["rest"] or ""
