"""Text as Telegram reads it: UTF-16 units, what is found in it, what its markup means, what it refuses.

Nothing here knows of chats or of HTTP. An entity is the dictionary that the Bot API sends.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Json: TypeAlias = Any
Parsed: TypeAlias = tuple[str, list[Json]]

MAX_TEXT = 4096
"""UTF-16 units, after parsing."""
MAX_BYTES = 1 << 15
"""Before parsing."""

_FOUND = (
    ("bot_command", re.compile(r"(?<![\w/<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/<>])")),
    ("mention", re.compile(r"(?<!\w)@[A-Za-z0-9_]{3,32}(?!\w)")),
    ("hashtag", re.compile(r"(?<![\w#])#(?=\w*[^\W\d_])\w{1,256}(?![\w#])")),
    ("email", re.compile(r"(?<![\w.+-])[\w.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}(?![\w@])")),
    ("url", re.compile(r"(?<![\w@.])(?:https?://[^\s<>\"]+[^\s<>\".,;:!?)]|(?:[a-z0-9-]+\.)+(?:com|org|net|io|me)\b)")),
)
_TAGS = {
    **dict.fromkeys(("b", "strong"), "bold"),
    **dict.fromkeys(("i", "em"), "italic"),
    **dict.fromkeys(("s", "strike", "del"), "strikethrough"),
    **dict.fromkeys(("u", "ins"), "underline"),
    **dict.fromkeys(("tg-spoiler", "span"), "spoiler"),
    "a": "text_link",
    "tg-emoji": "custom_emoji",
    **{name: name for name in ("pre", "code", "blockquote")},
}
_HTML = re.compile(
    r"""(?P<plain>[^<&]+)|&(?:\#(?P<decimal>\d+)|\#x(?P<hex>[0-9a-f]+)|(?P<name>lt|gt|amp|quot));?"""
    r"""|<(?P<end>/?)(?P<tag>[^\s>]*)(?P<rest>(?:[^>"']|"[^"]*"|'[^']*')*)(?P<close>>?)|(?P<other>.)""",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([\w.-]+))""")
_MARKS = {"__": "underline", "||": "spoiler", "*": "bold", "_": "italic", "~": "strikethrough"}


class UnreadableText(ValueError):
    """Text that Telegram refuses; says why in Telegram's words."""


