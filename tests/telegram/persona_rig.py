"""What the tests of `/persona` share: cards, and people who send them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Protocol

from bot.model import Prompt
from tests.fakes.bot_api import BotApi
from tests.fakes.bot_api_people import Person
from tests.fakes.bot_api_text import entities_in
from tests.fakes.bot_api_values import Bot, Chat, Json, Message
from tests.telegram.intake_rig import Rig

PATIENCE = 20.0
GREETING = "Welcome to the greenhouse, {{user}}. I am {{char}}."


def a_card(name: str = "Mirelle", **fields: object) -> bytes:
    """A card as a file."""
    told = {"name": name, "description": "{{char}} grows orchids.", "first_mes": GREETING, **fields}
    return json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": told}).encode()


class HasApi(Protocol):
    """A rig, or a world: where a file can be put."""

    @property
    def api(self) -> BotApi: ...


async def sends_card(
    rig: HasApi,
    who: Person,
    where: Chat | Bot,
    file: bytes,
    *,
    caption: str = "/persona",
    as_channel: Chat | None = None,
    told: int | None = None,
) -> Message:
    """A file with a caption. `told`: the size that the sender's program tells."""
    file_id = rig.api.file(f"file{len(rig.api.asked)}-{len(file)}", file)
    content: dict[str, Json] = {
        "document": {
            "file_id": file_id,
            "file_unique_id": file_id,
            "file_name": "someone.json",
            "file_size": len(file) if told is None else told,
        },
        "caption": caption,
        "caption_entities": entities_in(caption),
    }
    return await who.sends(where, content if caption else {"document": content["document"]}, as_channel=as_channel)


async def told(rig: Rig, chat: Chat, count: int) -> list[str]:
    """Wait until the bot has said so much there."""
    return [message.text for message in await rig.api.sent(chat, count, within=PATIENCE)]


async def carried_out(rig: Rig) -> None:
    """Wait until all that came is confirmed, and no command waits."""
    await rig.api.confirmed(rig.bot, within=PATIENCE)
    async with asyncio.timeout(PATIENCE):
        while (await rig.rows("SELECT count(*) FROM commands"))[0][0]:
            pass  # each look is a round trip


def told_of(prompts: Sequence[Prompt]) -> list[str]:
    """What the model read of who it is, and of the chat."""
    return [f"{prompt.system}\n{prompt.user}" for prompt in prompts]
