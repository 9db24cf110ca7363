"""Read what was said before the messages in view."""

from __future__ import annotations

from pydantic import Field

from bot.actions.choice import Choice, MessageNumber
from bot.actions.effect import Effect, Scene
from bot.model import MessageId

PAGE = 30
"""How many messages one look back gives: as many as a turn starts with."""


class ReadHistory(Choice):
    """Read further back, then choose again."""

    name = "read_history"

    before: MessageNumber = Field(
        default=None, description="number of the message to read back from, or null for the first you see"
    )

    async def perform(self, scene: Scene) -> Effect:
        """Look back a page; the turn goes on."""
        before = None if self.before is None else MessageId(self.before)
        found = await scene.look_back(before=before, limit=PAGE)
        where = "the first message in view" if before is None else f"message {before}"
        return Effect(looked_for=f"what was said before {where}", found=tuple(found))
