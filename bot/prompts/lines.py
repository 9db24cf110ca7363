"""One message, one line, in a shape that no message can forge.

A line break inside a text becomes ⏎, and a name loses the characters that the shape itself is made of; so a line
starts with `#` and only `<…>` names its speaker, whatever people write or call themselves. What the character's card
puts among the messages is a line, too, and of another shape: see `aside`. What it says elsewhere may have many lines,
none of which is in the shape of ours: see `apart`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo

from bot.model import Message

LONGEST_TEXT = 2400
"""Characters of one message shown in a prompt."""
LONGEST_NAME = 40
UNNAMED = "someone"
ASIDE = "[aside]"
"""How a line begins that is no message. No person's line does, and no name has these brackets."""

_BREAKS = re.compile(r"[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)
"""Control characters, lone surrogates, and what turns the direction of a line around."""
_ONE_BREAK = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_MARKED = re.compile(r"^([^\n#]*)#((?:[^\n#\w]|[\u115f\u1160\u3164\uffa0])*)(\d?)", re.MULTILINE)
_BRACKETED = re.compile(r"^([^\n\[]*)\[([^\n\[\]]{5,200})\]", re.MULTILINE)
_NO_SHAPE = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs by their category that nothing can be seen of."""
_WITHOUT_SHAPE = frozenset({"Cc", "Cf", "Cs", "Me", "Mn"})
"""Categories of what one does not see, or only with a character before it."""
_SHAPE = str.maketrans("<>[]()#", "       ")


def one_line(text: str) -> str:
    """The text on one line, without control and bidi characters; a cut is said."""
    flat = _flat(text)
    if len(flat) > LONGEST_TEXT:
        return f"{flat[:LONGEST_TEXT]} … (cut here; {len(flat):,} characters in all)"
    return flat


def _flat(text: str) -> str:
    return _UNSEEN.sub("", _BREAKS.sub(" ⏎ ", text.strip()))


def aside(text: str, *, own: bool) -> str:
    """What a card has to say among the messages, at whatever length, on one line that is plainly no message.

    A card gives such a text a role, as a chat model's messages have one. Our messages all stand in a single text, where
    a role means nothing; and to show a text as a person's would be to say that a person wrote it. So what is the
    system's and what is the user's are the same here: nobody's. What is the assistant's is the character's `own`,
    mostly in the first person: it is told as a thought, as the character did not say it either.
    """
    return f"{ASIDE} (your own thought) {_flat(text)}" if own else f"{ASIDE} {_flat(text)}"


def apart(text: str) -> str:
    """A text of a card with its lines, of which none looks like a message, an aside or a heading of ours.

    Its headings go one level down, and a number behind a `#` gets another sign: a card has no need of ours.
    """
    lines = _UNSEEN.sub("", _ONE_BREAK.sub("\n", text))
    return _BRACKETED.sub(_not_an_aside, _MARKED.sub(_not_marked, lines))


def _not_marked(found: re.Match[str]) -> str:
    before, behind, digit = found.groups()
    if _seen(before):
        return found[0]
    is_number = digit and not (_seen(behind) or any(map(str.isspace, behind)))
    return f"{before}{'№' if is_number else '##'}{behind}{digit}"


def _not_an_aside(found: re.Match[str]) -> str:
    before, within = found.groups()
    is_aside = not _seen(before) and unicodedata.normalize("NFKC", _seen(within)).casefold() == "aside"
    return f"{before}({within})" if is_aside else found[0]


def _seen(text: str) -> str:
    """The characters that one sees of a text."""
    return "".join(
        each
        for each in text
        if not (each.isspace() or each in _NO_SHAPE or unicodedata.category(each) in _WITHOUT_SHAPE)
    )


def clean_name(name: str) -> str:
    """A name on one line, without the characters that mark a speaker; never empty."""
    flat = " ".join(one_line(name).replace("⏎", " ").translate(_SHAPE).split())
    return flat[:LONGEST_NAME].strip() or UNNAMED


def when(moment: datetime, zone: tzinfo) -> str:
    """Local date and time, to the minute."""
    return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"


def speakers(messages: Iterable[Message], *, persona: str) -> dict[tuple[str | None, str], str]:
    """A label for each speaker: their name; a number behind it where two people share one.

    The persona's own label ends in "(you)", which no person's can.
    """
    labels: dict[tuple[str | None, str], str] = {}
    taken: dict[str, int] = {}
    for message in messages:
        key = speaker(message)
        if key in labels:
            continue
        if message.persona is not None:
            own = message.persona == persona
            labels[key] = own_label(persona) if own else f"{clean_name(message.persona)} (you, as another persona)"
            continue
        name = clean_name(message.sender)
        taken[name] = taken.get(name, 0) + 1
        labels[key] = name if taken[name] == 1 else f"{name} ({taken[name]})"
    return labels


def own_label(persona: str) -> str:
    """How the persona's own lines are signed."""
    return f"{clean_name(persona)} (you)"


def speaker(message: Message) -> tuple[str | None, str]:
    """Whose message it is: the same for all that one person says, whatever they are called by then."""
    if message.persona is not None:
        return ("persona", message.persona)
    return (message.sender_id, message.sender if message.sender_id is None else "")


def line(message: Message, *, labels: Mapping[tuple[str | None, str], str], zone: tzinfo) -> str:
    """A message as the prompt shows it."""
    asides = ""
    if message.reply_to is not None:
        asides += f" (answers #{message.reply_to})"
    if message.forwarded_from is not None:
        asides += f" (forwarded from {clean_name(message.forwarded_from)})"
    if message.edited_at is not None:
        asides += " (edited)"
    if message.emotion is not None:
        asides += f" (picture: {clean_name(message.emotion)})"
    label = labels.get(speaker(message)) or clean_name(message.sender)
    return f"#{message.message_id} [{when(message.sent_at, zone)}] <{label}>{asides} {one_line(message.text)}"
