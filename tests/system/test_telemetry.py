"""What the bot really tells, in a run with failures: all that dashboards and alerts ask for, and nothing unseen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from bot.model import NewMessage
from bot.store import PostgresStore
from bot.telegram.values import source_of
from tests.fakes.bot_api_faults import flood
from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer, completion
from tests.fakes.otlp_receiver import Point, Seen
from tests.stack.files import ALERTS, DATA_SOURCES, read, targets
from tests.system.conftest import Companion
from tests.system.world import World, answer, around, ends

OF_OTHERS = {"ALERTS", "up", "tempo_distributor_attributes_truncated_total"}
"""Metrics of Prometheus and Tempo themselves, as their documentation names them."""
LABELS_OF_OTHERS = {"__name__", "le", "job", "instance", "alertstate", "alertname"}
WORDS_OF_PROMQL = {
    "sum", "max", "count", "rate", "increase", "histogram_quantile", "absent", "vector", "by", "or", "unless", "and",
}  # fmt: skip
WORDS_OF_TRACEQL = {"name", "status", "error", "duration", "select", "true", "false", "s", "ms"}
NOW = datetime.now(UTC).replace(microsecond=0)
PAST = ["the spare key hangs behind the boiler", *(f"small talk number {n}" for n in range(40))]


def in_prometheus(point: Point) -> set[str]:
    """What Prometheus calls a metric that comes over OTLP: escaped, with its unit and kind behind it."""
    base = re.sub(r"\W", "_", point.name) + ("_seconds" if point.unit == "s" else "")
    match point.kind:
        case "sum":
            return {f"{base}_total"}
        case "gauge":
            return {base}
        case "histogram":
            return {f"{base}_{part}" for part in ("bucket", "sum", "count")}


def names_in_promql(query: str) -> set[str]:
    """Every word of a query that is none of PromQL's own: metrics and labels."""
    without_texts = re.sub(r'"[^"]*"|\[[^\]]*\]', "", query)
    return set(re.findall(r"[A-Za-z_:][\w:]*", without_texts)) - WORDS_OF_PROMQL


def attributes_in_traceql(query: str) -> set[str]:
    """Every attribute that a query names."""
    words = re.findall(r"[A-Za-z_][\w.]*", re.sub(r'"[^"]*"', "", query))
    scoped = {word for word in words if word.startswith(("span.", "resource."))}
    assert set(words) - scoped <= WORDS_OF_TRACEQL, query
    return {word.partition(".")[2] for word in scoped}


def missing(asked: Iterable[tuple[str, set[str]]], *, told: set[str]) -> dict[str, set[str]]:
    """What is asked for and never told, by who asks."""
    return {who: names - told for who, names in asked if names - told}


async def an_evening_with_failures(world: World, store: PostgresStore) -> tuple[Sequence[Point], Sequence[Seen]]:
    """What was told of answers, silence, retries, a flood, a failed turn and a recall."""
    api, models = world.api, world.models
    base = {"OTEL_EXPORTER_OTLP_ENDPOINT": world.spans.base, "OTEL_METRIC_EXPORT_INTERVAL": "200"}
    env = {
        **world.env, **base,
        "TRACE_CONTENT": "full", "HEARTBEAT_FILE": "alive",
        "LLM_PRICE_INPUT": "1", "LLM_PRICE_OUTPUT": "4", "SPENDING_LIMIT_A_DAY": "2",
    }  # fmt: skip
    del env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
    ann = api.person("Ann")
    source = source_of(world.mia.id, ann.id)
    past = [
        NewMessage(
            external_id=f"past {n}", sender_id="b", sender="Bob", sent_at=NOW - timedelta(hours=99 - n), text=text
        )
        for n, text in enumerate(PAST)
    ]
    await store.messages.record(await store.chats.open(source, title=""), "import:past", past, read_at=NOW)
    process = await world.companion.start("run", **env)
    await api.was_asked("getUpdates", 1)
    api.order(flood(1), to="sendMessage")
    models.order(CHAT, Answer(status=429, headers={"Retry-After": "1"}), answer("one"))
    await ann.says(world.mia, f"{PAST[0]}, does it not?")
    await api.sent(api.private(ann, world.mia), 1)
    models.order(CHAT, Answer(body=completion("")), Answer(body=completion("two, in plain words")))
    await ann.says(world.mia, "the second")
    await api.sent(api.private(ann, world.mia), 2)
    models.order(CHAT, Answer(body=completion('{"action": "stay_silent"}')))
    await ann.says(world.mia, "the third")
    await world.spans.told_of("execute_tool stay_silent")
    models.always(EMBEDDINGS, Answer(status=402, body={"error": {"code": "payment_required"}}))
    models.order(CHAT, answer("three"), Answer(status=401, body={"error": {"code": "invalid_api_key"}}))
    await ann.says(world.mia, "the fourth")
    await api.sent(api.private(ann, world.mia), 3)
    await ann.says(world.mia, "the fifth")
    await world.spans.told_of("invoke_agent", status="error")
    await ends(process)
    return world.spans.points(), world.spans.spans()


