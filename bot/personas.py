"""Who the bot is in a chat: the character card that the chat was given, else that of CHARACTER_CARD.

A card may be hostile, and reading one takes up to two seconds of computing and 150 MB: it is done beside the event
loop, one at a time. Cards are known by the hash of their file, so what was read of one is never out of date. Nothing
here knows Telegram.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable

from bot.cards import Card, Persona, content, load
from bot.cards.assets import is_picture, main_icon
from bot.errors import CardError
from bot.store.personas import ChatPersonas

log = logging.getLogger(__name__)

MOST_AT_HAND = 256
MOST_BYTES_AT_HAND = 16 * 2**20
"""Of cards whose personas are at hand. One with a large book takes up to twelve times that."""
LARGEST_PICTURE = 10 * 2**20 - 1
"""Bytes; what Telegram takes as a photo."""


class Personas:
    """The personas of all chats, those used last at hand."""

    def __init__(
        self, store: ChatPersonas, *, default: Callable[[], Card], default_persona: Callable[[], Persona]
    ) -> None:
        """`default` and its persona are CHARACTER_CARD's, as they are now."""
        self._store, self._default, self._default_persona = store, default, default_persona
        self._at_hand: OrderedDict[str, tuple[Persona, int]] = OrderedDict()
        self._bytes = 0
        self._one_at_a_time = asyncio.Lock()

    @property
    def default(self) -> Persona:
        """CHARACTER_CARD's."""
        return self._default_persona()

    async def of(self, card: str | None) -> Persona:
        """The persona of a card by its hash; CHARACTER_CARD's for None, or if that card cannot be had any more."""
        if card is None:
            return self.default
        if card not in self._at_hand:
            async with self._one_at_a_time:
                if card not in self._at_hand:  # the one before may have read the same
                    await self._take_to_hand(card)
        known = self._at_hand.get(card)
        if known is None:
            return self.default
        self._at_hand.move_to_end(card)
        return known[0]

    async def card(self, card: str | None) -> Card:
        """All of a card, as `of` finds it."""
        async with self._one_at_a_time:
            read = None if card is None else await self._kept(card)
        return self._default() if read is None else read

    async def picture(self, card: str, emotion: str | None = None) -> bytes | None:
        """The picture of the character of a card, or that of its mood, if it has one that can be sent."""
        default = self._default()
        async with self._one_at_a_time:
            read = default if default.sha256 == card else await self._kept(card)
            return None if read is None else await asyncio.to_thread(picture_of, read, emotion)

    async def read(self, file: bytes) -> Card:
        """The card in a file that somebody gave. Raises `CardError`."""
        async with self._one_at_a_time:
            return await asyncio.to_thread(load, file)

    async def _kept(self, card: str) -> Card | None:
        file = await self._store.file(card)
        try:
            return None if file is None else await asyncio.to_thread(load, file)
        except CardError as error:  # another version of this program took it
            log.warning("a chat's card cannot be read any more, CHARACTER_CARD stands in for it: %s", error.kind)
            return None

    async def _take_to_hand(self, card: str) -> None:
        read = await self._kept(card)
        if read is None:
            return
        self._at_hand[card] = await asyncio.to_thread(read.persona), len(read.v3)
        self._bytes += len(read.v3)
        while len(self._at_hand) > MOST_AT_HAND or (self._bytes > MOST_BYTES_AT_HAND and len(self._at_hand) > 1):
            self._bytes -= self._at_hand.popitem(last=False)[1][1]


def sha256_of(file: bytes) -> str:
    """What a card is known by."""
    return hashlib.sha256(file).hexdigest()


def picture_of(card: Card, emotion: str | None = None) -> bytes | None:
    """The picture of a card's character, which a card in a PNG is itself, or that of its mood.

    None when there is none that can be sent.
    """
    asset = main_icon(card) if emotion is None else dict(card.emotions).get(emotion)
    picture = content(card, asset) if asset is not None else None
    if picture is None and emotion is None and card.container == "png":
        picture = card.file
    return picture if picture is not None and len(picture) <= LARGEST_PICTURE and is_picture(picture) else None
