"""A long recording needs no more memory than its live runs: what has ended is let go, in every process."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from replay_process import ReplayProcess

STEPS = 10


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


def peak_kb(pid: int) -> int:
    """The most memory that a living process has had so far."""
    status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0])


def replayed(jobs: int, runs: int) -> int:
    """Peak memory of all processes, in kB, of a replay that reads from a pipe."""
    with ReplayProcess("--summary", "--jobs", str(jobs)) as replay:

        def write() -> None:
            replay.stdin.writelines(lines(runs))
            replay.stdin.flush()

        writer = threading.Thread(target=write)
        writer.start()
        # Every run ends within the input, so all is printed while the processes wait for more of it.
        closed = 0
        while closed < runs:
            closed += b'"summary":true' in replay.stdout.readline()
        writer.join()
        judges = replay.judges()
        assert len(judges) == (jobs if jobs > 1 else 0)
        peak = sum(peak_kb(pid) for pid in (replay.process.pid, *judges))
        replay.stdin.close()
        assert replay.stdout.read() == b""
        assert replay.wait() == 0
    return peak


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads memory from /proc")
@pytest.mark.parametrize("jobs", [1, 2])
def test_five_times_as_many_runs_need_no_more_memory(jobs: int) -> None:
    before = replayed(jobs, 200)
    after = replayed(jobs, 1000)
    # Kept, 800 more runs of ten steps would take over 15 MB.
    assert after - before < 6_000
