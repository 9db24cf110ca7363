"""Which entries of a lorebook a turn is told: a pure function of the book, the scene, and what the chat remembers.

Chance is a hash of the turn's seed and the entry, so that a turn that is looked at again finds the same entries.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.cards.lorebook.book import Lorebook
from bot.cards.lorebook.decorators import Place, Role
from bot.cards.lorebook.entry import Entry
from bot.cards.lorebook.scan import Scan
from bot.cards.lorebook.state import LoreState, Seen
from bot.cards.macros import MacroValues, expand, expand_for_scan, hides_keys, without_comments
from bot.model import token_count

SCAN_DEPTH = 10
"""Messages in which a book looks that does not say; those of a group are short."""
MOST_ROUNDS = 10
"""Times that what entries say is looked through for further entries."""
MOST_FILLED = 100_000
"""Characters of contents whose macros are filled to look through them, and as many again to tell them; of what is
active beyond that, the least worthy is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneLine:
    """A message, as a book looks at it."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoreScene:
    """What a book is looked through for."""

    lines: Sequence[SceneLine]
    """The messages that the prompt shows, oldest first."""
    values: MacroValues
    """Its `turn_seed` is where chance comes from."""
    count: int | None = None
    """Messages of the chat so far: its clock. None: those of `lines`."""
    replies: int | None = None
    """Of the character so far. None: those in `lines`."""
    greeting: int | None = 0
    """Which greeting the chat began with; None: none that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An entry that the prompt tells, and where."""

    entry: Entry
    text: str
    tokens: int
    """With the line break behind it."""
    place: Place
    depth: int | None
    """Messages from the newest, if it stands among them instead: 1 is before the newest, less than that behind it, and
    more than there are is before the oldest."""
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Lore:
    """What a book has to say in a scene."""

    told: tuple[Told, ...] = ()
    """In the order of the prompt."""
    dropped: tuple[Entry, ...] = ()
    """What there was no room for."""
    disabled: frozenset[str] = frozenset()
    """Our own texts that an entry wants left out: `system_prompt`, `post_history_instructions`."""
    state: LoreState = field(default_factory=LoreState)
    """What the chat remembers from now on."""

    @property
    def tokens(self) -> int:
        return sum(told.tokens for told in self.told)


def evaluate(
    book: Lorebook,
    scene: LoreScene,
    state: LoreState,
    *,
    budget: int,
    tokens: Callable[[str], int] = token_count,
) -> Lore:
    """What the book tells in a scene, in no more tokens than `budget` and the book's own allow."""
    evaluation = _Evaluation(book, scene, state)
    active = evaluation.active()
    texts = evaluation.texts_of(active)
    candidates = [
        _placed(entry, text, tokens(text + "\n"), messages=len(scene.lines))
        for entry in active
        if (text := texts[entry.key])
    ]
    if book.token_budget is not None:
        budget = min(budget, book.token_budget)
    kept, dropped = _within(candidates, budget)
    return Lore(
        told=tuple(sorted(kept, key=lambda told: told.entry.order)),
        dropped=(*(told.entry for told in dropped), *(entry for entry in active if texts[entry.key] is None)),
        disabled=frozenset(text for told in kept if (text := told.entry.decorators.disable_ui_prompt) is not None),
        state=_remembered(active, state, book, _clock(scene)),
    )


def _clock(scene: LoreScene) -> int:
    return len(scene.lines) if scene.count is None else scene.count


def _placed(entry: Entry, text: str, tokens: int, *, messages: int) -> Told:
    depth = messages - entry.depth if entry.depth is not None and entry.from_oldest else entry.depth
    return Told(entry=entry, text=text, tokens=tokens, place=entry.place, depth=depth, role=entry.role)


def _worth(entry: Entry) -> tuple[bool, float, float]:
    """Highest priority first, then highest order."""
    return not entry.decorators.ignore_on_max_context, entry.priority, entry.order


