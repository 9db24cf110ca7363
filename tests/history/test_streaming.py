from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from bot.history import read
from tests.fakes.telegram_export import write_export
from tests.history.samples import lines_file

READ_ALL = """
import resource, sys
from pathlib import Path
from bot.history import read

def peak():
    for _ in read(Path(sys.argv[1])):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

small = peak()
sys.argv[1] = sys.argv[2]
print(peak() - small)
"""
"""Prints by how many KiB the process grew for the second file."""


def growth(small: Path, large: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL, str(small), str(large)], check=True, capture_output=True, text=True
    )
    return int(done.stdout) * 1024


def repeat_messages(path: Path, times: int) -> None:
    """Makes an export so many times longer; ids repeat, which is nothing to the reader."""
    head, _, rest = path.read_bytes().partition(b'"messages": [\n')
    body = rest.removesuffix(b"\n ]\n}")
    with path.open("wb") as file:
        file.write(head + b'"messages": [\n')
        file.writelines(body + (b",\n" if turn < times - 1 else b"\n ]\n}") for turn in range(times))


@pytest.mark.parametrize("forum", [False, True])
def test_sixty_megabytes_of_export_take_no_more_memory_than_a_few_kilobytes(tmp_path: Path, forum: bool) -> None:
    small, large = tmp_path / "small.json", tmp_path / "large.json"
    write_export(small, 100)
    write_export(large, 10_000)
    if forum:
        for path in (small, large):
            path.write_bytes(path.read_bytes().replace(b'"create_channel"', b'"topic_created"'))
    repeat_messages(large, 12)
    assert large.stat().st_size > 60e6
    assert growth(small, large) < 4 * 2**20


def test_sixty_megabytes_of_lines_take_no_more_memory_than_a_few_kilobytes(tmp_path: Path) -> None:
    record = {"id": 1, "sent_at": "2025-10-04T13:12:20Z", "sender": "小雨", "text": "今天去喝茶吗？" * 20}
    small = lines_file(tmp_path, [record] * 10)
    large = tmp_path / "large.jsonl"
    block = (json.dumps(record, ensure_ascii=False) + "\n").encode() * 1000
    with large.open("wb") as file:
        file.writelines(block for _ in range(int(60e6 // len(block)) + 1))
    assert growth(small, large) < 4 * 2**20


def test_progress_only_grows_and_ends_at_the_size_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    write_export(path, 2000)
    with read(path) as reader:
        progress = [reader.bytes_read for _ in reader]
    assert all(before <= after for before, after in pairwise(progress))
    assert 0 < progress[0] < reader.bytes_total
    assert reader.bytes_read == reader.bytes_total == path.stat().st_size


def test_progress_over_lines_counts_every_line(tmp_path: Path) -> None:
    path = lines_file(tmp_path, [{"id": n, "sent_at": 0, "sender": "a", "text": "b"} for n in range(100)])
    with read(path) as reader:
        list(reader)
    assert reader.bytes_read == reader.bytes_total == path.stat().st_size
