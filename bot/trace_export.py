"""Spans on their way to a collector: counted, bounded in memory and in time, and quiet when it is down.

Only `tracing` uses this. It never raises for anything a collector or the environment does.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from time import monotonic
from typing import Final

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ALWAYS_ON

from bot.disclosure import error_line
from bot.reaching import Reaching, silence, without_credentials

QUEUE: Final = 4096
"""Spans kept for a collector that does not take them; what comes on top is lost, and counted."""
BATCH: Final = 64
DELAY: Final = 1.0
"""Seconds a span waits for others to share its request."""
REQUEST_TIMEOUT: Final = 3.0
"""Seconds for one batch, its retries included."""
QUICK: Final = 0.5
"""Seconds within which a collector that is there says no."""

_log = logging.getLogger(__name__)
_EXPORTER_LOG: Final = "opentelemetry.exporter.otlp.proto.http.trace_exporter"


class Delivery(SpanExporter):
    """Hands batches to the OTLP exporter and keeps the count; says once when the collector goes and comes."""

    def __init__(self, exporter: SpanExporter, *, where: str) -> None:
        self._exporter = exporter
        self._reaching = Reaching("traces", where=where)
        self._lock = threading.Lock()
        self._processor = _Counted(self)
        self._ended = self._waiting = self._in_flight = self._delivered = 0
        self._told = 0
        """Losses that a line in the log has told of."""
        self._closing = self._gave_up = self._closed = False

    @property
    def processor(self) -> BatchSpanProcessor:
        """What a provider hands its spans to."""
        return self._processor

    @property
    def delivered(self) -> int:
        """Spans that the collector took."""
        return self._delivered

    @property
    def lost(self) -> int:
        """Spans that will never arrive: refused, timed out, or more than the queue holds."""
        with self._lock:
            pending = 0 if self._closed else self._waiting + self._in_flight
            return self._ended - self._delivered - pending

    def admit(self) -> bool:
        """Count a span that ended; whether there is room for it."""
        with self._lock:
            self._ended += 1
            if self._closing or self._waiting >= QUEUE:
                return False
            self._waiting += 1
            return True

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send one batch. While shutting down, the rest is not tried once a collector fails to answer."""
        count = len(spans)
        with self._lock:
            self._waiting -= count
            self._in_flight += count
        tried = not self._gave_up
        began = monotonic()
        arrived = tried and self._send(spans)
        nobody_there = not arrived and monotonic() - began > QUICK
        with self._lock:
            self._in_flight -= count
            self._delivered += count if arrived else 0
            self._gave_up = self._gave_up or (self._closing and nobody_there)
            over = self._closed
        if tried and not over:
            self._reaching.tell(arrived, loss=self._loss)
        return SpanExportResult.SUCCESS if arrived else SpanExportResult.FAILURE

    def _send(self, spans: Sequence[ReadableSpan]) -> bool:
        try:
            return self._exporter.export(spans) is SpanExportResult.SUCCESS
        except Exception:  # noqa: BLE001 - spans that cannot be sent are lost and counted, whatever the reason
            return False

    def _loss(self) -> str:
        self._told = self.lost
        return f"; {self._told} spans were lost"

    def shut_down(self, timeout: float) -> None:
        """Send what waits, for at most `timeout` seconds. What has not arrived then is lost, and counted."""
        self._closing = True
        # In a thread, since requests may take longer than they are told: a slow trickle never times out.
        drain = threading.Thread(target=self._processor.shutdown, name="traces-drain", daemon=True)
        try:
            drain.start()
            drain.join(timeout)
        except RuntimeError:  # the interpreter is so far gone that it starts no more threads
            self._processor.shutdown()
        if drain.is_alive():
            self._exporter.shutdown()
        with self._lock:
            self._closed = True
        if self.lost > self._told and not self._reaching.down:
            _log.warning("%d spans did not reach %s before the end", self.lost - self._told, self._reaching.where)

    def shutdown(self) -> None:
        self._exporter.shutdown()


class _Counted(BatchSpanProcessor):
    """The SDK's processor behind a door that counts, so that its own queue never overflows."""

    def __init__(self, delivery: Delivery) -> None:
        self._delivery = delivery
        super().__init__(
            delivery,
            max_queue_size=QUEUE,
            schedule_delay_millis=DELAY * 1000,
            max_export_batch_size=BATCH,
            export_timeout_millis=REQUEST_TIMEOUT * 1000,
        )

    def on_end(self, span: ReadableSpan) -> None:
        if self._delivery.admit():
            super().on_end(span)


def deliver_to(endpoint: str) -> Delivery | None:
    """A delivery to a traces endpoint; None, and a warning, when the environment keeps it from being made."""
    # A quarter of a second to import, and not needed without a collector.
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    silence(_EXPORTER_LOG)
    try:
        exporter = OTLPSpanExporter(endpoint, timeout=REQUEST_TIMEOUT, compression=Compression.Gzip)
        return Delivery(exporter, where=without_credentials(endpoint))
    except Exception as error:  # noqa: BLE001 - a wrong certificate path must not keep the bot from answering
        _log.warning("no traces will be sent: the exporter cannot be made from OTEL_* (%s)", error_line(error))
        return None


def provider(resource: Resource, *processors: SpanProcessor) -> TracerProvider:
    """A provider of our own, beside the global one, that samples everything and hands it to these."""
    limits = SpanLimits(
        max_attributes=256,
        max_events=2048,
        max_links=256,
        max_span_attributes=256,
        max_event_attributes=64,
        max_link_attributes=16,
        max_attribute_length=SpanLimits.UNSET,
        max_span_attribute_length=SpanLimits.UNSET,
    )
    made = TracerProvider(sampler=ALWAYS_ON, resource=resource, shutdown_on_exit=False, span_limits=limits)
    for processor in processors:
        made.add_span_processor(processor)
    return made
