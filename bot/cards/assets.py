"""The files that belong to a card: where they are, and their bytes when they are asked for.

Nothing is fetched: an asset at a web address or on a disk has no content here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.cards import charx, payload, png
from bot.cards.card import LARGEST_ASSET, Asset, Card, Container, Refused, Remarks

_EMBEDDED = ("embeded://", "embedded://")
"""As the specification spells it, and as others do."""
_CHUNK = "__asset:"
_DEFAULT = "ccdefault:"
_BEGINNING = 12
"""Bytes by which a picture is told from other files."""
_DIGITS = 64
"""Of base64 that hold so many bytes, line breaks and all."""


def content(card: Card, asset: Asset) -> bytes | None:
    """The bytes of an asset; None when it is elsewhere, missing, damaged, or too large."""
    if (path := _path(asset.uri)) is not None:
        return None if card.container != "charx" or charx.is_unsafe(path) else charx.member(card.file, path)
    if asset.uri.startswith(_CHUNK):
        return png.asset(card.file, asset.uri.removeprefix(_CHUNK)) if card.container == "png" else None
    if asset.uri.startswith(_DEFAULT):
        return card.file if card.container == "png" else None
    return _in_data_uri(asset.uri)


def pictures(assets: Iterable[Asset], container: Container, file: bytes) -> Iterator[Asset]:
    """The assets that are in the file and begin as a picture does; one look through the file for all of them.

    Whether such a picture is whole is seen when it is read, or by whoever gets it.
    """
    asked = [(asset, _path(asset.uri)) for asset in assets]
    if not asked:
        return
    paths = [path for _, path in asked if path is not None and not charx.is_unsafe(path)]
    members = charx.beginnings(file, paths, size=_BEGINNING) if container == "charx" else {}
    chunks = png.asset_beginnings(file, digits=_DIGITS) if container == "png" else {}
    for asset, path in asked:
        if path is not None:
            beginning = members.get(path)
        elif asset.uri.startswith(_CHUNK):
            beginning = chunks.get(asset.uri.removeprefix(_CHUNK))
        elif asset.uri.startswith(_DEFAULT):
            beginning = file if container == "png" else None
        else:
            beginning = _in_data_uri(asset.uri, digits=_DIGITS)
        if beginning is not None and is_picture(beginning):
            yield asset


def is_picture(data: bytes) -> bool:
    """Whether it is PNG, JPEG or WebP, by how it begins: what Telegram shows as a photo."""
    return data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def check(assets: tuple[Asset, ...], container: Container, file: bytes, remarks: Remarks) -> None:
    """Note the assets that should be in the file and are not."""
    members: dict[str, int | None] = charx.sizes(file) if container == "charx" else {}
    chunks = png.asset_names(file) if container == "png" else frozenset[str]()
    for asset in assets:
        if (path := _path(asset.uri)) is not None:
            size = members.get(path, 0)
            if charx.is_unsafe(path) or size is None:
                remarks.add("unsafe_asset_path", asset.uri)
            elif path not in members:
                remarks.add("asset_missing", asset.uri)
            elif size > LARGEST_ASSET:
                remarks.add("asset_too_large", asset.uri)
        elif asset.uri.startswith(_CHUNK) and asset.uri.removeprefix(_CHUNK) not in chunks:
            remarks.add("asset_missing", asset.uri)


def main_icon(card: Card) -> Asset | None:
    """The picture of the character: the icon named `main`, else the first icon."""
    icons = [asset for asset in card.assets if asset.type == "icon"]
    return next((icon for icon in icons if icon.name == "main"), icons[0] if icons else None)


def _path(uri: str) -> str | None:
    """Where in the archive an asset is; None when it is elsewhere."""
    return next((uri.removeprefix(prefix) for prefix in _EMBEDDED if uri.startswith(prefix)), None)


def _in_data_uri(uri: str, *, digits: int | None = None) -> bytes | None:
    """What a `data:` address holds in base64; what its first digits hold."""
    head, _, value = uri.partition(",")
    if not (head.lower().startswith("data:") and head.lower().endswith(";base64")):
        return None
    if len(value) > LARGEST_ASSET * 4 // 3 + 4:
        return None
    try:
        return payload.from_base64(value[:digits].encode("ascii", "replace"))
    except Refused:
        return None
