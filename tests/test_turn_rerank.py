"""A turn in which the chat model orders what comes to mind, over HTTP, beside one in which it does not."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot import cards
from bot.llm.chat import OpenAIChat
from bot.llm.rerank import ModelReranker
from bot.llm.retries import PatientChat
from bot.memory.embed import embed_pending
from bot.model import Lane, NewMessage, Recall
from bot.replay.from_row import case_of, numbers_of
from bot.replay.retrieve import Memory, retrieve
from bot.store import PostgresStore
from bot.traced import TracedChat, TracedReranker
from bot.turn import Mind, Turn, read_message
from tests.fakes.openai_server import CHAT, Answer, OpenAIServer, completion
from tests.fakes.otlp_receiver import OtlpReceiver, tracing_to
from tests.fakes.ports import DIMENSION, WordEmbedder, do, say

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
QUESTION = "where is the spare key?"
SAID = {3: "the spare key hangs behind the boiler", 5: "a spare key is at the office", 7: "the key ring is red"}


@dataclass
class Stage:
    """A chat with three messages about keys, and a question about them."""

    store: PostgresStore
    mind: Mind
    lane: Lane
    api: OpenAIServer
    budget: int = 6000

    async def turn(self, *answers: str | Answer, reranks: bool = True) -> Turn:
        said = NewMessage(
            external_id=f"now {len(self.prompts)}", sender_id="ann", sender="Ann", sent_at=NOW, text=QUESTION
        )
        await self.store.messages.record(self.lane.chat_id, "terminal", [said])
        self.api.order(CHAT, *(each if isinstance(each, Answer) else Answer(body=completion(each)) for each in answers))
        mind = replace(self.mind, prompt_budget=self.budget)
        return await read_message(
            self.lane,
            mind=mind if reranks else replace(mind, reranker=None),
            persona=cards.default(),
            zone=ZoneInfo("UTC"),
            now=NOW,
            source="terminal",
        )

    @property
    def prompts(self) -> list[str]:
        """What the chat model was asked, in order."""
        return [asked.body["messages"][1]["content"] for asked in self.api.requests(CHAT)]

    async def tokens(self, turn: Turn) -> int:
        """Of the prompt that the answer is to."""
        return json.loads(await self.inputs(turn))["prompts"][-1]["tokens"]["all"]

    async def inputs(self, turn: Turn) -> str:
        row = await self.store.database.fetch_one("find_turn", self.lane.chat_id, turn.turn_id)
        assert row is not None
        return row["inputs"]


@pytest.fixture
async def stage(store: PostgresStore) -> AsyncIterator[Stage]:
    embedder = WordEmbedder()
    model = await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.3)
    chat = await store.chats.open("import:past", title="Past")
    past = [
        NewMessage(
            external_id=str(n),
            sender_id="bob",
            sender="Bob",
            sent_at=NOW - timedelta(days=100) + timedelta(hours=n),
            text=SAID.get(n, f"small talk number {n}"),
        )
        for n in range(1, 60)
    ]
    await store.messages.record(chat, "import:past", past, read_at=NOW)
    await embed_pending(model=model, embedder=embedder, store=store.embeddings)
    async with OpenAIServer() as api:
        client = OpenAIChat(base_url=api.base_url, model="stub", timeout=20)
        patient = PatientChat(TracedChat(client))
        mind = Mind(
            store=store,
            embedder=embedder,
            chat=patient,
            recall=Recall(model=model, profile="ranked"),
            reranker=TracedReranker(ModelReranker(patient, max_reply_tokens=100, timeout=0.5)),
            prompt_budget=6000,
            max_reply_tokens=100,
        )
        yield Stage(store=store, mind=mind, lane=Lane(chat), api=api)
        await client.aclose()


def ids(turn: Turn) -> list[int]:
    return [hit.message.message_id for hit in turn.recalled.hits]


async def test_without_a_reranker_the_model_is_asked_once_and_the_order_is_ours(stage: Stage) -> None:
    turn = await stage.turn(say("Behind the boiler."), reranks=False)
    assert len(stage.prompts) == 1
    assert turn.recalled.reranked is None
    assert {3, 5, 7} <= set(ids(turn))


async def test_the_models_order_is_that_in_which_memories_are_used_and_is_on_record(stage: Stage) -> None:
    turn = await stage.turn("[3, 1]", say("Behind the boiler."))
    told = turn.recalled.reranked
    assert told is not None
    assert told.kept is None
    assert ids(turn)[:2] == [told.before[2], told.before[0]]
    assert list(told.after) == ids(turn)
    assert sorted(told.before) == sorted(told.after)
    order, answer = stage.prompts
    assert "- where is the spare key?" in order
    assert "#1 [2025-11-25] <Bob> the spare key hangs behind the boiler" in order
    assert "the spare key hangs behind the boiler" in answer
    inputs = await stage.inputs(turn)
    assert '"kept": null' in inputs
    assert "boiler" not in inputs


async def test_recall_that_is_run_again_takes_the_models_order_from_the_record(stage: Stage) -> None:
    turn = await stage.turn("[3, 1]", say("Behind the boiler."))
    kept = await stage.store.turns.get(stage.lane.chat_id, turn.turn_id)
    assert kept is not None
    case = case_of(kept, await stage.store.turns.messages(stage.lane.chat_id, numbers_of(kept)))
    asked = len(stage.prompts)
    memory = Memory(store=stage.store, embedder=stage.mind.embedder, recall=stage.mind.recall)
    report = await retrieve(case, memory)
    assert (report.first_difference, report.complete) == (None, True)
    assert report.stages[-1].after == ids(turn)
    assert len(stage.prompts) == asked


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("None of it helps.", "BadAnswer"),
        (Answer(body=completion(None, refusal="I cannot help with that.")), "BadAnswer"),
        (Answer(status=401, body={"error": {"code": "invalid_api_key"}}), "RequestRefused"),
        (Answer(fault="hang"), "ModelUnavailable"),
    ],
)
async def test_a_model_that_gives_no_order_leaves_ours_and_turn_and_trace_say_so(
    stage: Stage, answer: str | Answer, kept: str
) -> None:
    async with OtlpReceiver() as receiver:
        async with tracing_to(receiver):
            turn = await stage.turn(answer, say("Behind the boiler."))
        [root] = [root for root in receiver.roots() if root.name == "invoke_agent Tavi"]
    assert [said.text for said in turn.said] == ["Behind the boiler."]
    told = turn.recalled.reranked
    assert told is not None
    assert (told.kept, told.before) == (kept, told.after)
    assert ids(turn) == list(told.before)
    [search] = [child for child in root.children if child.name == "search_memory"]
    assert search.attributes["companion.rerank.kept"] == kept
    [span] = [child for child in search.children if child.name == "rerank stub"]
    assert span.attributes["error.type"] == kept
    assert span.attributes["companion.rerank.before.ids"] == list(told.before)
    assert f'"kept": "{kept}"' in await stage.inputs(turn)


async def test_what_was_ordered_is_packed_and_the_budget_of_the_turn_pays_for_it(stage: Stage) -> None:
    stage.mind = replace(stage.mind, recall=replace(stage.mind.recall, budget=15, order_budget=300))
    stage.budget = 1200  # too little for all that was said lately
    turn = await stage.turn("[2, 1]", say("At the office."))
    told = turn.recalled.reranked
    assert told is not None
    assert len(told.before) > 1
    assert ids(turn) == [told.before[1]]
    assert "the spare key hangs behind the boiler" not in stage.prompts[1]
    assert await stage.tokens(turn) + told.tokens <= stage.budget
    alone = await stage.turn(say("At the office."), reranks=False)
    assert stage.budget - told.tokens < await stage.tokens(alone) <= stage.budget


async def test_a_look_up_in_the_same_turn_is_not_ordered_again(stage: Stage) -> None:
    turn = await stage.turn("[2, 1]", do("recall", query="key ring red"), say("Red."))
    assert turn.actions == ("recall", "send_message")
    assert ["# Past messages" in prompt for prompt in stage.prompts] == [True, False, False]
