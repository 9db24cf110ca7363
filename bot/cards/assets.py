"""The files that belong to a card: where they are, and their bytes when they are asked for.

Nothing is fetched: an asset at a web address or on a disk has no content here.
"""

from __future__ import annotations

from bot.cards import charx, payload, png
from bot.cards.card import LARGEST_ASSET, Asset, Card, Container, Refused, Remarks

_EMBEDDED = ("embeded://", "embedded://")
"""As the specification spells it, and as others do."""
_CHUNK = "__asset:"
_DEFAULT = "ccdefault:"


def content(card: Card, asset: Asset) -> bytes | None:
    """The bytes of an asset; None when it is elsewhere, missing, damaged, or too large."""
    if (path := _path(asset.uri)) is not None:
        return None if card.container != "charx" or charx.is_unsafe(path) else charx.member(card.file, path)
    if asset.uri.startswith(_CHUNK):
        return png.asset(card.file, asset.uri.removeprefix(_CHUNK)) if card.container == "png" else None
    if asset.uri.startswith(_DEFAULT):
        return card.file if card.container == "png" else None
    return _in_data_uri(asset.uri)


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


def _in_data_uri(uri: str) -> bytes | None:
    """What a `data:` address holds in base64."""
    head, _, value = uri.partition(",")
    if not (head.lower().startswith("data:") and head.lower().endswith(";base64")):
        return None
    if len(value) > LARGEST_ASSET * 4 // 3 + 4:
        return None
    try:
        return payload.from_base64(value.encode("ascii", "replace"))
    except Refused:
        return None
