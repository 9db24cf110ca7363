"""Chat history into memory: a file's messages, each once, in batches; embedding follows.

Survives a kill at any line: what was kept is kept, and a second run adds only the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bot.errors import HistoryFileError
from bot.history import ChatStart, Reader, Skipped, read
from bot.model import ChatId, NewMessage
from bot.store import PostgresStore

BATCH = 500
"""Messages of one statement."""
FIRST_YEAR, LAST_YEAR = 2, 9998
"""A time has to be one in every time zone."""
LONGEST_ID = 512
"""Characters of an id or a topic: both are part of an index."""


@dataclass(slots=True, kw_only=True)
class ImportedChat:
    """What became of one chat of a file."""

    chat_id: ChatId
    title: str
    read: int = 0
    added: int = 0


@dataclass(slots=True, kw_only=True)
class Imported:
    """What became of a file."""

    chats: list[ImportedChat] = field(default_factory=list[ImportedChat])
    skipped: Counter[str] = field(default_factory=Counter[str])

    @property
    def added(self) -> int:
        """Messages that were new."""
        return sum(chat.added for chat in self.chats)

    @property
    def read(self) -> int:
        """Messages in the file."""
        return sum(chat.read for chat in self.chats)


@dataclass(frozen=True, slots=True)
class _Open:
    """The chat that the file is at: where it is kept, and what of it is not written yet."""

    chat: ImportedChat
    source: str
    batch: list[NewMessage]


async def import_file(
    path: Path,
    imported: Imported,
    *,
    store: PostgresStore,
    into: ChatId | None,
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Import a file; `into` names a chat of ours for it, else it finds or makes its own.

    `imported` tells at any time what is kept so far; `progress` hears of each batch, with the share of the file
    that is read. Raises `HistoryFileError` for what cannot be read; what came before it is kept.
    """
    now = datetime.now(UTC)
    current: _Open | None = None

    async def write(open_chat: _Open, reader: Reader) -> None:
        if open_chat.batch:
            new = await store.messages.record(open_chat.chat.chat_id, open_chat.source, open_chat.batch, read_at=now)
            open_chat.chat.read += len(open_chat.batch)
            open_chat.chat.added += len(new)
            open_chat.batch.clear()
            progress(reader.bytes_read / reader.bytes_total)

    with read(path) as reader:
        imported.skipped = reader.skipped
        try:
            for item in reader:
                if isinstance(item, ChatStart):
                    if current is not None:
                        await write(current, reader)
                    current = await _open(item, path, store=store, into=into)
                    imported.chats.append(current.chat)
                elif current is not None and not isinstance(item, Skipped):
                    current.batch.append(_checked(item, path))
                    if len(current.batch) >= BATCH:
                        await write(current, reader)
        except HistoryFileError:
            # What was read before a fault in the file is whole, and is kept.
            if current is not None:
                await write(current, reader)
            raise
        if current is not None:
            await write(current, reader)


async def _open(start: ChatStart, path: Path, *, store: PostgresStore, into: ChatId | None) -> _Open:
    """The chat for a file's chat: the one named, the live one it is an export of, or one at its own address."""
    if into is not None and start.of_account:
        raise HistoryFileError(
            f"{path} is the export of a whole account, which cannot all go into chat {into}; import it without "
            "--chat, or export that chat alone"
        )
    source = start.source
    live = None if start.telegram_chat_id is None else await store.chats.live_address(start.telegram_chat_id)
    if live is not None and into in (None, live[1]):
        # Only where ids are the same for everybody can the live address also tell which messages are known.
        address, chat_id = live
        source = address if start.shares_message_ids else source
    elif into is not None:
        await store.chats.add_address(source, into)
        chat_id = into
    else:
        chat_id = await store.chats.open(source, title=start.title)
    return _Open(chat=ImportedChat(chat_id=chat_id, title=start.title), source=source, batch=[])


def _checked(message: NewMessage, path: Path) -> NewMessage:
    for moment in (message.sent_at, message.edited_at or message.sent_at):
        if not FIRST_YEAR <= moment.year <= LAST_YEAR:
            raise HistoryFileError(
                f"{path} holds a message of the year {moment.year}; years {FIRST_YEAR} to {LAST_YEAR} are possible"
            )
    for name, value in (("id", message.external_id), ("topic", message.topic)):
        if len(value) > LONGEST_ID:
            raise HistoryFileError(
                f"{path} holds a message whose {name} has {len(value):,} characters; at most {LONGEST_ID} are possible"
            )
    return message
