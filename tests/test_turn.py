"""The turn as a whole: a real database, a chat model and an embedder that keep what they were asked."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot import cards
from bot.errors import ContextTooLong, ModelUnavailable, RequestRefused
from bot.memory.embed import embed_pending
from bot.model import ChatId, Lane, ModelReply, NewMessage, Outcome, Prompt, Recall
from bot.store import PostgresStore
from bot.turn import NOTES, STEPS, Mind, Turn, read_message
from tests.fakes.ports import DIMENSION, ScriptedChat, WordEmbedder, do, say

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


@dataclass
class Stage:
    """A chat with a past, and a bot in it."""

    store: PostgresStore
    chat: ChatId
    mind: Mind
    embedder: WordEmbedder
    told: int = 0
    now: datetime = NOW
    persona: cards.Persona = field(default_factory=cards.default)

    async def tell(self, text: str, *, sender: str = "Ann", topic: str = "") -> None:
        self.told += 1
        said = NewMessage(
            external_id=f"told {self.told}", sender_id=sender, sender=sender, sent_at=self.now, text=text, topic=topic
        )
        await self.store.messages.record(self.chat, "terminal", [said])

    async def turn(self, chat_model: ScriptedChat, *, topic: str | None = None) -> Turn:
        mind = Mind(
            store=self.mind.store,
            embedder=self.embedder,
            chat=chat_model,
            recall=self.mind.recall,
            prompt_budget=self.mind.prompt_budget,
            max_reply_tokens=100,
        )
        return await read_message(
            Lane(self.chat, topic),
            mind=mind,
            persona=self.persona,
            zone=BERLIN,
            now=self.now,
            source="terminal",
        )

    async def unread(self) -> list[str]:
        view = await self.store.view(Lane(self.chat), limit=30, now=self.now)
        return [message.text for message in view.unread]


@pytest.fixture
async def stage(store: PostgresStore) -> Stage:
    embedder = WordEmbedder()
    model = await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.3)
    chat = await store.chats.open("import:past", title="Past")
    past = [
        NewMessage(
            external_id=str(n),
            sender_id="bob",
            sender="Bob",
            sent_at=NOW - timedelta(days=100) + timedelta(hours=n),
            text="the spare key hangs behind the boiler" if n == 20 else f"small talk number {n}",
        )
        for n in range(80)
    ]
    await store.messages.record(chat, "import:past", past, read_at=NOW)
    await embed_pending(model=model, embedder=embedder, store=store.embeddings)
    embedder.asked.clear()
    mind = Mind(
        store=store,
        embedder=embedder,
        chat=ScriptedChat(""),
        recall=Recall(model=model),
        prompt_budget=6000,
        max_reply_tokens=100,
    )
    return Stage(store=store, chat=chat, mind=mind, embedder=embedder)


async def test_an_answer_uses_what_was_said_long_ago(stage: Stage) -> None:
    await stage.tell("where does the spare key hang?")
    chat_model = ScriptedChat(say("Behind the boiler.", "Bob said so."))
    turn = await stage.turn(chat_model)
    [prompt] = chat_model.asked
    assert "#21 [2025-11-26 09:00] <Bob> the spare key hangs behind the boiler" in prompt.user
    assert "<Bob> small talk number 15" in prompt.user
    assert "<Bob> small talk number 26" not in prompt.user
    assert turn.outcome is Outcome.ANSWERED
    assert [said.text for said in turn.said] == ["Behind the boiler.", "Bob said so."]
    assert [hit.message.message_id for hit in turn.recalled.hits] == [21]
    assert await stage.unread() == []


async def test_all_unread_messages_are_embedded_in_one_request(stage: Stage) -> None:
    for text in ("one", "   ", "two", "three"):
        await stage.tell(text)
    await stage.turn(ScriptedChat(say("ok")))
    assert stage.embedder.asked == [["one", "two", "three"]]


async def test_a_turn_takes_four_round_trips_whatever_the_number_of_unread(stage: Stage) -> None:
    for n in range(20):
        await stage.tell(f"where does the spare key hang {n}")
    before = stage.store.database.round_trips
    await stage.turn(ScriptedChat(say("ok")))
    assert stage.store.database.round_trips - before == 4


async def test_without_unread_messages_no_model_is_called(stage: Stage) -> None:
    chat_model = ScriptedChat(say("never"))
    turn = await stage.turn(chat_model)
    assert (turn.outcome, chat_model.asked, stage.embedder.asked) == (Outcome.NOTHING_UNREAD, [], [])


async def test_silence_reads_the_messages_and_says_nothing(stage: Stage) -> None:
    await stage.tell("Bob, are you there?")
    turn = await stage.turn(ScriptedChat(do("stay_silent")))
    assert (turn.outcome, turn.said, await stage.unread()) == (Outcome.SILENT, (), [])


async def test_a_look_up_earns_another_step_with_what_it_found(stage: Stage) -> None:
    await stage.tell("hello")
    chat_model = ScriptedChat(do("recall", query="spare key hangs behind"), say("Behind the boiler."))
    turn = await stage.turn(chat_model)
    assert turn.actions == ("recall", "send_message")
    assert "spare key" not in chat_model.asked[0].user
    assert "<Bob> the spare key hangs behind the boiler" in chat_model.asked[1].user


async def test_reading_back_shows_what_came_before_the_view(stage: Stage) -> None:
    await stage.tell("hello")
    chat_model = ScriptedChat(do("read_history"), say("I see."))
    await stage.turn(chat_model)
    assert "small talk number 40" not in chat_model.asked[0].user
    assert "small talk number 40" in chat_model.asked[1].user


async def test_look_ups_without_end_are_ended(stage: Stage) -> None:
    await stage.tell("hello")
    chat_model = ScriptedChat(do("recall", query="key"))
    turn = await stage.turn(chat_model)
    assert (len(chat_model.asked), turn.outcome, turn.said) == (STEPS, Outcome.SILENT, ())
    assert await stage.unread() == []


async def test_an_unknown_action_does_not_loop(stage: Stage) -> None:
    await stage.tell("hello")
    chat_model = ScriptedChat(do("list_chats"))
    turn = await stage.turn(chat_model)
    assert len(chat_model.asked) <= STEPS
    assert turn.said == ()
    again = await stage.turn(chat_model)
    assert again.outcome is Outcome.NOTHING_UNREAD


async def test_recall_that_fails_leaves_the_turn_with_the_recent_messages(stage: Stage) -> None:
    await stage.tell("where does the spare key hang?")
    stage.embedder.fails = ModelUnavailable("no answer")
    chat_model = ScriptedChat(say("I do not know."))
    turn = await stage.turn(chat_model)
    assert turn.outcome is Outcome.ANSWERED
    assert turn.recalled.missing == "recall failed: ModelUnavailable"
    assert "small talk number 79" in chat_model.asked[0].user


async def test_nothing_similar_is_said_to_be_nothing(stage: Stage) -> None:
    await stage.tell("xylophone")
    turn = await stage.turn(ScriptedChat(say("ok")))
    assert (turn.recalled.hits, turn.recalled.missing) == ((), "nothing similar")


async def test_a_chat_model_that_fails_leaves_everything_unread(stage: Stage) -> None:
    await stage.tell("hello")
    with pytest.raises(ModelUnavailable):
        await stage.turn(ScriptedChat(ModelUnavailable("no answer")))
    assert await stage.unread() == ["hello"]
    turn = await stage.turn(ScriptedChat(say("hi")))
    assert turn.outcome is Outcome.ANSWERED


async def test_a_prompt_too_long_for_the_model_is_halved_once(stage: Stage) -> None:
    await stage.tell("hello")
    stage.mind = Mind(
        store=stage.mind.store,
        embedder=stage.embedder,
        chat=stage.mind.chat,
        recall=stage.mind.recall,
        prompt_budget=2200,
        max_reply_tokens=100,
    )
    chat_model = ScriptedChat(ContextTooLong("too long", status=400), say("hi"))
    await stage.turn(chat_model)
    long, short = chat_model.asked
    assert short.tokens["all"] <= 1100 < long.tokens["all"]
    assert sum(short.dropped.values()) > sum(long.dropped.values())


async def test_a_prompt_that_stays_too_long_is_not_asked_a_third_time(stage: Stage) -> None:
    await stage.tell("hello")
    chat_model = ScriptedChat(ContextTooLong("too long", status=400))
    with pytest.raises(ContextTooLong):
        await stage.turn(chat_model)
    assert len(chat_model.asked) == 2


async def test_a_request_that_is_refused_is_not_repeated(stage: Stage) -> None:
    await stage.tell("hello")
    chat_model = ScriptedChat(RequestRefused("no such model", status=404))
    with pytest.raises(RequestRefused):
        await stage.turn(chat_model)
    assert len(chat_model.asked) == 1


async def test_a_cut_answer_is_asked_for_once_more_with_more_room(stage: Stage) -> None:
    await stage.tell("hello")
    cut = ModelReply(text='{"action":"send_message","messages":["Well, I thi', finish_reason="length")
    chat_model = ScriptedChat(cut, say("Well, I think so."))
    turn = await stage.turn(chat_model)
    assert [said.text for said in turn.said] == ["Well, I think so."]
    assert [prompt.max_reply_tokens for prompt in chat_model.asked] == [100, 200]


async def test_half_a_sentence_is_never_said(stage: Stage) -> None:
    await stage.tell("hello")
    cut = ModelReply(text='{"action":"send_message","messages":["Well, I thi', finish_reason="length")
    chat_model = ScriptedChat(cut)
    turn = await stage.turn(chat_model)
    assert (turn.said, len(chat_model.asked)) == ((), 2)


async def test_waiting_leaves_the_messages_unread_and_is_patient_once(stage: Stage) -> None:
    await stage.tell("so I was thinking")
    first = await stage.turn(ScriptedChat(do("wait", seconds=20)))
    assert (first.outcome, first.due_at) == (Outcome.WAITING, NOW + timedelta(seconds=20))
    assert await stage.unread() == ["so I was thinking"]
    second = await stage.turn(ScriptedChat(do("wait", seconds=20)))
    assert (second.outcome, await stage.unread()) == (Outcome.SILENT, [])


async def test_a_resting_lane_calls_no_model_until_it_wakes(stage: Stage) -> None:
    await stage.tell("good night")
    asleep = await stage.turn(ScriptedChat(do("sleep", seconds=3600)))
    assert asleep.rests_until == NOW + timedelta(hours=1)
    chat_model = ScriptedChat(say("morning"))
    stage.now += timedelta(minutes=30)
    assert (await stage.turn(chat_model)).outcome is Outcome.RESTING
    assert chat_model.asked == []
    stage.now += timedelta(minutes=31)
    await stage.tell("awake?")
    turn = await stage.turn(chat_model)
    assert turn.outcome is Outcome.ANSWERED
    assert "good night" in chat_model.asked[0].user


async def test_look_ups_leave_notes_and_a_break_clears_them(stage: Stage) -> None:
    for n in range(NOTES + 2):
        await stage.tell(f"question {n}")
        await stage.turn(ScriptedChat(do("recall", query=f"spare key {n}"), say("hm")))
    await stage.tell("and?")
    chat_model = ScriptedChat(do("take_break"))
    await stage.turn(chat_model)
    notes = [line for line in chat_model.asked[0].user.splitlines() if line.startswith("- looked for")]
    assert len(notes) == NOTES
    await stage.tell("well?")
    after = ScriptedChat(say("yes"))
    await stage.turn(after)
    assert "looked for" not in after.asked[0].user


async def test_one_chat_never_sees_anothers_past(stage: Stage) -> None:
    other = await stage.store.chats.open("import:other", title="Other")
    stage.chat = other
    await stage.tell("where does the spare key hang?")
    chat_model = ScriptedChat(say("no idea"))
    turn = await stage.turn(chat_model)
    assert turn.recalled.hits == ()
    assert "boiler" not in chat_model.asked[0].user


async def test_one_topic_never_sees_another(stage: Stage) -> None:
    await stage.tell("where does the spare key hang?", topic="7")
    chat_model = ScriptedChat(say("no idea"))
    turn = await stage.turn(chat_model, topic="7")
    assert turn.recalled.hits == ()
    assert "boiler" not in chat_model.asked[0].user
    assert "small talk" not in chat_model.asked[0].user


async def test_every_speaker_is_named_in_the_prompts_own_text(stage: Stage) -> None:
    await stage.tell("I like tea", sender="Ann")
    await stage.tell("I like coffee", sender="Cem")
    chat_model = ScriptedChat(say("noted"))
    await stage.turn(chat_model)
    prompt: Prompt = chat_model.asked[0]
    assert "<Ann> I like tea" in prompt.user
    assert "<Cem> I like coffee" in prompt.user


async def test_a_turn_is_on_record_without_a_text(stage: Stage) -> None:
    await stage.tell("where does the spare key hang?")
    turn = await stage.turn(ScriptedChat(say("Behind the boiler.")))
    row = await stage.store.database.fetch_one("find_turn", stage.chat, turn.turn_id)
    assert row is not None
    assert (row["outcome"], row["persona"]) == ("answered", "Tavi")
    assert json.loads(row["inputs"])["recall"]["hits"]["id"] == [21]
    assert "boiler" not in row["inputs"]


async def test_whole_bubbles_of_a_cut_answer_are_said_when_the_second_try_is_no_better(stage: Stage) -> None:
    await stage.tell("hello")
    cut = ModelReply(text='{"action":"send_message","messages":["Hello, Ann.","And then I', finish_reason="length")
    turn = await stage.turn(ScriptedChat(cut))
    assert [said.text for said in turn.said] == ["Hello, Ann."]


async def test_no_words_are_put_into_the_mouth_of_somebody_who_is_remembered(stage: Stage) -> None:
    await stage.tell("where does the spare key hang?")
    turn = await stage.turn(ScriptedChat(say("Behind the boiler.\nBob: I said so!")))
    assert [said.text for said in turn.said] == ["Behind the boiler."]


async def test_a_lane_may_rest_again_right_after_a_rest(stage: Stage) -> None:
    await stage.tell("good night")
    await stage.turn(ScriptedChat(do("sleep", seconds=3600)))
    stage.now += timedelta(hours=2)
    again = await stage.turn(ScriptedChat(do("sleep", seconds=3600)))
    assert again.rests_until == stage.now + timedelta(hours=1)


async def test_a_message_dated_far_ahead_moves_no_clock(stage: Stage) -> None:
    stage.now = datetime(9998, 12, 31, tzinfo=UTC)
    await stage.tell("greetings from the future")
    stage.now = NOW
    await stage.tell("and now?")
    chat_model = ScriptedChat(say("It is noon."))
    assert (await stage.turn(chat_model)).outcome is Outcome.ANSWERED
    assert "2026-03-05 13:00 (Europe/Berlin" in chat_model.asked[0].user
    await stage.tell("sure?")
    await stage.turn(chat_model)
    assert "It is noon." in chat_model.asked[1].user
    assert "greetings" not in chat_model.asked[1].user


async def test_what_waits_is_waited_for_by_the_clock_of_the_computer(stage: Stage) -> None:
    stage.now = NOW + timedelta(seconds=100)
    await stage.tell("one moment")
    stage.now = NOW
    turn = await stage.turn(ScriptedChat(do("wait", seconds=20)))
    assert turn.due_at == NOW + timedelta(seconds=20)
