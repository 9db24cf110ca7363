"""Cards in CHARX: a zip with `card.json` at its root, alone or behind a picture or a program.

Members are read by themselves, up to a bound, and never written to disk; a name is only ever compared.
"""

from __future__ import annotations

import io
import re
import stat
import zipfile
import zlib
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from typing import IO

from bot.cards import json_text, payload
from bot.cards.card import LARGEST_ASSET, LARGEST_CARD, Refused, Remarks

MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_END = b"PK\x05\x06"
_END_SIZE = 22
_LONGEST_COMMENT = 65_535
_LARGEST_DIRECTORY = 2**20
"""Bytes of the list of members: some ten thousand of them."""
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What other packings declare about themselves can claim any amount of memory."""
_DAMAGED = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, OverflowError, RuntimeError, ValueError,
)  # fmt: skip
_UNSAFE = re.compile(r"\A/|\A[A-Za-z]:|\\|\0|(?:\A|/)\.\.(?:/|\Z)")


def is_behind(data: bytes) -> bool:
    """Whether the file ends as a zip does, whatever it begins with."""
    return _end(data) >= 0


def is_unsafe(path: str) -> bool:
    """Whether a path would lead out of the folder that it is taken to be in."""
    return _UNSAFE.search(path) is not None


def read(data: bytes, remarks: Remarks) -> object:
    """The value in `card.json`."""
    with _opened(data) as archive:
        try:
            info = archive.getinfo("card.json")
        except KeyError:
            raise Refused("missing_card_json", "is an archive without card.json at its root; export it anew") from None
        text = _member(archive, info, limit=LARGEST_CARD)
    if text is None:
        raise Refused("too_large", f"unpacks to over {LARGEST_CARD // 2**20} MiB of JSON; no card is that large")
    return json_text.parse(payload.refuse_encrypted(payload.decode(text).strip()), remarks)


def sizes(data: bytes) -> dict[str, int | None]:
    """What each member claims to unpack to; None for what is no plain file."""
    with _opened(data) as archive:
        return {info.filename: info.file_size if _is_plain(info) else None for info in archive.infolist()}


def member(data: bytes, path: str) -> bytes | None:
    """The bytes of a member; None when it is not there, no plain file, damaged or too large."""
    try:
        with _opened(data) as archive:
            info = archive.getinfo(path)
            return _member(archive, info, limit=LARGEST_ASSET) if _is_plain(info) else None
    except (KeyError, Refused):
        return None


def beginnings(data: bytes, paths: Iterable[str], *, size: int) -> dict[str, bytes]:
    """How members begin that `member` would give, as far as can be told without unpacking them."""
    found: dict[str, bytes] = {}
    try:
        with _opened(data) as archive:
            for path in dict.fromkeys(paths):
                with suppress(KeyError, Refused, *_DAMAGED):
                    info = archive.getinfo(path)
                    if _is_plain(info) and info.file_size <= LARGEST_ASSET:
                        with _readable(archive, info) as file:
                            found[path] = file.read(size)
    except Refused:
        pass  # as damaged as that, it has given no card either
    return found


@contextmanager
def _opened(data: bytes) -> Generator[zipfile.ZipFile]:
    """The archive; what zipfile raises about a damaged one becomes `bad_archive`."""
    at = _end(data)
    if at < 0 or int.from_bytes(data[at + 12 : at + 16], "little") > _LARGEST_DIRECTORY:
        kind, why = ("bad_archive", "is a damaged archive") if at < 0 else ("too_large", "has too many members")
        raise Refused(kind, f"{why}; export the card again")
    if data[at - 20 : at - 16] == b"PK\x06\x07":
        raise Refused("bad_archive", "is an archive of the kind for over 4 GiB (zip64); pack it as a plain zip")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield archive
    except _DAMAGED:
        raise Refused("bad_archive", "is a damaged archive; export the card again") from None


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, *, limit: int) -> bytes | None:
    """What a member unpacks to; None when that is over the limit, whatever it claims."""
    with _readable(archive, info) as file:
        content = file.read(limit + 1)
    return content if len(content) <= limit else None


def _readable(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    """A member, open; `Refused` when it is packed in a way that is not unpacked here."""
    if info.flag_bits & 1:
        raise Refused("encrypted", "is encrypted; export it without a password")
    if info.compress_type not in _PACKED:
        raise Refused("bad_archive", "is packed in a way that no card is; pack it as a plain zip")
    return archive.open(info)


def _is_plain(info: zipfile.ZipInfo) -> bool:
    return not info.is_dir() and stat.S_IFMT(info.external_attr >> 16) in (0, stat.S_IFREG)


def _end(data: bytes) -> int:
    """Where the record stands that ends an archive; -1 when there is none."""
    return data.rfind(_END, max(0, len(data) - _END_SIZE - _LONGEST_COMMENT), len(data) - _END_SIZE + len(_END))
