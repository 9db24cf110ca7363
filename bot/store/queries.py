"""Named SQL from sql/, as it stands there. Files are found beside the package in a wheel and a checkout alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


def sql_folder() -> Path:
    """Where the SQL files are: inside the package when installed, at the top of the project in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "sql"
    return installed if installed.is_dir() else package.parent / "sql"


def statements_of(text: str) -> Iterator[tuple[str, str]]:
    """Name and text of each query of a file."""
    parts = _NAME.split(text)
    yield from zip(parts[1::2], (part.strip() for part in parts[2::2]), strict=True)


@cache
def named_queries() -> dict[str, str]:
    """Every query of sql/queries by name."""
    queries: dict[str, str] = {}
    for file in sorted((sql_folder() / "queries").glob("*.sql")):
        for name, statement in statements_of(file.read_text("utf-8")):
            if name in queries:
                raise ValueError(f"two queries are named {name}; the second is in {file.name}")
            queries[name] = statement
    return queries


def migrations() -> list[tuple[int, str, str]]:
    """Number, name and text of each migration, in order."""
    found = [
        (int(file.name[:4]), file.stem[5:], file.read_text("utf-8"))
        for file in sorted((sql_folder() / "migrations").glob("[0-9][0-9][0-9][0-9]_*.sql"))
    ]
    if [number for number, _, _ in found] != list(range(1, len(found) + 1)):
        raise ValueError("migrations must be numbered 0001, 0002, … without a gap")
    return found
