"""One backup file: a zip with a manifest, and the rows of each table in PostgreSQL's own text format.

    manifest.json        what made it and when, the schema, and of each table the columns, rows and SHA-256
    tables/NAME.copy     as COPY writes and reads it, the same in every version of PostgreSQL

Reading and writing take little memory, however large the file. Nothing is ever unpacked to disk, and of a file
that is read only what its manifest names. This module knows nothing of databases.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import AsyncIterator, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Protocol, TypeVar

from pydantic import ValidationError

from bot.errors import BackupError
from bot.store.manifest import VERSION, Head, Manifest, Table

_MANIFEST = "manifest.json"
_MANIFEST_LIMIT = 16 * 1024 * 1024  # bytes
_CHUNK = 1024 * 1024  # bytes
_LEVEL = 1  # of zlib: five times as fast as 6, and the file an eighth larger
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, KeyError, struct.error)
"""What zipfile raises on a file that is not whole."""


class _Closable(Protocol):
    def close(self) -> None: ...


Closable = TypeVar("Closable", bound=_Closable)


class Writer:
    """A backup that is being written: table by table, then the manifest."""

    def __init__(self, packed: zipfile.ZipFile, file: Path) -> None:
        self._zip, self._file = packed, file
        self.failure: BackupError | None = None
        """Why no more could be written, if that happened."""

    @contextmanager
    def table(self, name: str) -> Generator[Member]:
        """Write a table within the block."""
        with _writing_to(self._file):
            stream = self._zip.open(_member(name), "w", force_zip64=True)
        with _closed_at_last(stream):
            yield Member(self, stream)
            with _writing_to(self._file):
                stream.close()

    def write(self, stream: IO[bytes], data: bytes) -> None:
        """Write, or remember why not."""
        try:
            with _writing_to(self._file):
                stream.write(data)
        except BackupError as error:
            self.failure = error
            raise

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest; without it the file is not a backup."""
        with _writing_to(self._file):
            self._zip.writestr(_MANIFEST, manifest.model_dump_json(indent=1))


class Member:
    """The rows of one table on their way into the file."""

    def __init__(self, writer: Writer, stream: IO[bytes]) -> None:
        self._writer, self._stream = writer, stream
        self._digest = hashlib.sha256()
        self.rows = 0

    def write(self, data: bytes) -> None:
        """Add what COPY gave. A line feed only ever ends a row: within one it is written as a backslash and an n."""
        self._digest.update(data)
        self.rows += data.count(b"\n")
        self._writer.write(self._stream, data)

    def described(self, columns: Sequence[str]) -> Table:
        """The table's entry in the manifest."""
        return Table(columns=tuple(columns), rows=self.rows, sha256=self._digest.hexdigest())


@contextmanager
def writing(file: Path, *, replace: bool = False) -> Generator[Writer]:
    """Write a backup within the block. Afterwards `file` is whole; if anything fails it is as it was before.

    Only the owner can read it. A file that is there already is refused, or replaced if that is asked for.
    """
    target = _free(file, replace=replace)
    with _writing_to(file):
        descriptor, name = tempfile.mkstemp(prefix="companion-backup-", suffix=".partial", dir=target.parent)
    partial = Path(name)
    try:
        with _closed_at_last(os.fdopen(descriptor, "wb")) as raw:
            packed = zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)
            with _closed_at_last(packed):
                yield Writer(packed, file)
                with _writing_to(file):
                    packed.close()
                    raw.flush()
                    os.fsync(raw.fileno())
        with _writing_to(file):
            partial.replace(_free(file, replace=replace))
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # some network drives cannot; the file is whole all the same
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _free(file: Path, *, replace: bool) -> Path:
    """Where `file` really is; raise unless it may be written there."""
    with _writing_to(file):
        target = file.resolve()
        if target.exists() and not target.is_file():
            raise BackupError(f"{file} is not a file; name a new one to write the backup to")
        if target.exists() and not replace:
            raise BackupError(f"{file} is there already; name another file, or replace it with --force")
        return target


@contextmanager
def _closed_at_last(stream: Closable) -> Generator[Closable]:
    """Close something whatever happens. What could still go wrong then is nothing to what went wrong before."""
    try:
        yield stream
    finally:
        with suppress(OSError):
            stream.close()


@contextmanager
def _writing_to(file: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise BackupError(
            f"cannot write {file}: {error.strerror or error}; make room for it, or name a file elsewhere"
        ) from error


class Archive:
    """A backup that is being read."""

    def __init__(self, packed: zipfile.ZipFile, file: Path) -> None:
        self._zip, self.file = packed, file
        self.manifest = self._read_manifest()

    async def check(self) -> None:
        """Read all of it; raise `BackupError` unless it is what was once written."""
        for table in self.manifest.tables:
            async for _ in self.rows(table):
                pass

    async def rows(self, table: str) -> AsyncIterator[bytes]:
        """The rows of a table for COPY, in pieces; raise `BackupError` at the latest behind the last of them."""
        expected = self.manifest.tables[table]
        digest, count = hashlib.sha256(), 0
        with self._open(_member(table)) as stream:
            while piece := self._read(stream, _CHUNK):
                digest.update(piece)
                count += piece.count(b"\n")
                yield piece
                await asyncio.sleep(0)  # so that it can be interrupted
        if (digest.hexdigest(), count) != (expected.sha256, expected.rows):
            raise self._damaged(f"the rows of {table!r} are not those that were written")

    def _read_manifest(self) -> Manifest:
        if _MANIFEST not in self._zip.namelist():
            raise BackupError(f"{self.file} is not a backup of Companion: it has no {_MANIFEST}")
        with self._open(_MANIFEST) as stream:
            text = self._read(stream, _MANIFEST_LIMIT)
        try:
            head = Head.model_validate_json(text)
            if head.version > VERSION:
                raise BackupError(
                    f"{self.file} was made by a newer version of Companion; install {head.program!r} or a later one"
                )
            return Manifest.model_validate_json(text)
        except ValidationError as error:
            raise self._damaged(f"its {_MANIFEST} makes no sense") from error

    def _open(self, member: str) -> IO[bytes]:
        try:
            info = self._zip.getinfo(member)
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise self._damaged(f"{member!r} is not packed as it was")
            return self._zip.open(info)
        except _DAMAGE as error:
            raise self._damaged(str(error)) from error

    def _read(self, stream: IO[bytes], size: int) -> bytes:
        try:
            return stream.read(size)
        except _DAMAGE as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, why: str) -> BackupError:
        return BackupError(f"{self.file} is damaged or was changed ({why}); use another copy of it")


@contextmanager
def reading(file: Path) -> Generator[Archive]:
    """Open a backup for the block; raise `BackupError` if it is none."""
    try:
        if not file.is_file():  # a device or a pipe has no end to look for
            file.stat()
            raise BackupError(f"{file} is not a plain file; name one that `companion backup` made")
        raw = file.open("rb")
    except OSError as error:
        raise BackupError(f"cannot read {file}: {error.strerror or error}") from error
    with raw:
        try:
            packed = zipfile.ZipFile(raw)
        except _DAMAGE as error:
            raise BackupError(f"{file} is not a backup of Companion, or only a part of one ({error})") from error
        yield Archive(packed, file)


def _member(table: str) -> str:
    return f"tables/{table}.copy"
