"""Whether a collector takes what is sent to it: one line in the log when that changes, and none else."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final, cast
from urllib.parse import urlsplit

_log = logging.getLogger(__name__)


class _LastComplaint(logging.Filter):
    """Silences the SDK's exporters, which write a line for each failure, but keeps their last reason.

    Of the reason only an HTTP status and the class of an error are kept: messages may hold addresses.
    """

    def __init__(self) -> None:
        super().__init__()
        self._seen = threading.local()

    def filter(self, record: logging.LogRecord) -> bool:
        values = record.args if isinstance(record.args, tuple) else ()
        for value in values:
            if isinstance(value, int) and 100 <= value <= 599:
                self._seen.reason = f"HTTP {value}"
                break
            if isinstance(value, BaseException):
                self._seen.reason = type(value).__name__
                break
        return False

    def take(self) -> str:
        """Why the last export of this thread failed, once."""
        reason = cast(str, getattr(self._seen, "reason", "no answer in time"))
        self._seen.__dict__.clear()
        return reason


_complaint: Final = _LastComplaint()


def silence(logger: str) -> None:
    """Have an exporter of the SDK complain to us instead of the log."""
    logging.getLogger(logger).addFilter(_complaint)


class Reaching:
    """What is known of one collector."""

    def __init__(self, what: str, *, where: str) -> None:
        self._what, self.where = what, where
        self.down = False

    def tell(self, arrived: bool, *, loss: Callable[[], str] = str) -> None:
        """What became of an export, told in the thread that made it. `loss` is asked when the collector is back."""
        reason = _complaint.take()
        if arrived != self.down:
            return
        self.down = not arrived
        if arrived:
            _log.warning("%s reach %s again%s", self._what, self.where, loss())
        else:
            _log.warning("%s do not reach %s (%s); the bot goes on without", self._what, self.where, reason)


def without_credentials(endpoint: str) -> str:
    """Scheme, host, port and path: what may be written into a log."""
    try:
        parts = urlsplit(endpoint)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the collector"
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"
