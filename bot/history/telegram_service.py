"""Service messages of an export, as what their actor did: “[pinned a message]”.

Those that tell something of the people or the chat become lines; the others (payments, wallpapers, timers,
permissions of bots, …) are left out, and counted by action.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from bot.history.telegram_fields import Fields, how_long, list_at, number_at, text_at
from bot.history.telegram_text import join_text
from bot.history.values import DELETED_ACCOUNT


def service_line(message: Fields) -> str | None:
    """What was done, in brackets, to be read after the actor's name; None for what is left out."""
    action = message.get("action")
    if action is None and (information := text_at(message, "information_text")):
        return f"[{information}]"
    line = _LINES.get(action) if isinstance(action, str) else None
    return line(message) if line else None


def _members(message: Fields) -> list[str]:
    return [join_text(name) or DELETED_ACCOUNT for name in list_at(message, "members")]


def _with_title(before: str, title: str, after: str = "") -> str:
    return f"[{before} “{title}”{after}]" if title else f"[{before}{after}]"


def _created_group(message: Fields) -> str:
    others = f" with {', '.join(members)}" if (members := _members(message)) else ""
    return _with_title("created the group", text_at(message, "title"), others)


def _invited(message: Fields) -> str:
    members = _members(message)
    alone = not members or members == [message.get("actor")]
    return "[joined]" if alone else f"[invited {', '.join(members)}]"


def _removed(message: Fields) -> str:
    members = _members(message)
    alone = not members or members == [message.get("actor")]
    return "[left]" if alone else f"[removed {', '.join(members)}]"


def _joined_by_link(message: Fields) -> str:
    inviter = text_at(message, "inviter")
    return f"[joined by an invite link of {inviter}]" if inviter else "[joined by an invite link]"


def _seconds(message: Fields, key: str) -> int:
    return max(number_at(message, key) or 0, 0)


def _phone_call(message: Fields) -> str:
    if seconds := _seconds(message, "duration_seconds"):
        return f"[phone call, {how_long(seconds)}]"
    reason = text_at(message, "discard_reason")
    return f"[phone call, {reason if reason in ('missed', 'busy') else 'not answered'}]"


def _group_call(message: Fields) -> str:
    seconds = _seconds(message, "duration") or _seconds(message, "duration_seconds")
    return f"[group call, {how_long(seconds)}]" if seconds else "[started a group call]"


def _scheduled_call(message: Fields) -> str:
    try:
        when = datetime.fromtimestamp(number_at(message, "schedule_date") or 0, UTC)
    except (ValueError, OverflowError, OSError):
        return "[scheduled a group call]"
    return f"[scheduled a group call for {when:%Y-%m-%d %H:%M} UTC]"


def _gift(message: Fields) -> str:
    return f"[sent a gift] {text_at(message, 'gift_text')}".rstrip()


def _came_near(message: Fields) -> str:
    return f"[came within {_seconds(message, 'distance')} m of {text_at(message, 'to') or DELETED_ACCOUNT}]"


def _added_tasks(message: Fields) -> str:
    return f"[added to the checklist: {'; '.join(join_text(item) for item in list_at(message, 'items'))}]"


def _handed_over(message: Fields) -> str:
    return f"[made {text_at(message, 'new_creator') or DELETED_ACCOUNT} the owner]"


_LINES: dict[str, Callable[[Fields], str | None]] = {
    "create_group": _created_group,
    "create_channel": lambda message: _with_title("created", text_at(message, "title")),
    "edit_group_title": lambda message: _with_title("changed the title to", text_at(message, "title")),
    "edit_group_photo": lambda _: "[changed the photo]",
    "delete_group_photo": lambda _: "[removed the photo]",
    "invite_members": _invited,
    "remove_members": _removed,
    "join_group_by_link": _joined_by_link,
    "join_group_by_request": lambda _: "[joined]",
    "join_group_via_community": lambda _: "[joined]",
    "change_creator": _handed_over,
    "pin_message": lambda _: "[pinned a message]",
    "score_in_game": lambda message: f"[scored {_seconds(message, 'score')} in a game]",
    "phone_call": _phone_call,
    "conference_call": _group_call,
    "group_call": _group_call,
    "group_call_scheduled": _scheduled_call,
    "invite_to_group_call": lambda message: f"[invited {', '.join(_members(message))} to the group call]",
    "take_screenshot": lambda _: "[took a screenshot]",
    "joined_telegram": lambda _: "[joined Telegram]",
    "proximity_reached": _came_near,
    "topic_created": lambda message: _with_title("created the topic", text_at(message, "title")),
    "topic_edit": lambda message: (
        _with_title("renamed the topic to", title) if (title := text_at(message, "new_title")) else None
    ),
    "send_premium_gift": lambda _: "[sent a gift: Telegram Premium]",
    "send_stars_gift": lambda _: "[sent a gift: Stars]",
    "send_ton_gift": lambda _: "[sent a gift: TON]",
    "send_star_gift": _gift,
    "boost_apply": lambda _: "[boosted the group]",
    "todo_append_tasks": _added_tasks,
    "poll_append_answer": lambda message: f"[added to the poll: {text_at(message, 'option')}]",
}