def _within(candidates: Sequence[Told], budget: int) -> tuple[list[Told], list[Told]]:
    """What fits, the worthiest first; and what does not. Both in the order given."""
    kept: set[int] = set()
    for n in sorted(range(len(candidates)), key=lambda n: _worth(candidates[n].entry), reverse=True):
        if candidates[n].tokens <= budget:
            budget -= candidates[n].tokens
            kept.add(n)
    by_fit: tuple[list[Told], list[Told]] = ([], [])
    for n, told in enumerate(candidates):
        by_fit[n not in kept].append(told)
    return by_fit


def _remembered(active: Sequence[Entry], state: LoreState, book: Lorebook, clock: int) -> LoreState:
    """The state from now on: of this book's entries, and only what something depends on."""
    seen = {entry.key: state.seen[entry.key] for entry in book.entries if entry.key in state.seen}
    for entry in active:
        if not _depends_on_the_past(entry):
            continue
        before = seen.get(entry.key)
        if before is None or before.first > clock:
            seen[entry.key] = Seen(clock, clock)
        elif not before.since <= clock <= before.since + entry.sticky:
            seen[entry.key] = Seen(before.first, clock)
    return LoreState(seen)


def _depends_on_the_past(entry: Entry) -> bool:
    told = entry.decorators
    return bool(entry.sticky or entry.cooldown or told.keep_activate_after_match or told.dont_activate_after_match)


