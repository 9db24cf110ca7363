"""What the bot says to an order, in its own name. Pure; a name or note in it is data, shown as plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.cards import Card
from bot.telegram.split import CAPTION, sendable, split_for_telegram, units

MENU: Final = "Who I am, and how to change that"
"""What the menu says of /persona."""
USAGE: Final = (
    "That is not how /persona goes: alone it tells who I am; with a character card as a file, or as an answer to one, "
    "it makes me that; /persona greeting N and /persona reset do the rest."
)
NOT_ADMIN: Final = "Only an admin of this group may change who I am."
UNKNOWN_ADMIN: Final = (
    "Telegram does not tell me whether you are an admin here: make me one, or write as the group itself (anonymously)."
)
PHOTO: Final = "Telegram takes the card out of a photo: send it as a file."
TOO_LARGE: Final = "That file has over 16 MiB, and no card is that large: send another one."
NO_FILE: Final = "Telegram does not give me that file any more: send it again."
LONGEST_NOTES: Final = 4 * CAPTION
"""Characters of notes that are looked at; far fewer are shown."""
FAILED: Final = "That did not work, and I have stopped trying: please try again in a while."


def sentence(text: str) -> str:
    """A text as a sentence: a capital letter, and a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def i_am(name: str) -> str:
    return f"I am {name}."


def now_i_am(name: str) -> str:
    return f"I am {name} now."


def already(name: str) -> str:
    return f"I am {name} already."


def which_greeting(name: str, texts: Sequence[str]) -> str:
    """With which greetings a persona can begin."""
    known = [number for number, text in enumerate(texts) if text.strip()]
    if not known:
        return f"{name} has no greeting: its card holds none."
    if len(known) == known[-1] + 1 > 1:
        return f"{name} has greetings 0 to {known[-1]}: write /persona greeting 0, or another of these numbers."
    shown = ", ".join(map(str, known[:20])) + (", …" if len(known) > 20 else "")
    return f"{name} has these greetings: {shown}; write /persona greeting {known[0]}, or another of these numbers."


def about(card: Card, *, language: str | None, default: str | None, in_group: bool) -> str:
    """Who the bot is, what its card's maker says, and how to change it: as much as fits below a picture.

    `default` is who `/persona reset` brings back; None when that is who it is.
    """
    who = i_am(card.shown_name)
    how = "To change that" + (", an admin sends" if in_group else ", send")
    how += " a character card as a file with the caption /persona, or answers one with /persona."
    how = how if in_group else how.replace("or answers", "or answer")
    how += f" /persona reset makes me {default} again." if default else ""
    how += " /persona greeting N begins anew with another greeting."
    notes = notes_of(card, language)
    if not notes:
        return f"{who}\n\n{how}"
    head = "From the maker of this card:\n"
    room = CAPTION - sum(map(units, (who, head, how))) - 8
    if units(notes) > room:
        notes = "".join(split_for_telegram(notes, limit=max(room - 2, 2))[:1]) + " …"
    return f"{who}\n\n{head}{notes}\n\n{how}"


def notes_of(card: Card, language: str | None) -> str:
    """What the maker tells people, in their language if there is that; else in English, or in whatever there is."""
    primary = (language or "en").partition("-")[0].lower()
    told = card.notes_in(primary) or card.notes_in("en") or card.creator_notes
    return sendable(told.strip()[:LONGEST_NOTES]).strip()
