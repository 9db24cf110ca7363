"""Character cards: a file in, an immutable `Card` out, and back. Pure but for reading the one file; no network.

    card = load(Path("mirelle.png"))    # or bytes
    card.name, card.first_mes, card.warnings
    card.document                       # all of it, in the shape of V3
    to_png(card, now=datetime.now(UTC))
    card.persona()                      # who the bot is by it: what a prompt is made of

Read are JSON (V1 to V3, and what Pygmalion, text-generation-webui and Agnai write), PNG and APNG, CHARX, JPEG and
WebP, YAML, plain text and Markdown. The kinds of errors are `ErrorKind`, those of warnings `WarningKind`, both in
card.py. Start reading at loading.py.
"""

from __future__ import annotations

from bot.cards.assets import content
from bot.cards.card import Asset, Card, CardWarning
from bot.cards.character import Character, Persona
from bot.cards.exporting import to_json, to_png
from bot.cards.loading import load
from bot.cards.watched import CardFile, default, default_card

__all__ = [
    "Asset",
    "Card",
    "CardFile",
    "CardWarning",
    "Character",
    "Persona",
    "content",
    "default",
    "default_card",
    "load",
    "to_json",
    "to_png",
]
