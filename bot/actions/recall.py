"""Look further for a text among what this lane has said."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from bot.actions.choice import Choice
from bot.actions.effect import Effect, Scene
from bot.actions.text import clean, is_blank

LONGEST_QUERY = 500


def _query(text: str) -> str:
    text = " ".join(clean(text[: 4 * LONGEST_QUERY]).split())[:LONGEST_QUERY]
    if is_blank(text):
        raise ValueError("nothing to look for")
    return text


class Recall(Choice):
    """Search what this chat has said, then choose again."""

    name = "recall"
    also = ("search", "remember", "look_for")

    query: Annotated[str, AfterValidator(_query)] = Field(
        description="what to look for, in words such a message would hold"
    )

    async def perform(self, scene: Scene) -> Effect:
        """Look for it; the turn goes on."""
        return Effect(looked_for=self.query, found=tuple(await scene.look_for(self.query)))
