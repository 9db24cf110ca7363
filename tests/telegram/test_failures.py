"""What each way to fail means, as a table and as laws."""

from __future__ import annotations

import json
import socket
from datetime import UTC, datetime
from typing import Any

import pytest
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.exceptions import ClientDecodeError, TelegramNetworkError
from aiogram.methods import SendMessage
from aiohttp import (
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientOSError,
    ClientPayloadError,
    ConnectionTimeoutError,
    ServerDisconnectedError,
    SocketTimeoutError,
)
from aiohttp.client_reqrep import ConnectionKey
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.failures import (
    LONGEST_FLOOD,
    LONGEST_PAUSE,
    MOST_ATTEMPTS,
    Delivered,
    GiveUp,
    Later,
    Moved,
    TokenRefused,
    Unchanged,
    Verdict,
    WithoutReply,
    verdict,
)

SESSION = AiohttpSession()
BOT = Bot("7000000001:AAexampleexampleexampleexampleexample")
SEND = SendMessage(chat_id=1, text="Hi")
WHERE = ConnectionKey("api.telegram.org", 443, True, True, None, None, None)
REFUSED = ClientConnectorError(WHERE, OSError(111, "refused"))


def answered(status: int, body: object) -> Exception:
    """What aiogram raises at an answer."""
    content = body if isinstance(body, str) else json.dumps(body)
    with pytest.raises(Exception) as raised:  # noqa: PT011 - aiogram's, or what it stumbles over
        SESSION.check_response(BOT, SEND, status, content)
    return raised.value


def refused(code: int, description: str, **parameters: Any) -> Exception:
    told = {"ok": False, "error_code": code, "description": description}
    return answered(code, {**told, "parameters": parameters} if parameters else told)


def broke(cause: Exception) -> Exception:
    """What aiogram raises when the network does not do its work."""
    error = TelegramNetworkError(SEND, f"{type(cause).__name__}: {cause}")
    error.__cause__ = cause
    return error


def what(error: Exception, *, attempt: int = 1, replying: bool = False) -> Verdict:
    return verdict(error, attempt=attempt, replying=replying, chance=0.5)


@pytest.mark.parametrize("code", [429, 400, 420])
def test_a_flood_is_waited_out(code: int) -> None:
    found = what(refused(code, "Too Many Requests: retry after 31", retry_after=31))
    assert isinstance(found, Later)
    assert 31 < found.seconds < 33


def test_a_flood_without_a_number_is_waited_out_for_a_while() -> None:
    found = what(refused(429, "Too Many Requests"))
    assert isinstance(found, Later)
    assert 5 < found.seconds < 7


@given(seconds=st.integers(1, 10**12), attempt=st.integers(1, 100), chance=st.floats(0, 1, exclude_max=True))
def test_a_flood_is_never_cut_short_nor_waited_out_for_more_than_a_day(
    seconds: int, attempt: int, chance: float
) -> None:
    error = refused(429, "Too Many Requests", retry_after=seconds)
    found = verdict(error, attempt=attempt, replying=True, chance=chance)
    assert isinstance(found, Later)
    assert min(seconds, LONGEST_FLOOD) < found.seconds < LONGEST_FLOOD + 2


@pytest.mark.parametrize(
    "cause",
    [
        REFUSED,
        ClientConnectorDNSError(WHERE, OSError(-2, "no such host")),
        ConnectionTimeoutError("https://example.org"),
    ],
    ids=lambda cause: type(cause).__name__,
)
def test_what_never_connected_is_tried_again(cause: Exception) -> None:
    assert isinstance(what(broke(cause)), Later)


@pytest.mark.parametrize(
    "cause",
    [
        ServerDisconnectedError(),
        ClientOSError(104, "reset"),
        ClientPayloadError(),
        SocketTimeoutError(),
        TimeoutError(),
    ],
    ids=lambda cause: type(cause).__name__,
)
def test_what_may_have_been_written_is_never_sent_again(cause: Exception) -> None:
    found = what(broke(cause), replying=True)
    assert isinstance(found, GiveUp)
    assert (found.state, found.place_is_closed) == ("unknown", False)


