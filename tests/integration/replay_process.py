"""`stallwatch replay` as a process, and the processes that it starts."""

import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import stallwatch

COMMAND = [sys.executable, "-c", "from stallwatch.cli import main; main()", "replay", "--json"]
PATIENCE_S = 60.0


class ReplayProcess:
    """A replay of standard input in a group of its own, as a shell starts it."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, *arguments, "-"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
            cwd=Path(stallwatch.__file__).parents[1],
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.stdin, self.stdout, self.stderr = self.process.stdin, self.process.stdout, self.process.stderr

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.stdin, self.stdout, self.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                continue

    def give(self, lines: list[bytes]) -> None:
        """The lines are written and flushed."""
        self.stdin.write(b"\n".join(lines) + b"\n")
        self.stdin.flush()

    def judges(self) -> list[int]:
        """The processes that it has started, by pid."""
        return [pid for pid, parent in parents().items() if parent == self.process.pid]

    def wait(self) -> int:
        """Its exit code."""
        return self.process.wait(PATIENCE_S)


def parents() -> dict[int, int]:
    """pid → parent's pid of every process that has not ended."""
    found: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text("ascii", "replace").rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            found[int(path.parent.name)] = int(parent)
    return found


def all_gone(pids: list[int]) -> bool:
    """Whether the processes end by themselves, with patience."""
    end = time.monotonic() + PATIENCE_S
    while set(pids) & parents().keys():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
