"""The whole turn over HTTP: the program, a model server, a collector that is not ours, a real database."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fakes.openai_server import CHAT, EMBEDDINGS, Answer, OpenAIServer, completion
from tests.fakes.otlp_agent import agent
from tests.fakes.otlp_receiver import OtlpReceiver, Seen
from tests.system.conftest import Companion

PAST = [
    {"id": "1", "sent_at": "2026-01-05T10:00:00Z", "sender": "Bob", "text": "the spare key hangs behind the boiler"},
    *(
        {"id": str(n), "sent_at": f"2026-01-05T11:{n:02}:00Z", "sender": "Ann", "text": f"small talk number {n}"}
        for n in range(2, 50)
    ),
]
QUESTION = "the spare key hangs behind the boiler, does it not"


def models(server: OpenAIServer) -> dict[str, str]:
    return {
        "LLM_API_BASE_URL": server.base_url,
        "LLM_API_KEY": "sk-secret-chat",
        "LLM_MODEL": "stub-chat",
        "EMBEDDING_API_BASE_URL": server.base_url,
        "EMBEDDING_API_KEY": "sk-secret-embed",
        "EMBEDDING_MODEL": "stub-embed",
        "EMBEDDING_DIMENSION": "256",
    }


async def imported(companion: Companion, tmp_path: Path, **env: str) -> str:
    """The number of a chat with a past."""
    file = tmp_path / "past.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in PAST), "utf-8")
    return str((await companion.done("import", file, "--json", **env)).json["chats"][0]["chat"])


def names(seen: Seen) -> list[str]:
    return [child.name for child in seen.children]


def below(seen: Seen, name: str) -> list[Seen]:
    return [child for child in seen.children if child.name == name]


async def test_two_steps_over_http_give_one_trace_that_nests_as_drawn(companion: Companion, tmp_path: Path) -> None:
    async with (
        OpenAIServer(dimension=256) as server,
        OtlpReceiver() as receiver,
        agent(tmp_path, to=receiver) as endpoint,
    ):
        chat = await imported(companion, tmp_path, **models(server))
        server.order(
            CHAT,
            Answer(status=503),
            Answer(body=completion('{"action":"recall","query":"boiler key"}')),
            Answer(body=completion('{"action":"send_message","messages":["Behind the boiler.","Bob said so."]}')),
        )
        answer = await companion.done(
            "chat", "--chat", chat, "--once", QUESTION, "--json",
            **models(server), OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=endpoint, TRACE_CONTENT="full",
        )  # fmt: skip
        told = answer.json
        assert told["replies"] == ["Behind the boiler.", "Bob said so."]
        assert told["actions"] == ["recall", "send_message"]
        assert told["recalled"][0]["external_id"] == "1"
        await receiver.received(16)
        [turn] = [root for root in receiver.roots() if root.trace_id == told["trace_id"]]
        assert turn.name == "invoke_agent Tavi"
        assert turn.attributes["companion.turn.id"] == told["turn_id"]
        assert turn.attributes["gen_ai.conversation.id"] == chat
        assert turn.attributes["gen_ai.agent.name"] == "Tavi"
        assert names(turn) == [
            "SELECT messages",
            "embed_unread",
            "search_memory",
            "assemble_prompt",
            "chat stub-chat",
            "chat stub-chat",
            "parse_action",
            "execute_tool recall",
            "assemble_prompt",
            "chat stub-chat",
            "parse_action",
            "execute_tool send_message",
            "INSERT turns",
        ]
        failed, first, second = below(turn, "chat stub-chat")
        assert failed.status == "error"
        assert (first.status, second.status) != ("error", "error")
        assert QUESTION in first.attributes["gen_ai.input.messages"]
        [embedding] = below(turn, "embed_unread")
        assert names(embedding) == ["embeddings stub-embed"]
        [search] = below(turn, "search_memory")
        assert len(search.children) == 2
        assert [name for name, _ in search.events] == ["hit"] * len(told["recalled"])
        [look_up] = below(turn, "execute_tool recall")
        assert names(look_up) == ["embed_unread", "search_memory"]
        assert {span.trace_id for span in (turn, *turn.children)} == {told["trace_id"]}


async def test_keys_and_texts_are_in_no_log_and_with_content_off_in_no_span(
    companion: Companion, tmp_path: Path
) -> None:
    async with OpenAIServer(dimension=256) as server, OtlpReceiver() as receiver:
        chat = await imported(companion, tmp_path, **models(server))
        server.order(CHAT, *[Answer(status=500, body="<html>spare key sk-secret-chat</html>")] * 3)
        failed = await companion.run(
            "chat", "--chat", chat, "--once", QUESTION, **models(server),
            OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=receiver.endpoint, TRACE_CONTENT="off", LOG_LEVEL="DEBUG",
        )  # fmt: skip
        assert failed.code == 1
        assert failed.err.strip().splitlines()[-1].startswith("companion: ")
        answered = await companion.done(
            "chat", "--chat", chat, "--once", QUESTION, **models(server),
            OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=receiver.endpoint, TRACE_CONTENT="off", LOG_LEVEL="DEBUG",
        )  # fmt: skip
        exported = repr(receiver.spans())
        for secret in ("sk-secret-chat", "sk-secret-embed", "boiler", "spare", "Bob"):
            assert secret not in failed.err
            assert secret not in answered.err
            assert secret not in exported


async def test_a_failed_turn_is_answered_by_the_next(companion: Companion, tmp_path: Path) -> None:
    async with OpenAIServer(dimension=256) as server:
        chat = await imported(companion, tmp_path, **models(server))
        server.order(CHAT, Answer(status=401, body={"error": {"code": "invalid_api_key"}}))
        failed = await companion.run("chat", "--chat", chat, "--once", QUESTION, **models(server))
        assert failed.code == 1
        assert "401" in failed.err
        await companion.done("chat", "--chat", chat, "--once", "anyone there?", **models(server))
        asked = server.requests(CHAT)[-1].body["messages"][-1]["content"]
        assert QUESTION in asked.split("# New messages")[1]


async def test_with_the_embedding_service_down_memories_are_found_by_words(
    companion: Companion, tmp_path: Path
) -> None:
    async with OpenAIServer(dimension=256) as server:
        chat = await imported(companion, tmp_path, **models(server))
        server.always(EMBEDDINGS, Answer(status=402, body={"error": {"code": "payment_required"}}))
        async with OtlpReceiver() as receiver:
            answer = await companion.done(
                "chat", "--chat", chat, "--once", QUESTION, "--json", **models(server),
                OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=receiver.endpoint,
            )  # fmt: skip
            [turn] = [root for root in receiver.roots() if root.name == "invoke_agent Tavi"]
        assert turn.attributes["companion.recall.missing"] == "recall failed: RequestRefused"
        assert answer.json["replies"] == ["hello"]
        assert answer.json["recalled"][0]["external_id"] == "1"
