"""The dashboards, without Grafana: every query parses, every data source is there, and Grafana is shown all of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.stack.files import (
    COMPOSE,
    DASHBOARDS,
    DATA_SOURCES,
    ROOT,
    ended,
    errors_in_traceql,
    panels,
    program,
    read,
    targets,
)

INTERVALS = {"$__rate_interval": "5m", "$__interval": "1m", "$__range": "1h"}
UIDS = {source["uid"]: source["type"] for source in read(DATA_SOURCES)["datasources"]}


def of(source: str) -> list[str]:
    """All queries to a data source."""
    return [target.query for target in targets() if UIDS[target.source] == source]


def test_prometheus_parses_every_query_to_it(tmp_path: Path) -> None:
    queries = of("prometheus")
    for name, seconds in INTERVALS.items():
        queries = [query.replace(name, seconds) for query in queries]
    rules = [{"record": f"panel:{n}", "expr": query} for n, query in enumerate(queries)]
    assert len(rules) > 40
    file = tmp_path / "panels.yaml"
    file.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}), "utf-8")
    ran = ended(program("promtool"), "check", "rules", file)
    assert ran.returncode == 0, ran.stderr


def test_grafana_parses_every_query_to_tempo() -> None:
    queries = of("tempo")
    assert len(queries) > 5
    wrong = [(query, at) for query, at in zip(queries, errors_in_traceql(queries), strict=True) if at is not None]
    assert wrong == []


def test_a_query_that_is_wrong_is_seen_to_be() -> None:
    assert errors_in_traceql(["{ status = error }", "{ status = "]) == [None, 11]


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.stem)
def test_a_dashboard_names_data_sources_that_are_there(path: Path) -> None:
    told = [*panels(path), *(target for panel in panels(path) for target in panel["targets"] if "datasource" in target)]
    assert {(source["datasource"]["uid"], source["datasource"]["type"]) for source in told} <= UIDS.items()


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.stem)
def test_a_dashboard_is_found_by_its_name_and_its_panels_do_not_overlap(path: Path) -> None:
    assert read(path)["uid"] == path.stem
    cells = [
        (x, y)
        for panel in panels(path)
        for at in [panel["gridPos"]]
        for x in range(at["x"], at["x"] + at["w"])
        for y in range(at["y"], at["y"] + at["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24
    ids = [panel["id"] for panel in panels(path)]
    assert len(ids) == len(set(ids))


def test_what_the_data_sources_say_of_one_another_is_there() -> None:
    named = re.findall(r"datasourceUid: (\S+)", DATA_SOURCES.read_text("utf-8"))
    assert named
    assert set(named) <= UIDS.keys()
    lone = re.findall(r"(?<!\$)\$(?!\$)", "\n".join(line.split("#")[0] for line in DATA_SOURCES.open(encoding="utf-8")))
    assert lone == [], "Grafana replaces what follows a single $ by an environment variable"


def test_grafana_is_given_what_it_is_told_to_read() -> None:
    grafana = read(COMPOSE)["services"]["grafana"]
    mounted = {volume.split(":")[1]: volume.split(":")[0] for volume in grafana["volumes"]}
    [provider] = read(ROOT / "grafana" / "provisioning" / "dashboards" / "dashboards.yaml")["providers"]
    folder = provider["options"]["path"]
    assert mounted[folder] == "./grafana/dashboards"
    home = grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert home.removeprefix(f"{folder}/") in {path.name for path in DASHBOARDS}
