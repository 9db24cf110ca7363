"""aiogram's types are built when they are first used, not all of them when it is imported.

Its import asks pydantic to build each of some 350 types, with all that they are made of: three of the four seconds
that the import takes. A bot uses a dozen. What the types refer to each other by is kept for when they are built.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from pydantic import BaseModel

_build: Final = cast("Any", BaseModel.model_rebuild).__func__
_referred_to: dict[str, Any] = {}
"""aiogram's types by the names that its annotations have for them."""


def put_off() -> None:
    """Do so; to be called before aiogram is imported."""
    BaseModel.model_rebuild = cast("Any", classmethod(_model_rebuild))


def _model_rebuild(
    cls: type[BaseModel],
    *,
    force: bool = False,
    raise_errors: bool = True,
    _parent_namespace_depth: int = 2,
    _types_namespace: Mapping[str, Any] | None = None,
) -> bool | None:
    """Stands for pydantic's own, and does the same for all but aiogram's types."""
    if cls.__module__.startswith("aiogram."):
        if _types_namespace is not None and cls.__module__.startswith("aiogram.types."):
            _referred_to.update(_types_namespace)
            return None  # it is built when pydantic sees that it is used
        _types_namespace = _types_namespace or _referred_to
    return _build(
        cls,
        force=force,
        raise_errors=raise_errors,
        _parent_namespace_depth=_parent_namespace_depth + 1,
        _types_namespace=_types_namespace,
    )
