"""What the turn needs from the world, as small protocols. Adapters implement them; `app` chooses which."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from bot.model import (
    Ended,
    Held,
    Lane,
    LoreOf,
    Message,
    MessageId,
    ModelReply,
    Pool,
    Prompt,
    Search,
    Statistics,
    TurnRecord,
    Vector,
    View,
    Words,
)

Purpose = Literal["query", "passage"]
"""What a text is embedded for: to search with, or to be found. Some models want a prefix each."""


class Embedder(Protocol):
    """Texts to vectors. One call is one attempt; who retries is decided around it."""

    @property
    def name(self) -> str:
        """The model's name, as its server or package calls it."""
        ...

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> list[Vector]:
        """One vector a text, in order, all of one length, every number finite.

        Raises `ModelUnavailable`, `RequestRefused` or `BadAnswer`; never returns fewer or others.
        """
        ...


class PatientEmbedder(Protocol):
    """An embedder that has tried again, and taken a refused batch apart, as far as it makes sense."""

    @property
    def name(self) -> str: ...

    async def embed(self, texts: Sequence[str], *, purpose: Purpose) -> Sequence[Vector | None]:
        """As `Embedder.embed`, but None for a text that the model will never take.

        Raises `ModelUnavailable` when patience ran out, `RequestRefused` when no text is to blame (a wrong
        key, no credit), `BadAnswer` when the server answers nonsense.
        """
        ...


class ChatModel(Protocol):
    """A prompt to an answer. One call, one attempt."""

    @property
    def name(self) -> str: ...

    async def complete(self, prompt: Prompt) -> ModelReply:
        """Raises `ModelUnavailable`, `RequestRefused`, `ContextTooLong` or `BadAnswer`."""
        ...


class Reranker(Protocol):
    """Past messages in the order in which they help. One call asks a model once, with the patience it has."""

    @property
    def name(self) -> str: ...

    async def order(self, asked: Sequence[str], candidates: Sequence[Message]) -> Sequence[int]:
        """Places of candidates (from 0), that which helps most with what is asked first, each once, one at least.

        Those left out are no better than the others. Raises as `ChatModel.complete`; `BadAnswer` also when the
        model refuses, or its answer holds no order.
        """
        ...


class Store(Protocol):
    """The part of the database that a turn uses. Each method is one round trip."""

    async def view(
        self, lane: Lane, *, limit: int, now: datetime, persona: str | None = None, lore_of: LoreOf | None = None
    ) -> View:
        """The last `limit` messages of a lane, what of them is unread, and what a lorebook asks for.

        Notes and rest are the persona's own; None: whoever's.
        """
        ...

    async def statistics(self, search: Search) -> Statistics:
        """What the chat is like as a whole, and how common each term of the queries is in it."""
        ...

    async def pool(self, search: Search, statistics: Statistics, words: Words) -> Pool:
        """All that may come to mind: seeds by words and by vectors, the best by combined score, and their neighbours.

        Only messages of the lane that were sent by `now`; what is excluded is there only as a neighbour.
        """
        ...

    async def before(self, lane: Lane, *, message_id: MessageId, limit: int) -> list[Message]:
        """The `limit` messages of a lane just before one, oldest first."""
        ...

    async def finish_turn(self, record: TurnRecord) -> list[MessageId]:
        """Keep what a turn did, all or nothing: its row, what it read, what the bot said, notes, rest.

        Gives the numbers of the bot's new messages. A second call for the same turn changes nothing and
        gives none.
        """
        ...


class LaneStore(Protocol):
    """The part of the database that says whose turn it is."""

    async def claim(self, owner: UUID, *, lease: float) -> Held | None:
        """The lane that has been due longest and is nobody's, held for `lease` seconds."""
        ...

    async def due_in(self) -> float | None:
        """Seconds until a lane is due; None when none will be."""
        ...

    async def keep(self, claims: Sequence[UUID], *, lease: float) -> dict[UUID, int]:
        """Hold these for longer; the generation of each that still holds, which grows when it must begin anew."""
        ...

    async def release(self, held: Held, *, again_in: float | None, ended: Ended) -> None:
        """Let go of a lane; it is due again in so many seconds, unless somebody woke it meanwhile."""
        ...
