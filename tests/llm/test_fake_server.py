"""The fake server itself, where other tests rely on it."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from aiohttp import ClientSession
from hypothesis import given
from hypothesis import strategies as st

from bot.llm.embeddings import OpenAIEmbedder
from tests.fakes.openai_server import bag_of_words


@given(text=st.text(), dimension=st.integers(2, 128))
def test_every_text_has_one_unit_vector(text: str, dimension: int) -> None:
    vector = bag_of_words(text, dimension)
    assert vector == bag_of_words(text, dimension)
    assert abs(sum(number**2 for number in vector) - 1) < 1e-6


def test_texts_that_share_words_are_similar() -> None:
    tea, more_tea, train = (bag_of_words(text, 256) for text in ("green tea", "tea, green tea!", "a late train"))
    assert sum(map(float.__mul__, tea, more_tea)) > 0.8
    assert abs(sum(map(float.__mul__, tea, train))) < 0.3


async def test_it_runs_as_a_process_and_takes_orders() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.fakes.openai_server", "--dimension", "5",
        cwd=Path(__file__).parents[2], stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    try:
        base_url = (await process.stdout.readline()).decode().strip()
        root = base_url.removesuffix("/v1")
        embedder = OpenAIEmbedder(base_url=base_url, model="stub")
        assert len((await embedder.embed(["tea"], purpose="query"))[0]) == 5
        async with ClientSession() as session:
            orders = [{"path": "/embeddings", "body": {"data": [{"index": 0, "embedding": [1, 2, 3, 4, 5]}]}}]
            async with session.post(f"{root}/orders", data=json.dumps(orders)) as taken:
                assert taken.status == 204
            assert (await embedder.embed(["tea"], purpose="query"))[0].tolist() == [1, 2, 3, 4, 5]
            async with session.get(f"{root}/asked") as told:
                assert [asked["body"]["input"] for asked in await told.json()] == [["tea"], ["tea"]]
            async with session.delete(f"{root}/asked"):
                pass
            async with session.get(f"{root}/asked") as told:
                assert await told.json() == []
        await embedder.aclose()
    finally:
        process.terminate()
        await process.wait()
