"""Hits in another order: nothing is lost, nothing comes twice, and a failure keeps ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st

from bot.errors import BadAnswer, ModelError
from bot.memory.rerank import MOST, MOST_ASKED, SHOWN, in_full, rerank
from bot.model import Hit, Message
from tests.fakes.values import hit


@dataclass
class Scripted:
    """Gives this order, or fails so; keeps what it was shown."""

    answer: Sequence[int] | ModelError
    asked: list[list[str]] = field(default_factory=list[list[str]])
    shown: list[list[Message]] = field(default_factory=list[list[Message]])
    name: str = "scripted"

    async def order(self, asked: Sequence[str], candidates: Sequence[Message]) -> Sequence[int]:
        self.asked.append(list(asked))
        self.shown.append(list(candidates))
        if isinstance(self.answer, ModelError):
            raise self.answer
        return self.answer


def said(n: int, text: str) -> Hit:
    found = hit(n)
    return replace(found, message=replace(found.message, text=text))


def numbers(hits: Sequence[Hit]) -> list[int]:
    return [each.message.message_id for each in hits]


async def test_what_the_model_names_comes_first_and_the_rest_keeps_its_order() -> None:
    hits, told = await rerank([hit(n) for n in (5, 6, 7, 8)], ["?"], reranker=Scripted([2, 0]), budget=1500)
    assert numbers(hits) == [7, 5, 6, 8]
    assert told is not None
    assert (told.before, told.after, told.kept) == ((5, 6, 7, 8), (7, 5, 6, 8), None)


async def test_a_model_that_fails_keeps_our_order_and_it_is_said_why() -> None:
    hits, told = await rerank([hit(5), hit(6)], ["?"], reranker=Scripted(BadAnswer("no order")), budget=1500)
    assert numbers(hits) == [5, 6]
    assert told is not None
    assert (told.after, told.kept) == ((5, 6), "BadAnswer")


async def test_nobody_is_asked_for_the_order_of_one_or_none() -> None:
    scripted = Scripted([0])
    for hits in ([], [hit(5)]):
        assert await rerank(hits, ["?"], reranker=scripted, budget=1500) == (hits, None)
    assert await rerank([hit(5), hit(6)], ["?"], reranker=scripted, budget=100) == ([hit(5), hit(6)], None)
    assert scripted.shown == []


async def test_the_model_sees_beginnings_of_the_best_and_of_the_last_texts() -> None:
    scripted = Scripted([1])
    hits = [said(n, f"{n} " + "word " * 100) for n in range(1, MOST + 20)]
    asked = [f"{n} " + "what " * 100 for n in range(MOST_ASKED + 2)]
    ordered, _ = await rerank(hits, asked, reranker=scripted, budget=100_000)
    [shown], [texts] = scripted.shown, scripted.asked
    assert [each.message_id for each in shown] == list(range(1, MOST + 1))
    assert {len(text) for text in [*(each.text for each in shown), *texts]} == {SHOWN}
    assert [text.partition(" ")[0] for text in texts] == [str(n) for n in range(2, MOST_ASKED + 2)]
    assert ordered == [hits[1], hits[0], *hits[2:]]


@given(st.lists(st.text(max_size=300), min_size=2, max_size=40), st.integers(0, 3000))
async def test_what_is_shown_stays_within_the_budget(texts: list[str], budget: int) -> None:
    _, told = await rerank(
        [said(n, text) for n, text in enumerate(texts)], ["?"], reranker=Scripted([0]), budget=budget
    )
    assert told is None or told.tokens <= budget


@given(st.lists(st.integers(-3, 30), max_size=40), st.integers(0, 20))
def test_any_order_made_whole_has_each_place_once(order: list[int], count: int) -> None:
    whole = in_full(order, count)
    assert sorted(whole) == list(range(count))
    named = list(dict.fromkeys(place for place in order if 0 <= place < count))
    assert whole[: len(named)] == named
    assert whole[len(named) :] == sorted(whole[len(named) :])
