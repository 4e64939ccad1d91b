"""How fast recorded steps are replayed, and what of it is reading, decoding and counting.

    python -m bench.replay [--steps 20000] [--lines 12]

Prints microseconds of CPU per step and steps per second: of the whole replay, and of the same without the engine.
"""

import argparse
import io
import tempfile
import time
from pathlib import Path

import msgspec

from detectors.engine import Engine
from detectors.events import Step
from detectors.outcome import Outcome
from detectors.rulefile import profile
from stallwatch.recordings.replay_output import JsonOutput
from stallwatch.recordings.replay_run import replay_files

RUNS = 50
ROUNDS = 3


def write(path: Path, steps: int, lines: int) -> int:
    """A recording of `RUNS` interleaved runs whose answers differ; returns the bytes per step."""
    encoder = msgspec.json.Encoder()
    with path.open("wb") as file:
        for number in range(steps):
            run, seq = number % RUNS, number // RUNS
            text = "\n".join(
                f"{run} {seq} line {line} of file {(number * 7919 + line) % 10007:05d}.py, as it stands"
                for line in range(lines)
            )
            step = Step(
                run_id=f"run-{run}",
                seq=seq,
                turn=seq,
                ts=1.7e9 + seq,
                tool="read",
                args={"path": f"src/{seq}.py"},
                result=text,
                exit_code=0,
                tokens=1200,
            )
            file.write(encoder.encode(step) + b"\n")
        return file.tell() // steps


def seconds(path: Path) -> float:
    """CPU time of the fastest of `ROUNDS` replays."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        replay_files(
            [str(path)], profile("default"), JsonOutput(summary=True, stream=io.BytesIO()), skip_bad=False
        )
        best = min(best, time.process_time() - started)
    return best


def main() -> None:
    """Prints the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--steps", type=int, default=20_000)
    options.add_argument("--lines", type=int, default=12)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "steps.jsonl"
        size = write(path, given.steps, given.lines)
        print(f"{given.steps:,} steps of {size:,} bytes, {given.lines} lines of answer each")
        _show("whole replay", seconds(path), given.steps)
        judged = Engine.apply
        try:
            Engine.apply = lambda self, root, event, **moment: Outcome()  # type: ignore[method-assign]
            _show("without the engine", seconds(path), given.steps)
        finally:
            Engine.apply = judged  # type: ignore[method-assign]


def _show(what: str, cpu_s: float, steps: int) -> None:
    print(f"{what:20} {cpu_s / steps * 1e6:8.1f} µs a step {steps / cpu_s:12,.0f} steps/s")


if __name__ == "__main__":
    main()
