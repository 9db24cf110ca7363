"""A Tempo that answers as 3.0.3 does, as far as was measured: shapes, ids, unknown traces, cut attributes, searches.

It takes spans by OTLP over HTTP at `/v1/traces`. What it does not know of TraceQL it refuses, as Tempo does.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from aiohttp import web
from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, TracesData

HOURS = 168
"""That a search may cover."""
MINUTES = 15
"""That it covers when it is not told."""
_QUERY = re.compile(r'\{\s*(?:(?P<field>[\w.]+)\s*(?P<is>=~|=)\s*"(?P<value>[^"]*)"\s*)?\}')
_PROTOBUF = "application/protobuf"


@dataclass(frozen=True)
class Fault:
    """What it answers instead."""

    status: int = 200
    body: bytes = b""
    hangs: bool = False


class FakeTempo:
    """`async with FakeTempo() as tempo`."""

    def __init__(self, *, longest: int | None = None, has_v2: bool = True) -> None:
        """`longest`: bytes of an attribute, of which what is more is cut off."""
        self.longest, self.has_v2 = longest, has_v2
        self.bodies: list[bytes] = []
        """What it was sent."""
        self._known: dict[str, list[ResourceSpans]] = {}
        self._sorted = 0
        """Of the bodies, how many are in `_known`."""
        self.fault: Fault | None = None
        self.searches: list[dict[str, str]] = []
        self.page = 10_000
        """Traces that a search finds at most, whatever it is asked for."""
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/v1/traces", self._take)
        app.router.add_get("/api/v2/traces/{id}", self._v2)
        app.router.add_get("/api/traces/{id}", self._v1)
        app.router.add_get("/api/search", self._search)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        self.base = ""

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.base = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    @property
    def endpoint(self) -> str:
        """Where spans are sent to."""
        return f"{self.base}/v1/traces"

    def trace_ids(self) -> list[str]:
        """All traces, in the order in which they came."""
        return list(self._traces())

    def json_v1(self, trace_id: str) -> dict[str, Any]:
        """What v1 answers in JSON."""
        return {"batches": self._as_json(trace_id)}

    def json_v2(self, trace_id: str) -> dict[str, Any]:
        """What v2 answers in JSON; an empty trace for one that is not known."""
        batches = self._as_json(trace_id)
        return {"trace": {"resourceSpans": batches} if batches else {}, "metrics": {}}

    def protobuf_v1(self, trace_id: str) -> bytes:
        """What v1 answers in protobuf: cut inside a character, it is no UTF-8 any more."""
        data = TracesData(resource_spans=self._trace(trace_id))
        cuts: dict[bytes, bytes] = {}
        for value in _strings(data.resource_spans):
            text = value.string_value.encode()
            if self.longest is not None and len(text) > self.longest:
                mark = f"cut {len(cuts)}:".ljust(self.longest, "~")
                cuts[mark.encode()] = text[: self.longest]
                value.string_value = mark  # as long as what it stands for, so that all lengths are right
        written = data.SerializeToString()
        for mark, text in cuts.items():
            written = written.replace(mark, text)
        return written

    def protobuf_v2(self, trace_id: str) -> bytes:
        """What v2 answers in protobuf: the same in an envelope."""
        inner = self.protobuf_v1(trace_id)
        return b"\x0a" + _varint(len(inner)) + inner if inner else b""

    def _traces(self) -> dict[str, list[ResourceSpans]]:
        """The batches of each trace, in the order in which they came."""
        for body in self.bodies[self._sorted :]:
            for batch in ExportTraceServiceRequest.FromString(body).resource_spans:
                for scope in batch.scope_spans:
                    parts: dict[str, list[Span]] = {}
                    for span in scope.spans:
                        parts.setdefault(span.trace_id.hex(), []).append(span)
                    for trace_id, spans in parts.items():
                        part = ResourceSpans(
                            resource=batch.resource, scope_spans=[ScopeSpans(scope=scope.scope, spans=spans)]
                        )
                        self._known.setdefault(trace_id, []).append(part)
        self._sorted = len(self.bodies)
        return self._known

    def _trace(self, trace_id: str) -> list[ResourceSpans]:
        """A copy, of which the caller may do what it will."""
        return [
            ResourceSpans.FromString(part.SerializeToString())
            for part in self._traces().get(trace_id.rjust(32, "0"), [])
        ]

    def _as_json(self, trace_id: str) -> list[dict[str, Any]]:
        batches = self._trace(trace_id)
        for value in _strings(batches):
            text = value.string_value.encode()
            if self.longest is not None and len(text) > self.longest:
                value.string_value = text[: self.longest].decode(errors="replace")
        return [MessageToDict(batch) for batch in batches]

    async def _take(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.read())
        body = ExportTraceServiceResponse().SerializeToString()
        return web.Response(body=body, content_type="application/x-protobuf")

    async def _v1(self, request: web.Request) -> web.Response:
        if self.fault is not None:
            return await self._faulty(self.fault)
        trace_id = request.match_info["id"]
        if not self._trace(trace_id):
            return web.Response(status=404, text="trace not found")
        if request.headers.get("Accept") == _PROTOBUF:
            return web.Response(body=self.protobuf_v1(trace_id), content_type=_PROTOBUF)
        return web.json_response(self.json_v1(trace_id))

    async def _v2(self, request: web.Request) -> web.Response:
        if self.fault is not None:
            return await self._faulty(self.fault)
        if not self.has_v2:
            return web.Response(status=404, text="404 page not found")
        trace_id = request.match_info["id"]
        if request.headers.get("Accept") == _PROTOBUF:
            return web.Response(body=self.protobuf_v2(trace_id), content_type=_PROTOBUF)
        return web.json_response(self.json_v2(trace_id))

    async def _search(self, request: web.Request) -> web.Response:
        if self.fault is not None:
            return await self._faulty(self.fault)
        asked = dict(request.query)
        self.searches.append(asked)
        now = time.time()
        start, end = int(asked.get("start", now - 60 * MINUTES)), int(asked.get("end", now))
        if end - start > HOURS * 3600:
            return web.Response(status=400, text=f"range specified by start and end exceeds {HOURS}h0m0s")
        query = _QUERY.fullmatch(asked.get("q", "{}").strip())
        if query is None:
            return web.Response(status=400, text="invalid TraceQL query: parse error at line 1, col 1: syntax error")
        found = [each for each in self._found(query) if start <= int(each["startTimeUnixNano"]) / 1e9 <= end]
        found.sort(key=lambda each: -int(each["startTimeUnixNano"]))
        limit = min(self.page, int(asked.get("limit", 20)))
        return web.json_response({"traces": found[:limit], "metrics": {"completedJobs": 1, "totalJobs": 1}})

    def _found(self, query: re.Match[str]) -> Iterator[dict[str, str]]:
        for trace_id, batches in self._traces().items():
            spans = [span for batch in batches for scope in batch.scope_spans for span in scope.spans]
            root = next((span for span in spans if not span.parent_span_id), spans[0])
            if any(_matches(span, query) for span in spans):
                yield {
                    "traceID": trace_id.lstrip("0"),
                    "rootServiceName": "companion",
                    "rootTraceName": root.name,
                    "startTimeUnixNano": str(root.start_time_unix_nano),
                }

    async def _faulty(self, fault: Fault) -> web.Response:
        if fault.hangs:
            await asyncio.Event().wait()
        return web.Response(status=fault.status, body=fault.body)


def _matches(span: Span, query: re.Match[str]) -> bool:
    field, value = query["field"], query["value"]
    if field is None:
        return True
    told = {pair.key: pair.value.string_value for pair in span.attributes}
    have = span.name if field == "name" else told.get(field.removeprefix("span."), "")
    return bool(re.fullmatch(value, have)) if query["is"] == "=~" else have == value


def _strings(batches: Iterable[ResourceSpans]) -> Iterator[AnyValue]:
    """The attributes of spans and their events that are texts."""
    for batch in batches:
        for scope in batch.scope_spans:
            for span in scope.spans:
                for pairs in (span.attributes, *(event.attributes for event in span.events)):
                    yield from (pair.value for pair in pairs if pair.value.HasField("string_value"))


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*written, number])
