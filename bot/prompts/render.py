"""The prompt of a turn, from its values to text. Pure: nothing is read, asked or remembered here.

The templates beside this file are the product; read them first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.memory.window import SILENCE, merge
from bot.model import Message, MessageId, Persona, Prompt, Recalled, View, token_count
from bot.prompts.budget import Fitted, Piece, fit
from bot.prompts.lines import line, one_line, own_label, speakers
from bot.prompts.templates import fill, template, version_of
from bot.prompts.variables import LookUp, Variables, written

NEAREST_HISTORY = 6
"""Recent messages that matter more than any memory."""


_MACRO = re.compile(r"\{\{(char|user|original)\}\}|<(BOT|USER)>", re.IGNORECASE)
_HEADINGS = 60
"""Tokens that the headings of all sections take."""


def _macros(text: str, persona: Persona, *, original: str = "") -> str:
    """The macros of a card, each filled once. Whoever is spoken to stays unnamed, so that the text, being the same
    in every turn, is cached by the model's server.
    """
    values = {"char": persona.name, "bot": persona.name, "original": original}
    return _MACRO.sub(lambda macro: values.get((macro[1] or macro[2]).lower(), "someone here"), text)


def _persona(persona: Persona, *, examples: bool) -> str:
    parts = [persona.description, persona.personality, persona.scenario]
    if examples and persona.examples.strip():
        parts.append(f"How {persona.name} talks, for example:\n{persona.examples.strip()}")
    told = "\n".join(part.strip() for part in parts if part.strip())
    return f"\n# Who you are\n{_macros(told, persona)}\n" if told else ""


def _system(persona: Persona, *, actions: str, language: str | None, examples: bool) -> str:
    ours = fill(
        template("system"),
        {
            "name": persona.name,
            "you": own_label(persona.name),
            "persona": _persona(persona, examples=examples),
            "actions": actions,
            "language": f" (always {one_line(language)})" if language else "",
        },
    )
    if not persona.system_prompt.strip():
        return ours
    return _macros(persona.system_prompt, persona, original=ours)


def _memory_pieces(recalled: Recalled, render: _Lines) -> Iterator[Piece]:
    """Stretches of talk, set apart by silence; a hit is worth its rank, what stands around it less the further away."""
    rank = {hit.message.message_id: n for n, hit in enumerate(recalled.hits)}
    group, until = 0, None
    for stretch in merge(recalled.hits):
        group += until is None or stretch[0].sent_at - until > SILENCE
        until = stretch[-1].sent_at
        at = [n for n, message in enumerate(stretch) if message.message_id in rank]
        for n, message in enumerate(stretch):
            distance = min(abs(n - hit) for hit in at)
            best = min(rank[stretch[hit].message_id] for hit in at)
            worth = 60 - rank[message.message_id] if distance == 0 else 40 - distance - best / 100
            yield Piece(section="memories", text=render(message), worth=worth, group=group)


class _Lines:
    """Messages as lines, with one label for each speaker in the whole prompt."""

    def __init__(self, messages: Sequence[Message], persona: Persona, zone: ZoneInfo) -> None:
        self._labels = speakers(messages, persona=persona.name)
        self._zone = zone

    def __call__(self, message: Message) -> str:
        return line(message, labels=self._labels, zone=self._zone)

    def people(self) -> Iterator[str]:
        """Whose label stands for which id, where the id says more than the label does."""
        for (sender_id, _), label in self._labels.items():
            if sender_id not in (None, "persona", label):
                yield f"{label} = {one_line(str(sender_id))}"


def _titled(title: str, lines: Sequence[str]) -> str:
    return f"\n# {title}\n" + "\n".join(lines).strip("\n") + "\n" if lines else ""


def _pieces(
    view: View, recalled: Recalled, looked_up: Sequence[LookUp], render: _Lines, shown: set[MessageId]
) -> Iterator[Piece]:
    yield from (Piece(section="notes", text=f"- {one_line(note)}", worth=20) for note in view.notes)
    yield from _memory_pieces(recalled, render)
    for n, look in enumerate(looked_up):
        worth = 65 + n
        yield Piece(section="looked_up", text=f"You looked for: {one_line(look.looked_for)}", worth=worth + 1)
        fresh = [message for message in look.found if message.message_id not in shown]
        if not fresh:
            yield Piece(section="looked_up", text="(nothing beyond what is shown)", worth=worth)
        yield from (Piece(section="looked_up", text=render(message), worth=worth) for message in fresh)
        shown.update(message.message_id for message in fresh)
    newest = len(view.recent) - 1
    for n, message in enumerate(view.recent):
        age = newest - n
        yield Piece(section="history", text=render(message), worth=70 - age if age < NEAREST_HISTORY else 30 - age)
    for n, message in enumerate(view.unread):
        yield Piece(section="unread", text=render(message), worth=100 + n)


def render_prompt(
    *,
    persona: Persona,
    view: View,
    recalled: Recalled,
    looked_up: Sequence[LookUp],
    now: datetime,
    zone: ZoneInfo,
    actions: str,
    schema: Mapping[str, object],
    budget: int,
    max_reply_tokens: int,
    language: str | None = None,
) -> Prompt:
    """The prompt of one step, at most `budget` tokens: the least useful goes first, and `dropped` says what.

    The card and the newest message always go in; a card that leaves no room for the chat loses its examples.
    """
    around = [message for hit in recalled.hits for message in (*hit.window, hit.message)]
    found = [message for look in looked_up for message in look.found]
    shown = {message.message_id for message in (*view.recent, *view.unread, *around)}
    render = _Lines([*view.unread, *view.recent, *around, *found], persona, zone)
    system = _system(persona, actions=actions, language=language, examples=True)
    if without := token_count(system) > budget // 2:
        system = _system(persona, actions=actions, language=language, examples=False)
    post_history = _macros(persona.post_history, persona).strip()
    local = now.astimezone(zone)
    offset = f"{local:%z}"
    head = {
        "now": f"{local:%A %Y-%m-%d %H:%M} ({zone.key}, UTC{offset[:3]}:{offset[3:]})",
        "people": _titled("People", list(render.people())),
        "post_history": post_history,
    }
    rest = budget - token_count(system) - sum(token_count(part) for part in head.values()) - _HEADINGS
    fitted: Fitted = fit(list(_pieces(view, recalled, looked_up, render, shown)), budget=rest)
    user = fill(
        template("turn"),
        {
            **head,
            "notes": _titled("Your notes from before", fitted.of("notes")),
            "memories": _titled("What you remember, from before the messages below", fitted.of("memories")),
            "looked_up": _titled("What you looked up just now", fitted.of("looked_up")),
            "history": _titled("The chat so far", fitted.of("history")),
            "unread": "\n".join(fitted.of("unread")),
        },
    )
    return Prompt(
        system=system,
        user=user,
        tokens={
            "system": token_count(system),
            **fitted.tokens,
            "all": token_count(system) + token_count(user),
        },
        dropped={**fitted.dropped, **({"examples": 1} if without and persona.examples.strip() else {})},
        template=version_of("system", "turn"),
        view=view,
        recalled=recalled,
        zone=zone,
        schema=schema,
        max_reply_tokens=max_reply_tokens,
        budget=budget,
        variables=written(
            Variables(
                view=view,
                recalled=recalled,
                looked_up=tuple(looked_up),
                now=now,
                zone=zone,
                budget=budget,
                max_reply_tokens=max_reply_tokens,
                language=language,
            )
        ),
    )
