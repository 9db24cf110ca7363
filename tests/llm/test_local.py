"""The bundled embedder, for real."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
import pytest

from bot.errors import RequestRefused
from bot.llm.local import DIMENSION, LONGEST, LocalEmbedder
from bot.llm.retries import JOB, TURN, Patient
from bot.model import Vector


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    """Loaded once for all tests here."""
    return LocalEmbedder()


def near(one: Vector, other: Vector) -> float:
    return float(one @ other)


async def test_vectors_are_512_finite_float32_numbers_of_unit_length(embedder: LocalEmbedder) -> None:
    vectors = await embedder.embed(["hello there", "你好", "a" * 100_000], purpose="passage")
    for vector in vectors:
        assert (vector.dtype, vector.shape) == (np.float32, (DIMENSION,))
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)


async def test_what_means_the_same_is_nearer_than_what_does_not_across_languages(embedder: LocalEmbedder) -> None:
    tea, zh, other = await embedder.embed(
        ["I like to drink green tea", "我喜欢喝绿茶", "The train to Berlin is late"], purpose="passage"
    )
    assert near(tea, zh) > 0.5 > near(tea, other)


async def test_the_same_batch_gives_the_same_bits_and_another_batch_nearly_the_same(embedder: LocalEmbedder) -> None:
    texts = [f"message number {number} about {'tea ' * number}" for number in range(40)]
    first = await embedder.embed(texts, purpose="passage")
    again = await embedder.embed(texts, purpose="query")
    assert [vector.tobytes() for vector in first] == [vector.tobytes() for vector in again]
    alone = [(await embedder.embed([text], purpose="passage"))[0] for text in texts]
    np.testing.assert_allclose(np.stack(first), np.stack(alone), atol=1e-6)


async def test_only_the_first_characters_of_a_huge_text_count(embedder: LocalEmbedder) -> None:
    text = "All about trains. " * 10_000
    (whole,) = await embedder.embed([text], purpose="passage")
    (beginning,) = await embedder.embed([text[:LONGEST]], purpose="passage")
    assert whole.tobytes() == beginning.tobytes()


async def test_texts_without_words_are_refused_and_named(embedder: LocalEmbedder) -> None:
    with pytest.raises(RequestRefused) as caught:
        await embedder.embed(["tea", "", "😂👍", "...", "1", "好"], purpose="passage")
    assert caught.value.texts == (1, 2, 3)


@pytest.mark.parametrize("patience", [TURN, JOB])
async def test_with_patience_texts_without_words_have_no_vector_and_the_others_do(
    embedder: LocalEmbedder, patience: object
) -> None:
    patient = Patient(embedder, patience=TURN if patience is TURN else JOB)
    found = await patient.embed(["tea", "😂", " ", "!?", "好"], purpose="passage")
    assert [vector is None for vector in found] == [False, True, True, True, False]
    assert await patient.embed(["😂"], purpose="query") == [None]


async def test_half_a_character_and_nul_are_no_trouble(embedder: LocalEmbedder) -> None:
    assert len(await embedder.embed(["half \ud83d a character", "nul \0 inside"], purpose="passage")) == 2


async def test_nothing_to_embed_gives_nothing(embedder: LocalEmbedder) -> None:
    assert await embedder.embed([], purpose="query") == []


async def test_the_event_loop_runs_while_texts_are_encoded(embedder: LocalEmbedder) -> None:
    encoding = asyncio.create_task(embedder.embed(["the weather in Lyon is fine " * 100] * 8, purpose="passage"))
    turns = 0
    while not encoding.done():
        await asyncio.sleep(0)
        turns += 1
    assert len(encoding.result()) == 8
    assert turns > 100


async def test_a_question_is_answered_while_a_long_batch_is_encoded(embedder: LocalEmbedder) -> None:
    batch = asyncio.create_task(embedder.embed(["a long passage about trains " * 140] * 20, purpose="passage"))
    await asyncio.sleep(0)
    await embedder.embed(["where is Anna"], purpose="query")
    assert not batch.done()
    batch.cancel()


async def test_encoding_happens_in_one_thread_of_its_own(embedder: LocalEmbedder) -> None:
    await asyncio.gather(*(embedder.embed([f"text {n}"], purpose="query") for n in range(8)))
    assert sum(thread.name.startswith("embedder") for thread in threading.enumerate()) == 1


async def test_warming_up_twice_loads_once_and_an_unused_one_ends_quietly() -> None:
    embedder = LocalEmbedder()
    await embedder.aclose()
    other = LocalEmbedder()
    other.warm()
    other.warm()
    await other.embed(["tea"], purpose="query")
    await other.aclose()
