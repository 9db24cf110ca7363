"""What of a model's text was meant to be seen: reasoning and the marks of its chat format taken away.

Rules, for tags in any case: a closed block goes; an unclosed one hides all that follows, unless a `<final>`
comes; a closing tag alone hides all before it; of text around `<final>` only its inside counts. A tag quoted
in backticks is text. One pass over the marks, so time grows with the text only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_MARK: Final = re.compile(
    r"""(?<!`)(?:
      [<◁](?P<close>/?)(?:[a-z]{1,12}:)?
        (?:(?P<thought>think|thinking|thoughts?|reasoning|reflection|analysis|scratchpad|antthinking)
          |final|final_answer|answer)
        (?:\s[^<>\n]{0,80})?(?P<empty>/?)[>▷]
    | \[(?P<mistral>/?)(?-i:THINK)\]
    | <\|channel\|>\s*(?P<channel>\w{1,20})[^<\n]{0,40}<\|message\|>
    | <\|(?:start|im_start|start_header_id)\|>\s*(?P<role>\w{0,20})
    | (?P<end><\|(?:end|return|call|im_end|eot_id|eom_id|endoftext|end_of_text)\|>|</s>|<end_of_turn>|<eos>)
    | <\|\w{1,30}\|>
    )(?!`)""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Visible:
    """The text that is left."""

    text: str
    hid: bool
    """Whether reasoning was taken away."""
    unfinished: bool
    """Whether it ended inside reasoning: the answer was never reached."""


def visible(text: str) -> Visible:
    """The part of a text that was meant for others."""
    marks = [(found, _kind(found)) for found in _MARK.finditer(text)]
    last_close = max((at for at, (_, kind) in enumerate(marks) if kind == "close"), default=-1)
    kept: list[str] = []
    position, thinking, hid, shown = 0, False, False, False
    for at, (found, kind) in enumerate(marks):
        before, position = text[position : found.start()], found.end()
        if thinking:
            if kind in {"close", "end"}:
                thinking = False
            elif kind == "final" and at > last_close:  # else it is part of what is thought
                thinking, shown = False, False
                kept.clear()
            continue
        kept.append(before)
        shown = shown or bool(before.strip())
        if kind in {"close", "final"}:
            hid, shown = hid or shown, False
            kept.clear()
        elif kind == "open":
            thinking = hid = True
        elif kind in {"final end", "end", "another"} and shown:
            return Visible("".join(kept).strip(), hid=hid, unfinished=False)
    if not thinking:
        kept.append(text[position:])
    return Visible("".join(kept).strip(), hid=hid, unfinished=thinking)


def _kind(found: re.Match[str]) -> str:
    """What a mark does: open, close, final, `final end`, end, another (speaker), or nothing."""
    if found["empty"]:
        return ""
    if found["thought"]:
        return "close" if found["close"] else "open"
    if found["mistral"] is not None:
        return "close" if found["mistral"] else "open"
    if found["close"] is not None:
        return "final end" if found["close"] else "final"
    if found["channel"]:
        return "final" if found["channel"].lower() == "final" else "open"
    if found["role"]:
        return "" if found["role"].lower() in {"assistant", "model"} else "another"
    return "end" if found["end"] else ""
