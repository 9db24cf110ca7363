"""Two hundred secrets are planted wherever people, models, Telegram and the operator write. None is exported."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.fakes.bot_api_faults import flood, page, refusal
from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer, completion
from tests.system.conftest import Companion
from tests.system.leaks import found
from tests.system.world import World, around, ends

MANY = 200


class Planted:
    """Words that nobody says by chance, each another one."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._numbers = count()

    def word(self, what: str = "word") -> str:
        """A new secret. Its kind is part of it, so that one that is found tells where it came from."""
        digits = f"{next(self._numbers):03}"
        self.all.append(f"{what}{''.join('bcdfghjklm'[int(digit)] for digit in digits)}quux")
        return self.all[-1]

    def text(self, what: str, words: int = 2) -> str:
        """A text of such words."""
        return " ".join(self.word(what) for _ in range(words))


def answers(planted: Planted) -> Iterator[Answer]:
    """Whatever a model's server may answer: good and bad ones, each with words of its own in every place."""

    def done(**fields: object) -> Answer:
        return Answer(body=completion(json.dumps(fields)))

    yield done(action="send_message", messages=[planted.text("said"), planted.text("said")])
    yield done(action="recall", query=planted.text("sought"))
    yield done(action="send_message", messages=[planted.text("said")], thoughts=planted.text("thought"))
    yield done(action=planted.word("action"), messages=[planted.text("said")])
    yield done(**{"action": "send_message", planted.word("field"): planted.text("value")})
    yield Answer(body=completion(f"{{'action': 'send_message', 'messages': ['{planted.text('broken')}'"))
    yield Answer(body=completion(planted.text("plain", 4)))
    yield Answer(body=completion("", refusal=planted.text("refusal")))
    yield Answer(status=500, body={"error": {"message": planted.text("error"), "type": "server_error"}})
    yield Answer(status=503, body=f"<html>{planted.text('page')}</html>")
    yield Answer(body={"choices": planted.text("nonsense")})
    yield Answer(status=400, body={"error": {"message": f"too long: {planted.text('error')}"}})


async def an_evening(world: World, planted: Planted, *, mode: str, folder: Path) -> tuple[bytes, str]:
    """All that was exported, and what was logged, of an evening among people with secrets."""
    api, mia, models = world.api, world.mia, world.models
    card = {"name": "Tavi", "description": planted.text("card"), "first_mes": planted.text("card")}
    (folder / "card.json").write_text(json.dumps(card), "utf-8")
    keys = {name: planted.word("sk-key") for name in ("LLM_API_KEY", "EMBEDDING_API_KEY", "TELEGRAM_WEBHOOK_SECRET")}
    env = {
        **world.env, **keys, "CHARACTER_CARD": "card.json", "TRACE_CONTENT": mode, "LOG_LEVEL": "DEBUG",
        "OTEL_EXPORTER_OTLP_ENDPOINT": world.spans.base, "OTEL_METRIC_EXPORT_INTERVAL": "300",
    }  # fmt: skip
    people = [api.person(planted.word("Name"), username=planted.word("user")) for _ in range(24)]
    groups = [api.supergroup(planted.text("Title"), *people[n::6], mia) for n in range(6)]
    ordered = [*answers(planted)]
    models.order(CHAT, *ordered)
    models.order(EMBEDDINGS, Answer(status=500, body={"error": {"message": planted.text("embedding")}}))
    for fault in (refusal(400, planted.text("refused")), flood(1), page(502, planted.text("page"))):
        api.order(fault, to="sendMessage")
    process = await world.companion.start("run", **env)
    await api.was_asked("getUpdates", 1)
    api.inject(mia, {"message": {"text": planted.text("odd"), "chat": planted.text("odd")}})
    for n, person in enumerate(people):
        await person.says(groups[n % 6], planted.text("heard"))
    for person in people[: len(ordered)]:
        await person.says(mia, planted.text("asked"))
    await world.spans.told_of("invoke_agent", times=len(ordered))
    while len(planted.all) < MANY:
        await people[0].says(groups[0], planted.text("filler"))
    await api.confirmed(mia)
    log = await ends(process)
    return b"".join([*world.spans.bodies, *world.spans.metric_bodies]), log


@pytest.mark.parametrize("mode", ["redacted", "off", "full"])
async def test_of_two_hundred_secrets_none_is_exported_unless_traces_are_full(
    prepared: Companion, mode: str, tmp_path: Path
) -> None:
    planted = Planted()
    async with around(prepared) as world:
        exported, log = await an_evening(world, planted, mode=mode, folder=tmp_path)
        secrets = [*planted.all, world.mia.token]
    assert len(secrets) > MANY
    assert b"invoke_agent Tavi" in exported
    assert b"companion.turn.duration" in exported
    assert found(secrets, log) == []
    if mode == "full":
        told = found(secrets, exported)
        assert len(told) > 50, "else it could not be found in the other modes either"
        assert [secret for secret in told if secret.startswith("sk-") or secret == world.mia.token] == []
    else:
        assert found(secrets, exported) == []
