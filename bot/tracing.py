"""Spans: `@step` around a step of a pipeline, `span` in an adapter, and where they, and the metrics of them, are sent.

A leaf: it knows neither steps nor ports. What a value tells of itself is up to the value (`span_attributes`,
`span_content`, `span_events`); how much of what people wrote is recorded is up to TRACE_CONTENT. A failure
in here never reaches the bot. Spans have real ids also when nothing is exported: turns and logs hold them.
"""

from __future__ import annotations

import atexit
import functools
import inspect
import logging
import re
import string
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextvars import Token
from time import monotonic
from types import TracebackType
from typing import Any, Final, Literal, ParamSpec, Protocol, Self, TypeAlias, TypeVar, cast, overload
from uuid import uuid4

from opentelemetry import context, trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.trace import SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from bot import disclosure, metric_export, trace_export
from bot import telemetry_names as names
from bot.disclosure import Content
from bot.metering import Meters, count_spans

P = ParamSpec("P")
R = TypeVar("R")
Links: TypeAlias = Iterable[tuple[str, Mapping[str, object]]]
"""Spans that another one came of, each by its `traceparent`, with attributes as for `note`."""
Kind = Literal["internal", "client", "server", "consumer", "producer"]
_KINDS: Final = {kind.name.lower(): kind for kind in SpanKind}
_PROPAGATOR: Final = TraceContextTextMapPropagator()
_INSTANCE: Final = uuid4().hex
"""Tells the metrics of this process from those of any other."""
_log = logging.getLogger(__name__)


class Tracing:
    """Tracing as it was set up; a context manager that shuts it down."""

    def __init__(
        self,
        resource: Resource,
        delivery: trace_export.Delivery | None,
        metrics: metric_export.Metrics | None,
        content: Content,
        secrets: tuple[str, ...],
    ) -> None:
        self.content: Final[Content] = content
        self.secrets: Final = secrets
        self._delivery, self.metrics = delivery, metrics
        self.meters: Final = Meters(metrics.meter) if metrics else None
        if metrics and self.meters:
            metrics.count_with(self.meters.count)
        processors = [processor for processor in (self.meters, delivery and delivery.processor) if processor]
        self.exports: Final = bool(processors)
        """Whether spans go anywhere. If not, they are made for their ids only and nothing is recorded."""
        self.tracer: Final = trace_export.provider(resource, *processors).get_tracer("bot")
        if metrics and delivery:
            count_spans(metrics.meter, delivered=lambda: delivery.delivered, lost=lambda: delivery.lost)

    @property
    def delivered(self) -> int:
        """Spans that the collector took so far."""
        return self._delivery.delivered if self._delivery else 0

    @property
    def lost(self) -> int:
        """Spans that will never arrive."""
        return self._delivery.lost if self._delivery else 0

    def shut_down(self, timeout: float = 5.0) -> None:
        """Send what waits, for at most `timeout` seconds; blocks. Later spans have ids and go nowhere."""
        global _active
        if _active is not self:
            return
        _active = _idle
        atexit.unregister(self.shut_down)
        end = monotonic() + timeout
        if self._delivery is not None:
            self._delivery.shut_down(timeout)
        if self.metrics is not None:  # behind the spans, so that it tells how many of them arrived
            self.metrics.shut_down(end - monotonic())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shut_down()


_idle = Tracing(Resource.get_empty(), None, None, "redacted", ())
_active = _idle


def set_up(
    *,
    service: str,
    version: str,
    content: Content,
    endpoint: str | None,
    metrics_endpoint: str | None = None,
    interval: float = 60.0,
    secrets: Iterable[str] = (),
) -> Tracing:
    """Trace from now on, in place of what was set up before.

    `endpoint` is the full address for traces (see `endpoint_for`), `metrics_endpoint` that for metrics, which go there
    every `interval` seconds; None: they do not leave the process. `secrets` (keys, tokens) are blotted out wherever
    they turn up. Shut down at the end: at the latest when Python exits, which a bare SIGTERM does not do (turn it into
    an exception).
    """
    global _active
    _active.shut_down()
    delivery = trace_export.deliver_to(endpoint) if endpoint else None
    about = {
        names.SERVICE_INSTANCE_ID: _INSTANCE,
        names.SERVICE_NAME: service,
        names.SERVICE_VERSION: version,
        names.COMPANION_CONTENT_MODE: content,
    }
    resource = Resource.create(disclosure.attributes(about))
    metrics = metric_export.metrics_to(metrics_endpoint, resource, interval=interval) if metrics_endpoint else None
    _active = Tracing(resource, delivery, metrics, content, tuple(secrets))
    atexit.register(_active.shut_down)
    return _active


