"""What a prompt is rendered from, as JSON and back: the same prompt comes of it, and nothing cut is taken for whole."""

from __future__ import annotations

import json
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import actions, cards
from bot.disclosure import clean
from bot.model import Hit, LorePast, Message, Prompt, Recalled, View
from bot.prompts.render import render_prompt
from bot.prompts.variables import LookUp, Variables, read
from tests.fakes.values import NOW, hit, message, names, texts

BERLIN = ZoneInfo("Europe/Berlin")
_messages = st.builds(
    message,
    st.integers(1, 60),
    texts.map(clean),
    sender=names.map(clean),
    persona=st.sampled_from([None, "Tavi"]),
    emotion=st.sampled_from([None, "joy"]),
)
_few = st.lists(_messages, max_size=5, unique_by=lambda each: each.message_id)


def rendered(variables: Variables) -> Prompt:
    return render_prompt(
        persona=cards.default(),
        view=variables.view,
        recalled=variables.recalled,
        looked_up=variables.looked_up,
        now=variables.now,
        zone=variables.zone,
        actions=actions.describe(),
        schema=actions.schema(),
        budget=variables.budget,
        max_reply_tokens=variables.max_reply_tokens,
        language=variables.language,
    )


def some(view: View, *, hits: tuple[Hit, ...] = (), looked_up: tuple[LookUp, ...] = ()) -> Variables:
    return Variables(
        view=view,
        recalled=Recalled(hits=hits),
        looked_up=looked_up,
        now=NOW,
        zone=BERLIN,
        budget=3000,
        max_reply_tokens=100,
        language=None,
    )


_pasts = st.builds(
    LorePast,
    state=st.dictionaries(st.text("ab", min_size=1), st.tuples(st.integers(0, 99), st.integers(0, 99))),
    count=st.integers(0, 99),
    replies=st.none() | st.integers(0, 99),
)


@given(
    lore=st.none() | _pasts,
    greeting=st.none() | st.integers(0, 9),
    chat=_few,
    notes=st.lists(texts.map(clean), max_size=2),
    looked_for=texts.map(clean),
)
def test_the_prompt_that_comes_of_what_was_written_is_the_same(
    lore: LorePast | None, greeting: int | None, chat: list[Message], notes: list[str], looked_for: str
) -> None:
    seen = tuple(chat)
    view = View(recent=seen[:2], unread=seen[2:4], notes=tuple(notes), rests_until=None, lore=lore, greeting=greeting)
    looks = (LookUp(looked_for=looked_for, found=seen[4:]),)
    prompt = rendered(some(view, hits=(hit(70, around=2), hit(90)), looked_up=looks))
    again = rendered(read(prompt.variables))
    assert (again.system, again.user, again.variables) == (prompt.system, prompt.user, prompt.variables)
    assert (read(prompt.variables).view.lore, read(prompt.variables).view.greeting) == (lore, greeting)
    keys = json.loads(prompt.variables).keys()
    assert ("lore" in keys, "greeting" in keys) == (lore is not None, greeting is not None)


@given(st.integers(0, 400))
def test_what_was_cut_is_never_taken_for_whole(length: int) -> None:
    written = rendered(some(View(recent=(), unread=(message(1),), notes=(), rests_until=None))).variables
    if length < len(written):
        with pytest.raises(ValueError, match=r"JSON|json"):
            read(written[:length])


def test_a_message_stands_there_once_however_often_it_is_shown() -> None:
    one = message(1, "only once")
    view = View(recent=(one,), unread=(message(2),), notes=(), rests_until=None)
    written = rendered(some(view, looked_up=(LookUp(looked_for="it", found=(one,)),))).variables
    assert written.count("only once") == 1
