"""The load of the pipeline measurements: steps of about 1 kB; most runs work, some go round in circles."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import msgspec

_SYLLABLES = (
    "ba",
    "co",
    "di",
    "fu",
    "gar",
    "hel",
    "in",
    "jo",
    "ka",
    "lum",
    "mo",
    "ner",
    "ost",
    "pi",
    "qua",
    "ri",
)
_WORDS = ["".join(parts) for parts in product(_SYLLABLES, repeat=3)]
_START = 1_790_000_000.0
"""Time of the first step, seconds since the epoch; steps of a run follow each other by 5 s."""


@dataclass
class Run:
    """One run's steps, one at a time. The same seed gives the same bytes."""

    run_id: str
    seed: int
    stuck_from: int | None = None
    """Seq from which every call repeats the one before, with the same answer; None: never."""
    lines: int = 14
    seq: int = 0
    _random: random.Random = field(init=False)
    _last: dict[str, object] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    @property
    def key(self) -> bytes:
        """Key of its records."""
        return self.run_id.encode()

    def next(self) -> bytes:
        """The next step's value."""
        if self.stuck_from is None or self.seq <= self.stuck_from or not self._last:
            self._last = self._work()
        step = {
            "kind": "step",
            "schema": 1,
            "run_id": self.run_id,
            "seq": self.seq,
            "turn": self.seq,
            "ts": _START + 5.0 * self.seq,
            "duration_s": 0.8,
            "tokens": 900 + self.seq % 7,
            "task": "bench",
            **self._last,
        }
        self.seq += 1
        return msgspec.json.encode(step)

    def _work(self) -> dict[str, object]:
        words = self._random.choices(_WORDS, k=6 * self.lines + 2)
        number = self._random.getrandbits(30)
        path = f"src/{words[-1]}/{words[-2]}_{number % 10_000}.py"
        rows = zip(*[iter(words)] * 6, strict=False)
        result = "\n".join(f"{' '.join(row)} {number % (997 + i)}" for i, row in enumerate(rows))
        if number % 4 == 0:
            return {
                "tool": "bash",
                "args": {"command": f"pytest -q {path}"},
                "result": result,
                "exit_code": 0,
            }
        return {"tool": "read_file", "args": {"path": path}, "result": result}


def fleet(
    runs: int, steps: int, *, stuck_share: float = 0.02, seed: int = 1
) -> Iterator[tuple[bytes, bytes]]:
    """(key, value) of `runs` runs of `steps` steps each, interleaved as a live fleet's are."""
    every = round(1 / stuck_share) if stuck_share else 0
    members = [
        Run(
            f"run-{seed}-{i}", seed * 100_003 + i, stuck_from=steps // 2 if every and i % every == 0 else None
        )
        for i in range(runs)
    ]
    for _ in range(steps):
        for member in members:
            yield member.key, member.next()
