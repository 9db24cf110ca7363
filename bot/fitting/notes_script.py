"""The notation of notes to an assistant: how an attribute of somebody or something is told and asked.

    == person.job v:job             entity and attribute, and the pool of its values
    say: {whose} works as a {v}.    ask: What does {whose} do?      that: works as a {v}
    which: Who is a {v}?            all: Which of the people I know are {v}s?
    more: Who earns more, {whose} or {other}?                      for values that can be compared; less:
    now: {whose} now works as a {v}.                               a later value, which replaces the first

`{whose}` is "my aunt" or her name, `{v}` the value.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.fitting.script import ScriptError

_KEYS = ("say", "ask", "that", "which", "all", "more", "less", "now")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """How one attribute is told and asked."""

    entity: str
    name: str
    pool: str
    texts: dict[str, tuple[str, ...]]

    def ways(self, key: str) -> tuple[str, ...]:
        """The templates under a key; empty where the attribute has none."""
        return self.texts.get(key, ())


def read_traits(script: str) -> dict[str, Trait]:
    """Every attribute of a script by `entity.attribute`."""
    traits: dict[str, Trait] = {}
    texts: dict[str, list[str]] = {}
    found: list[tuple[str, str, dict[str, list[str]]]] = []
    key = ""
    for line in filter(None, map(str.strip, script.splitlines())):
        if line.startswith("=="):
            full, pool = line.removeprefix("==").split()
            texts = {}
            found.append((full, pool.removeprefix("v:"), texts))
        elif line.startswith("/"):
            texts[key].append(line.removeprefix("/").strip())
        else:
            key, colon, text = line.partition(": ")
            if not colon or key not in _KEYS or not found:
                raise ScriptError(line, f"it begins with none of {', '.join(_KEYS)}")
            texts.setdefault(key, []).append(text.strip())
    for full, pool, ways in found:
        entity, _, name = full.partition(".")
        traits[full] = Trait(
            entity=entity, name=name, pool=pool, texts={key: tuple(value) for key, value in ways.items()}
        )
    return traits
