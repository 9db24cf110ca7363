"""The collector and Tempo, as far as it can be told without them: what is named is there, nothing is lost early."""

from __future__ import annotations

from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from tests.stack.files import COMPOSE, ROOT, read

COLLECTOR: dict[str, Any] = read(ROOT / "otel" / "collector.yaml")
TEMPO: dict[str, Any] = read(ROOT / "otel" / "tempo.yaml")
SERVICES: dict[str, Any] = read(COMPOSE)["services"]
GONE_IN_TEMPO_3 = {"ingester", "ingester_client", "compactor", "metrics_generator_client"}


def test_every_part_of_a_pipeline_is_defined_and_every_part_is_used() -> None:
    pipelines = COLLECTOR["service"]["pipelines"].values()
    for kind in ("receivers", "processors", "exporters"):
        assert set(chain.from_iterable(pipeline[kind] for pipeline in pipelines)) == COLLECTOR[kind].keys()
    assert set(COLLECTOR["service"]["extensions"]) == COLLECTOR["extensions"].keys()


def test_what_cannot_be_delivered_waits_on_disk() -> None:
    [folder] = [volume.split(":")[1] for volume in SERVICES["otel-collector"]["volumes"] if volume[0] != "."]
    assert COLLECTOR["extensions"]["file_storage"]["directory"] == folder
    assert all(exporter["sending_queue"]["storage"] == "file_storage" for exporter in COLLECTOR["exporters"].values())


def test_the_exporters_lead_to_services_that_listen_there() -> None:
    addresses = {name: urlsplit(str(exporter["endpoint"])) for name, exporter in COLLECTOR["exporters"].items()}
    assert {address.hostname for address in addresses.values()} <= SERVICES.keys()
    tempo = TEMPO["distributor"]["receivers"]["otlp"]["protocols"]["http"]["endpoint"]
    assert f":{addresses['otlp_http/tempo'].port}" == tempo.removeprefix("0.0.0.0")  # noqa: S104
    assert "--web.enable-otlp-receiver" in SERVICES["prometheus"]["command"]
    assert addresses["otlp_http/prometheus"].path == "/api/v1/otlp"


def test_tempo_3_keeps_whole_prompts_for_a_week() -> None:
    assert not TEMPO.keys() & GONE_IN_TEMPO_3
    assert TEMPO["distributor"]["max_attribute_bytes"] == 4 * 2**20
    assert TEMPO["backend_scheduler"]["provider"]["compaction"]["compaction"]["block_retention"] == "168h"
    assert SERVICES["tempo"]["image"].startswith("grafana/tempo:3.")
