"""`stallwatch demo` as a process, and everything that it starts, found by what it hands down."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import uuid
from pathlib import Path
from types import TracebackType
from typing import Self

MARK = "DEMO_TEST_MARK"
COMMAND = [sys.executable, "-c", "from stallwatch.cli import main; main()", "demo"]
GONE_S = 30.0


class DemoProcess:
    """A demo that runs, its lines as they come, and its descendants.

    Descendants are found by a variable that they inherit, or (what the agents start gets a bare environment) by a
    working directory below the demo's own temporary folder.
    """

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self._mark = uuid.uuid4().hex
        self.errors = folder / "errors.txt"
        self.lines: list[str] = []
        self._queue: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        with self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [*COMMAND, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, MARK: self._mark, "TMPDIR": str(self.temporary)},
                start_new_session=True,
            )
        self._hung_up = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pid in [self.process.pid, *self.descendants()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def line_with(self, part: str, *, times: int = 1, within_s: float = 100.0) -> str:
        """The line that is the `times`-th with this in it."""
        deadline = time.monotonic() + within_s
        while times:
            try:
                line = self._queue.get(timeout=max(deadline - time.monotonic(), 0.01))
            except queue.Empty:
                raise AssertionError(f"no {part!r} in time; so far:\n{self.said()}") from None
            assert line is not None, f"it ended without {part!r}:\n{self.said()}"
            times -= part in line
        return line or ""

    def end(self, within_s: float = 60.0) -> int:
        """The exit code, once it has ended."""
        try:
            return self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it did not end:\n{self.said()}") from None

    def hang_up(self) -> None:
        """Nobody reads its lines any more: the next one breaks the pipe."""
        assert self.process.stdout is not None
        self._hung_up.set()
        self._reader.join()
        self.process.stdout.close()

    def descendants(self) -> dict[int, str]:
        """Every living process that it started, directly or not, with its command line."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) in (os.getpid(), self.process.pid):
                continue
            with contextlib.suppress(OSError):
                marked = f"{MARK}={self._mark}".encode() in (entry / "environ").read_bytes().split(b"\0")
                if marked or (entry / "cwd").readlink().is_relative_to(self.temporary):
                    command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    if command:  # a zombie has none
                        found[int(entry.name)] = command
        return found

    def assert_nothing_is_left(self) -> None:
        """No descendant is alive, at once or soon."""
        deadline = time.monotonic() + GONE_S
        while (left := self.descendants()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not left

    def said(self) -> str:
        """All its output so far."""
        return "\n".join(self.lines) + "\n" + self.errors.read_text(errors="replace")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for data in self.process.stdout:
            self.lines.append(data.decode().rstrip("\n"))
            self._queue.put(self.lines[-1])
            if self._hung_up.is_set():
                return
        self._queue.put(None)