def endpoint_for(signal: Literal["traces", "metrics"], *, base: str | None, own: str | None) -> str | None:
    """OTEL_EXPORTER_OTLP_(TRACES|METRICS)_ENDPOINT as it is; else a path under OTEL_EXPORTER_OTLP_ENDPOINT."""
    return own or (f"{base.rstrip('/')}/v1/{signal}" if base else None)


class _Described(Protocol):
    """A value with something to tell a trace; each method may be missing."""

    def span_attributes(self) -> Mapping[str, object]: ...
    def span_content(self) -> Mapping[str, str]: ...
    def span_events(self) -> Iterable[tuple[str, Mapping[str, object]]]: ...


class Recording:
    """One span, open while its `with` block runs. `span` makes it."""

    def __init__(
        self, name: str, kind: Kind, attributes: Mapping[str, object], parent: str | None = None, links: Links = ()
    ) -> None:
        self._name, self._kind, self._attributes = name, kind, attributes
        self._parent = None if parent is None else _there(parent)
        self._links = links
        self._tracing = _active
        self._span: trace.Span = trace.INVALID_SPAN
        self._token: Token[context.Context] | None = None

    def __enter__(self) -> Self:
        self._span = self._tracing.tracer.start_span(
            disclosure.clean(self._name),
            self._parent,
            kind=_KINDS[self._kind],
            links=[*self._linked()] if self._tracing.exports else None,
        )
        self._token = context.attach(trace.set_span_in_context(self._span))
        if self._attributes:
            self.note(self._attributes)
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> None:
        if self._token is not None:
            context.detach(self._token)
        if error is not None and self._tracing.exports:
            self._fail(error)
        self._span.end()

    def note(self, attributes: Mapping[str, object]) -> None:
        """Record ids, sizes, scores: never what people wrote."""
        if self._tracing.exports:
            self._span.set_attributes(disclosure.attributes(attributes))

    def note_content(self, texts: Mapping[str, str]) -> None:
        """Record what people or models wrote, as far as TRACE_CONTENT allows."""
        if self._tracing.exports:
            for name, text in texts.items():
                told = disclosure.content(name, text, self._tracing.content, self._tracing.secrets)
                self._span.set_attributes(told)

    def event(self, name: str, attributes: Mapping[str, object]) -> None:
        """Record that something happened now; attributes as for `note`."""
        if self._tracing.exports:
            self._span.add_event(disclosure.clean(name), disclosure.attributes(attributes))

    def tell(self, value: object) -> None:
        """Record what a value says of itself, or how many a list holds."""
        if not self._tracing.exports or value is None or isinstance(value, type):
            return
        try:
            if isinstance(value, list | tuple) and not hasattr(cast(object, value), "span_attributes"):
                self.note({names.COMPANION_RESULT_COUNT: len(cast("list[object]", value))})
                return
            described = cast("_Described", value)
            if hasattr(described, "span_attributes"):
                self.note(described.span_attributes())
            if hasattr(described, "span_content"):
                self.note_content(described.span_content())
            if hasattr(described, "span_events"):
                for name, attributes in described.span_events():
                    self.event(name, attributes)
        except Exception as error:  # noqa: BLE001 - a value that cannot describe itself is still an answer
            kind = type(cast(object, value)).__name__
            _log.warning("%s cannot describe itself to a trace: %s", kind, disclosure.error_line(error))

    def _linked(self) -> Iterator[trace.Link]:
        for traceparent, attributes in self._links:
            there = trace.get_current_span(_there(traceparent)).get_span_context()
            if there.is_valid:
                yield trace.Link(there, disclosure.attributes(attributes))

    def _fail(self, error: BaseException) -> None:
        if not isinstance(error, Exception):  # CancelledError, SystemExit, …: told to stop is no failure
            self._span.set_attributes({names.COMPANION_CANCELLED: True})
            return
        failure = disclosure.failure(error, self._tracing.content, self._tracing.secrets)
        self._span.set_attributes(failure.attributes)
        self._span.add_event(names.EXCEPTION, failure.event)
        self._span.set_status(StatusCode.ERROR, failure.description)


def span(
    name: str,
    *,
    kind: Kind = "internal",
    attributes: Mapping[str, object] | None = None,
    parent: str | None = None,
    links: Links = (),
) -> Recording:
    """A span around a `with` block; for adapters. It records what the block raises, and lets it rise.

    `parent` is a `traceparent` from before: the span is part of that trace, whatever process it was in. `links` lead
    to spans of other traces.
    """
    return Recording(name, kind, attributes or {}, parent, links)


def _there(traceparent: str) -> context.Context:
    return _PROPAGATOR.extract({"traceparent": traceparent})


def event(name: str, attributes: Mapping[str, object] | None = None) -> None:
    """Record on the current span that something happened: ids, sizes, scores, never what people wrote."""
    if _active.exports:
        trace.get_current_span().add_event(disclosure.clean(name), disclosure.attributes(attributes or {}))


