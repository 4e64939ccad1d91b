"""Cost of one step: µs for features and for judging, by size of the result and length of the run, beside other guards.

`python -m bench.detector [--json FILE] [--repeat N]`. Processor time of this process, best of N passes; no pass has
texts that an earlier one had. All contenders take the same steps, in turn within each pass, so that noise hits them
alike; a ratio (`×`) is the median over the passes of ours (features and judging together) by theirs. `known`: the
run has these answers already, and is dry. How to get the other guards: `bench/peers.py`.
"""

import argparse
import json
import random
import time
from operator import truediv
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from bench.peers import Peer, peers
from detectors.events import Step
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
    times: dict[str, list[float]] = {name: [] for name in ("features", "judge", *(p.name for p in others))}
    state, found = memory, []
    for number in range(repeat):
        timed = [_step(length + number * PASS + at, lines, known=known) for at in range(PASS)]
        state = decode(before)
        start = time.process_time()
        found = [features(step, rules) for step in timed]
        middle = time.process_time()
        for step, f in zip(timed, found, strict=True):
            judge_step(state, step, f, rules)
        end = time.process_time()
        times["features"].append((middle - start) / PASS * 1e6)
        times["judge"].append((end - middle) / PASS * 1e6)
        for peer in others:
            times[peer.name].append(_time(peer, timed))
    ours = [f + j for f, j in zip(times["features"], times["judge"], strict=True)]
    row = {
        "size": size,
        "length": length,
        "answers": "known" if known else "new",
        "features_us": round(min(times["features"]), 1),
        "judge_us": round(min(times["judge"]), 1),
        "together_us": round(min(ours), 1),
        "peers": {
            peer.name: {
                "us": round(min(times[peer.name]), 1),
                "ratio": round(median(map(truediv, ours, times[peer.name])), 2),
            }
            for peer in others
        },
        "features_bytes": len(msgspec.json.encode(found[-1])),
        "state_bytes": len(msgspec.msgpack.encode(state)),
    }
    return row, missing


def _time(peer: Peer, timed: list[Step]) -> float:
    feed = peer.fresh()
    start = time.process_time()
    for step in timed:
        feed(step)
    return (time.process_time() - start) / PASS * 1e6


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
