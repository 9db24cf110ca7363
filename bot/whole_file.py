"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from secrets import token_hex


def write_whole(file: Path, data: bytes, *, replace: bool = True, private: bool = True) -> None:
    """Put a file in its place at once; what was there stays until it is whole.

    A `private` one is its owner's alone; any other is readable by whom the process lets read what it makes.
    Raises `FileExistsError` for what is there already and may not be replaced, or is no regular file; `OSError`.
    """
    if file.exists() and not file.is_file():
        raise FileExistsError(None, "it is there and is no regular file", str(file))
    name = file.parent / f".{file.name[:20]}.{token_hex(8)}"
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666)
    try:
        with os.fdopen(handle, "wb") as written:
            written.write(data)
            written.flush()
            os.fsync(handle)
        if replace:
            name.replace(file)
        else:
            os.link(name, file)
    finally:
        name.unlink(missing_ok=True)
