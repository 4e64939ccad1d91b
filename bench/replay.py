"""How fast recorded steps are replayed, by one process and by several, side by side.

    python -m bench.replay [--jobs 2] [--steps 40000] [--rounds 3]

For each recording: medians over alternating rounds of events per second (clock), CPU time per event of the reader and
of the processes that judge, peak memory of both, and the ratio of the speeds; every output must be the same. On a
machine with other work "with free cores" says more: the clock without what the kernel counts as waiting for a core
(of the process that waited least). Last, the CPU time per event of everything but the engine: reading, decoding,
counting.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.replay_inputs import write_made, write_traces

SIZES = {"small steps": 2, "1 kB steps": 17}
"""Lines of answer per step."""


def once(path: Path, jobs: int, *more: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.replay_once", str(path), str(jobs), *more]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def compared(path: Path, events: int, jobs: list[int], rounds: int) -> None:
    """Prints a row per number of jobs. Raises `SystemExit` if their outputs differ."""
    found: dict[int, list[dict[str, Any]]] = {number: [] for number in jobs}
    for _ in range(rounds):
        for number in jobs:
            found[number].append(once(path, number))
    if len({result["output"] for results in found.values() for result in results}) != 1:
        raise SystemExit("the outputs differ")
    speeds: dict[int, float] = {}
    free: dict[int, float] = {}
    for number, results in found.items():

        def median(name: str, results: list[dict[str, Any]] = results) -> float:
            return statistics.median(float(result[name]) for result in results)

        speeds[number] = events / median("wall_s")
        free[number] = events / statistics.median(r["wall_s"] - r["queued_s"] for r in results)
        print(
            f"  {number:2} jobs {speeds[number]:8,.0f} events/s × {speeds[number] / speeds[jobs[0]]:4.2f}"
            f"  with free cores {free[number]:8,.0f} × {free[number] / free[jobs[0]]:4.2f}"
            f"  CPU per event: reader {median('reader_cpu_s') / events * 1e6:6.1f} µs,"
            f" judges {median('judges_cpu_s') / events * 1e6:6.1f} µs"
            f"  peak: reader {median('reader_kb') / 1024:5.0f} MB, judges {median('judges_kb') / 1024:5.0f} MB"
        )


def main() -> None:
    """Prints the tables."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--steps", type=int, default=40_000)
    options.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="compared; the first is 1.00")
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    print(f"{len(os.sched_getaffinity(0))} usable cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        inputs: dict[str, tuple[Path, int]] = {}
        for name, lines in SIZES.items():
            path = Path(folder) / f"{lines}.jsonl"
            inputs[name] = (path, write_made(path, given.steps, lines))
        path = Path(folder) / "traces.jsonl"
        if events := write_traces(path):
            inputs["recorded traces"] = (path, events)
        for name, (path, events) in inputs.items():
            print(f"{name}: {events:,} events of {path.stat().st_size // events:,} bytes")
            compared(path, events, given.jobs, given.rounds)
            without = min(once(path, 1, "parts")["reader_cpu_s"] for _ in range(given.rounds))
            print(f"  without the engine: {without / events * 1e6:.1f} µs of CPU per event")


if __name__ == "__main__":
    main()
