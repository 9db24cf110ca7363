"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkstemp


def write_whole(file: Path, data: bytes, *, replace: bool = True) -> None:
    """Put a file in its place at once, readable by its owner alone until then; what was there stays until it is whole.

    Raises `FileExistsError` for what is there already and may not be replaced, or is no regular file; `OSError`.
    """
    if file.exists() and not file.is_file():
        raise FileExistsError(None, "it is there and is no regular file", str(file))
    handle, name = mkstemp(prefix=f".{file.name[:100]}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as written:
            written.write(data)
            written.flush()
            os.fsync(handle)
        if replace:
            Path(name).replace(file)
        else:
            os.link(name, file)
    finally:
        Path(name).unlink(missing_ok=True)
