"""By what a search finds messages before any is ranked: words, a first guess, and the times that are asked about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """A term by which messages are found for a query."""

    query: int
    term: int
    """Its place among `Words.terms`."""
    weight: float
    """How rare it is."""
    share: float = 0.0
    """That as a share of all that the query says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstGuess:
    """How a message is judged before it is ranked, by what the database knows of it: the weights of a sum."""

    words: float = 0.0
    """Of BM25, as a share of the best."""
    covered: float = 0.0
    """Of the share of what is asked that it says."""
    meaning: float = 0.0
    """Of its similarity, as a share of the best."""
    similarity: float = 0.0
    """Of its similarity."""
    length: float = 0.0
    """Of the logarithm of its length in tokens."""
    sender: float = 0.0
    """For its sender being named."""
    usual: float = 0.0
    """How similar the chat as a whole is, which is taken off its similarity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A time that a query asks about, or that is near one: what was sent in it is likelier."""

    query: int
    first: datetime
    until: datetime
    """The end, which is no part of it."""
    worth: float
    finds: bool = False
    """Whether messages are found by having been sent in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfDay:
    """A term of messages that speak of a day which a query asks about."""

    query: int
    term: str
    worth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words that a search looks for, and what else makes a message likely."""

    terms: tuple[str, ...] = ()
    """Those that are counted in whatever is found; each once."""
    seeds: tuple[Seed, ...] = ()
    """Those by which messages are found: rare ones."""
    guesses: tuple[FirstGuess, ...] = ()
    """How messages are judged before they are ranked, for each query."""
    said: tuple[str, ...] = ()
    """For each query its words in lower case, each with a space on either side: who is named is looked up in it."""
    seasons: tuple[Season, ...] = ()
    days: tuple[OfDay, ...] = ()
    """By what is found what speaks of the days that are asked about, in whatever words."""
