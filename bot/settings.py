"""What an operator can set, read once from the environment and `.env`, then frozen.

The only module that looks at the environment. Names are those of contract.md; those shared with Project
AIRI's Telegram bot mean here what they mean there.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import platformdirs
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import SettingsError


def _zone(value: object) -> ZoneInfo:
    """A time zone by its IANA name, such as Europe/Berlin."""
    if isinstance(value, ZoneInfo):
        return value
    try:
        return ZoneInfo(str(value))
    except (KeyError, OSError, ValueError) as error:
        raise ValueError(f"{value!r} is not a time zone; use a name such as UTC or Asia/Shanghai") from error


Zone = Annotated[ZoneInfo, BeforeValidator(_zone)]


_NOT_IN_ADDRESSES = re.compile(r"[\s{}?#\\]")
"""What aiogram would take for a place to fill, or what cannot stand before a path."""


def _web_address(value: str) -> str:
    """An address that requests can be put together with; it is not repeated, as it may hold a password."""
    try:
        parts = urlsplit(value)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or _NOT_IN_ADDRESSES.search(value):
        raise ValueError("is not a web address; use one such as http://127.0.0.1:8081")
    return value


WebAddress = Annotated[str, AfterValidator(_web_address)]


SHORTEST_VECTOR, LONGEST_VECTOR = 64, 4096
"""Numbers that an embedding may have."""


class Settings(BaseSettings):
    """Frozen after reading. An empty variable counts as unset."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        arbitrary_types_allowed=True,
        hide_input_in_errors=True,
    )

    database_url: SecretStr | None = None
    """Absent: an embedded PostgreSQL under `companion_home`."""
    database_direct_url: SecretStr | None = None
    """For LISTEN, when `database_url` leads to a pooler."""
    companion_home: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("companion", False)))

    telegram_bot_token: SecretStr | None = None
    telegram_api_base_url: WebAddress | None = None
    """Absent: Telegram's own; else a Bot API server of one's own."""
    telegram_webhook_url: str | None = None
    """Absent: the bot polls; else where Telegram brings its updates."""
    telegram_webhook_secret: SecretStr | None = None
    """Shared by Telegram and all processes of the bot: whoever knows it can speak as Telegram."""
    telegram_webhook_listen: str = "127.0.0.1:8443"
    """Host and port where `companion run` waits for them, behind what speaks https."""

    llm_api_base_url: str | None = None
    llm_api_key: SecretStr | None = None
    llm_model: str | None = None
    llm_response_language: str | None = None
    """A language the persona always answers in; absent: that of the chat."""

    embedding_api_base_url: str | None = None
    """Absent: the bundled embedder."""
    embedding_api_key: SecretStr | None = None
    embedding_model: str | None = None
    embedding_dimension: int | None = Field(default=None, ge=SHORTEST_VECTOR, le=LONGEST_VECTOR)

    character_card: Path | None = None
    """Absent: the default persona."""
    recall_profile: Literal["ranked", "combined"] = "ranked"
    recall_rerank: Literal["off", "model"] = "off"
    """`model`: the chat model puts what comes to mind in order, for one call more a turn."""
    timezone: Zone = ZoneInfo("UTC")

    prompt_budget: int = Field(default=6000, ge=1000)
    """Tokens of one prompt (CJK characters + other characters / 4)."""
    max_reply_tokens: int = Field(default=1024, ge=64)
    pace: float = Field(default=1.0, ge=0, le=100)
    """Scales every human pause: 1 as people are, 0 at once."""

    llm_price_input: float | None = Field(default=None, ge=0)
    """What a million tokens cost; absent: cost is not reckoned."""
    llm_price_cached: float | None = Field(default=None, ge=0)
    """Of input that the server knew already; absent: as any input."""
    llm_price_output: float | None = Field(default=None, ge=0)
    spending_limit_a_day: float | None = Field(default=None, ge=0)
    """In the same currency: what is worth an alert."""

    heartbeat_file: Path | None = None
    """Touched every ten seconds by `companion run`, for who watches over it from outside."""
    trace_content: Literal["full", "redacted", "off"] = "redacted"
    otel_exporter_otlp_endpoint: str | None = None
    otel_exporter_otlp_traces_endpoint: str | None = None
    otel_exporter_otlp_metrics_endpoint: str | None = None
    otel_metric_export_interval: int = Field(default=60_000, ge=100)
    """Milliseconds."""
    otel_service_name: str = "companion"
    tempo_url: WebAddress | None = None
    """Where traces are kept, for `companion replay`; absent: it goes by the database alone."""
    grafana_url: WebAddress | None = None
    """Where people look at traces, for `companion why`."""
    no_color: str | None = None
    """Set to anything: no colours in the terminal (https://no-color.org)."""
    log_format: Literal["human", "json"] = "human"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "WARNING"

    def untraced(self) -> Self:
        """The same, but nothing is exported."""
        ways = [name for name in type(self).model_fields if name.startswith("otel_exporter_otlp_")]
        return self.model_copy(update=dict.fromkeys(ways))

    def secrets(self) -> list[str]:
        """Everything that must never be seen: keys and addresses with passwords."""
        keys = (self.telegram_bot_token, self.telegram_webhook_secret, self.llm_api_key, self.embedding_api_key)
        values = [value.get_secret_value() for value in (self.database_url, self.database_direct_url, *keys) if value]
        if self.telegram_api_base_url and "@" in self.telegram_api_base_url:
            values.append(self.telegram_api_base_url)
        return values


def load(**overrides: Any) -> Settings:
    """Read the settings; raise `SettingsError` naming each variable that is wrong and why."""
    try:
        return Settings(**overrides)
    except ValidationError as error:
        wrong = "; ".join(
            f"{'.'.join(str(part) for part in item['loc']).upper()}: {item['msg'].removeprefix('Value error, ')}"
            for item in error.errors()
        )
        raise SettingsError(f"{wrong} (correct the environment or .env)") from None
    except UnicodeDecodeError:
        raise SettingsError(".env is not text in UTF-8; save it as UTF-8") from None
