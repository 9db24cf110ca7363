"""A card as a file again: JSON, or a picture that carries it. Nothing that the card said is lost.

What it was read as is written, in the shape of V3; the time of the export is its modification date.
"""

from __future__ import annotations

import base64
import json
from datetime import datetime
from typing import Any

from bot.cards import assets, png
from bot.cards.card import LARGEST_CARD, LARGEST_FILE, Card, Refused, dump

_LARGEST_COPY = 2**20
"""Bytes of a card that is written a second time, for programs that know V2 only."""


def to_json(card: Card, *, now: datetime) -> bytes:
    """The card as a JSON file that people can read."""
    document = _dated(card, now)
    indented = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2).encode()
    return indented + b"\n" if len(indented) < LARGEST_CARD else dump(document)


def to_png(card: Card, *, now: datetime) -> bytes:
    """The card in its own picture, where that is a PNG, else in a plain one. Old cards in the picture go."""
    document = _dated(card, now)
    v3 = dump(document)
    texts = {"ccv3": base64.b64encode(v3)}
    if len(v3) <= _LARGEST_COPY:
        texts["chara"] = base64.b64encode(dump({**document, "spec": "chara_card_v2", "spec_version": "2.0"}))
    carried = png.with_card(picture(card), texts)
    return carried if len(carried) <= LARGEST_FILE else png.with_card(png.plain_picture(), texts)


def picture(card: Card) -> bytes:
    """A PNG of the character; a plain one when there is none."""
    icon = assets.main_icon(card)
    for found in (card.file, assets.content(card, icon) if icon else None):
        try:
            if found is not None and png.is_whole(found):
                return found
        except Refused:
            continue
    return png.plain_picture()


def _dated(card: Card, now: datetime) -> dict[str, Any]:
    document = card.document
    document["data"]["modification_date"] = int(now.timestamp())
    return document
