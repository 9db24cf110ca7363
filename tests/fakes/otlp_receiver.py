"""A collector that keeps what it was sent, and can be told to misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

from aiohttp import web
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.metrics.v1.metrics_pb2 import HistogramDataPoint, NumberDataPoint
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from bot.disclosure import Content
from bot.tracing import Tracing, set_up

Told = Mapping[str, Any]
"""Attributes, by name."""


@dataclass(kw_only=True)
class Seen:
    """One span as it arrived, with those below it in the order in which they began."""

    name: str
    kind: str
    trace_id: str
    span_id: str
    parent_id: str
    attributes: Told
    events: Sequence[tuple[str, Told]]
    status: Literal["unset", "ok", "error"]
    description: str
    resource: Told
    began: int
    links: Sequence[tuple[str, str, Told]] = ()
    """Trace id, span id and attributes of each."""
    children: list[Seen] = field(default_factory=list["Seen"])

    def outline(self) -> dict[str, object]:
        """What of it is the same when the same work is traced again."""
        return {
            "name": self.name,
            "kind": self.kind,
            "attributes": self.attributes,
            "events": self.events,
            "status": (self.status, self.description),
            "children": [child.outline() for child in self.children],
        }


@dataclass(frozen=True, kw_only=True)
class Point:
    """One series of a metric, as it was told last."""

    name: str
    unit: str
    kind: Literal["gauge", "sum", "histogram"]
    attributes: Told
    value: float
    """Of a histogram, the sum."""
    count: int
    """Of a histogram, the values; else 1."""
    exemplars: Sequence[str]
    """The traces that values of it came of, each told once."""
    resource: Told


class OtlpReceiver:
    """OTLP over HTTP on a port of its own: `async with OtlpReceiver() as receiver`."""

    def __init__(self) -> None:
        self.status = 200
        """What it answers; anything but 200 keeps nothing."""
        self.hangs = False
        self.bodies: list[bytes] = []
        """Each request's protobuf, unpacked."""
        self.encodings: list[str] = []
        self.metric_bodies: list[bytes] = []
        self.asked = 0
        self._changed = asyncio.Condition()
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/v1/traces", self._take)
        app.router.add_post("/v1/metrics", self._take)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        self.base = ""
        """Its OTEL_EXPORTER_OTLP_ENDPOINT."""

    @property
    def endpoint(self) -> str:
        return f"{self.base}/v1/traces"

    @property
    def metrics_endpoint(self) -> str:
        return f"{self.base}/v1/metrics"

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.base = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _take(self, request: web.Request) -> web.Response:
        body = await request.read()
        async with self._changed:
            self.asked += 1
            if self.status == 200 and not self.hangs and request.path.endswith("metrics"):
                self.metric_bodies.append(body)
            elif self.status == 200 and not self.hangs:
                self.bodies.append(body)
                self.encodings.append(request.headers.get("Content-Encoding", ""))
            self._changed.notify_all()
        if self.hangs:
            await asyncio.Event().wait()
        answer = ExportTraceServiceResponse().SerializeToString() if self.status == 200 else b"no"
        return web.Response(status=self.status, body=answer, content_type="application/x-protobuf")

    async def was_asked(self, times: int) -> None:
        """Wait until so many requests came, whatever became of them."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.asked >= times)

    async def received(self, count: int) -> None:
        """Wait until so many spans arrived."""
        async with self._changed:
            await self._changed.wait_for(lambda: len(self.spans()) >= count)

    async def told_of(self, name: str, *, times: int = 1, status: str | None = None) -> None:
        """Wait until so many spans arrived whose names begin so, and that ended so (None: however)."""

        def there() -> bool:
            told = [span for span in self.spans() if span.name.startswith(name)]
            return sum(status in (None, span.status) for span in told) >= times

        async with self._changed:
            await self._changed.wait_for(there)

    def spans(self) -> list[Seen]:
        """All spans, in the order in which they began."""
        found: list[Seen] = []
        for body in self.bodies:
            for group in ExportTraceServiceRequest.FromString(body).resource_spans:
                resource = _told(group.resource.attributes)
                for scope in group.scope_spans:
                    found += [_seen(span, resource) for span in scope.spans]
        return sorted(found, key=lambda span: span.began)

    async def measured(self, *names: str) -> None:
        """Wait until metrics of all these names arrived."""
        async with self._changed:
            await self._changed.wait_for(lambda: {point.name for point in self.points()} >= set(names))

    def points(self) -> list[Point]:
        """All series of all metrics, as each was told last, with all exemplars, in the order of their first coming."""
        found: dict[tuple[str, str], Point] = {}
        for body in self.metric_bodies:
            for group in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                resource = _told(group.resource.attributes)
                for metric in (metric for scope in group.scope_metrics for metric in scope.metrics):
                    kind = metric.WhichOneof("data")
                    assert kind in ("gauge", "sum", "histogram")
                    for point in getattr(metric, kind).data_points:
                        told = _point(metric.name, metric.unit, kind, point, resource)
                        series = metric.name, repr((sorted(told.attributes.items()), resource))
                        before = found[series].exemplars if series in found else ()
                        found[series] = replace(told, exemplars=[*before, *told.exemplars])
        return [*found.values()]

    def roots(self) -> list[Seen]:
        """The spans as trees: those without a parent, with their children below them."""
        spans = self.spans()
        by_id = {span.span_id: span for span in spans}
        for span in spans:
            if span.parent_id in by_id:
                by_id[span.parent_id].children.append(span)
        return [span for span in spans if not span.parent_id]

    def root(self) -> Seen:
        """The only tree."""
        (only,) = self.roots()
        return only


@asynccontextmanager
async def tracing_to(
    receiver: OtlpReceiver, *, content: Content = "full", secrets: Sequence[str] = ()
) -> AsyncGenerator[Tracing]:
    """Trace to the receiver, with metrics; when the block ends, everything has arrived."""
    tracing = set_up(
        service="companion",
        version="1",
        content=content,
        endpoint=receiver.endpoint,
        metrics_endpoint=receiver.metrics_endpoint,
        secrets=secrets,
    )
    try:
        yield tracing
    finally:
        await asyncio.to_thread(tracing.shut_down)


def _point(
    name: str,
    unit: str,
    kind: Literal["gauge", "sum", "histogram"],
    point: NumberDataPoint | HistogramDataPoint,
    resource: Told,
) -> Point:
    return Point(
        name=name,
        unit=unit,
        kind=kind,
        attributes=_told(point.attributes),
        value=point.sum if isinstance(point, HistogramDataPoint) else point.as_double + point.as_int,
        count=point.count if isinstance(point, HistogramDataPoint) else 1,
        exemplars=[exemplar.trace_id.hex() for exemplar in point.exemplars],
        resource=resource,
    )


def _seen(span: Span, resource: Told) -> Seen:
    return Seen(
        name=span.name,
        kind=Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_").lower(),
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=span.parent_span_id.hex(),
        attributes=_told(span.attributes),
        events=[(event.name, _told(event.attributes)) for event in span.events],
        status=("unset", "ok", "error")[span.status.code],
        description=span.status.message,
        resource=resource,
        began=span.start_time_unix_nano,
        links=[(link.trace_id.hex(), link.span_id.hex(), _told(link.attributes)) for link in span.links],
    )


def _told(pairs: Sequence[KeyValue]) -> Told:
    return {pair.key: _value(pair.value) for pair in pairs}


def _value(value: AnyValue) -> object:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(item) for item in value.array_value.values]
    return None if kind is None else getattr(value, kind)
