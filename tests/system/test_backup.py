"""`companion backup` and `companion restore`, as somebody would move house with them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.system.conftest import Companion

PAST = [
    {"id": "1", "sent_at": "2026-01-05T10:00:00Z", "sender": "Bob", "text": "the spare key hangs behind the boiler"},
    {"id": "2", "sent_at": "2026-01-05T10:01:00Z", "sender": "Ann", "text": "备用钥匙 👍\n\tthanks \\N"},
]


async def test_a_bot_that_moved_to_another_database_remembers_the_same(
    companion: Companion, tmp_path: Path, dsn: str
) -> None:
    past, file = tmp_path / "past.jsonl", tmp_path / "everything.companion"
    past.write_text("".join(f"{json.dumps(each)}\n" for each in PAST), "utf-8")
    [chat] = (await companion.done("import", past, "--json")).json["chats"]
    question = ("recall", "where is the spare key", "--chat", str(chat["chat"]), "--at", "2026-02-01", "--json")
    before = (await companion.done(*question)).json["memories"]
    assert [memory["text"] for memory in before][:1] == [PAST[0]["text"]]

    saved = await companion.done("backup", file, "--json")
    assert saved.json["file"] == str(file)
    assert saved.json["bytes"] > 1000
    assert saved.json["tables"]["messages"] == 2

    restored = await companion.done("restore", file, DATABASE_URL=dsn)
    size = f"{saved.json['bytes']:,}"
    assert restored.out == f"restored {file}: {size} bytes, 1 chat, 2 messages\n"
    assert (await companion.done(*question, DATABASE_URL=dsn)).json["memories"] == before


async def test_what_a_person_can_put_right_is_one_line(companion: Companion, tmp_path: Path) -> None:
    file = tmp_path / "everything.companion"
    await companion.done("migrate")
    assert (await companion.done("backup", file)).out.endswith("bytes, 0 chats, 0 messages\n")
    for arguments, complaint in (
        (("backup", file), f"companion: {file} is there already; name another file, or replace it with --force\n"),
        (("restore", tmp_path / "none"), f"companion: cannot read {tmp_path / 'none'}: No such file or directory\n"),
    ):
        refused = await companion.run(*arguments)
        assert (refused.code, refused.out, refused.err) == (1, "", complaint)
    assert (await companion.run("backup")).code == 2
    await companion.done("backup", file, "--force")
