"""Say something in the chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, cast

from pydantic import AliasChoices, BeforeValidator, Field

from bot.actions.choice import Choice, MessageNumber
from bot.actions.effect import Effect, Scene
from bot.actions.text import clean
from bot.model import MessageId, Outcome, Said

MOST_BUBBLES = 3


_LONGEST_NAME = 100


def _name(value: object) -> object:
    if isinstance(value, list | tuple):
        several = cast("Sequence[object]", value)
        value = several[0] if len(several) == 1 else None
    return clean(value[:_LONGEST_NAME]) or None if isinstance(value, str) else None


class SendMessage(Choice):
    """Say something."""

    name = "send_message"
    also = ("send", "reply", "respond", "answer", "say", "speak", "message")

    messages: tuple[str, ...] = Field(
        min_length=1, max_length=MOST_BUBBLES, description="one to three short texts, each its own bubble"
    )
    reply_to: MessageNumber = Field(
        default=None,
        validation_alias=AliasChoices("reply_to", "reply_to_id", "reply_to_message_id"),
        description="number of the unread message they answer, or null",
    )

    picture: Annotated[str | None, BeforeValidator(_name)] = Field(
        default=None,
        validation_alias=AliasChoices("picture", "emotion"),
        description="null mostly, or one of your pictures to show with them",
    )

    @classmethod
    def fields(cls, *, pictures: Sequence[str]) -> Mapping[str, str]:
        """Nothing is told of pictures where there are none."""
        told = dict(super().fields(pictures=pictures))
        if pictures:
            told["picture"] += ": " + ", ".join(f'"{name}"' for name in pictures)
        else:
            del told["picture"]
        return told

    async def perform(self, scene: Scene) -> Effect:
        """Speak. Only the first bubble is a reply, and only to a message that is being answered, and has a picture."""
        unread = {message.message_id for message in scene.view.unread}
        reply_to = MessageId(self.reply_to) if self.reply_to in unread and self.reply_to is not None else None
        first, *others = self.messages
        said = (Said(text=first, reply_to=reply_to, emotion=self.picture), *(Said(text=text) for text in others))
        return Effect(outcome=Outcome.ANSWERED, said=said)
