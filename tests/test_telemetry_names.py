"""Names of spans' attributes stand in one module, so that dashboards and `replay` can be checked against it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bot import telemetry_names

ROOT = Path(__file__).parents[1] / "bot"
THEIR_PLACE = Path(telemetry_names.__file__)
NAME = re.compile(
    r"(companion|telegram|gen_ai|db|exception|http\.response|service)\.[a-z0-9_.]*|server\.(address|port)"
)
"""An attribute's name, or the beginning of one in a template."""


def texts(module: Path) -> Iterator[str]:
    """Every text in a module, docstrings and parts of templates too."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_other_module_spells_the_name_of_an_attribute() -> None:
    spelt = {module: [text for text in texts(module) if NAME.fullmatch(text)] for module in ROOT.rglob("*.py")}
    assert [module for module, names in spelt.items() if names] == [THEIR_PLACE], spelt


def test_each_name_stands_there_once() -> None:
    names = [text for text in texts(THEIR_PLACE) if NAME.fullmatch(text)]
    assert len(names) > 50
    assert len(names) == len(set(names))
