"""Reads every file of a folder in a process of its own, and says how long it took and how much memory."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bot.cards import content, load
from bot.errors import CardError


def peak_mib() -> int:
    """The most memory that this process ever took, the interpreter's own included."""
    status = Path("/proc/self/status")
    if status.exists():  # the other figure counts what the parent took before this program was begun
        [line] = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) // 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 2**20


def run(module: str, *arguments: str | Path) -> dict[str, Any]:
    """What a program of these tests prints."""
    ran = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


def read(data: bytes | Path) -> str:
    """`card`, or the kind of error. All its assets are read too."""
    try:
        card = load(data, name="card")
        for asset in card.assets:
            content(card, asset)
    except CardError as error:
        return error.kind
    return "card"


def main() -> None:
    outcomes: dict[str, str] = {}
    seconds: dict[str, float] = {}
    for file in sorted(Path(sys.argv[1]).rglob("*")):
        if file.is_file():
            started = time.process_time()
            outcomes[file.name] = read(file)
            seconds[file.name] = round(time.process_time() - started, 3)
    print(json.dumps({"outcomes": outcomes, "seconds": seconds, "peak_mib": peak_mib()}))


if __name__ == "__main__":
    main()
