"""Let go of what one was busy with."""

from __future__ import annotations

from bot.actions.choice import Choice
from bot.actions.effect import Effect, Scene
from bot.model import Outcome


class TakeBreak(Choice):
    """Forget your working notes and say no more for now."""

    name = "take_break"
    also = ("break",)

    async def perform(self, scene: Scene) -> Effect:
        """Say nothing, and start afresh next time."""
        del scene
        return Effect(outcome=Outcome.SILENT, clears_notes=True)
