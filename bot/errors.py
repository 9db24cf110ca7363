"""Every error that a person can fix, in one tree.

    BotError
    ├── SettingsError            a setting is missing or makes no sense
    ├── StoreError
    │   ├── DatabaseUnreachable  nothing answers at DATABASE_URL
    │   ├── EmbeddedServerError  the embedded PostgreSQL cannot be set up or started
    │   ├── ExtensionMissing     none of the vector extensions is installed there
    │   ├── SchemaOutdated       the tables are older than this program
    │   ├── MigrationRefused     a migration on record differs from the one shipped
    │   ├── MigrationFailed      the server does not let us make our tables
    │   ├── DimensionMismatch    vectors of one length for a table of another
    │   ├── NothingEmbedded      an embedding model has no vectors here yet
    │   ├── UnknownChat          no chat has that number
    │   └── QueryFailed          the server refused a query
    ├── ModelError               kept apart by what can be done about it:
    │   ├── ModelUnavailable     may work later: timeout, 429, 5xx, no connection
    │   ├── RequestRefused       will never work as sent: 400, 401, 402, 404, 422
    │   │   └── ContextTooLong   the prompt does not fit the model
    │   └── BadAnswer            the server answered, but not what was asked for
    ├── TelegramError            kept apart by what can be done about it:
    │   ├── TelegramUnreachable  may work later: no connection, 429, 5xx, a page instead of an answer
    │   ├── TelegramUnauthorized the token is no bot's
    │   ├── TelegramRefused      it will not do that, however often it is asked: 400, 403
    │   ├── TelegramConflict     a second poller, or a webhook
    │   └── TelegramWebhookRefused an address to which Telegram brings nothing
    ├── ClockWrong               this computer's clock tells another time than others do
    ├── CardError                a character card cannot be read; `kind` says why
    ├── HistoryFileError         a file given to `companion import` cannot be read
    ├── BackupError              a backup cannot be written, or is not whole
    └── ReplayError              a turn cannot be run again, or explained
        ├── TempoError           Tempo does not answer as it should
        ├── TraceUnreadable      what should be a trace is none
        └── UnknownTurn          nothing is known of such a turn, trace or message

Messages say what happened, with which values, and what to do now. They never hold a token, a key or what
people wrote.
"""

from __future__ import annotations

from datetime import timedelta

_NO_RIGHT = "42501"
"""PostgreSQL's code for what a role may not do."""


class BotError(Exception):
    """An error a person can fix: one line on stderr, exit 1, no traceback."""


class SettingsError(BotError):
    """A setting is missing or makes no sense."""


class StoreError(BotError):
    """The database cannot do what is asked of it."""


class DatabaseUnreachable(StoreError):
    """Nothing answers at the address of the database, or it does not let us in."""

    def __init__(self, *, where: str, reason: str) -> None:
        super().__init__(
            f"cannot reach PostgreSQL at {where}: {reason}; start it or correct DATABASE_URL "
            "(unset it to use the embedded server)"
        )


class EmbeddedServerError(StoreError):
    """The embedded PostgreSQL cannot be set up or started."""


class ExtensionMissing(StoreError):
    """The server has none of the vector extensions we know."""

    def __init__(self, *, known: list[str]) -> None:
        super().__init__(
            f"the database has no vector extension; install one of {', '.join(known)} on its server "
            "(pgvector: https://github.com/pgvector/pgvector#installation), or unset DATABASE_URL "
            "to use the embedded server"
        )


class SchemaOutdated(StoreError):
    """The tables are not those of this program."""

    def __init__(self, *, missing: list[str]) -> None:
        super().__init__(f"the database lacks {', '.join(missing)}; run `companion migrate`")
        self.missing = missing


class MigrationRefused(StoreError):
    """What the database has on record is not what this program ships."""


class MigrationFailed(StoreError):
    """The server does not let us make our tables."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"PostgreSQL did not let the database be brought up to date: {reason}; let the role of DATABASE_URL "
            "create extensions, schemas and tables there, or run `companion migrate` once as its owner"
        )


class DimensionMismatch(StoreError):
    """Vectors of one length were offered to a table of another."""

    def __init__(self, *, model: str, got: int, want: int, cure: str | None = None) -> None:
        super().__init__(
            f"{model!r} gave vectors of {got} numbers where {want} were expected; "
            f"{cure or f'set EMBEDDING_DIMENSION={got}'}, or choose a model that gives {want}"
        )
        self.got, self.want = got, want


class NothingEmbedded(StoreError):
    """An embedding model has no vectors here yet."""

    def __init__(self, *, model: str) -> None:
        super().__init__(
            f"nothing is embedded by {model!r} yet; talk in a chat with `companion chat`, or import a file again: "
            "both embed what has no vector"
        )


class UnknownChat(StoreError):
    """No chat has that number."""

    def __init__(self, chat: object) -> None:
        super().__init__(f"there is no chat {chat}; `companion import FILE` adds one and prints its number")


class QueryFailed(StoreError):
    """The server refused a query, or the connection broke under it."""

    def __init__(self, query: str, error: BaseException) -> None:
        self.sqlstate: str | None = getattr(error, "sqlstate", None)
        code = f", SQLSTATE {self.sqlstate}" if self.sqlstate else ""
        super().__init__(
            f"the query {query} failed ({type(error).__name__}{code}); "
            + (
                "grant the role of DATABASE_URL its rights on our tables, or use the role that made them"
                if self.sqlstate == _NO_RIGHT
                else "see the log of PostgreSQL, and run `companion doctor`"
            )
        )


class ModelError(BotError):
    """A chat or embedding model did not do its work."""


class ModelUnavailable(ModelError):
    """It may work later: a timeout, 429, 5xx, no connection."""

    def __init__(self, message: str, *, retry_after: float | None = None, status: int | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds the server asked us to wait, if it did."""
        self.status = status
        """The HTTP status, if there was one."""


