"""The backup file by itself: whatever happens to it, it gives what was written or is refused."""

from __future__ import annotations

import asyncio
import io
import stat
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.errors import BackupError
from bot.store.archive import reading, writing
from bot.store.manifest import Manifest, Migration, Table

ROWS = {
    "chats": b"1\tTea\t\\N\n2\t\\\\N\tUTC\n",
    "messages": b"".join(b"%d\tI said %d\n" % (n, n * n) for n in range(60)),
    "empty": b"",
}


def write(file: Path, *, replace: bool = False) -> None:
    """A backup of three tables."""
    with writing(file, replace=replace) as archive:
        tables: dict[str, Table] = {}
        for name, rows in ROWS.items():
            with archive.table(name) as member:
                for start in range(0, len(rows), 100):
                    member.write(rows[start : start + 100])
            tables[name] = member.described(["a", "b"])
        archive.finish(
            Manifest(
                made_at=datetime.now(UTC),
                program="1.2.3",
                postgresql="18",
                migrations=(Migration(number=1, name="first", sha256="x"),),
                tables=tables,
                sequences={"chats_id_seq": 2},
            )
        )


def read(file: Path) -> dict[str, bytes]:
    """All that a backup holds."""

    async def collect() -> dict[str, bytes]:
        with reading(file) as archive:
            await archive.check()
            return {name: b"".join([piece async for piece in archive.rows(name)]) for name in archive.manifest.tables}

    return asyncio.run(collect())


def rewritten(whole: bytes, **members: bytes | None) -> bytes:
    """A backup with other members, every checksum of the zip right: `__` in a name stands for a slash."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        kept = {info.filename: old.read(info) for info in old.infolist()}
        for name, data in (kept | {name.replace("__", "/"): data for name, data in members.items()}).items():
            if data is not None:
                new.writestr(name, data)
    return changed.getvalue()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a file is to be read from."""
    return tmp_path_factory.mktemp("archive") / "file"


@pytest.fixture(scope="module")
def whole(file: Path) -> bytes:
    """A whole backup."""
    write(made := file.with_name("whole"))
    return made.read_bytes()


def test_what_was_written_is_read(file: Path, whole: bytes) -> None:
    file.write_bytes(whole)
    assert read(file) == ROWS


@given(share=st.floats(0, 1, exclude_max=True))
@settings(deadline=None)
def test_a_part_of_a_file_is_refused(file: Path, whole: bytes, share: float) -> None:
    file.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(BackupError, match=r"file is not a backup|file is damaged"):
        read(file)


@given(place=st.integers(0, 10**6), flipped=st.integers(1, 255), length=st.integers(1, 4))
@settings(max_examples=400, deadline=None)
def test_a_damaged_file_is_refused_or_gives_what_was_written(
    file: Path, whole: bytes, place: int, flipped: int, length: int
) -> None:
    damaged = bytearray(whole)
    for offset in range(length):
        damaged[(place + offset) % len(whole)] ^= flipped
    file.write_bytes(damaged)
    try:
        assert read(file) == ROWS
    except BackupError as error:
        assert "\n" not in str(error)  # noqa: PT017


@given(data=st.binary())
@example(b"")
@example(b"PK\x05\x06" + bytes(18))
@example(b"PK\x05\x06" + b"\xff" * 18)
@settings(deadline=None)
def test_any_other_file_is_refused(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(BackupError, match="is not a backup of Companion"):
        read(file)


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({"tables__chats.copy": b"1\tTee\t\\N\n2\t\\\\N\tUTC\n"}, "rows of 'chats'"),
        ({"tables__chats.copy": None}, "tables/chats.copy"),
        ({"tables__empty.copy": b"\n"}, "rows of 'empty'"),
        ({"manifest.json": None}, "is not a backup of Companion: it has no manifest.json"),
        ({"manifest.json": b"{}"}, "manifest.json makes no sense"),
        ({"manifest.json": b"\xff"}, "manifest.json makes no sense"),
        ({"manifest.json": b"[" * 100_000}, "manifest.json makes no sense"),
        ({"manifest.json": b" " * 20_000_000}, "manifest.json makes no sense"),
        ({"manifest.json": b'{"format": "companion backup", "version": 2, "program": "9.1"}'}, "'9.1' or a later one"),
    ],
)
def test_a_file_that_was_changed_is_refused_with_the_reason(
    file: Path, whole: bytes, members: dict[str, bytes | None], why: str
) -> None:
    file.write_bytes(rewritten(whole, **members))
    with pytest.raises(BackupError, match=why) as raised:
        read(file)
    assert len(str(raised.value)) < 400


def test_what_the_manifest_does_not_name_is_not_read(file: Path, whole: bytes) -> None:
    file.write_bytes(rewritten(whole, **{"..__..__etc__passwd": b"root", "tables__more.copy": b"1\n"}))
    assert read(file) == ROWS


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match=r"cannot read .*none\.companion: No such file"):
        read(tmp_path / "none.companion")
    with pytest.raises(BackupError, match="is not a plain file"):
        read(tmp_path)


def test_a_backup_that_is_given_up_leaves_nothing(tmp_path: Path) -> None:
    def give_up() -> None:
        with writing(tmp_path / "file") as archive, archive.table("chats") as member:
            member.write(b"1\tTea\n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        give_up()
    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_can_read_a_backup(tmp_path: Path) -> None:
    write(file := tmp_path / "file")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_file_that_is_there_is_replaced_only_when_asked(tmp_path: Path) -> None:
    (file := tmp_path / "file").write_text("older")
    with pytest.raises(BackupError, match=r"is there already; name another file, or replace it with --force"):
        write(file)
    assert file.read_text() == "older"
    write(file, replace=True)
    assert read(file) == ROWS
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_leads_to_where_the_backup_is_kept(tmp_path: Path) -> None:
    (drive := tmp_path / "drive").mkdir()
    (file := tmp_path / "file").symlink_to(drive / "real")
    write(file)
    assert file.is_symlink()
    assert list(drive.iterdir()) == [drive / "real"]


@pytest.mark.parametrize("place", [".", "none/file", "text/file", "/dev/null", "x" * 300])
def test_a_place_where_no_file_can_be_is_named(tmp_path: Path, place: str) -> None:
    (text := tmp_path / "text").write_text("")
    with pytest.raises(BackupError, match=r"cannot write|not a file") as raised:
        write(tmp_path / place, replace=True)
    assert "\n" not in str(raised.value)
    assert list(tmp_path.iterdir()) == [text]
