"""The card in a file, and its persona, as the file is now: a change is noticed when somebody asks."""

from __future__ import annotations

import logging
from functools import cache
from importlib.resources import files
from pathlib import Path

from bot.cards.card import Card
from bot.cards.character import Persona
from bot.cards.loading import load
from bot.errors import CardError

log = logging.getLogger(__name__)


@cache
def default() -> Persona:
    """The persona that ships with the product."""
    return default_card().persona()


@cache
def default_card() -> Card:
    """The card that ships with the product."""
    return load((files("bot.data") / "default_card.json").read_bytes(), name="default")


class CardFile:
    """Who the bot is, by a card's file; without a path, the persona that ships with the product.

    Raises `CardError` at the start. Later a file that cannot be read changes nothing, and is told of once.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._seen = self._stamp()
        try:
            self._card = load(path) if path is not None else default_card()
        except CardError as error:
            raise CardError(error.kind, f"{error}; correct or unset CHARACTER_CARD") from None
        self._persona = self._card.persona()

    def card(self) -> Card:
        """All of the card, as it is now."""
        self.persona()
        return self._card

    def persona(self) -> Persona:
        """Who it is now; the file is read again when it is another than before."""
        stamp = self._stamp()  # before it is read: what changes meanwhile shows the next time
        if self._path is not None and stamp != self._seen:
            self._seen = stamp
            try:
                self._card = load(self._path)
                self._persona = self._card.persona()
            except CardError as error:
                log.warning("%s stays as before: %s", self._persona.name, error)
        return self._persona

    def _stamp(self) -> tuple[int, int] | None:
        """What differs when the file does; None when it is not there."""
        try:
            found = self._path.stat() if self._path is not None else None
        except (OSError, ValueError):
            return None
        return (found.st_mtime_ns, found.st_size) if found is not None else None
