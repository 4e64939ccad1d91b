"""Recordings for the bench of the replay: made ones with steps of a stated size, and the recorded traces."""

from pathlib import Path

import msgspec

from bench.convert import trace_events, trace_sets
from detectors.events import Step

RUNS = 300
_encoder = msgspec.json.Encoder()


def write_made(path: Path, steps: int, lines: int) -> int:
    """`RUNS` interleaved runs whose answers have `lines` lines, all different; returns the number of steps."""
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
            file.write(_encoder.encode(step) + b"\n")
    return steps


def _with_offset(moment: str) -> str:
    """One set's times have no offset, which the wire does not take: they are as good as UTC here."""
    return moment if moment.endswith("Z") or "+" in moment else moment + "Z"


def write_traces(path: Path) -> int:
    """Every recorded run, one after the other; returns the number of events, 0 where no traces are."""
    events = 0
    with path.open("wb") as file:
        for name in trace_sets():
            for run_id, found, _ in trace_events(name):
                for event in found:
                    event.run_id = f"{name}/{run_id}"
                    if isinstance(event, Step) and isinstance(event.ts, str):
                        event.ts = _with_offset(event.ts)
                    file.write(_encoder.encode(event) + b"\n")
                events += len(found)
    return events
