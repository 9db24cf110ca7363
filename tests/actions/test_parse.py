from __future__ import annotations

import json

import pytest

from bot.actions.read_history import ReadHistory
from bot.actions.recall import Recall
from bot.actions.send_message import SendMessage
from bot.actions.stay_silent import StaySilent
from bot.actions.take_break import TakeBreak
from bot.actions.wait import Wait
from tests.actions.samples import read, said

HI = '{"action":"send_message","content":"hi"}'


# Refusals


@pytest.mark.parametrize(
    ("text", "finish", "refusal"),
    [
        ("", "content_filter", None),
        ("", "CONTENT_FILTER", ""),
        (HI, "content_filter", None),
        ("", "stop", "I cannot do that"),
        (HI, "stop", "I cannot do that"),
    ],
)
def test_a_refusal_is_silence_whatever_else_came(text: str, finish: str, refusal: str | None) -> None:
    parsed = read(text, finish=finish, refusal=refusal)
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "refused", False)


def test_an_empty_refusal_is_none() -> None:
    assert said(read(HI, refusal=" ")) == ("hi",)


# Reasoning


@pytest.mark.parametrize(
    "text",
    [
        "<think>secret</think>hi",
        "<think>secret</think>" + HI,
        "<thinking>\nsecret\n</thinking>\n\nhi",
        "<reasoning effort='high'>secret</reasoning> hi",
        "<THINK>secret</Think>hi",
        "secret</think>hi",
        "secret\n</THINKING>\n" + HI,
        "<think>secret</think><think>secret</think>hi",
        "<think>secret <think>secret</think> secret</think>hi",
        "<think>secret<final>hi</final>",
        "<think>secret <final>secret</final> secret</think>hi",
        "<think>secret</think><final>hi</final> secret",
        "secret <Final>hi",
        "<seed:think>secret</seed:think>hi",
        "[THINK]secret[/THINK]hi",
        "<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>final<|message|>hi<|return|>",
        "hi<|im_end|>\n<|im_start|>user\nsecret",
        "<|im_start|>assistant\nhi</s>secret",
        '{"action":"send_message","content":"<think>secret</think>hi"}',
        '{"thinking":"secret","reasoning":{"text":"secret"},"action":"send_message","content":"hi"}',
        "[{'type': 'thinking', 'thinking': [{'type': 'text', 'text': 'secret'}]}, {'type': 'text', 'text': 'hi'}]",
        '<think>{"action":"send_message","content":"secret"}</think>' + HI,
    ],
)
def test_only_what_was_meant_for_others_is_said(text: str) -> None:
    assert said(read(text)) == ("hi",)


@pytest.mark.parametrize("text", ["<think>secret", "<think>secret</think>", "secret</think> ", f"<think>{HI}"])
def test_reasoning_that_reached_no_answer_is_silence_and_asked_again(text: str) -> None:
    parsed = read(text)
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "reasoning_only", True)


@pytest.mark.parametrize("text", ["write `<think>` first", "a < b, c > d and I <3 you", "I think </3"])
def test_what_only_looks_like_a_tag_is_text(text: str) -> None:
    assert said(read(text)) == (text,)


# JSON, whatever surrounds it


@pytest.mark.parametrize(
    "text",
    [
        HI,
        f"```json\n{HI}\n```",
        f"```\n{HI}\n```",
        f"Sure, here it is:\n{HI}\nHope that helps!",
        f"{HI}\n{{'action': 'stay_silent'}}",
        f'{{"action":"list_chats"}}\n{HI}',
        f'{{"mood":"good"}} {HI}',
        f"{{curly}} [sighs] {{{{user}}}} {HI}",
        f"<tool_call>{HI}</tool_call>",
        f"Mia: {HI}",
        "{'action': 'send_message', 'content': 'hi', 'reply_to': None}",
        "{action: send_message, content: hi}",
        '{"action":"send_message","content":"hi",} // done',
        '{"action":"send_message"\n"content":"hi"}',
        "{“action”：“send_message”，“content”：“hi”}",
        '{"action":"send_message","content":"hi"',
        '{"action":"SendMessage","content":"hi"}',
        '{"action":"reply","content":"hi"}',
        '{"content":"hi"}',
        '{"text":"hi"}',
        '{"message":"hi"}',
        '{"messages":["hi"]}',
        '{"bubbles":[{"text":"hi"}]}',
        '{"message":{"role":"assistant","content":[{"type":"text","text":"hi"}]}}',
        '["hi"]',
        '"hi"',
        '{"answer":{"action":"send_message","messages":["hi"]}}',
        '{"actions":[{"action":"send_message","messages":["hi"]}]}',
        '{"send_message":{"messages":["hi"]}}',
        '{"name":"send_message","arguments":{"content":"hi"}}',
        '{"function":{"name":"send_message","arguments":"{\\"content\\":\\"hi\\"}"}}',
        '{"action":{"name":"send_message","parameters":{"content":"hi"}}}',
        json.dumps({"content": HI}),
        json.dumps([{"type": "text", "text": HI}]),
    ],
)
def test_a_message_is_found_in_every_shape_models_give_it(text: str) -> None:
    parsed = read(text)
    assert said(parsed) == ("hi",)
    assert (parsed.problem, parsed.retry) == (None, False)


