"""That the measurement of lorebooks measures what it says, and a bound that only another algorithm would break."""

from __future__ import annotations

from bot.bench.lore import bench_lore
from bot.cli import parser


def number(row: dict[str, object], name: str) -> float:
    value = row[name]
    assert isinstance(value, int | float)
    return value


def test_a_large_book_is_looked_through_in_little_time() -> None:
    row = bench_lore(turns=20)
    assert (row["entries"], row["patterns"], row["messages"]) == (1_000, 200, 30)
    assert 5 <= number(row, "active") <= 200
    assert number(row, "cpu_ms_p50") <= 25  # of this thread; it takes about one


def test_time_grows_with_what_is_found_and_not_with_the_book() -> None:
    small, large = bench_lore(entries=250, patterns=50, turns=20), bench_lore(entries=4_000, patterns=200, turns=20)
    more_found = number(large, "active") / number(small, "active")
    assert number(large, "cpu_ms_p50") <= 2 * more_found * number(small, "cpu_ms_p50") + 5


def test_the_command_takes_how_many_entries() -> None:
    args = parser().parse_args(["bench", "lore", "--entries", "50"])
    assert (args.what, args.entries) == ("lore", 50)
