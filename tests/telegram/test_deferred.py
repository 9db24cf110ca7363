"""aiogram's types are built when they are used: the bot starts seconds earlier, and each of them still works."""

from __future__ import annotations

import subprocess
import sys

import pytest
from aiogram import methods, types
from pydantic import BaseModel

IN_A_NEW_PROCESS = """
import bot.telegram
from aiogram.types import ChatMemberUpdated, Message, Update
assert not any(each.__pydantic_complete__ for each in (ChatMemberUpdated, Message, Update))
chat = {"id": 7, "type": "private"}
update = Update.model_validate({"update_id": 1, "message": {"message_id": 5, "date": 1_780_000_000, "chat": chat}})
assert type(update.message) is Message, update
assert update.message.chat.id == 7
print("built:", Update.__pydantic_complete__)
"""


def test_a_type_is_built_when_it_is_first_used_and_not_before() -> None:
    ran = subprocess.run([sys.executable, "-c", IN_A_NEW_PROCESS], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr) == ("built: True\n", "")


@pytest.mark.soak
def test_each_type_and_method_of_aiogram_can_be_built() -> None:
    named = [getattr(module, name) for module in (types, methods) for name in module.__all__]
    models = [each for each in named if isinstance(each, type) and issubclass(each, BaseModel)]
    assert len(models) > 400
    for each in models:
        each.model_rebuild()
    assert [each.__name__ for each in models if not each.__pydantic_complete__] == []