@pytest.mark.parametrize(
    "message",
    [
        "a { brace",
        "} both { ] [",
        '{"a": 1} is JSON',
        '{"port": 8080}',
        '["a", "b"]',
        '{"messages": []}',
        'a \\ backslash and a "quote"',
        "```python\nprint({'a': 1})\n```",
        "two\nlines",
        "it's",
        "// not a comment /* either */",
        "null",
    ],
)
def test_a_message_may_hold_anything(message: str) -> None:
    for text in (json.dumps({"action": "send_message", "messages": [message]}), json.dumps({"content": message})):
        for around in (text, f"Well: {text} ok?", f"```json\n{text}\n```"):
            assert said(read(around)) == (message,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{'content': 'it's } fine'}", "it's } fine"),
        ("{'content': 'rock 'n' roll'}", "rock 'n' roll"),
        ('{"content": "she said "hi {" to me"}', 'she said "hi {" to me'),
        ('{"content": "she said "yes", and left"}', 'she said "yes", and left'),
        ("{'content': 'say \"hi\"'}", 'say "hi"'),
        ('{"content": "one\ntwo"}', "one\ntwo"),
        ('{"content": "C:\\dir"}', "C:\\dir"),
    ],
)
def test_quotation_marks_nobody_escaped_cut_no_message_short(text: str, message: str) -> None:
    assert said(read(text)) == (message,)


def test_messages_in_one_list_are_one_answer() -> None:
    both = '[{"action":"send_message","content":"a","reply_to":3},{"action":"send_message","content":"b","reply_to":4}]'
    assert read(both).action == SendMessage(messages=("a", "b"), reply_to=3)
    assert said(read('[{"content":"a"},{"action":"stay_silent"},{"content":"b"}]')) == ("a",)


@pytest.mark.parametrize(
    "text",
    [
        '{"messages": []}',
        '{"messages": ["", " "]}',
        '{"action":"send_message","messages":[]}',
        '{"action":"send_message","content":"  \\n"}',
        '{"content":"\\u200b\\u2060"}',
        '{"messages":[{"text":""},null]}',
        "[]",
        "null",
        '{"action":"stay_silent"}',
        '{"action":"none"}',
        '{"stay_silent":{}}',
        "stay_silent",
        "[stay_silent]",
        "`stay_silent`",
    ],
)
def test_saying_nothing_is_a_proper_answer(text: str) -> None:
    parsed = read(text)
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), None, False)


def test_other_actions_are_read_alike() -> None:
    assert read('{"action":"recall","query":"tea"}').action == Recall(query="tea")
    assert read('Hm. {"action":"read_history","before":"#12"}').action == ReadHistory(before=12)
    assert read('{"action":"wait","seconds":null}').action == Wait()
    assert read("take_break").action == TakeBreak()


@pytest.mark.parametrize("text", ["wait", "Wait, what?", "sleep: I need it", "recall(ing) that day…", "None", "42"])
def test_a_word_that_is_also_an_action_is_a_word(text: str) -> None:
    assert said(read(text)) == (text,)


