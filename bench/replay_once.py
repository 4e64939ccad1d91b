"""One replay in a fresh process, measured: `python -m bench.replay_once FILE JOBS [parts]` prints one JSON object."""

import contextlib
import hashlib
import io
import json
import os
import resource
import sys
import threading
import time
from pathlib import Path
from typing import Any, Self

from detectors.engine import Engine
from detectors.outcome import Outcome
from detectors.rulefile import profile
from stallwatch.recordings.jobs import Jobs
from stallwatch.recordings.replay_output import JsonOutput
from stallwatch.recordings.replay_run import replay_files


class Children:
    """What the kernel says of the child processes, looked at every 50 ms while the context lasts."""

    def __init__(self) -> None:
        self._peaks: dict[str, int] = {}
        self._queued: dict[str, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    @property
    def kilobytes(self) -> int:
        """The sum of their peaks of memory."""
        return sum(self._peaks.values())

    @property
    def queued_s(self) -> float | None:
        """Seconds that the luckiest of them stood in the queue for a core; None without children."""
        return min(self._queued.values(), default=None)

    def _watch(self) -> None:
        children = Path(f"/proc/self/task/{os.getpid()}/children")
        while not self._over.wait(0.05):
            for pid in children.read_text().split():
                with contextlib.suppress(OSError, IndexError):
                    self._peaks[pid] = peak_of(Path(f"/proc/{pid}/status").read_text())
                    self._queued[pid] = queued_s(pid)


def queued_s(pid: str) -> float:
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def peak_of(status: str) -> int:
    return int(status.partition("VmHWM:")[2].split(maxsplit=1)[0])


def measured(file: str, jobs: int) -> dict[str, Any]:
    """Seconds of clock, CPU and waiting for a core, peak memory in kB, of the reader and of what it started."""
    with Children() as judges:
        waited = queued_s("self")
        started, used = time.perf_counter(), time.process_time()
        stream = io.BytesIO()
        replay_files(
            [file],
            profile("default"),
            JsonOutput(summary=True, stream=stream),
            skip_bad=False,
            jobs=Jobs(jobs, 0),
        )
        wall, own = time.perf_counter() - started, time.process_time() - used
        waited = queued_s("self") - waited
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "wall_s": wall,
        "queued_s": waited if judges.queued_s is None else judges.queued_s,
        "reader_cpu_s": own,
        "judges_cpu_s": children.ru_utime + children.ru_stime,
        "reader_kb": peak_of(Path("/proc/self/status").read_text()),
        "judges_kb": judges.kilobytes,
        "output": hash_of(stream.getvalue()),
    }


def hash_of(data: bytes) -> str:

    return hashlib.sha256(data).hexdigest()


def main() -> None:
    """Prints the figures; `parts` leaves the engine out: what remains is reading, decoding and counting."""
    file, jobs, *more = sys.argv[1:]
    if more == ["parts"]:
        Engine.apply = lambda self, root, event, **moment: Outcome()  # type: ignore[method-assign]
    print(json.dumps(measured(file, int(jobs))))


if __name__ == "__main__":
    main()
