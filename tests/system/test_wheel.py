"""The built wheel runs by itself: SQL, templates, the default card and the sample chat are inside it."""

from __future__ import annotations

import asyncio
import sys
import zipfile
from pathlib import Path

from tests.system.conftest import Companion

ROOT = Path(__file__).parents[2]


async def run(*command: str | Path) -> None:
    process = await asyncio.create_subprocess_exec(*map(str, command), cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(120):
        await process.communicate()
    assert process.returncode == 0


async def test_the_wheel_answers_from_the_sample_chat_without_the_checkout(
    companion: Companion, tmp_path: Path
) -> None:
    await run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path / "dist", ROOT)
    [wheel] = (tmp_path / "dist").glob("companion-*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    answer = await companion.done(
        "chat", "--once", "Which nut is Maya allergic to?", "--json", PYTHONPATH=str(site), PYTHONSAFEPATH="1"
    )
    assert "hazelnuts" in answer.json["replies"][0]