async def test_all_that_dashboards_and_alerts_ask_for_is_told(prepared: Companion, store: PostgresStore) -> None:
    async with around(prepared) as world:
        points, spans = await an_evening_with_failures(world, store)
    assert (prepared.folder / "alive").exists(), "a sign of life"
    metrics = {name for point in points for name in in_prometheus(point)}
    labels = {re.sub(r"\W", "_", label) for point in points for label in point.attributes}
    types = {source["uid"]: source["type"] for source in read(DATA_SOURCES)["datasources"]}
    asked = [(f"{target.dashboard}: {target.panel}", target) for target in targets()]
    promql = [(who, names_in_promql(target.query)) for who, target in asked if types[target.source] == "prometheus"]
    promql += [
        (rule["alert"], names_in_promql(rule["expr"])) for group in read(ALERTS)["groups"] for rule in group["rules"]
    ]
    promql += [
        ("data sources", names_in_promql(query["query"]))
        for source in read(DATA_SOURCES)["datasources"]
        for query in source["jsonData"].get("tracesToMetrics", {}).get("queries", ())
    ]
    assert missing(promql, told=metrics | labels | OF_OTHERS | LABELS_OF_OTHERS) == {}
    attributes = {name for span in spans for name in (*span.attributes, *span.resource)}
    traceql = [(who, attributes_in_traceql(target.query)) for who, target in asked if types[target.source] == "tempo"]
    assert missing(traceql, told=attributes) == {}
    used = {name for _, names in promql for name in names}
    assert {point.name for point in points if not in_prometheus(point) & used} == set(), "told and shown nowhere"
    ids = {span.span_id for span in spans}
    assert [span.name for span in spans if span.parent_id and span.parent_id not in ids] == [], "SIGTERM lost a span"
    assert [point.value for point in points if point.name == "companion.spans.lost"] == [0]
    outcomes = {point.attributes.get("companion.turn.outcome") for point in points} - {None}
    assert outcomes >= {"answered", "silent", "failed"}
    kinds = {point.attributes["companion.kind"] for point in points if point.name == "companion.backlog"}
    assert kinds == {"turns", "unread", "quarantined", "outbox", "embedding"}
    of_turns = {span.trace_id for span in spans if span.name.startswith("invoke_agent")}
    exemplars = [trace for point in points if point.name == "companion.turn.duration" for trace in point.exemplars]
    assert exemplars
    assert {*exemplars} <= of_turns
    for label in (label for point in points for label in json.dumps(dict(point.attributes)).split('"')):
        assert "Ann" not in label


def test_a_name_that_nobody_tells_is_missed() -> None:
    asked = [("panel", names_in_promql('sum by (le) (rate(companion_hits_bucket{le="0"}[5m])) or vector(0)'))]
    assert missing(asked, told={"le"}) == {"panel": {"companion_hits_bucket"}}
    assert attributes_in_traceql('{ name = "span.a" && span.companion.b != "" } | select(resource.service.name)') == {
        "companion.b",
        "service.name",
    }
