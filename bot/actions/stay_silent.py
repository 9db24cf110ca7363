"""Say nothing: a proper answer, and what every unreadable reply becomes."""

from __future__ import annotations

from bot.actions.choice import Choice
from bot.actions.effect import Effect, Scene
from bot.model import Outcome


class StaySilent(Choice):
    """Say nothing; what is unread counts as read."""

    name = "stay_silent"
    also = ("silence", "silent", "none", "nothing", "ignore", "skip", "pass", "no_reply", "do_nothing")

    async def perform(self, scene: Scene) -> Effect:
        """Nothing is said."""
        del scene
        return Effect(outcome=Outcome.SILENT)
