"""What metrics tell, taken from the spans that end: so nobody who does the work knows of metrics.

Each value keeps a link to the trace that it came of (an exemplar). No chat, person or message is ever a label: what
labels there are comes from few values, so that what is kept here is bounded.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.metrics import CallbackOptions, Histogram, Meter, Observation
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

from bot import telemetry_names as names
from bot.disclosure import error_line

Labels: TypeAlias = dict[str, str | bool | int]
Told: TypeAlias = Mapping[str, object]
"""A span's attributes."""

_SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
"""As the GenAI conventions want them."""
_TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576]
_SIZES = [0, 50, 100, 250, 500, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 16000]
_HITS = [0, 1, 2, 3, 5, 8, 13, 21]
_SCORES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20]
_WAITS = [1, 2, 5, 10, 30, 60, 300, 900, 3600]
_OF_A_MODEL = (
    names.GEN_AI_OPERATION_NAME,
    names.GEN_AI_PROVIDER_NAME,
    names.GEN_AI_REQUEST_MODEL,
    names.SERVER_ADDRESS,
    names.SERVER_PORT,
)
"""Which model answered is not among them: that is any word that a server says."""
MOST = 1024
"""Spans that are kept to be counted; then they are counted at once."""
_log = logging.getLogger(__name__)
_FAILED = "failed"
_CANCELLED = "cancelled"


