"""Which version of the program this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """The version of the installed program; 0 where it runs without being installed."""
    try:
        return version("companion")
    except PackageNotFoundError:
        return "0"
