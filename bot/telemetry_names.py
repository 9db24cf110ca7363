"""Every name that our spans use, in one place.

OpenTelemetry's GenAI conventions are in development and its own constants for them are deprecated, so ours
are kept here. `model.py` and the steps spell the `companion.*` names of their own values themselves.
"""

from __future__ import annotations

from typing import Final

GEN_AI_AGENT_NAME: Final = "gen_ai.agent.name"
GEN_AI_CONVERSATION_ID: Final = "gen_ai.conversation.id"
GEN_AI_EMBEDDINGS_DIMENSION_COUNT: Final = "gen_ai.embeddings.dimension.count"
GEN_AI_INPUT_MESSAGES: Final = "gen_ai.input.messages"
GEN_AI_OPERATION_NAME: Final = "gen_ai.operation.name"
GEN_AI_OUTPUT_MESSAGES: Final = "gen_ai.output.messages"
GEN_AI_OUTPUT_TYPE: Final = "gen_ai.output.type"
GEN_AI_PROVIDER_NAME: Final = "gen_ai.provider.name"
GEN_AI_REQUEST_MAX_TOKENS: Final = "gen_ai.request.max_tokens"
GEN_AI_REQUEST_MODEL: Final = "gen_ai.request.model"
GEN_AI_REQUEST_SEED: Final = "gen_ai.request.seed"
GEN_AI_REQUEST_TEMPERATURE: Final = "gen_ai.request.temperature"
GEN_AI_RESPONSE_FINISH_REASONS: Final = "gen_ai.response.finish_reasons"
GEN_AI_RESPONSE_ID: Final = "gen_ai.response.id"
GEN_AI_RESPONSE_MODEL: Final = "gen_ai.response.model"
GEN_AI_TOOL_NAME: Final = "gen_ai.tool.name"
GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
GEN_AI_USAGE_INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
GEN_AI_USAGE_OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"

DB_COLLECTION_NAME: Final = "db.collection.name"
DB_OPERATION_NAME: Final = "db.operation.name"
DB_QUERY_SUMMARY: Final = "db.query.summary"
DB_RESPONSE_RETURNED_ROWS: Final = "db.response.returned_rows"
DB_RESPONSE_STATUS_CODE: Final = "db.response.status_code"
DB_SYSTEM_NAME: Final = "db.system.name"

ERROR_TYPE: Final = "error.type"
EXCEPTION: Final = "exception"
"""The name of the event that tells what was raised."""
EXCEPTION_MESSAGE: Final = "exception.message"
EXCEPTION_STACKTRACE: Final = "exception.stacktrace"
EXCEPTION_TYPE: Final = "exception.type"
HTTP_RESPONSE_STATUS_CODE: Final = "http.response.status_code"

SERVICE_NAME: Final = "service.name"
SERVICE_VERSION: Final = "service.version"

COMPANION_ATTEMPT: Final = "companion.attempt"
"""The how-manieth request of its kind within the parent span, from 1."""
COMPANION_CANCELLED: Final = "companion.cancelled"
"""True on a span that was told to stop; that is no error."""
COMPANION_CONTENT_MODE: Final = "companion.content"
"""On the resource: how much of what people wrote the spans hold (full, redacted, off)."""
COMPANION_EMBEDDINGS_INPUTS: Final = "companion.embeddings.inputs"
COMPANION_EMBEDDINGS_PURPOSE: Final = "companion.embeddings.purpose"
COMPANION_RESULT_COUNT: Final = "companion.result.count"
"""How many a step gave that returned a list."""
COMPANION_TURN_ID: Final = "companion.turn.id"
COMPANION_TURN_OUTCOME: Final = "companion.turn.outcome"

SHA256: Final = ".sha256"
"""Ends the name of a content's hash (of its UTF-8); in every mode."""
BYTES: Final = ".bytes"
"""Ends the name of a content's length in bytes of UTF-8; in every mode."""
