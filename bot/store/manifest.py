"""What a backup says of itself, in its manifest.json."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

VERSION = 1
"""Of the format. A change that an older program could not read raises it."""

_BigInt = Annotated[int, Field(ge=-(2**63), lt=2**63)]
_Name = Annotated[str, Field(min_length=1, max_length=63)]  # as PostgreSQL has them


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)


class Migration(_Frozen):
    """A migration that the schema has had."""

    number: int = Field(ge=1)
    name: str
    sha256: str


class Table(_Frozen):
    """What a backup holds of one table."""

    columns: tuple[_Name, ...]
    rows: int = Field(ge=0)
    sha256: str


class Manifest(_Frozen):
    """What a backup says of itself."""

    format: Literal["companion backup"] = "companion backup"
    version: Literal[1] = VERSION
    made_at: AwareDatetime
    program: str = Field(max_length=100)
    """The version of Companion that made it."""
    postgresql: str
    migrations: tuple[Migration, ...] = Field(min_length=1)
    """In order, from the first."""
    tables: dict[_Name, Table]
    sequences: dict[_Name, _BigInt]
    """The last number that each has given."""


class Head(BaseModel):
    """What a manifest of any later version has, too."""

    format: Literal["companion backup"]
    version: int
    program: str = Field(max_length=100)