@pytest.mark.parametrize(
    "text",
    [
        '{"action":"list_chats"}',
        '{"action":"send_sticker","content":"😀"}',
        '{"name":"list_chats","arguments":{}}',
        '```json\n{"action":"read_messages"}\n```',
        '[{"action":"list_chats"}]',
    ],
)
def test_an_unknown_action_is_silence(text: str) -> None:
    parsed = read(text)
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "unknown_action", False)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"action":"recall"}', "recall.query: missing"),
        ('{"action":"recall","query":" "}', "recall.query: value_error"),
        ('{"action":"wait","seconds":"soon"}', "wait.seconds: value_error"),
        ('{"action":"send_message"}', "send_message.messages: missing"),
        ('{"action":"send_message","messages":null}', "send_message.messages: missing"),
    ],
)
def test_an_action_without_what_it_needs_is_asked_again(text: str, error: str) -> None:
    parsed = read(text)
    assert (parsed.action, parsed.problem, parsed.retry, parsed.error) == (StaySilent(), "incomplete", True, error)


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"port": 8080}',
        'Here is the config: {"port": 8080}',
        '{"mood": {"text": "x"}}',
        'send_message("hi")',
        "send_message: hi",
        "<function=send_message><parameter=content>hi</parameter></function>",
        "[{}]",
        '{"thinking": "plan"}',
        "[{'type': 'thinking', 'thinking': [{'type': 'text', 'text': 'plan'}]}]",
    ],
)
def test_what_is_meant_for_a_machine_is_never_said(text: str) -> None:
    parsed = read(text)
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "unreadable", True)


@pytest.mark.parametrize("text", ["", " \n ", "\u200b", "\x00", "<final></final>"])
def test_nothing_at_all_is_asked_again(text: str) -> None:
    parsed = read(text)
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "empty", True)


# Cut off


@pytest.mark.parametrize("finish", ["length", "max_tokens", "stop", "tool_calls", None])
@pytest.mark.parametrize(
    "text",
    [
        '{"action":"send_message","content":"Well, I thi',
        'Let me think. {"action":"send_message","content":"Well',
        '```json\n{"action":"send_message","content":"Well',
        '{"action":"send_message","con',
        '{"action":"send_mess',
        '{"action":"send_message","content":"Well, \\',
        "{'action': 'send_message', 'content': 'Well, I thi",
        '{"action":"recall","query":"the ca',
    ],
)
def test_half_a_message_is_never_said(text: str, finish: str | None) -> None:
    parsed = read(text, finish=finish)
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "truncated", True)


def test_of_a_list_that_broke_off_the_whole_bubbles_are_what_may_be_said_otherwise() -> None:
    for text in ('{"messages":["One.","Two","Thr', '[{"content":"One."},{"content":"Two"},{"content":"Thr'):
        parsed = read(text, finish="length")
        assert (said(parsed), parsed.problem, parsed.retry) == (("One.", "Two"), "truncated", True)


def test_a_number_that_broke_off_is_not_taken_for_the_number() -> None:
    assert read('{"action":"read_history","before":12', finish="length").action == ReadHistory()
    assert read('{"action":"read_history","before":12').action == ReadHistory(before=12)


def test_a_whole_answer_at_the_limit_is_whole() -> None:
    parsed = read(HI + "\nand then", finish="length")
    assert (said(parsed), parsed.problem) == (("hi",), None)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I think so. And the", "I think so."),
        ("Pi is 3.14, you kn", ""),
        ("Well, I thi", ""),
        ("你好。我想", "你好。"),
        ("one\ntwo\nthr", "one\ntwo"),
        ("Really?! (Yes.) No", "Really?! (Yes.)"),
        ("nice 😀 so I w", "nice 😀"),
        ("......a", ""),
    ],
)
def test_prose_that_broke_off_ends_at_its_last_sentence(text: str, kept: str) -> None:
    parsed = read(text, finish="length")
    assert "".join(said(parsed)) == kept
    assert (parsed.problem, parsed.retry) == ("truncated", not kept)


def test_reasoning_that_broke_off_is_asked_again() -> None:
    parsed = read("<think>so first I", finish="length")
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "truncated", True)


# Calls


def test_a_call_is_an_answer() -> None:
    parsed = read("Let me look.", finish="tool_calls", calls=[("recall", '{"query":"tea"}')])
    assert (parsed.action, parsed.repaired) == (Recall(query="tea"), False)
    assert read(calls=[("take_break", "")]).action == TakeBreak()
    assert said(read(calls=[("functions.send_message", '{"content":"hi"}')])) == ("hi",)


