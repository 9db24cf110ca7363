"""Metrics on their way to a collector: at intervals, bounded in time at the end, and quiet when it is down.

Only `tracing` uses this. Sums only grow, so that an outage costs no count: what comes after it holds all.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any, Final, cast

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    MetricExporter,
    MetricExportResult,
    MetricsData,
    PeriodicExportingMetricReader,
)
from opentelemetry.sdk.resources import Resource

from bot.disclosure import error_line
from bot.reaching import Reaching, silence, without_credentials

REQUEST_TIMEOUT: Final = 3.0
"""Seconds for one export, its retries included."""

_log = logging.getLogger(__name__)
_EXPORTER_LOG: Final = "opentelemetry.exporter.otlp.proto.http.metric_exporter"


class _Told(MetricExporter):
    """The OTLP exporter, with one line in the log when the collector goes or comes."""

    def __init__(self, inner: MetricExporter, reaching: Reaching) -> None:
        super().__init__()
        self._inner = cast("Any", inner)  # the SDK leaves `**kwargs` untyped
        self._reaching = reaching

    def export(self, metrics_data: MetricsData, timeout_millis: float = 10_000, **kwargs: object) -> MetricExportResult:
        try:
            arrived = bool(self._inner.export(metrics_data) is MetricExportResult.SUCCESS)
        except Exception:  # noqa: BLE001 - what cannot be sent now is in the next one, whatever the reason
            arrived = False
        self._reaching.tell(arrived)
        return MetricExportResult.SUCCESS if arrived else MetricExportResult.FAILURE

    def force_flush(self, timeout_millis: float = 10_000) -> bool:
        return True

    def shutdown(self, timeout_millis: float = 30_000, **kwargs: object) -> None:
        self._inner.shutdown()


class Metrics:
    """A provider of our own, beside the global one, that exports what its meters tell."""

    def __init__(self, exporter: MetricExporter, resource: Resource, *, where: str, interval: float) -> None:
        self._reaching = Reaching("metrics", where=where)
        self._exporter = _Told(exporter, self._reaching)
        self._reader = PeriodicExportingMetricReader(self._exporter, interval * 1000)
        self.meter: Final = MeterProvider([self._reader], resource, shutdown_on_exit=False).get_meter("bot")
        self._ending = threading.Event()
        self._count: Callable[[], None] = lambda: None
        self.interval: Final = interval
        """Seconds between two exports."""

    def count_with(self, count: Callable[[], None]) -> None:
        """Have this called every second, and before the last export, in a thread for which nobody waits."""
        self._count = count
        threading.Thread(target=self._count_on, name="metrics-count", daemon=True).start()

    def _count_on(self) -> None:
        while not self._ending.wait(1.0):
            self._count()

    def _end(self) -> None:
        self._count()
        cast("Any", self._reader).shutdown()

    def shut_down(self, timeout: float) -> None:
        """Send once more, for at most `timeout` seconds; not at all when the last try reached nobody."""
        # In a thread, since requests may take longer than they are told: a slow trickle never times out.
        self._ending.set()
        drain = threading.Thread(target=self._end, name="metrics-drain", daemon=True)
        try:
            drain.start()
            if not self._reaching.down:
                drain.join(max(0.0, timeout))
        except RuntimeError:  # the interpreter is so far gone that it starts no more threads
            return
        if drain.is_alive():
            self._exporter.shutdown()


def metrics_to(endpoint: str, resource: Resource, *, interval: float) -> Metrics | None:
    """Metrics on their way to an endpoint; None, and a warning, when the environment keeps them from being made."""
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter

    silence(_EXPORTER_LOG)
    try:
        exporter = OTLPMetricExporter(endpoint, timeout=REQUEST_TIMEOUT, compression=Compression.Gzip)
        return Metrics(exporter, resource, where=without_credentials(endpoint), interval=interval)
    except Exception as error:  # noqa: BLE001 - a wrong certificate path must not keep the bot from answering
        _log.warning("no metrics will be sent: the exporter cannot be made from OTEL_* (%s)", error_line(error))
        return None
