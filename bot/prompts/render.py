"""The prompt of a turn, from its values to text. Pure: nothing is read, asked or remembered here.

The templates beside this file are the product; read them first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.cards import Persona
from bot.memory.window import SILENCE, merge
from bot.model import Message, MessageId, Prompt, Recalled, View, token_count
from bot.prompts.budget import Piece, fit
from bot.prompts.lines import ASIDE, line, one_line, own_label, speakers
from bot.prompts.persona import LORE_SHARE, tell_persona
from bot.prompts.sections import Insert, PersonaSections
from bot.prompts.templates import fill, template, version_of
from bot.prompts.variables import LookUp, Variables, written

NEAREST_HISTORY = 6
"""Recent messages that matter more than any memory."""
_HEADINGS = 70
"""Tokens that the headings of all sections take, but for that of the examples, which has a name in it."""
_EXAMPLES_LAST = -1000
"""Of what fills the room beside the character's own texts, examples are worth least."""


def _opening(persona: Persona) -> str:
    return fill(template("opening"), {"name": persona.name}).strip()


def _system(persona: Persona, *, told: str, actions: str, language: str | None) -> str:
    """What stands before the chat: who the bot is, then what no card can do without or change.

    The card's part comes first, as its makers expect, and changes only as its lorebook does; ours has the last word.
    """
    asides = f"A line that begins with `{ASIDE}` is no message, and nobody wrote it: it is about you and your world.\n"
    language = one_line(language) if language else ""
    return fill(
        template("system"),
        {
            "persona": told,
            "you": own_label(persona.name),
            "asides": asides if persona.character.speaks_among_messages else "",
            "language": f"{language}, whatever others write in" if language else "the language you are spoken to in",
            "actions": actions,
        },
    )


def _talk_heading(persona: Persona) -> str:
    return f"How {persona.name} talks, for example"


def _persona(persona: Persona, sections: PersonaSections, examples: Sequence[str]) -> str:
    """The opening words, who the persona is, and how it talks."""
    opening = [section.text for section in sections.before if section.name == "system_prompt"]
    about = [section.text for section in sections.before if section.name not in ("system_prompt", "examples")]
    return "\n".join([*opening, _titled("Who you are", about), _titled(_talk_heading(persona), examples)])


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


def _among(inserts: Sequence[Insert], history: list[str], unread: list[str]) -> tuple[list[str], list[str]]:
    """The messages of both sections, and what stands among them: so many from the newest of those shown."""
    messages = [*history, *unread]
    before: defaultdict[int, list[str]] = defaultdict(list)
    for insert in sorted(inserts, key=lambda insert: -insert.depth):
        before[max(len(messages) - max(insert.depth, 0), 0)].append(insert.section.text)

    def those(start: int, end: int) -> list[str]:
        return [row for n in range(start, end) for row in (*before[n], messages[n])]

    return those(0, len(history)), [*those(len(history), len(messages)), *before[len(messages)]]


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

    The persona gets half of the room at most. Its examples go first when the chat fills the other half, too. The newest
    message always goes in.
    """
    around = [message for hit in recalled.hits for message in (*hit.window, hit.message)]
    found = [message for look in looked_up for message in look.found]
    shown = {message.message_id for message in (*view.recent, *view.unread, *around)}
    render = _Lines([*view.unread, *view.recent, *around, *found], persona, zone)
    local = now.astimezone(zone)
    offset = f"{local:%z}"
    head = {
        "now": f"{local:%A %Y-%m-%d %H:%M} ({zone.key}, UTC{offset[:3]}:{offset[3:]})",
        "people": _titled("People", list(render.people())),
    }
    ours = token_count(_system(persona, told="", actions=actions, language=language))
    headings = _HEADINGS + token_count(_talk_heading(persona)) + sum(token_count(part) for part in head.values())
    room = budget - ours - headings
    told = tell_persona(
        persona,
        view,
        now=local,
        opening=_opening(persona),
        lore_budget=budget // LORE_SHARE,
        budget=max(room // 2, 0),
    )
    examples = [section for section in told.sections.before if section.name == "examples"]
    tokens = Counter(told.sections.tokens)
    del tokens["examples"]
    fitted = fit(
        [
            *_pieces(view, recalled, looked_up, render, shown),
            *(
                Piece(section="examples", text=example.text, worth=_EXAMPLES_LAST - n, group=n)
                for n, example in enumerate(examples)
            ),
        ],
        budget=room - tokens.total(),
    )
    history, unread = _among(told.sections.inserts, fitted.of("history"), fitted.of("unread"))
    system = _system(
        persona,
        told=_persona(persona, told.sections, fitted.of("examples")),
        actions=actions,
        language=language,
    )
    user = fill(
        template("turn"),
        {
            **head,
            "notes": _titled("Your notes from before", fitted.of("notes")),
            "memories": _titled("What you remember, from before the messages below", fitted.of("memories")),
            "looked_up": _titled("What you looked up just now", fitted.of("looked_up")),
            "history": _titled("The chat so far", history),
            "unread": "\n".join(unread),
            "post_history": _titled("Before you answer", [section.text for section in told.sections.after]),
        },
    )
    return Prompt(
        system=system,
        user=user,
        tokens={"system": ours, **tokens, **fitted.tokens, "all": token_count(system) + token_count(user)},
        dropped=Counter(told.sections.dropped) + Counter(fitted.dropped),
        template=version_of("opening", "system", "turn"),
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
        lore=told.lore,
    )
