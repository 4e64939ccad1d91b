"""Cost of one step: µs for features and for judging, by size of the result and length of the run, beside other guards.

`python -m bench.detector [--json FILE] [--repeat N]`. Each step goes through all contenders in turn, as a step of a
fleet meets the detector after other work: noise hits all alike, and none has the processor's caches to itself. Medians
over N passes of a hundred steps, whose texts are new in each pass; `×` is ours, features and judging together, over
theirs. `known`: the run has these answers already, and is dry. How to get the other guards: `bench/peers.py`.
"""

import argparse
import json
import random
from operator import add
from pathlib import Path
from statistics import median
from time import perf_counter_ns as clock
from typing import Any

import msgspec

from bench.peers import peers
from detectors.events import Step
from detectors.feature_types import Features
from detectors.features import features
from detectors.judge import judge_step
from detectors.memory import Memory
from detectors.rules import Rules

SIZES = {"0.2 kB": 4, "2 kB": 40, "20 kB": 400}
"""Lines of about 50 bytes."""
LENGTHS = (100, 2_000)
PASS = 100
"""Steps that are timed at the end of the run."""
_KNOWN = 5
"""Different calls, each with one answer, that a run goes on making."""
_WORDS = [
    "queue",
    "total",
    "return",
    "rows",
    "alpha",
    "index",
    "value",
    "state",
    "x > 3",
    "if not",
    "self.items",
]
_WORDS += ["def run(a):", "name", "for i in range(10):", "41", "0.25", "open", "close"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--repeat", type=int, default=9)
    asked = parser.parse_args()
    rows: list[dict[str, Any]] = []
    missing: list[str] = []
    for size, lines in SIZES.items():
        for length in LENGTHS:
            for known in (False, True):
                row, missing = _measure(size, lines, length, known=known, repeat=asked.repeat)
                if not rows:
                    print(_head(row))
                rows.append(row)
                print(_line(row), flush=True)
    for sentence in missing:
        print(sentence)
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def _measure(
    size: str, lines: int, length: int, *, known: bool, repeat: int
) -> tuple[dict[str, Any], list[str]]:
    rules = Rules()
    memory = Memory()
    run = [_step(seq, lines, known=known) for seq in range(length)]
    for step in run:
        judge_step(memory, step, features(step, rules), rules)
    before = msgspec.msgpack.encode(memory)
    decode = msgspec.msgpack.Decoder(Memory).decode
    others, missing = peers(run)
    times: dict[str, list[int]] = {name: [] for name in ("features", "judge", *(p.name for p in others))}
    state, found = memory, Features()
    for number in range(repeat):
        timed = [_step(length + number * PASS + at, lines, known=known) for at in range(PASS)]
        state = decode(before)
        contenders = [(times[peer.name], peer.fresh()) for peer in others]
        for step in timed:
            start = clock()
            found = features(step, rules)
            middle = clock()
            judge_step(state, step, found, rules)
            end = clock()
            times["features"].append(middle - start)
            times["judge"].append(end - middle)
            for taken, feed in contenders:
                start = clock()
                feed(step)
                end = clock()
                taken.append(end - start)
    together = median(map(add, times["features"], times["judge"])) / 1e3
    us = {name: median(taken) / 1e3 for name, taken in times.items()}
    row = {
        "size": size,
        "length": length,
        "answers": "known" if known else "new",
        "features_us": round(us["features"], 1),
        "judge_us": round(us["judge"], 1),
        "together_us": round(together, 1),
        "peers": {
            peer.name: {"us": round(us[peer.name], 1), "ratio": round(together / us[peer.name], 2)}
            for peer in others
        },
        "features_bytes": len(msgspec.json.encode(found)),
        "state_bytes": len(msgspec.msgpack.encode(state)),
    }
    return row, missing


def _head(row: dict[str, Any]) -> str:
    names = "".join(f"  {name + ' µs':>15s}  ours ×" for name in row["peers"])
    return f"result   at step  answers  features µs  judge µs  together{names}  features bytes  state bytes"


def _line(row: dict[str, Any]) -> str:
    theirs = "".join(f"  {peer['us']:15.1f}  {peer['ratio']:6.2f}" for peer in row["peers"].values())
    sizes = f" {row['features_bytes']:15d} {row['state_bytes']:12d}"
    return (
        f"{row['size']:8s} {row['length']:7d}  {row['answers']:7s} {row['features_us']:11.1f}"
        f" {row['judge_us']:9.1f} {row['together_us']:9.1f}{theirs}{sizes}"
    )


def _step(seq: int, lines: int, *, known: bool) -> Step:
    key = seq % _KNOWN if known else seq
    rng = random.Random(key)
    text = "\n".join(" ".join(rng.choice(_WORDS) for _ in range(8)) for _ in range(lines))
    args = {"path": f"src/part{key}.py", "offset": 1, "limit": lines}
    return Step(
        run_id="bench", seq=seq, tool="read_file", args=args, result=text, ts=1_764_000_000.0 + 6 * seq
    )


if __name__ == "__main__":
    main()