class RequestRefused(ModelError):
    """It will never work as sent: a wrong key, no such model, no credit, a text it cannot take."""

    def __init__(self, message: str, *, status: int | None = None, texts: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        """The HTTP status, if there was one."""
        self.texts = texts
        """Of several texts, the positions of those to blame, where that is known."""


class ContextTooLong(RequestRefused):
    """The prompt does not fit into the model's context."""


class BadAnswer(ModelError):
    """The server answered, but not what was asked for."""

    def __init__(self, message: str, *, texts: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.texts = texts
        """Of several texts, the positions of those to blame, where that is known."""


class TelegramError(BotError):
    """Telegram did not do what was asked. Never holds the token, nor an address that does."""


class TelegramUnreachable(TelegramError):
    """It may work later: no connection, 429, 5xx, a page instead of an answer."""

    def __init__(self, reason: str, *, where: str, retry_after: float | None = None) -> None:
        super().__init__(
            f"Telegram's Bot API at {where} did not answer as it should: {reason}; it is asked again by itself, so "
            "look at the network, or at TELEGRAM_API_BASE_URL, only if this goes on"
        )
        self.retry_after = retry_after
        """Seconds that Telegram asked us to wait, if it did."""


class TelegramUnauthorized(TelegramError):
    """The token is no bot's: mistyped, or revoked."""

    def __init__(self, *, where: str) -> None:
        super().__init__(
            f"Telegram's Bot API at {where} knows no bot with this token; copy it again from @BotFather "
            "into TELEGRAM_BOT_TOKEN"
        )


class TelegramRefused(TelegramError):
    """Telegram will not do that, however often it is asked."""

    def __init__(self, *, where: str, too_large: bool = False) -> None:
        super().__init__(f"Telegram at {where} refuses that{': the file is too large' if too_large else ''}")
        self.too_large = too_large
        """A file has more bytes than it gives, or than are wanted."""


class TelegramConflict(TelegramError):
    """Somebody else takes this bot's updates."""

    def __init__(self, *, webhook: bool) -> None:
        super().__init__(
            "a webhook is set for this bot, so it cannot be polled; delete it with Telegram's deleteWebhook"
            if webhook
            else "another program polls with this bot's token and does not share this database; stop it, or give "
            "one of the two a token of its own from @BotFather"
        )
        self.webhook = webhook


class TelegramWebhookRefused(TelegramError):
    """Telegram does not bring updates to this address."""

    def __init__(self, *, where: str) -> None:
        super().__init__(
            f"Telegram's Bot API at {where} refused TELEGRAM_WEBHOOK_URL; it takes an https:// address that it can "
            "reach, on port 443, 80, 88 or 8443"
        )


class ClockWrong(BotError):
    """This computer's clock tells another time than another one does."""

    def __init__(self, *, ahead: timedelta, whose: str, means: str) -> None:
        minutes = round(abs(ahead) / timedelta(minutes=1))
        where = "ahead of" if ahead > timedelta() else "behind"
        super().__init__(
            f"this computer's clock is {minutes:,} minutes {where} {whose}, so {means}; "
            "let the network set it (on Linux: timedatectl set-ntp true)"
        )


class CardError(BotError):
    """A character card cannot be read."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        """One of the kinds listed in bot/cards/card.py."""


class HistoryFileError(BotError):
    """A file given to `companion import` cannot be read."""


class BackupError(BotError):
    """A backup cannot be written, or is not whole."""


class ReplayError(BotError):
    """A turn cannot be run again, or explained."""


class TempoError(ReplayError):
    """Tempo does not answer as it should."""

    def __init__(self, reason: str, *, where: str) -> None:
        super().__init__(f"Tempo at {where} did not answer as it should: {reason}; see that it runs, and TEMPO_URL")


class TraceUnreadable(ReplayError):
    """What should be a trace is none, or not whole."""

    def __init__(self, reason: str, *, where: str) -> None:
        super().__init__(
            f"{where} is no trace: {reason}; replay takes what Tempo answers (JSON or protobuf), and what "
            "`companion replay --save` wrote"
        )


class SavedByNewer(ReplayError):
    """A turn was saved in a way that this version does not know yet."""

    def __init__(self, *, where: str, version: int, known: int) -> None:
        super().__init__(
            f"{where} was saved by a newer Companion (version {version} of these files; this one reads up to "
            f"{known}); upgrade, and replay it then"
        )


class WrongArguments(BotError):
    """A command was called in a way that it cannot be called."""


class UnknownTurn(ReplayError):
    """Nothing is known of such a turn, trace or message."""