def test_messages_called_one_after_the_other_are_one_answer() -> None:
    assert said(read(calls=[("send_message", '{"content":"a"}'), ("send_message", '{"content":"b"}')])) == ("a", "b")


@pytest.mark.parametrize(
    "arguments", ['{"content":"hel', '{"messages":["One.","Tw', '{"content":"hello"', "nonsense", "{", "5"]
)
@pytest.mark.parametrize("text", ["", "Let me say hi."])
def test_a_call_that_broke_off_is_dropped_and_prose_beside_it_is_not_said(text: str, arguments: str) -> None:
    parsed = read(text, finish="tool_calls", calls=[("send_message", arguments)])
    assert (parsed.action, parsed.problem, parsed.retry) == (StaySilent(), "truncated", True)


def test_a_whole_call_is_taken_beside_one_that_broke_off() -> None:
    parsed = read(calls=[("send_message", '{"content":"hi"}'), ("send_message", '{"content":"hel')])
    assert (said(parsed), parsed.problem) == (("hi",), None)


def test_an_unknown_call_is_an_unknown_action() -> None:
    parsed = read("Let me look.", calls=[("list_chats", "{}")])
    assert (parsed.action, parsed.problem) == (StaySilent(), "unknown_action")


# Which picture goes with the words


@pytest.mark.parametrize("written", ["Joy", "joy", " JOY\n"])
@pytest.mark.parametrize("field", ["picture", "emotion"])
def test_a_picture_is_known_however_its_name_is_written(field: str, written: str) -> None:
    parsed = read(json.dumps({"action": "send_message", "messages": ["hi"], field: written}), pictures=["calm", "Joy"])
    assert parsed.action == SendMessage(messages=("hi",), picture="Joy")
    assert parsed.problem is None
    assert parsed.repaired == ((field, written) != ("picture", "Joy"))


@pytest.mark.parametrize(
    ("written", "expected"),
    [("caf\u00e9", "cafe\u0301"), ("😀joy", "😀 joy"), ('"calm".', "calm"), ("calm.PNG", "calm"), (["calm"], "calm"),
     ("calm\u200b", "calm"), ("ｃａｌｍ", "calm"), ("none", None), (" Null", None)],
)  # fmt: skip
def test_a_picture_is_known_by_whatever_is_plainly_its_name(written: object, expected: str | None) -> None:
    pictures = ["cafe\u0301", "😀 joy", "calm"]
    parsed = read(json.dumps({"action": "send_message", "messages": ["hi"], "picture": written}), pictures=pictures)
    assert (parsed.action, parsed.problem) == (SendMessage(messages=("hi",), picture=expected), None)


@pytest.mark.parametrize("written", ["rage", "", 7, ["joy", "joy"], {"name": "joy"}, True, "\ud800", "joy" * 9999])
def test_a_picture_that_there_is_not_holds_up_no_words(written: object) -> None:
    parsed = read(json.dumps({"action": "send_message", "messages": ["hi"], "picture": written}), pictures=["joy"])
    assert parsed.action == SendMessage(messages=("hi",))
    assert (parsed.problem, parsed.retry) in ((None, False), ("unknown_picture", False))
    assert (parsed.problem is not None) == (isinstance(written, str) and written not in ("", "\ud800"))


def test_where_there_are_no_pictures_one_that_is_named_is_nothing() -> None:
    parsed = read('{"action": "send_message", "messages": ["hi"], "picture": "joy"}')
    assert (parsed.action, parsed.problem) == (SendMessage(messages=("hi",)), None)


# What a trace may hold


def test_a_trace_has_the_texts_as_content_only() -> None:
    parsed = read('{"content":"a secret"')
    assert parsed.repaired
    assert "secret" not in str(parsed.span_attributes())
    assert parsed.span_content() == {
        "companion.parse.raw": '{"content":"a secret"',
        "companion.parse.parsed": '{"action": "send_message", "messages": ["a secret"]}',
        "companion.parse.participants": '["Ann", "Bob"]',
    }
    assert read("", calls=[("recall", '{"query":')]).span_attributes() == {
        "companion.parse.action": "stay_silent",
        "companion.parse.repaired": True,
        "companion.parse.retry": True,
        "companion.parse.problem": "truncated",
    }
