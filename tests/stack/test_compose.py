"""What can be told of the stack without Docker: Compose takes its file, and the file keeps what it promises."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path
from typing import Any

import pytest

from tests.stack.files import COMPOSE, ROOT, ended, program, read

TWO_LINES = {"TELEGRAM_BOT_TOKEN": "7000000001:a-token", "STACK_PASSWORD": "0123456789abcdef"}
MAY_LACK_A_HEALTH_CHECK = {"otel-collector"}
"""Its image holds no program but itself, which cannot be asked; an alert watches it."""
SERVICES: dict[str, Any] = read(COMPOSE)["services"]


def compose(tmp_path: Path, **env: str) -> tuple[int, str]:
    """Compose's word on the file, in a folder where `.env` is made of these lines; and what it complains of."""
    folder = tmp_path / "stack"
    folder.mkdir()
    (folder / "docker-compose.yaml").write_text(COMPOSE.read_text("utf-8"), "utf-8")
    (folder / ".env").write_text("".join(f"{name}={value}\n" for name, value in env.items()), "utf-8")
    ran = ended(program("docker-compose"), "--project-directory", folder, "config", "-q", HOME=str(tmp_path))
    return ran.returncode, ran.stderr


def test_compose_takes_the_file_with_two_lines_in_the_settings(tmp_path: Path) -> None:
    assert compose(tmp_path, **TWO_LINES) == (0, "")


@pytest.mark.parametrize("missing", TWO_LINES)
def test_a_line_that_is_missing_is_named(missing: str, tmp_path: Path) -> None:
    code, complaint = compose(tmp_path, **{name: value for name, value in TWO_LINES.items() if name != missing})
    assert code != 0
    assert f"put {missing} into .env" in complaint


def test_every_image_is_one_version_for_good() -> None:
    images = [service["image"] for service in SERVICES.values() if "build" not in service]
    tags = [re.sub(r"^\$\{\w+:-(.*)\}$", r"\1", image).partition(":")[2] for image in images]
    assert [tag for tag in tags if not re.search(r"\d+\.\d+\.\d+", tag)] == []


def test_every_service_tells_how_it_is_and_comes_back() -> None:
    assert {name for name, service in SERVICES.items() if "healthcheck" not in service} == MAY_LACK_A_HEALTH_CHECK
    assert {service["restart"] for service in SERVICES.values()} == {"unless-stopped"}


def test_nothing_listens_beyond_this_computer() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert ports
    assert [port for port in ports if not port.startswith("127.0.0.1:")] == []


def test_the_file_holds_no_password() -> None:
    secret = re.compile(r"(?:PASSWORD|TOKEN|KEY|SECRET)\w*: +(?!\$\{)\S", re.IGNORECASE)
    assert secret.findall(COMPOSE.read_text("utf-8")) == []
    assert "companion:${STACK_PASSWORD:?" in SERVICES["bot"]["environment"]["DATABASE_URL"]


def test_the_bot_can_change_nothing_but_its_own_data() -> None:
    bot = SERVICES["bot"]
    assert (bot["read_only"], bot["user"], bot["cap_drop"]) == (True, "10001", ["ALL"])
    assert bot["volumes"][0] == "data:/data"
    assert all(volume.endswith(":ro") for volume in bot["volumes"][1:])
    assert bot["stop_grace_period"] == "30s"


def test_everything_that_is_mounted_is_there_and_every_volume_is_declared() -> None:
    volumes = [volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())]
    files = {volume for volume in volumes if volume.startswith("./")}
    named = {volume for volume in volumes if volume.isidentifier() or re.fullmatch(r"[a-z-]+", volume)}
    assert [file for file in files if not (ROOT / file).exists()] == []
    assert named == read(COMPOSE)["volumes"].keys()


def test_what_the_bot_is_told_of_the_others_is_where_they_are() -> None:
    environment = SERVICES["bot"]["environment"]
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "TEMPO_URL"):
        host = re.fullmatch(r"http://([\w-]+):\d+", environment[name])
        assert host is not None
        assert host[1] in SERVICES
    assert environment["TRACE_CONTENT"] == "${TRACE_CONTENT:-full}"


def test_the_image_runs_as_nobody_in_particular_and_is_made_of_what_git_has() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    assert [line.split(" ", 1)[1] for line in lines if line.startswith("USER")] == ["10001"]
    assert all(re.search(r":\d+\.\d+\.\d+-", line) for line in lines if line.startswith("FROM"))
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY") and "--from" not in line]
    kept = [line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")]
    for path in (path for paths in copied for path in paths):
        assert (ROOT / path).exists()
        assert any(fnmatch.fnmatch(path, pattern) for pattern in kept), f"{path} does not go to the builder"
