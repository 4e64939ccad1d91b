"""What docker-compose.yml starts, with its commands and settings, on a broker without Docker."""

import json
import os
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from worker_process import CHECKOUT, Worker

from deploy.kafka.cluster import Cluster
from stallwatch.demo.agents import BEHAVIOURS

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(420)]

SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((CHECKOUT / "docker-compose.yml").read_text("utf-8"))[
    "services"
]
STUCK = {b.name for b in BEHAVIOURS.values() if not b.healthy}


def settings(name: str, bootstrap: str) -> dict[str, str]:
    """The service's environment, for a broker at another address and with the files as the checkout has them."""
    service = SERVICES[name]
    mounts = {part[1]: part[0] for text in service.get("volumes", []) if (part := text.split(":"))}
    out = {}
    for variable, value in service["environment"].items():
        plain = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", value).replace("kafka:9092", bootstrap)
        out[variable] = str(CHECKOUT / mounts[plain]) if plain in mounts else plain
    out.pop(
        "STALLWATCH_METRICS_HOST", None
    )  # all addresses of a container; here the loopback address will do
    return out


def run(name: str, bootstrap: str, *more: str) -> subprocess.CompletedProcess[str]:
    """The service has ended."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("STALLWATCH_")}
    command = [word.replace("kafka:9092", bootstrap) for word in SERVICES[name]["command"]]
    return subprocess.run(
        [sys.executable, "-c", "from stallwatch.cli import main; main()", *command, *more],
        env={**inherited, **settings(name, bootstrap)},
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )


@pytest.fixture
def worker(kafka_cluster: Callable[..., Cluster], tmp_path: Path) -> Iterator[tuple[str, Worker]]:
    """A broker with the topics, and the worker, ready."""
    bootstrap = kafka_cluster().bootstrap_servers
    created = run("topics", bootstrap)
    assert created.returncode == 0, created.stderr
    again = run("topics", bootstrap)
    assert again.returncode == 0, "it is safe to repeat"
    assert SERVICES["worker"]["command"] == ["worker"]
    worker = Worker("worker", settings("worker", bootstrap), tmp_path / "worker.log")
    try:
        yield bootstrap, worker.start().ready()
    finally:
        if worker.alive():
            worker.kill()


def samples(worker: Worker) -> dict[str, float]:
    """Every sample of the worker, summed over its labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{worker.metrics_port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    out: dict[str, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            out[sample.name] = out.get(sample.name, 0.0) + sample.value
    return out


def test_the_fleet_comes_twice_and_its_stuck_agents_are_halted_both_times(
    worker: tuple[str, Worker], tmp_path: Path
) -> None:
    bootstrap, process = worker
    for visit in (1, 2):
        result = tmp_path / f"{visit}.json"
        fleet = run("fleet", bootstrap, "--json", str(result))
        assert fleet.returncode == 0, fleet.stdout + fleet.stderr
        runs = json.loads(result.read_text("utf-8"))["runs"]
        assert {r["run_id"] for r in runs if r["ending"] == "halted"} == STUCK
        metrics = samples(process)
        halts = visit * len(STUCK)
        assert metrics["stallwatch_halts_total"] == halts
        assert metrics["stallwatch_halt_ack_duration_seconds_count"] == halts
        assert metrics["stallwatch_halts_unacknowledged"] == 0
        assert metrics["stallwatch_dlq_total"] == 0
    assert process.terminate() == 0
