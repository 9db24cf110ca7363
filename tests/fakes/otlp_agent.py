"""Rotel: a real OpenTelemetry agent that is not ours, between what we export and what keeps it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import rotel

from tests.fakes.otlp_receiver import OtlpReceiver


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@asynccontextmanager
async def agent(folder: Path, *, to: OtlpReceiver) -> AsyncGenerator[str]:
    """Rotel, a collector that is not ours, forwarding what it gets; its endpoint for traces."""
    port = free_port()
    log = os.open(folder / "rotel.log", os.O_CREAT | os.O_WRONLY)
    process = await asyncio.create_subprocess_exec(
        Path(rotel.__file__).parent / "rotel-agent",
        "start",
        *("--otlp-http-endpoint", f"127.0.0.1:{port}"),
        *("--otlp-grpc-endpoint", f"127.0.0.1:{free_port()}"),
        *("--pid-file", folder / "rotel.pid"),
        *("--exporter", "otlp", "--otlp-exporter-protocol", "http", "--otlp-exporter-endpoint", to.base),
        *("--batch-timeout", "50ms", "--log-format", "json"),
        stdout=asyncio.subprocess.PIPE,
        stderr=log,
    )
    os.close(log)
    assert process.stdout is not None
    try:
        assert b"Starting Rotel" in await process.stdout.readline()
        yield f"http://127.0.0.1:{port}/v1/traces"
    finally:
        process.terminate()
        await process.communicate()
