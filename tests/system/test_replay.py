"""`companion replay` and `companion why` as people call them: after a turn, by its trace, its number, its message."""

from __future__ import annotations

from pathlib import Path

from tests.fakes.openai_server import CHAT, Answer, OpenAIServer, completion
from tests.fakes.otlp_receiver import OtlpReceiver
from tests.fakes.tempo import FakeTempo, Fault
from tests.system.conftest import Companion
from tests.system.test_whole_turn import QUESTION, imported, models


async def test_a_turn_is_run_again_from_tempo_and_without_it_and_explained(
    companion: Companion, tmp_path: Path
) -> None:
    async with OpenAIServer(dimension=256) as server, FakeTempo() as tempo:
        env = {**models(server), "TEMPO_URL": tempo.base, "TRACE_CONTENT": "full"}
        chat = await imported(companion, tmp_path, **env)
        server.order(CHAT, Answer(body=completion('{"action":"send_message","messages":["Behind the boiler."]}')))
        traced = {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": tempo.endpoint}
        turn = (await companion.done("chat", "--chat", chat, "--once", QUESTION, "--json", **env, **traced)).json

        again = (await companion.done("replay", turn["trace_id"], "--json", "--save", tmp_path / "kept", **env)).json
        assert (again["trace_id"], again["first_difference"], again["complete"]) == (turn["trace_id"], None, True)
        nowhere = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/nothing"}
        saved = await companion.run("replay", tmp_path / "kept", "--mode", "render", **{**models(server), **nowhere})
        assert saved.code == 1
        assert "differs first in model" in saved.out.splitlines()[0], "it says something else by now"
        assert "Behind the boiler" in saved.out
        assert "\033[" not in saved.out, "this is no terminal"
        by_number = await companion.done("replay", turn["turn_id"], "--mode", "retrieve", "--json", **env)
        assert [stage["same"] for stage in by_number.json["stages"]] == [True, True, True]

        why = (
            await companion.done("why", chat, "51", "--json", **env)
        ).json  # 49 of the past, the question, the answer
        assert (why["turn_id"], why["said"]) == (turn["turn_id"], "Behind the boiler.")
        assert [hit["id"] for hit in why["recalled"]] == [hit["id"] for hit in turn["recalled"]]

        tempo.fault = Fault(status=502, body=b"<html>Bad Gateway</html>")
        kept = await companion.done("replay", turn["trace_id"], **env)
        assert "no difference" in kept.out, "the database has it too"
        assert "HTTP 502" in kept.out, "that Tempo could not be asked is told"
        failed = await companion.run("replay", "f" * 32, **env)
        assert failed.complaint.startswith("Tempo at 127.0.0.1:")
        assert "HTTP 502" in failed.complaint


async def test_a_turn_that_is_run_again_is_exported_nowhere(companion: Companion, tmp_path: Path) -> None:
    async with OpenAIServer(dimension=256) as server, OtlpReceiver() as receiver:
        chat = await imported(companion, tmp_path, **models(server))
        told = {
            **models(server),
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": receiver.endpoint,
            "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": receiver.metrics_endpoint,
        }
        turn = (await companion.done("chat", "--chat", chat, "--once", QUESTION, "--json", **told)).json
        before = receiver.asked
        await companion.run("replay", turn["turn_id"], "--mode", "frozen", **told)
        assert (before > 0, receiver.asked) == (True, before)
