"""Rest: the lane is left alone for a time."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from pydantic import Field

from bot.actions.choice import Choice, clamped
from bot.actions.effect import Effect, Scene
from bot.model import Outcome

SHORTEST, LONGEST = 60, 12 * 3600


class Sleep(Choice):
    """Rest; you read and answer nothing here until you wake."""

    name = "sleep"
    also = ("rest",)

    seconds: Annotated[int, clamped(SHORTEST, LONGEST)] = Field(default=1800, description=f"{SHORTEST} to {LONGEST}")

    async def perform(self, scene: Scene) -> Effect:
        """Rest until then; what is unread stays unread."""
        wakes_at = scene.now + timedelta(seconds=self.seconds)
        return Effect(outcome=Outcome.RESTING, keeps_unread=True, rests_until=wakes_at, due_at=wakes_at)
