"""Hold back for a moment: somebody has not finished."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from bot.actions.choice import Choice, clamped
from bot.actions.effect import Effect, Scene
from bot.model import Outcome

SHORTEST, LONGEST = 1, 600


class Wait(Choice):
    """Let them finish first, then look again; unread stays unread."""

    name = "wait"

    seconds: Annotated[int, clamped(SHORTEST, LONGEST)] = Field(default=30, description=f"{SHORTEST} to {LONGEST}")

    async def perform(self, scene: Scene) -> Effect:
        """Come back soon."""
        return Effect(outcome=Outcome.WAITING, keeps_unread=True, due_at=scene.now + timedelta(seconds=self.seconds))
