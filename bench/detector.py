"""Cost of one step: µs for features and for judging, by size of the result and length of the run, and state bytes.

`python -m bench.detector [--json FILE] [--repeat N]`. Processor time of this process, best of N passes; the two
columns beside it are the same work on answers that the run knows already.
"""

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

import msgspec

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
    parser.add_argument("--repeat", type=int, default=7)
    asked = parser.parse_args()
    rows = [
        _measure(size, lines, length, known=known, repeat=asked.repeat)
        for size, lines in SIZES.items()
        for length in LENGTHS
        for known in (False, True)
    ]
    print("result   at step  answers  features µs  judge µs  together  features bytes  state bytes")
    for row in rows:
        together = row["features_us"] + row["judge_us"]
        print(
            f"{row['size']:8s} {row['length']:7d}  {row['answers']:7s} {row['features_us']:11.1f}"
            f" {row['judge_us']:9.1f} {together:9.1f} {row['features_bytes']:15d} {row['state_bytes']:12d}"
        )
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def _measure(size: str, lines: int, length: int, *, known: bool, repeat: int) -> dict[str, Any]:
    rules = Rules()
    memory = Memory()
    run = [_step(seq, lines, known=known) for seq in range(length + PASS)]
    for step in run[:length]:
        judge_step(memory, step, features(step, rules), rules)
    timed = run[length:]
    found = [features(step, rules) for step in timed]
    before = msgspec.msgpack.encode(memory)
    decode = msgspec.msgpack.Decoder(Memory).decode
    best = [float("inf"), float("inf")]
    for _ in range(repeat):
        start = time.process_time()
        for step in timed:
            features(step, rules)
        middle = time.process_time()
        state = decode(before)
        begun = time.process_time()
        for step, f in zip(timed, found, strict=True):
            judge_step(state, step, f, rules)
        end = time.process_time()
        best = [min(best[0], middle - start), min(best[1], end - begun)]
        memory = state
    return {
        "size": size,
        "length": length,
        "answers": "known" if known else "new",
        "features_us": round(best[0] / PASS * 1e6, 1),
        "judge_us": round(best[1] / PASS * 1e6, 1),
        "features_bytes": len(msgspec.json.encode(found[-1])),
        "state_bytes": len(msgspec.msgpack.encode(memory)),
    }


def _step(seq: int, lines: int, *, known: bool) -> Step:
    rng = random.Random(seq % 5 if known else seq)
    text = "\n".join(" ".join(rng.choice(_WORDS) for _ in range(8)) for _ in range(lines))
    args = {"path": f"src/part{seq % 5 if known else seq}.py", "offset": 1, "limit": lines}
    return Step(
        run_id="bench", seq=seq, tool="read_file", args=args, result=text, ts=1_764_000_000.0 + 6 * seq
    )


if __name__ == "__main__":
    main()