def note(attributes: Mapping[str, object]) -> None:
    """Record on the current span what it has to do with: ids, sizes, scores, never what people wrote."""
    if _active.exports:
        trace.get_current_span().set_attributes(disclosure.attributes(attributes))


def level(name: str, by_kind: Mapping[str, float]) -> None:
    """Tell as a metric how things stand now: how much of each kind there is. "" is the kind of what has none."""
    if _active.meters is not None:
        _active.meters.level(name, by_kind)


def levels_every() -> float | None:
    """Seconds between two exports of metrics; None when there are none, and levels need not be looked at."""
    return _active.metrics.interval if _active.metrics else None


def current_traceparent() -> str | None:
    """The current span as W3C's traceparent, to go on with the trace elsewhere; None outside of any span."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier.get("traceparent")


def current_trace_id() -> str:
    """32 hex digits; "" outside of any span."""
    return current_ids()[0]


def current_ids() -> tuple[str, str]:
    """The current span's trace id and span id, in hex; "" and "" outside of any span."""
    here = trace.get_current_span().get_span_context()
    return (f"{here.trace_id:032x}", f"{here.span_id:016x}") if here.is_valid else ("", "")


@overload
def step(function: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def step(name: str, /, *, about: Sequence[str] = ()) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def step(
    function: Callable[P, R] | str, /, *, about: Sequence[str] = ()
) -> Callable[P, R] | Callable[[Callable[P, R]], Callable[P, R]]:
    """A span around each call, named for the function or as given: `@step("invoke_agent {persona.name}")`.

    Names in braces are the call's arguments. Records what the arguments named in `about` tell of themselves, then
    what the returned value does, or what was raised; changes none of them.
    """
    if isinstance(function, str):
        return functools.partial(_traced, function, about)
    return _traced(function.__name__, (), function)


def _traced(name: str, about: Sequence[str], function: Callable[P, R]) -> Callable[P, R]:
    if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
        raise TypeError(f"a step returns a value, but {function.__qualname__} is a generator")
    name_of = _namer(name, function)
    opening = _opener(about, function)

    if inspect.iscoroutinefunction(function):
        waits = cast("Callable[P, Coroutine[Any, Any, object]]", function)

        @functools.wraps(function)
        async def in_span(*args: P.args, **kwargs: P.kwargs) -> object:
            with Recording(name_of(args, kwargs), "internal", opening(args, kwargs)) as here:
                result = await waits(*args, **kwargs)
                here.tell(result)
                return result

        return cast("Callable[P, R]", in_span)

    @functools.wraps(function)
    def in_plain_span(*args: P.args, **kwargs: P.kwargs) -> R:
        with Recording(name_of(args, kwargs), "internal", opening(args, kwargs)) as here:
            result = function(*args, **kwargs)
            here.tell(result)
            return result

    return in_plain_span


_Opening: TypeAlias = Callable[[tuple[object, ...], dict[str, object]], Mapping[str, object]]


def _opener(about: Sequence[str], function: Callable[..., object]) -> _Opening:
    """What a call's span says at its beginning, so that a call that fails says it too."""
    signature = inspect.signature(function)
    if unknown := set(about) - set(signature.parameters):
        raise TypeError(f"{function.__qualname__} has no argument {', '.join(sorted(unknown))} to tell about")

    def from_arguments(args: tuple[object, ...], kwargs: dict[str, object]) -> Mapping[str, object]:
        told: dict[str, object] = {}
        if about and _active.exports:
            try:
                bound = signature.bind(*args, **kwargs).arguments
                for name in about:
                    value = bound.get(name)
                    described = getattr(value, "span_attributes", None)
                    told |= described() if described else {names.COMPANION + name: value}
            except Exception as error:  # noqa: BLE001 - wrong arguments are the call's own to complain about
                _log.debug("a call cannot tell about its arguments: %s", disclosure.error_line(error))
        return told

    return from_arguments


_NameOf: TypeAlias = Callable[[tuple[object, ...], dict[str, object]], str]


def _namer(name: str, function: Callable[..., object]) -> _NameOf:
    """How a call's span is called. A template is checked once, here; at a call it never raises."""
    fields = [field for _, field, _, _ in string.Formatter().parse(name) if field is not None]
    if not fields:
        return lambda _args, _kwargs: name
    signature = inspect.signature(function)
    for field in fields:
        if re.split(r"[.\[]", field)[0] not in signature.parameters:
            raise TypeError(f"the span name {name!r} wants {field!r}, no argument of {function.__qualname__}")

    def from_arguments(args: tuple[object, ...], kwargs: dict[str, object]) -> str:
        try:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            return name.format(**bound.arguments)
        except Exception:  # noqa: BLE001 - wrong arguments are the call's own to complain about
            return name

    return from_arguments
