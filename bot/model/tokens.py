"""How long a text is."""

from __future__ import annotations

import re

_CJK = re.compile(
    "[\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\uff00-\uffef\U00020000-\U0003ffff]"
)


def token_count(text: str) -> int:
    """Tokens as this project counts them: CJK characters + other characters / 4, rounded up."""
    wide = 0 if text.isascii() else len(_CJK.findall(text))
    return wide + -(-(len(text) - wide) // 4)
