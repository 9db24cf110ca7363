"""Say something in the chat."""

from __future__ import annotations

from pydantic import AliasChoices, Field

from bot.actions.choice import Choice, MessageNumber
from bot.actions.effect import Effect, Scene
from bot.model import MessageId, Outcome, Said

MOST_BUBBLES = 3


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

    async def perform(self, scene: Scene) -> Effect:
        """Speak. Only the first bubble is a reply, and only to a message that is being answered."""
        unread = {message.message_id for message in scene.view.unread}
        reply_to = MessageId(self.reply_to) if self.reply_to in unread and self.reply_to is not None else None
        first, *others = self.messages
        said = (Said(text=first, reply_to=reply_to), *(Said(text=text) for text in others))
        return Effect(outcome=Outcome.ANSWERED, said=said)
