"""`companion card`: a character card as it is understood, whether it can be read at all, and as another file."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from bot import cards
from bot.cards import Card
from bot.commands.common import print_json, report, shown
from bot.errors import BotError, CardError, WrongArguments
from bot.model import token_count
from bot.settings import Settings
from bot.whole_file import write_whole

_FORMS = {".json": cards.to_json, ".png": cards.to_png}
_SHOWN_TEXTS = (
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "system_prompt",
    "post_history_instructions",
)


async def run(args: argparse.Namespace, _: Settings) -> int:
    """Show, check or export a card; changes nothing but the file that `export --to` names."""
    match args.what:
        case "show":
            return _show(cards.load(args.file), as_json=args.json)
        case "check":
            return _check(args.file, as_json=args.json)
        case _:
            return _export(cards.load(args.file), args.to, force=args.force)


def _show(card: Card, *, as_json: bool) -> int:
    if as_json:
        _warn(card)
        print_json(card.document)
    else:
        print("\n".join(shown(line) for line in _described(card)))
    return 0


def _described(card: Card) -> Iterator[str]:
    """What a person wants to know of a card, line by line; the creator's notes first, as they are for people."""
    by = f" by {card.creator}" if card.creator else ""
    version = f", version {card.character_version}" if card.character_version else ""
    yield f"{card.shown_name}{by}{version} ({card.version.upper()} card, {card.container})"
    notes = dict(card.creator_notes_multilingual)
    for language, note in {"": card.creator_notes, **notes}.items():
        if note.strip():
            yield f"notes{f' ({language})' if language else ''}: {note}"
    if card.tags:
        yield f"tags: {', '.join(card.tags)}"
    for name in _SHOWN_TEXTS:
        text: str = getattr(card, name)
        if text.strip():
            yield f"{name}: {token_count(text):,} tokens"
    yield f"greetings: {1 + len(card.alternate_greetings)}, for groups {len(card.group_only_greetings)} more"
    book = card.document["data"].get("character_book")
    if book is not None:
        yield f"lorebook: {len(book['entries']):,} entries"
    for asset in card.assets:
        content = cards.content(card, asset)
        size = "not in the file" if content is None else f"{len(content):,} bytes"
        yield f"asset: {asset.type} {asset.name} ({size})"
    yield from _warnings(card)


def _check(file: Path, *, as_json: bool) -> int:
    """Whether the card can be read: prints the kind of error, and what is wrong goes to stderr."""
    try:
        card = cards.load(file)
    except CardError as error:
        if as_json:
            print_json({"error": error.kind})
        else:
            print(error.kind)
        raise
    if as_json:
        return _show(card, as_json=True)
    print(f"ok: {shown(card.shown_name)} ({card.version.upper()} card, {card.container})")
    for line in _warnings(card):
        print(shown(line))
    return 0


def _export(card: Card, to: Path | None, *, force: bool) -> int:
    write = _FORMS.get(to.suffix.lower()) if to is not None else cards.to_json
    if write is None:
        raise WrongArguments(f"{to} is neither a .json nor a .png file; name one of these")
    written = write(card, now=datetime.now(UTC))
    if to is None:
        print(written.decode(), end="")
    else:
        try:
            write_whole(to, written, replace=force, private=False)
        except FileExistsError:
            if not to.is_file():
                raise BotError(f"{to} is no regular file; name another one") from None
            raise BotError(f"{to} is there already; --force replaces it") from None
        except OSError as error:
            raise BotError(f"cannot write {to}: {error.strerror}; nothing there was changed") from None
        print(f"saved {to}: {len(written):,} bytes")
    _warn(card)
    exported = cards.load(written)
    for asset in card.assets:
        if cards.content(card, asset) is not None and cards.content(exported, asset) is None:
            report(shown(f"left behind: {asset.type} {asset.name}, which is a file of its own"))
    return 0


def _warn(card: Card) -> None:
    for line in _warnings(card):
        report(shown(line))


def _warnings(card: Card) -> Iterable[str]:
    return (f"warning: {warning.kind} at {warning.where}" for warning in card.warnings)
