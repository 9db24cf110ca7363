"""The vocabulary of the bot: immutable values that every other module speaks in.

Nothing here does I/O, and nothing of ours is imported but the names that traces use. Times are aware and in UTC.
A value that has something to tell a trace says so in `span_attributes` (ids, sizes, scores), `span_content` (what
people or models wrote; masked or left out as TRACE_CONTENT says) and `span_events`.
"""

from bot.model.chat import (
    BEHIND,
    TERMINAL,
    Chat,
    ChatId,
    Lane,
    Message,
    MessageId,
    NewMessage,
    View,
)
from bot.model.recall import (
    FEWEST_SEEDS,
    EmbeddingModel,
    Found,
    Hit,
    How,
    Passage,
    Pool,
    Profile,
    Query,
    Reach,
    Recall,
    Recalled,
    Search,
    Seed,
    Statistics,
    Vector,
    Weights,
    Words,
)
from bot.model.rerank import (
    Reranked,
)
from bot.model.tokens import (
    token_count,
)
from bot.model.turn import (
    MOST_RESTARTS,
    Ended,
    Held,
    ModelReply,
    Outcome,
    Persona,
    Prompt,
    Received,
    Said,
    ToolCall,
    TurnId,
    TurnRecord,
    Usage,
)

__all__ = [
    "BEHIND",
    "FEWEST_SEEDS",
    "MOST_RESTARTS",
    "TERMINAL",
    "Chat",
    "ChatId",
    "EmbeddingModel",
    "Ended",
    "Found",
    "Held",
    "Hit",
    "How",
    "Lane",
    "Message",
    "MessageId",
    "ModelReply",
    "NewMessage",
    "Outcome",
    "Passage",
    "Persona",
    "Pool",
    "Profile",
    "Prompt",
    "Query",
    "Reach",
    "Recall",
    "Recalled",
    "Received",
    "Reranked",
    "Said",
    "Search",
    "Seed",
    "Statistics",
    "ToolCall",
    "TurnId",
    "TurnRecord",
    "Usage",
    "Vector",
    "View",
    "Weights",
    "Words",
    "token_count",
]
