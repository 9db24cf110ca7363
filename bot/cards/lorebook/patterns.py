"""Regex keys that cannot hang: RE2 runs in time linear in the text, whatever the pattern.

Cards write patterns as JavaScript does, `/like this/i`. What RE2 cannot do in linear time (looking around, repeating
what a group found) never matches, as an invalid pattern never does; nor does what is beyond the sizes below. A filter
by the words that a pattern cannot do without (RE2's own) leaves few patterns to be tried on a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Protocol, cast

import re2

MOST_PATTERNS = 1_000
LONGEST_PATTERN = 1_000
"""Characters."""
MOST_INSTRUCTIONS = 20_000
"""Of the programs that all patterns of a book compile to: a few hundred patterns of the usual kind. An instruction
takes a byte of text up to 3 ns."""
_MEMORY = 256 * 1024
"""Bytes that RE2 may take for one pattern."""
REMEMBERED = 256
"""Texts of which is known what they match: all but the newest messages were seen the turn before."""

_SLASHED = re.compile(r"/(.+)/([a-z]*)", re.DOTALL)
_FLAGS = frozenset("dgimsuvy")
_PIECE = re.compile(r"\\u\{([0-9a-fA-F]{1,6})\}|\\u([0-9a-fA-F]{4})|\\(.)|(\[\^\])|([\[\]])", re.DOTALL)
_SPACE = r"\s\v\pZ\x{feff}"
"""What JavaScript takes for white space, within brackets."""


class _Compiled(Protocol):
    programsize: int


class _Filter(Protocol):
    def Add(self, pattern: str, options: object) -> int: ...  # noqa: N802 - as the library calls it

    def Compile(self) -> None: ...  # noqa: N802

    def Match(self, text: str) -> Sequence[int] | None: ...  # noqa: N802


class _Library(Protocol):
    """RE2 as it is used here; the package has no types."""

    error: type[Exception]
    Options: type[Any]
    Filter: type[_Filter]

    def compile(self, pattern: str, options: object) -> _Compiled: ...

    def escape(self, pattern: str) -> str: ...


_RE2 = cast("_Library", re2)


def quoted(text: str) -> str:
    """A text as the pattern that matches it and nothing else."""
    return _RE2.escape(_whole(text))


def is_slashed(key: str) -> bool:
    """Whether a key is written as a pattern: between slashes, perhaps with flags behind."""
    return _SLASHED.fullmatch(key.strip()) is not None


def as_re2(key: str, *, case_sensitive: bool) -> str | None:
    """A key as RE2 writes patterns; None if it asks for what there is not."""
    slashed = _SLASHED.fullmatch(key.strip())
    body, flags = (slashed[1], set(slashed[2])) if slashed else (key, set[str]() if case_sensitive else {"i"})
    if flags - _FLAGS:
        return None
    modes = "".join(flag for flag in "ims" if flag in flags)
    translated = _translated(body)
    return _whole(f"(?{modes}:{translated})" if modes else translated)


def _translated(body: str) -> str:
    """What JavaScript writes otherwise than RE2: code points, slashes, any character, white space."""
    inside = False

    def piece(found: re.Match[str]) -> str:
        nonlocal inside
        code, escaped, anything, bracket = found[1] or found[2], found[3], found[4], found[5]
        if code:
            return f"\\x{{{code}}}"
        if escaped == "/":
            return "/"
        if escaped == "s":
            return _SPACE if inside else f"[{_SPACE}]"
        if escaped == "S" and not inside:
            return f"[^{_SPACE}]"
        if anything and not inside:
            return "(?s:.)"
        if bracket == "[":
            opens, inside = not inside, True
            return "[" if opens else "\\["
        if bracket == "]":
            inside = False
        return found[0]

    return _PIECE.sub(piece, body)


class PatternSet:
    """The regex keys of a book, compiled once."""

    def __init__(self, keys: Iterable[tuple[str, bool]]) -> None:
        """Each key with whether its case counts when it has no flags of its own."""
        options = _options()
        self._filter = _RE2.Filter()
        self._keys: list[tuple[str, bool]] = []
        refused: list[str] = []
        left = MOST_INSTRUCTIONS
        for key, case_sensitive in dict.fromkeys(keys):
            size = _size(key, case_sensitive)
            if size is None or size > left or len(self._keys) == MOST_PATTERNS:
                refused.append(key)
                continue
            left -= size
            self._filter.Add(cast("str", as_re2(key, case_sensitive=case_sensitive)), options)
            self._keys.append((key, case_sensitive))
        self.refused = tuple(refused)
        """The keys that never match."""
        if self._keys:
            self._filter.Compile()
        self.found = lru_cache(REMEMBERED)(self._found)
        """The keys that match a text."""

    def _found(self, text: str) -> frozenset[tuple[str, bool]]:
        if not self._keys:
            return frozenset()
        return frozenset(self._keys[n] for n in self._filter.Match(_whole(text)) or ())


def _whole(text: str) -> str:
    """The text as UTF-8 has it: half of a surrogate pair is a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def _options() -> object:
    options = _RE2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    options.never_capture = True
    return options


def _size(key: str, case_sensitive: bool) -> int | None:
    """Instructions of a pattern; None if it is none that can be used."""
    if not key.strip() or len(key) > LONGEST_PATTERN:
        return None
    pattern = as_re2(key, case_sensitive=case_sensitive)
    if pattern is None:
        return None
    try:
        # Without its flags around it, so that brackets that do not pair cannot end the group that the flags make.
        slashed = _SLASHED.fullmatch(key.strip())
        _RE2.compile(_whole(_translated(slashed[1] if slashed else key)), _options())
        return _RE2.compile(pattern, _options()).programsize
    except _RE2.error:
        return None
