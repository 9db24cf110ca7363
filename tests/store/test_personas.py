"""What one persona said as the bot never comes to another's mind, however it is looked for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from bot.memory.embed import embed_pending
from bot.memory.recall import as_queries, search_memory
from bot.model import ChatId, EmbeddingModel, Lane, NewMessage, Outcome, Profile, Recall, Said, TurnId, TurnRecord
from bot.store import PostgresStore
from bot.store import recall as pooling
from bot.store.lanes import Lanes
from tests.fakes.ports import DIMENSION, WordEmbedder

NOW = datetime(2026, 3, 5, 12, tzinfo=UTC)
SCAN, INDEX = float("inf"), 0.0
"""What the index would cost, so that it is never or always asked."""
QUESTION = "where are the tulip bulbs"
PAST = (
    (None, "the tulip bulbs are in the cellar"),
    ("Mia", "I will look for the tulip bulbs"),
    (None, "and the tulip tea?"),
    ("Mirelle", "tulip bulbs like it cold"),
    (None, "so it is about bulbs again"),
)


async def said_by(store: PostgresStore, chat: ChatId, persona: str, text: str, at: datetime) -> None:
    await store.turns.finish(
        TurnRecord(
            turn_id=TurnId(uuid4()), lane=Lane(chat, ""), trace_id="", started_at=at, outcome=Outcome.ANSWERED,
            persona=persona, source="terminal", inputs={}, said=(Said(text=text),), said_at=at,
        )
    )  # fmt: skip


@pytest.fixture
async def model(store: PostgresStore) -> EmbeddingModel:
    return await store.embeddings.open(name="words", dimension=DIMENSION, threshold=0.3)


@pytest.fixture
async def chat(store: PostgresStore, model: EmbeddingModel) -> ChatId:
    """A chat that two personas have been in."""
    chat = await store.chats.open("terminal", title="Ann")
    for n, (persona, text) in enumerate(PAST):
        at = NOW - timedelta(days=3) + timedelta(minutes=n)
        if persona is None:
            said = NewMessage(external_id=str(n), sender_id="ann", sender="Ann", sent_at=at, text=text)
            await store.messages.record(chat, "terminal", [said], read_at=NOW)
        else:
            await said_by(store, chat, persona, text, at)
    await embed_pending(model=model, embedder=WordEmbedder(), store=store.embeddings)
    return chat


@pytest.mark.on_both_servers
@pytest.mark.parametrize("profile", ["ranked", "combined"])
@pytest.mark.parametrize("cost", [SCAN, INDEX])
async def test_a_persona_recalls_what_people_said_to_any_and_its_own_words_alone(
    store: PostgresStore,
    model: EmbeddingModel,
    chat: ChatId,
    monkeypatch: pytest.MonkeyPatch,
    profile: Profile,
    cost: float,
) -> None:
    monkeypatch.setattr(pooling, "INDEX_COST", cost)
    queries = as_queries([QUESTION], await WordEmbedder().embed([QUESTION], purpose="query"))

    async def comes_to_mind(persona: str | None) -> set[str]:
        recalled = await search_memory(
            queries,
            lane=Lane(chat),
            recall=Recall(model=model, profile=profile, hits=9).deep(9),
            store=store,
            now=NOW,
            persona=persona,
        )
        assert recalled.hits
        return {message.text for hit in recalled.hits for message in (*hit.window, hit.message)}

    mias, mirelles = {PAST[1][1]}, {PAST[3][1]}
    people = {text for persona, text in PAST if persona is None}
    as_mia, as_mirelle, as_tavi, as_any = [await comes_to_mind(who) for who in ("Mia", "Mirelle", "Tavi", None)]
    assert (as_mia & (mias | mirelles), as_mirelle & (mias | mirelles)) == (mias, mirelles)
    assert as_tavi & (mias | mirelles) == set()
    assert as_any >= mias | mirelles
    assert PAST[0][1] in as_mia & as_mirelle & as_tavi & as_any
    if profile == "combined":
        assert people <= as_mia & as_mirelle & as_tavi  # what stands around what is found


@pytest.mark.parametrize("persona", ["Mia", "Mirelle"])
async def test_a_greeting_is_known_to_the_persona_that_began_with_it(
    store: PostgresStore, chat: ChatId, persona: str
) -> None:
    await store.database.fetch("set_persona", chat, None, "Mirelle", 2, "ann")
    view = await store.view(Lane(chat), limit=9, now=NOW, persona=persona)
    assert view.greeting == (2 if persona == "Mirelle" else None)
    kept = await store.personas.of(chat)
    assert kept is not None
    assert (kept.card, kept.persona, kept.greeting, kept.set_by) == (None, "Mirelle", 2, "ann")


async def test_a_lane_that_is_claimed_tells_which_card_its_chat_was_given(store: PostgresStore, chat: ChatId) -> None:
    pool = store.database.pool
    await pool.execute("INSERT INTO cards VALUES ('abc', '{}')")
    lanes = Lanes(store.database)
    for card in (None, "abc"):
        if card is not None:
            await store.database.fetch("set_persona", chat, card, "Mirelle", None, None)
        await pool.execute(
            "UPDATE lanes SET due_at = now() - interval '1 s', source = 'telegram:1:1', lease_until = NULL"
        )
        held = await lanes.claim(uuid4(), lease=1)
        assert held is not None
        assert held.card == card
