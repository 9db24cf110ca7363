"""What a bot can ask of the fake Bot API.

Each method is a plain function of the call; getUpdates waits, so the server has it. Checks come in the order of
Telegram's own server: the form of the request, the chat, what is replied to, the topic, the right to write, the rate.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from tests.fakes.bot_api_call import Call, Refused
from tests.fakes.bot_api_text import units
from tests.fakes.bot_api_values import PERMISSIONS, PRESENT, Account, Json

_ACTIONS = frozenset(
    {
        *("typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice", "upload_document"),
        *("choose_sticker", "find_location", "record_video_note", "upload_video_note", "cancel"),
    }
)
_EMOJI = """
❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋
🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡
"""
_REACTIONS = frozenset(_EMOJI.split())


@dataclass(frozen=True, slots=True)
class Told:
    """A result that comes with a remark."""

    result: Json
    description: str


def get_me(call: Call) -> Json:
    return {
        **call.bot.json(),
        "can_join_groups": True,
        "can_read_all_group_messages": not call.bot.privacy,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
    }


def send_message(call: Call) -> Json:
    return _send(call, call.content())


def send_photo(call: Call) -> Json:
    """A photo that is uploaded; what Telegram makes of other files is not told here."""
    picture = call.args.uploads.get(call.args.text("photo").removeprefix("attach://"))
    if picture is None:
        raise Refused(400, "there is no photo in the request")
    if units(call.args.text("caption")) > 1024:
        raise Refused(400, "message caption is too long")
    if not picture.startswith(b"\x89PNG\r\n\x1a\n"):
        raise Refused(400, "IMAGE_PROCESS_FAILED")
    width, height = int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])
    if not (0 < width + height <= 10_000 and max(width, height) <= 20 * min(width, height)):
        raise Refused(400, "PHOTO_INVALID_DIMENSIONS")
    size = {"file_id": "photo", "file_unique_id": "photo", "width": width, "height": height, "file_size": len(picture)}
    return _send(call, {"photo": [size], "caption": call.args.text("caption")})


def _send(call: Call, content: dict[str, Json]) -> Json:
    chat = call.chat("write")
    reply_to, topic = call.reply(chat), call.topic(chat)
    status = chat.status(call.bot)
    if status == "restricted" or (chat.kind == "channel" and status != "administrator"):
        raise Refused(400, "not enough rights to send text messages to the chat")
    at = topic or chat.topics.get((reply_to.thread if reply_to else None) or 0)
    if at and at.closed and status != "administrator":
        raise Refused(400, "TOPIC_CLOSED")
    call.flood.admit(call.bot, chat)
    sender, sender_chat = (None, chat) if chat.kind == "channel" else (call.bot, None)
    message = call.world.post(
        chat, sender, content, author=call.bot, sender_chat=sender_chat, reply_to=reply_to, topic=topic
    )
    return message.json()


def edit_message_text(call: Call) -> Json:
    content = call.content()
    chat = call.chat("write")
    message = call.message(chat, "message to edit")
    if message.author is not call.bot or message.service:
        raise Refused(400, "message can't be edited")
    call.flood.admit(call.bot, chat)
    if content == message.content:
        why = (
            "specified new message content and reply markup are exactly the same as a current content and reply markup"
        )
        raise Refused(400, f"message is not modified: {why} of the message")
    message.content = content
    call.world.tell_edit(message)
    return message.json()


def delete_message(call: Call) -> Json:
    chat = call.chat("write")
    message = call.message(chat, "message to delete")
    if message.author is not call.bot and chat.kind != "private" and chat.status(call.bot) != "administrator":
        raise Refused(400, "message can't be deleted")
    message.deleted = True
    return True


def send_chat_action(call: Call) -> Json:
    if call.args.text("action").lower() not in _ACTIONS:
        raise Refused(400, "wrong parameter action in request")
    chat = call.chat("write")
    call.topic(chat)
    call.flood.admit(call.bot, chat, typing=True)
    return True


def set_message_reaction(call: Call) -> Json:
    asked = call.args.items("reaction", called="ReactionType")
    chat = call.chat("write")
    message = call.message(chat, "message to react")
    if any(str(one.get("emoji")).replace("\ufe0f", "") not in _REACTIONS for one in asked):
        raise Refused(400, "REACTION_INVALID")
    if len(asked) > 1:
        raise Refused(400, "REACTIONS_TOO_MANY")
    message.reactions[call.bot.id] = asked
    return True


def get_chat(call: Call) -> Json:
    chat = call.chat("read")
    told = {
        **chat.json(),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(
            ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"), False
        ),
    }
    if chat.kind in {"group", "supergroup"}:
        told["permissions"] = dict.fromkeys(PERMISSIONS, True)
    if chat.slow_mode_delay:
        told["slow_mode_delay"] = chat.slow_mode_delay
    if chat.linked:
        told["linked_chat_id"] = chat.linked.id
    return told


def get_chat_member(call: Call) -> Json:
    chat = call.chat("read")
    number = call.args.number("user_id")
    if number <= 0:
        raise Refused(400, "invalid user_id specified")
    if number in chat.members:
        return chat.members[number].json()
    known: list[Account] = [*call.world.people.values(), *call.world.bots]
    person = next((account for account in known if account.id == number), None)
    if person is None:
        raise Refused(400, "user not found")
    status = "member" if chat.kind == "private" and chat.person is person else "left"
    return {"status": status, "user": person.json()}


def get_chat_administrators(call: Call) -> Json:
    chat = call.chat("read")
    if chat.kind == "private":
        raise Refused(400, "there are no administrators in the private chat")
    members = chat.members.values()
    return [member.json() for member in members if member.status in {"creator", "administrator"}]


def get_chat_member_count(call: Call) -> Json:
    chat = call.chat("read")
    return sum(member.status in PRESENT for member in chat.members.values()) if chat.kind != "private" else 2


def leave_chat(call: Call) -> Json:
    chat = call.chat("write")
    if chat.kind == "private":
        raise Refused(400, "chat member status can't be changed in private chats")
    call.world.change(chat, call.bot, "left", by=call.bot)
    if chat.kind != "channel":
        told = {"left_chat_participant": call.bot.json(), "left_chat_member": call.bot.json()}
        call.world.post(chat, call.bot, told, service=True)
    return True


def _scope(call: Call) -> str:
    scope = call.args.fields("scope", called="BotCommandScope") or {"type": "default"}
    return json.dumps([scope, call.args.text("language_code")], sort_keys=True)


def set_my_commands(call: Call) -> Json:
    commands = call.args.items("commands", called="BotCommand")
    if not all(re.fullmatch(r"/?[a-z0-9_]{1,32}", command.get("command", "")) for command in commands):
        raise Refused(400, "BOT_COMMAND_INVALID")
    if not all(command.get("description", "").strip() for command in commands):
        raise Refused(400, "BOT_COMMAND_DESCRIPTION_INVALID")
    call.bot.commands[_scope(call)] = [{**command, "command": command["command"].lstrip("/")} for command in commands]
    return True


def get_my_commands(call: Call) -> Json:
    return call.bot.commands.get(_scope(call), [])


def delete_my_commands(call: Call) -> Json:
    call.bot.commands.pop(_scope(call), None)
    return True


def set_webhook(call: Call) -> Json:
    updates, url = call.bot.updates, call.args.text("url")
    if call.args.true("drop_pending_updates"):
        updates.pending.clear()
    if not url:
        return delete_webhook(call)
    if not url.startswith("https://"):
        raise Refused(400, "bad webhook: An HTTPS URL must be provided for webhook")
    if not re.fullmatch(r"[A-Za-z0-9_-]{0,256}", call.args.text("secret_token")):
        raise Refused(400, "secret token contains unallowed characters")
    allow(call)
    updates.interrupt("terminated by setWebhook request")
    updates.webhook = {"url": url, "max_connections": call.args.number("max_connections", default=40, low=1, high=100)}
    return Told(True, "Webhook was set")


def delete_webhook(call: Call) -> Json:
    updates = call.bot.updates
    if call.args.true("drop_pending_updates"):
        updates.pending.clear()
    remark = "Webhook was deleted" if updates.webhook else "Webhook is already deleted"
    updates.webhook = {}
    return Told(True, remark)


def get_webhook_info(call: Call) -> Json:
    updates = call.bot.updates
    told = {"url": "", **updates.webhook, "has_custom_certificate": False, "pending_update_count": len(updates.pending)}
    return told if updates.allowed is None else {**told, "allowed_updates": sorted(updates.allowed)}


def allow(call: Call) -> None:
    """Take over allowed_updates: absent or unreadable changes nothing, an empty list is the default again."""
    try:
        wanted = json.loads(call.args.text("allowed_updates"))
    except ValueError:
        return
    if isinstance(wanted, list):
        call.bot.updates.allowed = frozenset(str(kind).lower() for kind in cast("list[Json]", wanted)) or None


def get_file(call: Call) -> Json:
    name = call.args.text("file_id")
    if not name:
        raise Refused(400, "file_id not specified")
    if name not in call.files:
        raise Refused(400, "invalid file_id")
    size = call.files[name]
    if size > 20 << 20:
        raise Refused(400, "file is too big")
    return {"file_id": name, "file_unique_id": name[-8:], "file_size": size, "file_path": f"files/{name}"}


def unknown_method(call: Call) -> Json:
    raise Refused(404, "")


METHODS: Mapping[str, Callable[[Call], Json]] = {
    function.__name__.replace("_", ""): function
    for function in (
        *(get_me, send_message, send_photo, edit_message_text, delete_message, send_chat_action, set_message_reaction),
        *(get_chat, get_chat_member, get_chat_administrators, get_chat_member_count, leave_chat),
        *(set_my_commands, get_my_commands, delete_my_commands),
        *(set_webhook, delete_webhook, get_webhook_info, get_file),
    )
}
"""By name in lower case, as Telegram compares them."""