class Meters(SpanProcessor):
    """Turns spans that end into metrics; and shows what others tell it of how things stand."""

    def __init__(self, meter: Meter) -> None:
        def histogram(name: str, unit: str, about: str, bounds: Sequence[float]) -> Histogram:
            return meter.create_histogram(name, unit, about, explicit_bucket_boundaries_advisory=bounds)

        self._turn = histogram(names.METRIC_TURN_DURATION, "s", "Turns, by how they ended.", _SECONDS)
        self._model = histogram(names.METRIC_MODEL_DURATION, "s", "Requests to models.", _SECONDS)
        self._tokens = histogram(names.METRIC_TOKENS, "{token}", "Tokens as the server counted them.", _TOKENS)
        self._cached = meter.create_counter(
            names.METRIC_TOKENS_CACHED, "{token}", "Input that the server knew already."
        )
        self._cost = meter.create_counter(names.COMPANION_COST, "{money}", "What requests cost, by the prices set.")
        self._exhausted = meter.create_counter(
            names.METRIC_EMBEDDING_EXHAUSTED, "{batch}", "Batches that stayed without vectors after all retries."
        )
        self._hits = histogram(names.COMPANION_RECALL_HITS, "{message}", "Messages that came to mind.", _HITS)
        self._score = histogram(names.METRIC_TOP_SCORE, "{score}", "The best score of what came to mind.", _SCORES)
        self._size = histogram(names.METRIC_PROMPT_SIZE, "{token}", "Tokens of a prompt, by section.", _SIZES)
        self._parses = meter.create_counter(names.METRIC_PARSES, "{answer}", "Models' answers, by how they were read.")
        self._send = histogram(names.METRIC_SEND_DURATION, "s", "Messages sent to Telegram.", _SECONDS)
        self._waits = histogram(names.METRIC_WAITS, "s", "How long we were asked to wait, by whom.", _WAITS)
        self._cut = meter.create_counter(
            names.METRIC_SPANS_CUT, "{attribute}", "Attributes, events and links that were too many for their span."
        )
        for rare in (self._exhausted, self._cut):
            rare.add(0)  # a series that begins with its first event never seems to grow
        self._readers: Mapping[str, Callable[[ReadableSpan, Told, Context], None]] = {
            "invoke_agent": self._of_turn,
            "chat": self._of_model,
            "embeddings": self._of_model,
            "embed_unread": self._of_embedding,
            "embed_batch": self._of_embedding,
            "search_memory": self._of_search,
            "assemble_prompt": self._of_prompt,
            "parse_action": self._of_answer,
            "send": self._of_sending,
        }
        """By the first word of a span's name."""
        self._ended: deque[ReadableSpan] = deque()
        self._levels: dict[str, Mapping[str, float]] = {}
        for name, unit, about in (
            (names.METRIC_BACKLOG, "{item}", "What waits, by kind."),
            (names.METRIC_BACKLOG_AGE, "s", "How long the oldest has waited, by kind."),
            (names.METRIC_SPENDING_LIMIT, "{money}", "What a day may cost before it is worth an alert."),
        ):
            meter.create_observable_gauge(name, [self._observer(name)], unit, about)

    def level(self, name: str, by_kind: Mapping[str, float]) -> None:
        """How things stand now, instead of what was told before; "" is the kind of what has none."""
        self._levels[name] = dict(by_kind)

    def on_end(self, span: ReadableSpan) -> None:
        """Take a span that ended; it is counted later, in a thread for which nobody waits."""
        self._ended.append(span)
        if len(self._ended) >= MOST:
            self.count()

    def count(self) -> None:
        """Count the spans that ended. Whatever goes wrong here is no trouble of who ended them."""
        while True:
            try:
                self._count(self._ended.popleft())
            except IndexError:
                return
            except Exception as error:  # noqa: BLE001 - a number is not worth an answer
                _log.debug("a span was not counted: %s", error_line(error))

    def _count(self, span: ReadableSpan) -> None:
        told, here = span.attributes or {}, _context(span)
        kind = span.name.partition(" ")[0]
        if (reader := self._readers.get(kind)) is not None:
            reader(span, told, here)
        if isinstance(wait := told.get(names.COMPANION_RETRY_AFTER), int | float):
            self._waits.record(wait, {names.COMPANION_KIND: kind}, context=here)
        if cut := span.dropped_attributes + span.dropped_events + span.dropped_links:
            self._cut.add(cut, context=here)

    def _of_turn(self, span: ReadableSpan, told: Told, here: Context) -> None:
        ended = told.get(names.COMPANION_TURN_OUTCOME)
        if names.COMPANION_CANCELLED in told:
            ended = _CANCELLED
        labels = _labels(told, names.ERROR_TYPE)
        labels[names.COMPANION_TURN_OUTCOME] = ended if isinstance(ended, str) else _FAILED
        self._turn.record(_seconds(span), labels, here)

    def _of_model(self, span: ReadableSpan, told: Told, here: Context) -> None:
        labels = _labels(told, *_OF_A_MODEL)
        how = labels | _labels(told, names.ERROR_TYPE, names.HTTP_RESPONSE_STATUS_CODE)
        self._model.record(_seconds(span), how, here)
        for kind, name in (("input", names.GEN_AI_USAGE_INPUT_TOKENS), ("output", names.GEN_AI_USAGE_OUTPUT_TOKENS)):
            if isinstance(count := told.get(name), int):
                self._tokens.record(count, {**labels, names.GEN_AI_TOKEN_TYPE: kind}, here)
        if isinstance(cached := told.get(names.GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS), int):
            self._cached.add(cached, labels, here)
        if isinstance(cost := told.get(names.COMPANION_COST), int | float):
            self._cost.add(cost, labels, here)

    def _of_embedding(self, span: ReadableSpan, told: Told, here: Context) -> None:
        if names.ERROR_TYPE in told:
            self._exhausted.add(1, context=here)

    def _of_search(self, span: ReadableSpan, told: Told, here: Context) -> None:
        labels = _labels(told, names.COMPANION_RECALL_PROFILE)
        if isinstance(hits := told.get(names.COMPANION_RECALL_HITS), int):
            self._hits.record(hits, labels, here)
        scores = [event.attributes.get(names.COMPANION_RECALL_SCORE) for event in span.events if event.attributes]
        if numbers := [score for score in scores if isinstance(score, int | float)]:
            self._score.record(max(numbers), labels, here)

    def _of_prompt(self, span: ReadableSpan, told: Told, here: Context) -> None:
        for name, count in told.items():
            if name.startswith(names.COMPANION_PROMPT_TOKENS) and isinstance(count, int):
                section = name.removeprefix(names.COMPANION_PROMPT_TOKENS)
                self._size.record(count, {names.COMPANION_PROMPT_SECTION: section}, here)

    def _of_answer(self, span: ReadableSpan, told: Told, here: Context) -> None:
        labels = _labels(
            told, names.COMPANION_PARSE_ACTION, names.COMPANION_PARSE_REPAIRED, names.COMPANION_PARSE_PROBLEM
        )
        self._parses.add(1, labels, here)

    def _of_sending(self, span: ReadableSpan, told: Told, here: Context) -> None:
        self._send.record(_seconds(span), _labels(told, names.ERROR_TYPE), here)

    def _observer(self, name: str) -> Callable[[CallbackOptions], Iterable[Observation]]:
        def observe(_: CallbackOptions) -> Iterable[Observation]:
            return [
                Observation(value, {names.COMPANION_KIND: kind} if kind else {})
                for kind, value in self._levels.get(name, {}).items()
            ]

        return observe


def count_spans(meter: Meter, *, delivered: Callable[[], int], lost: Callable[[], int]) -> None:
    """Tell how many spans arrived and how many never will."""

    def counter(name: str, count: Callable[[], int], about: str) -> None:
        meter.create_observable_counter(name, [lambda _: [Observation(count())]], "{span}", about)

    counter(names.METRIC_SPANS_DELIVERED, delivered, "Spans that the collector took.")
    counter(names.METRIC_SPANS_LOST, lost, "Spans that will never arrive.")


def _context(span: ReadableSpan) -> Context:
    """The span as the current one: what is recorded then leads to its trace."""
    return trace.set_span_in_context(trace.NonRecordingSpan(span.context or trace.INVALID_SPAN_CONTEXT), Context())


def _labels(told: Told, *wanted: str) -> Labels:
    """The attributes that a metric is told apart by, as far as the span has them."""
    return {name: value for name in wanted if isinstance(value := told.get(name), str | bool | int)}


def _seconds(span: ReadableSpan) -> float:
    return ((span.end_time or 0) - (span.start_time or 0)) / 1e9