class _Evaluation:
    """One look through a book."""

    def __init__(self, book: Lorebook, scene: LoreScene, state: LoreState) -> None:
        self._book, self._scene, self._state = book, scene, state
        self._clock = _clock(scene)
        self._texts: dict[str, str] = {}
        self._left = MOST_FILLED
        said = sum(line.role == "assistant" for line in scene.lines)
        self._replies = said if scene.replies is None else scene.replies
        self._depth = SCAN_DEPTH if book.scan_depth is None else book.scan_depth
        self._scan = Scan([without_comments(line.text) for line in scene.lines], index=book.index, values=scene.values)

    def active(self) -> list[Entry]:
        """The entries that match, in the order of the book."""
        entries, index = self._book.entries, self._book.index
        found = self._scan.messages()
        remembered = (n for n, entry in enumerate(entries) if entry.key in self._state.seen)
        worth_a_look = {*index.always, *index.entries_of(found.keys, found.patterns), *remembered}
        settled: set[int] = set()
        active: dict[int, Entry] = {}
        for round_ in range(MOST_ROUNDS + 1 if self._book.recursive else 1):
            matching = [n for n in sorted(worth_a_look - settled) if self._matches(entries[n], by_entries=round_ > 0)]
            settled.update(matching)
            fresh = self._one_of_each_group([(n, entries[n]) for n in matching], active)
            active.update(fresh)
            if not self._book.recursive:
                break
            brought_up = self._scan.bring_up(self._scanned(entry) for _, entry in fresh if entry.triggers_entries)
            if brought_up is None:
                break
            worth_a_look.update(index.entries_of(brought_up.keys, brought_up.patterns))
        return [active[n] for n in sorted(active)]

    def texts_of(self, active: Sequence[Entry]) -> Mapping[str, str | None]:
        """What entries say, their macros filled, by the key of each; None where that is more than one look fills."""
        self._left = MOST_FILLED  # whatever was looked through: the worthiest comes first here
        return {entry.key: self._text_of(entry) for entry in sorted(active, key=_worth, reverse=True)}

    def _text_of(self, entry: Entry) -> str | None:
        if entry.key not in self._texts:
            if not self._has_room(entry):
                return None
            self._texts[entry.key] = expand(entry.content, self._scene.values).strip()
        return self._texts[entry.key]

    def _scanned(self, entry: Entry) -> str:
        """What an entry says to other entries."""
        if not hides_keys(entry.content):
            return self._text_of(entry) or ""
        return expand_for_scan(entry.content, self._scene.values) if self._has_room(entry) else ""

    def _has_room(self, entry: Entry) -> bool:
        """Whether an entry may be filled, which takes its room."""
        if len(entry.content) > self._left:
            return False
        self._left -= len(entry.content)
        return True

    def _seen_before(self, entry: Entry) -> Seen | None:
        """What is remembered of an entry from earlier than now."""
        seen = self._state.seen.get(entry.key)
        return seen if seen is not None and seen.first < self._clock else None

    def _sticks(self, entry: Entry) -> bool:
        seen = self._seen_before(entry)
        return seen is not None and seen.since < self._clock <= seen.since + entry.sticky

    def _barred(self, entry: Entry) -> bool:
        """Whether an entry cannot be active now, whatever is said."""
        told = entry.decorators
        if not entry.enabled:
            return True
        if told.activate:
            return False
        seen = self._seen_before(entry)
        if told.dont_activate or (told.dont_activate_after_match and seen is not None):
            return True
        if self._clock < entry.delay:
            return True
        cools_from = seen.since + entry.sticky if seen is not None else self._clock
        return cools_from < self._clock <= cools_from + entry.cooldown

    def _matches(self, entry: Entry, *, by_entries: bool) -> bool:
        told = entry.decorators
        if self._barred(entry):
            return False
        if told.activate or (told.keep_activate_after_match and self._seen_before(entry)) or self._sticks(entry):
            return True
        if by_entries and not entry.triggered_by_entries:
            return False
        if not by_entries and not entry.triggered_by_messages:
            return False
        depth = self._depth if entry.scan_depth is None else entry.scan_depth
        found = (entry.constant and not entry.by_pattern) or self._scan.primary(entry, depth)
        if not (found and self._holds(entry, depth)):
            return False
        return entry.probability >= 100 or self._chance(entry.key) * 100 < entry.probability

    def _holds(self, entry: Entry, depth: int) -> bool:
        """Whether all that an entry wants besides its keys is so."""
        told, greeting = entry.decorators, self._scene.greeting
        if told.activate_only_after is not None and self._replies < told.activate_only_after:
            return False
        if told.activate_only_every is not None and self._replies % told.activate_only_every:
            return False
        if told.is_greeting is not None and greeting is not None and greeting != told.is_greeting:
            return False
        if entry.by_pattern:
            return True
        if not all(any(self._scan.there(entry, group, depth)) for group in told.additional_keys):
            return False
        if any(self._scan.there(entry, told.exclude_keys, depth)):
            return False
        return entry.constant or self._secondary_holds(entry, depth)

    def _secondary_holds(self, entry: Entry, depth: int) -> bool:
        if not entry.secondary:
            return True
        there = self._scan.there(entry, entry.secondary, depth)
        match entry.logic:
            case "any":
                return any(there)
            case "all":
                return all(there)
            case "not_any":
                return not any(there)
            case "not_all":
                return not all(there)

    def _one_of_each_group(
        self, matching: Sequence[tuple[int, Entry]], active: Mapping[int, Entry]
    ) -> list[tuple[int, Entry]]:
        """The entries without a group, and of each group that has none active yet one: what sticks, or by weight."""
        taken = {entry.group for entry in active.values() if entry.group}
        groups: dict[str, list[Entry]] = {}
        for _, entry in matching:
            if entry.group:
                groups.setdefault(entry.group, []).append(entry)
        chosen = {
            self._chosen([entry for entry in group if self._sticks(entry)] or group).key
            for name, group in groups.items()
            if name not in taken
        }
        return [(n, entry) for n, entry in matching if not entry.group or entry.key in chosen]

    def _chosen(self, group: Sequence[Entry]) -> Entry:
        mark = self._chance("\0".join(["group", group[0].group])) * sum(entry.group_weight for entry in group)
        for entry in group:
            mark -= entry.group_weight
            if mark < 0:
                return entry
        return group[-1]

    def _chance(self, what: str) -> float:
        """From 0 to below 1, the same for the same turn."""
        told = f"{self._scene.values.turn_seed}\0{what}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.sha256(told).digest()[:6]) / 2**48
