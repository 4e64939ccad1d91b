"""The measurement itself: that it runs, that it measures what was worked off, and that its report can be read."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
from worker_process import CHECKOUT

pytestmark = pytest.mark.kafka


async def test_worker_and_floor_do_the_same_work_and_both_are_measured(
    kafka_broker: str, tmp_path: Path
) -> None:
    report = tmp_path / "pipeline.json"
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "bench.pipeline",
            "--quick",
            "--bootstrap",
            kafka_broker,
            "--json",
            str(report),
        ),
        cwd=CHECKOUT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, problems = await process.communicate()
    assert process.returncode == 0, problems.decode()[-3000:]
    numbers = json.loads(report.read_text())
    floor, worker = numbers["rounds"]
    assert (floor["who"], worker["who"]) == ("floor", "worker")
    # A round is an error unless its states count every event, so equal counts are equal work.
    assert floor["events"] == worker["events"] > 9_000
    assert min(floor["seconds"], worker["seconds"], floor["cpu_us_per_event"], worker["cpu_us_per_event"]) > 0
    assert numbers["delays"]["halts"] > 0
    assert 0 < numbers["delays"]["p50_ms"] <= numbers["delays"]["p99_ms"] <= numbers["delays"]["max_ms"]
    assert "worker/floor" in said.decode()
