"""Cases and recorded traces as events of the wire: what benches and tests replay."""

import gzip
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from detectors.events import Event, RunEvent, Step, UserInput

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"
TRACES = Path(os.environ.get("STALLWATCH_TRACES", Path(__file__).resolve().parents[2] / "shared" / "traces"))
_STEP_FIELDS = (
    "tool",
    "args",
    "result",
    "exit_code",
    "error",
    "ts",
    "before_hash",
    "after_hash",
    "milestone",
    "score",
    "compaction",
    "agent",
)
_NEXT_ACTION = re.compile(r"\s*; Next action: .*\Z", re.DOTALL)
"""One set's logs glue the agent's next call to the result of the last one: that is no result."""


def case_folders(root: Path = CASES) -> list[Path]:
    """The folder of the reported cases and those of the later rounds."""
    rounds = (path for path in (root / "rounds").glob("*") if path.is_dir())
    return [root, *sorted(rounds, key=lambda path: int(path.name))]


def cases(folder: Path = CASES) -> list[dict[str, Any]]:
    """Every case of the folder, by name."""
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


def case_events(case: dict[str, Any]) -> list[Event]:
    """A case as a run: its steps numbered from 0."""
    return [_step(case["id"], seq, raw) for seq, raw in enumerate(case["steps"])]


def trace_sets(folder: Path = TRACES) -> list[str]:
    """Names of the recorded sets that are there."""
    return sorted(path.name.removesuffix(".steps.jsonl.gz") for path in folder.glob("*.steps.jsonl.gz"))


def trace_runs(name: str, folder: Path = TRACES) -> dict[str, dict[str, Any]]:
    """run_id → outcome, model, labels of a set."""
    lines = (folder / f"{name}.runs.jsonl").read_text("utf-8").splitlines()
    return {run["run_id"]: run for run in map(json.loads, lines)}


def trace_events(name: str, folder: Path = TRACES) -> Iterator[tuple[str, list[Event], list[dict[str, Any]]]]:
    """(run_id, events, raw steps) of each run of a set, in the order of the file. A run's lines are together or not."""
    runs: dict[str, list[dict[str, Any]]] = {}
    with gzip.open(folder / f"{name}.steps.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            raw = json.loads(line)
            runs.setdefault(raw["run_id"], []).append(raw)
    for run_id, steps in runs.items():
        events: list[Event] = []
        for raw in steps:
            if raw.get("kind") == "message":
                events.extend(_message(run_id, len(events), raw))
            elif raw.get("tool"):
                events.append(_step(run_id, len(events), raw))
        yield run_id, events, steps


def _message(run_id: str, seq: int, raw: dict[str, Any]) -> list[RunEvent]:
    """No tool call: what the user said next is an input, an agent's own words are nothing that a detector sees."""
    return [UserInput(run_id=run_id, seq=seq)] if raw.get("tool") == "respond" else []


def _step(run_id: str, seq: int, raw: dict[str, Any]) -> Step:
    fields = {key: raw[key] for key in _STEP_FIELDS if raw.get(key) is not None}
    if isinstance(fields.get("result"), str):
        fields["result"] = _NEXT_ACTION.sub("", fields["result"])
    return msgspec.convert({"kind": "step", "run_id": run_id, "seq": seq, **fields}, Step)
