"""A long recording needs no more memory than its live runs: what has ended is let go."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import stallwatch

STEPS = 10
CODE = """
import resource, sys
from stallwatch.cli import main
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def lines(runs: int) -> Iterator[bytes]:
    """Runs that end, ten at a time side by side, each with answers of its own."""
    for first in range(0, runs, 10):
        for seq in range(STEPS):
            for run in range(first, first + 10):
                text = "\\n".join(f"{run} {seq} line {number} of a file" for number in range(8))
                yield (
                    b'{"run_id":"r%d","seq":%d,"turn":%d,"tool":"read","args":{"path":"%d.py"},"result":"%s"}\n'
                    % (
                        run,
                        seq,
                        seq,
                        seq,
                        text.encode(),
                    )
                )
        for run in range(first, first + 10):
            yield b'{"kind":"run_ended","run_id":"r%d","seq":%d,"outcome":"completed"}\n' % (run, STEPS)


def replayed(runs: int) -> tuple[int, int]:
    """(closing objects, peak memory in kB) of a replay that reads from a pipe."""
    with subprocess.Popen(
        [sys.executable, "-c", CODE, "replay", "--summary", "--json", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(stallwatch.__file__).parents[1],
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        stdin = process.stdin

        def write() -> None:
            with stdin:
                stdin.writelines(lines(runs))

        writer = threading.Thread(target=write)
        writer.start()
        closed = sum(b'"summary":true' in line for line in process.stdout)
        writer.join()
        peak = int(process.stderr.read())
        assert process.wait() == 0
    return closed, peak


def test_five_times_as_many_runs_need_no_more_memory() -> None:
    few, before = replayed(200)
    many, after = replayed(1000)
    assert (few, many) == (200, 1000)
    # Kept, 800 more runs of ten steps would take over 15 MB.
    assert after - before < 6_000