def units(text: str) -> int:
    """The length of a text as Telegram counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def broken(text: str) -> bool:
    """Whether a text holds half of a surrogate pair, and so cannot be sent."""
    return any("\ud800" <= char <= "\udfff" for char in text)


def entities_in(text: str) -> list[Json]:
    """What Telegram finds by itself: commands, mentions, hashtags, addresses; none inside another."""
    found: list[Json] = []
    taken: set[int] = set()
    for kind, pattern in _FOUND:
        for match in pattern.finditer(text):
            covered = set(range(*match.span()))
            if not covered & taken:
                taken |= covered
                found.append({"type": kind, "offset": units(text[: match.start()]), "length": units(match[0])})
    return sorted(found, key=lambda entity: entity["offset"])


def mentions(text: str, entities: list[Json]) -> Iterator[tuple[str, str]]:
    """Each mention and command as (type, its text in lower case)."""
    raw = text.encode("utf-16-le", "surrogatepass")
    for entity in entities:
        if entity["type"] in {"mention", "bot_command"}:
            start, end = 2 * entity["offset"], 2 * (entity["offset"] + entity["length"])
            yield entity["type"], raw[start:end].decode("utf-16-le", "surrogatepass").lower()


def read(text: str, parse_mode: str, given: list[Json]) -> Parsed:
    """The text that is shown and its entities, as for sendMessage."""
    if not text:
        raise UnreadableText("message text is empty")
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise UnreadableText("text is too long")
    parsers = {"html": parse_html, "markdownv2": parse_markdown_v2, "markdown": parse_markdown}
    parse = parsers.get(parse_mode.lower())
    if parse_mode and parse_mode.lower() != "none" and parse is None:
        raise UnreadableText("unsupported parse_mode")
    shown, entities = parse(text) if parse else (text, given)
    if broken(shown):
        raise UnreadableText("strings must be encoded in UTF-8")
    shown, entities = _trimmed(_cleaned(shown), entities)
    if not shown:
        raise UnreadableText("text must be non-empty")
    if units(shown) > MAX_TEXT:
        raise UnreadableText("message is too long")
    taken = [(entity["offset"], entity["offset"] + entity["length"]) for entity in entities]
    for entity in entities_in(shown):
        start, end = entity["offset"], entity["offset"] + entity["length"]
        if not any(start < other_end and other_start < end for other_start, other_end in taken):
            entities.append(entity)
    return shown, sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))


def _cleaned(text: str) -> str:
    """Control characters become spaces, one for one, so that entities stay where they are."""
    return re.sub(r"[\x00-\x08\x0b-\x1f]", " ", text)


def _trimmed(text: str, entities: list[Json]) -> Parsed:
    shown = text.strip()
    before, length = units(text) - units(text.lstrip()), units(shown)
    kept: list[Json] = []
    for entity in entities:
        start = max(entity["offset"] - before, 0)
        end = min(entity["offset"] + entity["length"] - before, length)
        if end > start:
            kept.append({**entity, "offset": start, "length": end - start})
    return shown, kept


class _Shown:
    """What was read so far, and the entities still open."""

    def __init__(self) -> None:
        self.text = ""
        self.open: list[tuple[str, int, int, Json]] = []
        """Name as written, where it begins in UTF-16 units and in bytes of the source, the entity."""
        self.entities: list[Json] = []

    def begin(self, name: str, byte: int, kind: str, **more: str) -> None:
        self.open.append((name, units(self.text), byte, {"type": kind, **more}))

    def end(self) -> Json:
        """Close what was opened last."""
        _, start, _, entity = self.open.pop()
        entity.update(offset=start, length=units(self.text) - start)
        if entity["length"]:
            self.entities.append(entity)
        return entity


def _unparsed(why: str) -> UnreadableText:
    return UnreadableText(f"can't parse entities: {why}")


def _byte(text: str, index: int) -> int:
    return len(text[:index].encode("utf-8", "surrogatepass"))


def parse_html(text: str) -> Parsed:
    """HTML as Telegram allows it."""
    shown = _Shown()
    for part in _HTML.finditer(text):
        if part["tag"] is None:
            shown.text += _html_text(part)
            continue
        byte, tag = _byte(text, part.start()), part["tag"].lower()
        if part["end"]:
            _html_end(shown, tag, byte, closed=bool(part["close"]))
            continue
        if tag not in _TAGS and part.end("tag") < len(text):
            raise _unparsed(f'Unsupported start tag "{tag}" at byte offset {byte}')
        if not part["close"]:
            raise _unparsed(f"Unclosed start tag at byte offset {byte}")
        given = {name.lower(): one or two or bare for name, one, two, bare in _ATTRIBUTE.findall(part["rest"])}
        if tag == "span" and given.get("class") != "tg-spoiler":
            raise _unparsed(f'Tag "span" must have class "tg-spoiler" at byte offset {byte}')
        more = {"a": ("url", "href"), "tg-emoji": ("custom_emoji_id", "emoji-id")}.get(tag)
        shown.begin(tag, byte, _TAGS[tag], **({more[0]: given[more[1]]} if more and more[1] in given else {}))
    if shown.open:
        raise _unparsed(f'Can\'t find end tag corresponding to start tag "{shown.open[-1][0]}"')
    return shown.text, shown.entities


def _html_text(part: re.Match[str]) -> str:
    if part["decimal"] or part["hex"]:
        code = int(part["decimal"] or part["hex"], 10 if part["decimal"] else 16)
        return chr(code) if 0 < code < sys.maxunicode else part[0]
    if part["name"]:
        return {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}[part["name"].lower()]
    return part[0]


def _html_end(shown: _Shown, tag: str, byte: int, *, closed: bool) -> None:
    if not shown.open:
        raise _unparsed(f"Unexpected end tag at byte offset {byte}")
    if not closed:
        raise _unparsed(f"Unclosed end tag at byte offset {byte}")
    expected = shown.open[-1][0]
    if tag and tag != expected:
        raise _unparsed(f'Unmatched end tag at byte offset {byte}, expected "</{expected}>", found "</{tag}>"')
    shown.end()


def parse_markdown_v2(text: str) -> Parsed:
    """MarkdownV2: whatever it reserves must be escaped or mean something."""
    shown = _Shown()
    index = 0
    quote: int | None = None
    while index < len(text):
        char, in_code = text[index], bool(shown.open) and shown.open[-1][0] in {"`", "```"}
        if char == "\\" and text[index + 1 : index + 2].isascii() and index + 1 < len(text):
            shown.text += text[index + 1]
            index += 2
        elif char == ">" and not in_code and (index == 0 or text[index - 1] == "\n"):
            quote = units(shown.text) if quote is None else quote
            index += 1
        elif char not in ("`" if in_code else "_*[]()~`>#+-=|{}.!"):
            if quote is not None and char == "\n" and not text.startswith(">", index + 1):
                shown.entities.append({"type": "blockquote", "offset": quote, "length": units(shown.text) - quote})
                quote = None
            shown.text += char
            index += 1
        else:
            index = _markdown_v2_mark(shown, text, index)
    if shown.open:
        _, _, byte, entity = shown.open[-1]
        kind = {"text_link": "TextUrl"}.get(entity["type"], str(entity["type"]).title().replace("_", ""))
        raise _unparsed(f"Can't find end of {kind} entity at byte offset {byte}")
    if quote is not None:
        shown.entities.append({"type": "blockquote", "offset": quote, "length": units(shown.text) - quote})
    return shown.text, shown.entities


def _markdown_v2_mark(shown: _Shown, text: str, index: int) -> int:
    """Read one mark; where to go on."""
    mark = next((long for long in ("```", "__", "||", "![") if text.startswith(long, index)), text[index])
    if shown.open and shown.open[-1][0] in {"`", "```"} and mark != shown.open[-1][0]:
        mark = text[index]
    if shown.open and shown.open[-1][0] == mark:
        shown.end()
        return index + len(mark)
    if mark == "]" and shown.open and shown.open[-1][0] in {"[", "!["}:
        entity = shown.end()
        return _link(text, index + 1, lambda url: entity.update(url=url))
    byte = _byte(text, index)
    if mark in _MARKS:
        shown.begin(mark, byte, _MARKS[mark])
    elif mark in {"[", "!["}:
        shown.begin(mark, byte, "text_link" if mark == "[" else "custom_emoji")
    elif mark == "```":
        language = re.compile(r"```(?:([^\s`]+)(?=\s))?\n?").match(text, index)
        assert language
        shown.begin(mark, byte, "pre", **({"language": language[1]} if language[1] else {}))
        return language.end()
    elif mark == "`":
        shown.begin(mark, byte, "code")
    else:
        raise _unparsed(f"Character '{mark}' is reserved and must be escaped with the preceding '\\'")
    return index + len(mark)


def _link(text: str, index: int, keep: Callable[[str], None]) -> int:
    target = re.compile(r"\(((?:\\.|[^)\\])*)\)", re.DOTALL).match(text, index)
    if target is None:
        if text.startswith("(", index):
            raise _unparsed(f"Can't find end of a URL at byte offset {_byte(text, index)}")
        return index
    keep(re.sub(r"\\(.)", r"\1", target[1]))
    return target.end()


def parse_markdown(text: str) -> Parsed:
    """The old Markdown: four marks, no nesting."""
    shown = _Shown()
    index = 0
    while index < len(text):
        char = text[index]
        if char == "\\" and text[index + 1 : index + 2] in {"_", "*", "`", "["}:
            shown.text += text[index + 1]
            index += 2
            continue
        if char not in "_*`[":
            shown.text += char
            index += 1
            continue
        mark = "```" if text.startswith("```", index) else char
        end = text.find({"[": "]"}.get(mark, mark), index + len(mark))
        if end < 0:
            raise _unparsed(f"Can't find end of the entity starting at byte offset {_byte(text, index)}")
        kinds = {"_": "italic", "*": "bold", "`": "code", "```": "pre", "[": "text_link"}
        shown.begin(mark, 0, kinds[mark])
        shown.text += text[index + len(mark) : end]
        entity = shown.end()
        index = end + len(mark)
        if mark == "[":
            index = _link(text, index, lambda url, entity=entity: entity.update(url=url))
    return shown.text, shown.entities