@pytest.mark.parametrize(
    "error",
    [
        answered(502, "<html>502 Bad Gateway</html>"),
        answered(200, "<html>a portal</html>"),
        answered(200, ""),
        answered(200, "[]"),
        answered(200, '{"ok": true, "result": {"message_id": "x"}}'),
        answered(500, {"ok": False}),
        RuntimeError("Session is closed"),
        socket.gaierror("raised past aiogram"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_nobody_understands_may_have_been_sent(error: Exception) -> None:
    found = what(error)
    assert isinstance(found, GiveUp)
    assert (found.state, found.place_is_closed) == ("unknown", False)


def test_an_answer_that_aiogram_cannot_read_still_says_that_it_was_sent() -> None:
    told = {"ok": True, "result": {"message_id": 7, "date": 1_780_000_000, "chat": {"id": 1, "type": "of a new kind"}}}
    error = ClientDecodeError("Failed to deserialize object", ValueError(), told)
    assert what(error) == Delivered("7", datetime.fromtimestamp(1_780_000_000, UTC))


@pytest.mark.parametrize(
    "error",
    [
        refused(500, "Internal Server Error"),
        refused(502, "Bad Gateway: restart"),
        refused(409, "Conflict"),
        ClientDecodeError("Failed to deserialize object", ValueError(), {"ok": False, "description": []}),
    ],
    ids=lambda error: str(error)[:40],
)
def test_a_refusal_in_json_is_sure_and_tried_again(error: Exception) -> None:
    assert isinstance(what(error), Later)


@given(attempt=st.integers(1, MOST_ATTEMPTS - 1), chance=st.floats(0, 1, exclude_max=True))
def test_pauses_grow_up_to_a_bound(attempt: int, chance: float) -> None:
    def pause(attempt: int) -> float:
        found = verdict(broke(REFUSED), attempt=attempt, replying=False, chance=chance)
        return found.seconds if isinstance(found, Later) else LONGEST_PAUSE + chance

    assert pause(attempt) <= pause(attempt + 1) <= LONGEST_PAUSE + 1


@pytest.mark.parametrize("error", [broke(REFUSED), refused(500, "Internal Server Error")])
def test_patience_ends(error: Exception) -> None:
    found = what(error, attempt=MOST_ATTEMPTS)
    assert isinstance(found, GiveUp)
    assert found.state == "failed"


@pytest.mark.parametrize(
    ("code", "description"),
    [
        (403, "Forbidden: bot was blocked by the user"),
        (403, "Forbidden: bot was kicked from the supergroup chat"),
        (403, "Forbidden: user is deactivated"),
        (403, "Forbidden: in words nobody has seen yet"),
        (400, "Bad Request: chat not found"),
        (400, "Bad Request: not enough rights to send text messages to the chat"),
        (400, "Bad Request: have no rights to send a message"),
        (400, "Bad Request: CHAT_WRITE_FORBIDDEN"),
        (400, "Bad Request: CHAT_RESTRICTED"),
        (400, "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN"),
        (400, "Bad Request: PEER_ID_INVALID"),
    ],
)
@pytest.mark.parametrize("replying", [True, False])
def test_a_place_without_a_voice_is_closed(code: int, description: str, replying: bool) -> None:
    found = what(refused(code, description), replying=replying)
    assert found == GiveUp("failed", description, place_is_closed=True)


@pytest.mark.parametrize(
    "description",
    ["Bad Request: message thread not found", "Bad Request: TOPIC_CLOSED", "Bad Request: TOPIC_DELETED"],
)
def test_a_closed_topic_takes_nothing_and_the_rest_of_the_chat_does(description: str) -> None:
    assert what(refused(400, description), replying=True) == GiveUp("failed", description)


@pytest.mark.parametrize(
    "description",
    [
        "Bad Request: message to be replied not found",
        "Bad Request: reply message not found",
        "Bad Request: MESSAGE_ID_INVALID",
        "in words nobody has seen yet",
    ],
)
def test_whatever_a_reply_is_refused_for_it_is_tried_once_without(description: str) -> None:
    assert what(refused(400, description), replying=True) == WithoutReply()
    assert what(refused(400, description), replying=False) == GiveUp("failed", description)


@pytest.mark.parametrize("code", [401, 404])
def test_a_wrong_token_is_for_a_person_to_mend(code: int) -> None:
    assert what(refused(code, "Unauthorized")) == TokenRefused()


def test_a_group_that_moved_is_followed_but_not_in_circles() -> None:
    error = refused(400, "Bad Request: group chat was upgraded", migrate_to_chat_id=-1009000000001)
    assert what(error) == Moved(-1009000000001)
    assert isinstance(what(error, attempt=MOST_ATTEMPTS), GiveUp)


def test_an_edit_that_changes_nothing_is_as_good_as_done() -> None:
    assert what(refused(400, "Bad Request: message is not modified: specified new message content…")) == Unchanged()


def test_too_large_is_refused_and_no_trouble_of_the_network() -> None:
    found = what(refused(413, "Request Entity Too Large"))
    assert isinstance(found, GiveUp)
    assert found.state == "failed"


@given(description=st.text(max_size=300), code=st.sampled_from([400, 403, 406, 420, 500]))
def test_whatever_telegram_says_the_database_can_keep(description: str, code: int) -> None:
    found = what(refused(code, description))
    problem = getattr(found, "problem", "")
    assert len(problem) <= 300
    assert problem.isascii()
    assert "\0" not in problem
