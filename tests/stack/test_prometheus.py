"""What Prometheus is told, checked by its own promtool: it parses, and alerts go off when they should, only then."""

from __future__ import annotations

import re
from typing import Any

from tests.stack.files import ALERTS, DASHBOARDS, ROOT, ended, panels, program, read

UNIT_TESTS = ROOT / "tests" / "stack" / "alerts.test.yaml"


def promtool(*arguments: object) -> None:
    ran = ended(program("promtool"), *map(str, arguments))
    assert ran.returncode == 0, ran.stdout + ran.stderr


def alerts() -> list[dict[str, Any]]:
    return [rule for group in read(ALERTS)["groups"] for rule in group["rules"]]


def test_prometheus_takes_its_configuration_and_the_rules_it_names() -> None:
    promtool("check", "config", ROOT / "otel" / "prometheus.yaml")


def test_prometheus_takes_the_alerts() -> None:
    promtool("check", "rules", ALERTS)


def test_alerts_go_off_when_they_should_and_only_then() -> None:
    promtool("test", "rules", UNIT_TESTS)


def test_every_alert_is_seen_to_go_off_and_to_keep_quiet() -> None:
    names = {rule["alert"] for rule in alerts()}
    tests: list[dict[str, Any]] = read(UNIT_TESTS)["tests"]
    quiet = {test["alertname"] for each in tests for test in each.get("alert_rule_test", ())}
    loud = {
        sample["labels"]
        for each in tests
        for test in each.get("promql_expr_test", ())
        for sample in test["exp_samples"]
    }
    assert quiet == names
    assert loud == {f'{{alertname="{name}"}}' for name in names}


def test_every_alert_is_explained_to_the_operator_and_none_else() -> None:
    guide = (ROOT / "docs" / "operating.md").read_text("utf-8").partition("## Alerts")[2]
    assert re.findall(r"^\| ([A-Z]\w+) \|", guide, re.MULTILINE) == [rule["alert"] for rule in alerts()]


def test_the_panels_that_the_operator_is_sent_to_are_there() -> None:
    guide = (ROOT / "docs" / "operating.md").read_text("utf-8")
    named = {(dashboard.lower(), panel) for dashboard, panel in re.findall(r"\*(\w+)\*, “([^”]+)”", guide)}
    assert len(named) > 4
    assert named <= {(path.stem, panel["title"]) for path in DASHBOARDS for panel in panels(path)}
