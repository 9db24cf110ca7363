"""Finds what must not be told, however it is written."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote


def written(secret: str) -> Iterator[str]:
    """A secret as it is, in an address, and in base64, with whatever around it."""
    yield secret
    yield from {quote(secret, safe=""), quote(quote(secret, safe=""), safe="")} - {secret}
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + secret.encode()).decode()
        first, last = -(-8 * before // 6), 8 * (before + len(secret.encode())) // 6  # what the neighbours do not change
        yield whole[first:last]
        yield whole[first:last].translate(str.maketrans("+/", "-_"))


def found(secrets: Iterable[str], told: str | bytes) -> list[str]:
    """Those of these secrets that are in what was told. Of a bot's token, its second half is the secret."""
    data = (told.encode() if isinstance(told, str) else told).lower()
    return [
        secret
        for secret in secrets
        if any(form.encode().lower() in data for part in (secret, secret.rpartition(":")[2]) for form in written(part))
    ]


def titles(pid: int) -> str:
    """What everybody on the computer can read of a process: its command line, its name, and its threads' names."""
    process = Path("/proc", str(pid))
    files = [process / "cmdline", *process.glob("comm"), *process.glob("task/*/comm")]
    return "\n".join(file.read_bytes().replace(b"\0", b" ").decode() for file in files)
