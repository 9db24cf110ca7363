"""A PostgreSQL server and its keeper: the small process that holds it until the last user is gone.

The keeper is this file run as a script, detached, in a session of its own and without site-packages; hence
the standard library only. It decides nothing: what to run is on its command line.

Every user process shares `users.lock`, which the kernel releases when that process ends, however it ends.
The keeper waits to have it alone: then nobody is left. It holds `keeper.lock` itself, and hands `server.lock`
on to every process of the server, so that this one is free only when the last of them is gone.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NamedTuple, TypeVar

NAME = "companion"
"""Of the role and of the database."""
SOCKET = ".s.PGSQL.5432"
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}
"""All that PostgreSQL's programs see of it, whatever ours is."""


def _shared_buffers() -> int:
    """Bytes of its files that the server keeps at hand: a sixteenth of the memory, of which only what is used is taken.

    In a chat of a million messages each search reads thousands of pages that lie nowhere near each other.
    """
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min(max(memory // 16, 128 * 2**20), 2**30)


_SETTINGS = {
    "listen_addresses": "",
    "port": "5432",
    "unix_socket_permissions": "0700",
    "max_connections": "50",
    "shared_buffers": f"{_shared_buffers() // 2**20}MB",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "lc_messages": "C",
    # What people wrote is in statements, and in the errors and details that quote them.
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_checkpoints": "off",
    "log_autovacuum_min_duration": "-1",
    "log_destination": "stderr",
    "logging_collector": "off",
}
_NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}

_LOG_LIMIT = 1_000_000  # bytes; then server.log becomes server.log.1, and the one before is dropped
_STOP_PATIENCE = 30  # seconds
_PR_SET_PDEATHSIG = 1

Descriptor = TypeVar("Descriptor", int, int | None)


class Account(NamedTuple):
    """Whom the server runs as, where that is not the user who starts it."""

    uid: int
    gid: int


def lock(path: Path, *, shared: bool = False) -> int | None:
    """A descriptor that keeps the lock while it is open; None while another process is in the way."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


@contextmanager
def closing(descriptor: Descriptor) -> Generator[Descriptor]:
    """Close a descriptor, if there is one, at the end of the block; a lock is released by that."""
    try:
        yield descriptor
    finally:
        if descriptor is not None:
            os.close(descriptor)


def accepts(path: Path) -> bool:
    """Whether a server behind this socket takes sessions now: it is not gone, starting or stopping."""
    names = f"user\0{NAME}\0database\0{NAME}\0\0".encode()
    hello, goodbye = struct.pack("!ii", len(names) + 8, 3 << 16) + names, b"X\0\0\0\4"
    with socket.socket(socket.AF_UNIX) as server:
        server.settimeout(5)
        try:
            server.connect(str(path))
            server.sendall(hello + goodbye)
            answer = server.makefile("rb").read()
        except OSError:
            return False
    return bool(answer) and b"\0C57P03\0" not in answer  # cannot_connect_now


def remove_socket(folder: Path) -> None:
    """Remove what a server that was killed left behind."""
    (folder / SOCKET).unlink(missing_ok=True)
    (folder / f"{SOCKET}.lock").unlink(missing_ok=True)


def run(
    command: Sequence[str | Path], user: Account | None, *, stdin: str = "", keep_open: Sequence[int] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end, as the server's user, in a clean environment."""
    return subprocess.run(  # noqa: S603 - PostgreSQL's programs, and /bin/sh
        command,
        input=stdin,
        pass_fds=keep_open,
        cwd="/",  # wherever we are, that user may not be allowed in
        env=ENVIRONMENT,
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def keep(
    storage: Path,
    programs: Path,
    sockets: Path,
    user: Account | None,
    locks: tuple[int, int],
    *,
    durable: bool,
) -> None:
    """Start a keeper with a server. It takes over keeper.lock and server.lock, which the caller holds."""
    listed = str(sockets).replace('"', '""')
    settings = _SETTINGS | ({} if durable else _NOT_DURABLE) | {"unix_socket_directories": f'"{listed}"'}
    options = (f"--{name}={value}" for name, value in settings.items())
    server = [programs / "postgres", "-D", storage / "data", *options]
    uid, gid = user or (-1, -1)
    command = [sys.executable, "-I", "-S", __file__, storage, sockets, uid, gid, locks[1], *server]
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    with closing(os.open(storage / "server.log", flags, 0o600)) as log:
        subprocess.run(  # noqa: S603 - our own interpreter and file
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            pass_fds=locks,
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,  # Ctrl-C is for the user process
            check=False,  # when it ends, the locks are free again, and the log says why
        )


def main() -> None:
    """Run the server given on the command line until it ends, or until it has no users."""
    storage, sockets, uid, gid, server_lock, *command = sys.argv[1:]
    if os.fork():
        os._exit(0)  # so that the user process has no child to reap
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        # A service manager signals all of a unit's processes, while its users still have things to write.
        signal.signal(number, _ignore)
    other = int(uid) >= 0
    server = subprocess.Popen(  # noqa: S603 - embedded.py wrote it
        command,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        user=int(uid) if other else None,
        group=int(gid) if other else None,
        extra_groups=[] if other else None,
        pass_fds=[int(server_lock)],
        preexec_fn=_stop_with_keeper(),  # runs after the change of user, which would undo it
    )
    threading.Thread(target=_stop_when_unused, args=(Path(storage), server), daemon=True).start()
    assert server.stderr is not None  # noqa: S101 - it is a pipe
    write_log(server.stderr, Path(storage, "server.log"))  # until the last process of the server is gone
    server.wait()
    remove_socket(Path(sockets))
    with suppress(OSError):
        Path(sockets).rmdir()


def _ignore(*_: object) -> None:
    """Do nothing: unlike SIG_IGN, this is not inherited by the server."""


def _stop_with_keeper() -> Callable[[], None] | None:
    """What makes a child stop at once when the keeper is killed. Elsewhere, the next start stops it."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


def _stop_when_unused(storage: Path, server: subprocess.Popen[bytes]) -> None:
    users = os.open(storage / "users.lock", os.O_RDWR | os.O_CLOEXEC)
    fcntl.flock(users, fcntl.LOCK_EX)  # never released: who comes now waits until we are gone
    # Fast, immediate, at any price: a fast shutdown while it recovers from a crash can hang for ever.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        server.send_signal(number)
        time.sleep(_STOP_PATIENCE)  # when the server is gone before, so are we


def write_log(lines: IO[bytes], path: Path) -> None:
    log = path.open("ab", buffering=0)
    for line in lines:
        with suppress(OSError):  # a full disk costs lines of the log, not the server
            if log.tell() > _LOG_LIMIT:
                path.replace(path.with_name("server.log.1"))
                log.close()
                log = path.open("ab", buffering=0)
            log.write(line)


if __name__ == "__main__":
    main()
